//! From a [`Tree`] to a type of the API.

use std::borrow::Cow;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::fault::{InputError, nearest};
use super::place::{InputPath, QuotedName};
use super::tree::Tree;

/// The treatment of members that the type does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// They are a fault.
    Refuse,
    /// They are passed over.
    Ignore,
}

/// Reads a value; `root` is what messages call the whole input.
pub(crate) fn read<T: DeserializeOwned>(
    tree: &Tree<'_>,
    root: &'static str,
    strictness: Strictness,
) -> Result<T, InputError> {
    T::deserialize(Reader { tree, place: &InputPath::Root(root), strictness })
}

#[derive(Clone, Copy)]
struct Reader<'r> {
    tree: &'r Tree<'r>,
    place: &'r InputPath<'r>,
    strictness: Strictness,
}

impl<'r> Reader<'r> {
    fn members<'de, V: Visitor<'de>>(
        self,
        members: &'r [(Cow<'r, str>, Tree<'r>)],
        fields: Option<&'static [&'static str]>,
        visitor: V,
    ) -> Result<V::Value, InputError> {
        if let (Some(fields), Strictness::Refuse) = (fields, self.strictness) {
            for (name, _) in members {
                if !fields.contains(&name.as_ref()) {
                    let hint = nearest(name, fields);
                    let member = InputPath::Member(self.place, name);
                    return Err(InputError::new(format!("{member} is not a field of this request{hint}")));
                }
            }
        }
        visitor.visit_map(ObjectMembers { rest: members.iter(), value: None, reader: self })
    }

    fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InputError> {
        match self.tree {
            Tree::Null => visitor.visit_unit(),
            Tree::Bool(value) => visitor.visit_bool(*value),
            Tree::Unsigned(value) => visitor.visit_u64(*value),
            Tree::Signed(value) => visitor.visit_i64(*value),
            Tree::Float(value) => visitor.visit_f64(*value),
            Tree::String(text) | Tree::Text(text) => visitor.visit_str(text),
            Tree::Array(elements) => {
                visitor.visit_seq(ArrayElements { rest: elements.iter().enumerate(), reader: self })
            }
            Tree::Object(members) => self.members(members, None, visitor),
        }
    }

    fn unexpected(&self) -> Unexpected<'r> {
        match self.tree {
            Tree::Null => Unexpected::Unit,
            Tree::Bool(value) => Unexpected::Bool(*value),
            Tree::Unsigned(value) => Unexpected::Unsigned(*value),
            Tree::Signed(value) => Unexpected::Signed(*value),
            Tree::Float(value) => Unexpected::Float(*value),
            Tree::String(text) | Tree::Text(text) => Unexpected::Str(text),
            Tree::Array(_) => Unexpected::Seq,
            Tree::Object(_) => Unexpected::Map,
        }
    }

    fn number<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InputError> {
        let Tree::Text(text) = self.tree else { return self.visit(visitor).map_err(|fault| fault.at(self.place)) };
        // `+1`, ` 1` and `01` are no numbers to anyone but a lenient parser.
        let plain = text.strip_prefix('-').unwrap_or(text);
        let canonical = plain == "0" || (!plain.starts_with('0') && plain.bytes().all(|byte| byte.is_ascii_digit()));
        let read = match (canonical, text.parse::<u64>(), text.parse::<i64>()) {
            (true, Ok(number), _) => visitor.visit_u64(number),
            (true, _, Ok(number)) => visitor.visit_i64(number),
            _ => Err(InputError::invalid_value(Unexpected::Str(text), &"a whole number")),
        };
        read.map_err(|fault| fault.at(self.place))
    }
}

macro_rules! numbers {
    ($($method:ident)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InputError> {
            self.number(visitor)
        }
    )+};
}

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = InputError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InputError> {
        self.visit(visitor).map_err(|fault| fault.at(self.place))
    }

    numbers! { deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InputError> {
        let read = match self.tree {
            Tree::Text(text) if text == "true" => visitor.visit_bool(true),
            Tree::Text(text) if text == "false" => visitor.visit_bool(false),
            Tree::Text(text) => Err(InputError::invalid_value(Unexpected::Str(text), &"`true` or `false`")),
            _ => self.visit(visitor),
        };
        read.map_err(|fault| fault.at(self.place))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InputError> {
        if matches!(self.tree, Tree::Null) { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, InputError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, InputError> {
        // Derived code would take an array of the fields in order for the object.
        let read = match self.tree {
            Tree::Object(members) => self.members(members, Some(fields), visitor),
            _ => Err(InputError::invalid_type(self.unexpected(), &"an object")),
        };
        read.map_err(|fault| fault.at(self.place))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, InputError> {
        let read = match self.tree {
            Tree::String(text) | Tree::Text(text) => visitor.visit_enum(UnitVariant(text)),
            _ => Err(InputError::invalid_type(self.unexpected(), &"a string")),
        };
        read.map_err(|fault| fault.at(self.place))
    }

    forward_to_deserialize_any! {
        i128 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

struct ArrayElements<'r> {
    rest: std::iter::Enumerate<std::slice::Iter<'r, Tree<'r>>>,
    reader: Reader<'r>,
}

impl<'de> SeqAccess<'de> for ArrayElements<'_> {
    type Error = InputError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, InputError> {
        let Some((index, tree)) = self.rest.next() else { return Ok(None) };
        let place = InputPath::Element(self.reader.place, index);
        seed.deserialize(Reader { tree, place: &place, strictness: self.reader.strictness }).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

struct ObjectMembers<'r> {
    rest: std::slice::Iter<'r, (Cow<'r, str>, Tree<'r>)>,
    value: Option<(&'r str, &'r Tree<'r>)>,
    reader: Reader<'r>,
}

impl<'de> MapAccess<'de> for ObjectMembers<'_> {
    type Error = InputError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, InputError> {
        let Some((name, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some((name, value));
        let name: StrDeserializer<'_, InputError> = name.as_ref().into_deserializer();
        seed.deserialize(name).map(Some).map_err(|fault| fault.at(self.reader.place))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, InputError> {
        let Some((name, tree)) = self.value.take() else { return Err(InputError::custom("a value without a name")) };
        let place = InputPath::Member(self.reader.place, name);
        seed.deserialize(Reader { tree, place: &place, strictness: self.reader.strictness })
    }
}

/// Requests have enums of names alone.
struct UnitVariant<'r>(&'r str);

impl<'de> EnumAccess<'de> for UnitVariant<'_> {
    type Error = InputError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), InputError> {
        let name: StrDeserializer<'_, InputError> = self.0.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for UnitVariant<'_> {
    type Error = InputError;

    fn unit_variant(self) -> Result<(), InputError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, InputError> {
        Err(InputError::custom(format!("`{}` needs a value", QuotedName(self.0))))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, InputError> {
        Err(InputError::custom(format!("`{}` needs values", QuotedName(self.0))))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, InputError> {
        Err(InputError::custom(format!("`{}` needs fields", QuotedName(self.0))))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Body {
        #[serde(default)]
        keys: Vec<MapKey>,
        #[serde(default)]
        retranslate: Option<bool>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct MapKey {
        r#ref: String,
        #[serde(default)]
        max_length: Option<u32>,
        #[serde(default)]
        kind: Option<l10n_api_types::KeyKind>,
        #[serde(default)]
        forms: BTreeMap<l10n_api_types::PluralKey, String>,
    }

    fn fault(json: &str) -> String {
        let read = Tree::from_json(json.as_bytes())
            .and_then(|tree| read::<Body>(&tree, "the body", Strictness::Refuse).map(|_| ()));
        read.expect_err(json).to_string()
    }

    #[test]
    fn a_fault_says_what_where_and_what_to_do() {
        let cases = [
            (r#"{"keys":[{"ref":"a"},{"ref":5}]}"#, "`keys[1].ref` must be a string, not a whole number"),
            (r#"{"keys":[{"rfe":"a"}]}"#, "`keys[0].rfe` is not a field of this request: did you mean `ref`?"),
            (r#"{"keys":[{}]}"#, "`keys[0].ref` is missing"),
            (r#"{"keys":{}}"#, "`keys` must be an array, not an object"),
            (r#"{"keys":[["a",1]]}"#, "`keys[0]` must be an object, not an array"),
            (r#"[[{"ref":"a"}],true]"#, "the body must be an object, not an array"),
            ("null", "the body must be an object, not null"),
            ("\"x\"", "the body must be an object, not a string"),
            (r#"{"retranslate":"true"}"#, "`retranslate` must be a boolean, not a string"),
            (r#"{"retranslate":1}"#, "`retranslate` must be a boolean, not a whole number"),
            (r#"{"keys":[],"keys":[]}"#, "`keys` is there twice: leave one of them out"),
            (r#"{"keys":[{"ref":"a","re\u0066":"b"}]}"#, "`keys[0].ref` is there twice: leave one of them out"),
            (r#"{"keys":[{"ref":"a\u0000"}]}"#, "`keys[0].ref` holds the character U+0000, which no text may hold"),
            (
                r#"{"keys":[{"ref":"a","maxLength":-1}]}"#,
                "`keys[0].maxLength` must be a whole number that is not negative, not -1",
            ),
            (
                r#"{"keys":[{"ref":"a","maxLength":1e3}]}"#,
                "`keys[0].maxLength` must be a whole number that is not negative, not a fraction or a number beyond 64 bits",
            ),
            (
                r#"{"keys":[{"ref":"a","kind":"agnet"}]}"#,
                "`keys[0].kind` must be one of ci, agent, not `agnet`: did you mean `agent`?",
            ),
            (r#"{"keys":[{"ref":"a","kind":{"ci":1}}]}"#, "`keys[0].kind` must be a string, not an object"),
            (
                r#"{"keys":[{"ref":"a","forms":{"othr":""}}]}"#,
                "`keys[0].forms` must be one of zero, one, two, few, many, other, =0, =1, not `othr`: did you mean `other`?",
            ),
            (r#"{"dryRun":true}"#, "`dryRun` is not a field of this request"),
        ];
        for (json, expected) in cases {
            assert_eq!(fault(json), expected, "{json}");
        }
    }

    /// HOSTILE-INPUTS S4, CONV-3, ERR-400-3
    #[test]
    fn what_is_not_json_is_refused() {
        let deep = "[".repeat(10_000);
        let texts: &[&[u8]] = &[
            b"",
            b"{",
            b"{}x",
            b"{} {}",
            b"\xEF\xBB\xBF{}",
            b"{\"a\":\"\xFF\"}",
            b"{\"a\":\"\xC0\xAF\"}",
            b"{\"a\":\"\n\"}",
            b"{\"a\":\"\\ud800\"}",
            b"{\"a\":01}",
            b"{\"a\":NaN}",
            b"{\"a\":0x10}",
            b"{\"a\":1e400}",
            b"{'a':1}",
            deep.as_bytes(),
            b"{\"a\":1,}",
            b"\xFF\xFE{\0}\0",
        ];
        for text in texts {
            assert!(Tree::from_json(text).is_err(), "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn unknown_fields_are_passed_over_where_a_route_says_so_but_never_duplicates() {
        let tree = Tree::from_json(br#"{"keys":[{"ref":"a","x":[1,{"y":null}]}],"dry_run":true}"#).unwrap();
        let body: Body = read(&tree, "the body", Strictness::Ignore).unwrap();
        assert_eq!(body.keys.len(), 1);
        assert!(Tree::from_json(br#"{"x":{"y":1,"y":2}}"#).is_err());
    }

    #[test]
    fn a_query_parameter_is_what_its_field_is() {
        let query = |name: &'static str, value: &'static str| {
            let tree = Tree::Object(vec![(name.into(), Tree::Text(value.into()))]);
            read::<l10n_api_types::translations::GetQuery>(&tree, "the query", Strictness::Refuse)
        };
        assert_eq!(query("limit", "5").unwrap().limit, Some(5));
        assert_eq!(query("stale", "true").unwrap().stale, Some(true));
        assert_eq!(query("prefix", "5").unwrap().prefix.as_deref(), Some("5"));
        for (name, value) in [
            ("limit", "05"),
            ("limit", "+5"),
            ("limit", "5.0"),
            ("limit", "-1"),
            ("limit", ""),
            ("stale", "TRUE"),
            ("stale", "1"),
            ("stale", ""),
        ] {
            let fault = query(name, value).expect_err(value).to_string();
            assert!(fault.starts_with(&format!("`{name}` must be ")), "{fault}");
        }
    }
}
