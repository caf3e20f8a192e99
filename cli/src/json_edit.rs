//! Single changes in a JSON localization file (`json`, `i18next`, `arb`): every other byte stays as it is.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode, CstStringLit};
use l10n_client::api::FormatId;

use crate::merge::{is_escaped, spelled};

const BOM: &str = "\u{feff}";

/// The outcome of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edited {
    /// It is in the file now.
    Written,
    /// The file had it.
    There,
}

/// A file, taken apart.
pub(crate) struct JsonFile {
    root: CstRootNode,
    has_bom: bool,
    is_arb: bool,
    /// True if it writes non-ASCII characters as `\uXXXX`.
    is_ascii: bool,
}

/// A string of the file.
struct Leaf {
    /// Names joined with `.`, as the service names it.
    key: String,
    text: CstStringLit,
    /// The member that it is the value of; `None` in an array.
    member: Option<CstObjectProp>,
}

impl JsonFile {
    /// Takes a file apart; refuses what the service would refuse, too.
    pub(crate) fn parse(bytes: &[u8], format: FormatId) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "the file is not UTF-8".to_owned())?;
        let (has_bom, text) = text.strip_prefix(BOM).map_or((false, text), |text| (true, text));
        // The parser that keeps the layout takes more than JSON, and nests as deep as it likes.
        serde_json::from_str::<serde::de::IgnoredAny>(text).map_err(|error| format!("the file is no JSON: {error}"))?;
        let root = CstRootNode::parse(text, &ParseOptions::default())
            .map_err(|error| format!("the file is no JSON: {error}"))?;
        if root.object_value().is_none() {
            return Err("the file holds no object".to_owned());
        }
        Ok(Self { root, has_bom, is_arb: format == FormatId::Arb, is_ascii: is_escaped(text) })
    }

    /// The file as it is now.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        format!("{}{}", if self.has_bom { BOM } else { "" }, self.root).into_bytes()
    }

    /// Returns true if it has a text for this key.
    pub(crate) fn has(&self, key: &str) -> bool {
        !matches!(self.find(key), Ok(None))
    }

    /// Lets a key say `to` in place of `from`.
    pub(crate) fn set(&self, key: &str, from: &str, to: &str) -> Result<Edited, String> {
        let leaf = self.find(key)?.ok_or_else(|| format!("the file has no text `{key}`"))?;
        let says = decoded(&leaf.text)?;
        if says == to {
            return Ok(Edited::There);
        }
        if says != from {
            return Err(format!("the file says “{says}”, which is neither"));
        }
        leaf.text.set_raw_value(self.raw(to));
        Ok(Edited::Written)
    }

    /// Takes a key out, with objects that become empty by it.
    pub(crate) fn remove(&self, key: &str) -> Result<Edited, String> {
        let Some(leaf) = self.find(key)? else { return Ok(Edited::There) };
        let member = leaf.member.ok_or_else(|| format!("`{key}` stands in a list"))?;
        if let Some(about) = self.metadata(key) {
            about.remove();
        }
        let mut around = object_of(&member);
        member.remove();
        while let Some(object) = around.filter(|object| object.properties().is_empty()) {
            let Some(outer) = object.parent().and_then(|parent| parent.as_object_prop()) else { break };
            around = object_of(&outer);
            outer.remove();
        }
        Ok(Edited::Written)
    }

    /// Adds a key at the end of the object that it belongs into.
    pub(crate) fn add(&self, key: &str, text: &str) -> Result<Edited, String> {
        if let Some(leaf) = self.find(key)? {
            let says = decoded(&leaf.text)?;
            return if says == text {
                Ok(Edited::There)
            } else {
                Err(format!("the file has it, and says “{says}”"))
            };
        }
        let root = self.root.object_value_or_set();
        let is_nested = !self.is_arb && root.properties().iter().any(|member| member.object_value().is_some());
        let (mut object, mut rest) = (root, key);
        while is_nested && let Some((name, inner)) = rest.split_once('.') {
            let Some(member) = object.get(name) else { break };
            object = member.object_value().ok_or_else(|| format!("`{name}` of `{key}` is something else there"))?;
            rest = inner;
        }
        if is_nested && !rest.contains(char::is_whitespace) {
            while let Some((name, inner)) =
                rest.split_once('.').filter(|(name, inner)| !name.is_empty() && !inner.is_empty())
            {
                object = object.append(name, CstInputValue::Object(Vec::new())).object_value_or_set();
                rest = inner;
            }
        }
        let member = object.append(rest, CstInputValue::String(text.to_owned()));
        self.spell(&member, rest, Some(text));
        Ok(Edited::Written)
    }

    /// Gives a key another name; where it only differs in its last part, the member stays where it is.
    pub(crate) fn rename(&self, from: &str, to: &str) -> Result<Edited, String> {
        let (old, new) = (self.find(from)?, self.find(to)?);
        let leaf = match (old, new) {
            (Some(_), Some(_)) => return Err("the file has both names".to_owned()),
            (None, Some(_)) => return Ok(Edited::There),
            (None, None) => return Err(format!("the file has no text `{from}`")),
            (Some(leaf), None) => leaf,
        };
        let member = leaf.member.as_ref().ok_or_else(|| format!("`{from}` stands in a list"))?;
        let own = member.decoded_name().unwrap_or_default();
        let around = leaf.key.strip_suffix(own.as_str()).unwrap_or_default();
        // A name with a dot is one member only where the old one was, too.
        let name = to.strip_prefix(around).filter(|name| self.is_arb || own.contains('.') || !name.contains('.'));
        match name.filter(|name| !name.is_empty()) {
            Some(name) => {
                let about = self.metadata(from);
                self.spell(member, name, None);
                if let Some(about) = about {
                    self.spell(&about, &format!("@{name}"), None);
                }
            }
            None => {
                let text = decoded(&leaf.text)?;
                self.remove(from)?;
                self.add(to, &text)?;
            }
        }
        Ok(Edited::Written)
    }

    /// The string of a key.
    fn find(&self, key: &str) -> Result<Option<Leaf>, String> {
        let mut found = Vec::new();
        if let Some(root) = self.root.object_value() {
            for member in root.properties() {
                let name = member.decoded_name().unwrap_or_default();
                if self.is_arb && name.starts_with('@') {
                    continue;
                }
                if let Some(value) = member.value() {
                    self.collect(name, &value, Some(member), key, &mut found);
                }
            }
        }
        if found.len() > 1 {
            return Err(format!("the file has `{key}` {} times", found.len()));
        }
        Ok(found.pop())
    }

    /// Goes down where `wanted` may be.
    fn collect(
        &self,
        key: String,
        value: &CstNode,
        member: Option<CstObjectProp>,
        wanted: &str,
        found: &mut Vec<Leaf>,
    ) {
        if let Some(text) = value.as_string_lit() {
            if key == wanted {
                found.push(Leaf { key, text, member });
            }
            return;
        }
        let leads_there = wanted.strip_prefix(key.as_str()).is_some_and(|rest| rest.starts_with('.'));
        if self.is_arb || !leads_there {
            return;
        }
        if let Some(object) = value.as_object() {
            for member in object.properties() {
                let inner = format!("{key}.{}", member.decoded_name().unwrap_or_default());
                if let Some(value) = member.value() {
                    self.collect(inner, &value, Some(member), wanted, found);
                }
            }
        } else if let Some(list) = value.as_array() {
            for (index, value) in list.elements().iter().enumerate() {
                self.collect(format!("{key}.{index}"), value, None, wanted, found);
            }
        }
    }

    /// The metadata of a key in an ARB file.
    fn metadata(&self, key: &str) -> Option<CstObjectProp> {
        self.root.object_value().filter(|_| self.is_arb)?.get(&format!("@{key}"))
    }

    /// Writes name and text of a member as the file spells them.
    fn spell(&self, member: &CstObjectProp, name: &str, text: Option<&str>) {
        if let Some(literal) = member.name().and_then(|name| name.as_string_lit()) {
            literal.set_raw_value(self.raw(name));
        }
        if let (Some(text), Some(literal)) = (text, member.value().and_then(|value| value.as_string_lit())) {
            literal.set_raw_value(self.raw(text));
        }
    }

    /// A text as it stands in the file, with its quotes.
    fn raw(&self, text: &str) -> String {
        spelled(text, self.is_ascii)
    }
}

fn object_of(member: &CstObjectProp) -> Option<CstObject> {
    member.parent().and_then(|parent| parent.as_object())
}

fn decoded(text: &CstStringLit) -> Result<String, String> {
    text.decoded_value().map_err(|_| "the file holds a text that cannot be read".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, edit: impl FnOnce(&JsonFile) -> Result<Edited, String>) -> String {
        edited_as(FormatId::Json, text, edit)
    }

    fn edited_as(format: FormatId, text: &str, edit: impl FnOnce(&JsonFile) -> Result<Edited, String>) -> String {
        let file = JsonFile::parse(text.as_bytes(), format).unwrap();
        assert_eq!(String::from_utf8(file.bytes()).unwrap(), text, "what is only read stays");
        assert_eq!(edit(&file), Ok(Edited::Written));
        String::from_utf8(file.bytes()).unwrap()
    }

    fn refused(text: &str, edit: impl FnOnce(&JsonFile) -> Result<Edited, String>) -> String {
        let file = JsonFile::parse(text.as_bytes(), FormatId::Json).unwrap();
        let error = edit(&file).unwrap_err();
        assert_eq!(String::from_utf8(file.bytes()).unwrap(), text, "what is refused changes nothing");
        error
    }

    const NESTED: &str =
        "\u{feff}{\r\n\t\"cart\" : { \"empty\":\"Old\" , \"n\": [ \"zero\", 1 ] },\r\n\t\"x\": null\r\n}";

    #[test]
    fn one_value_is_replaced_and_every_other_byte_stays() {
        let changed = edited(NESTED, |file| file.set("cart.empty", "Old", "a \"b\"\n"));
        assert_eq!(changed, NESTED.replace("\"Old\"", r#""a \"b\"\n""#));
        let changed = edited(NESTED, |file| file.set("cart.n.0", "zero", "none"));
        assert_eq!(changed, NESTED.replace("zero", "none"));
        let changed = edited(r#"{"a.b":"Old","a":{"c":"Old"}}"#, |file| file.set("a.b", "Old", "ü"));
        assert_eq!(changed, r#"{"a.b":"ü","a":{"c":"Old"}}"#);
        let changed = edited(r#"{"a":"\u00fc"}"#, |file| file.set("a", "ü", "ö😀"));
        assert_eq!(changed, r#"{"a":"\u00f6\ud83d\ude00"}"#);
    }

    #[test]
    fn what_the_file_does_not_have_is_refused() {
        assert_eq!(refused(NESTED, |file| file.set("cart.none", "Old", "New")), "the file has no text `cart.none`");
        assert_eq!(refused(NESTED, |file| file.set("cart.empty", "O", "N")), "the file says “Old”, which is neither");
        assert_eq!(refused(NESTED, |file| file.remove("cart.n.0")), "`cart.n.0` stands in a list");
        assert_eq!(refused(NESTED, |file| file.add("x.y", "T")), "`x` of `x.y` is something else there");
        assert_eq!(refused(NESTED, |file| file.rename("cart", "c")), "the file has no text `cart`");
        let twice = r#"{"a.b":"1","a":{"b":"2"}}"#;
        assert_eq!(refused(twice, |file| file.set("a.b", "1", "3")), "the file has `a.b` 2 times");
        let parse = |text: &str| JsonFile::parse(text.as_bytes(), FormatId::Json).map(drop).unwrap_err();
        assert!(parse("{\"a\":\"b\",}").starts_with("the file is no JSON"));
        assert!(parse("// no\n{}").starts_with("the file is no JSON"));
        assert!(parse(&format!("{}{}", "[".repeat(200_000), "]".repeat(200_000))).starts_with("the file is no JSON"));
        assert_eq!(parse("[]"), "the file holds no object");
    }

    #[test]
    fn what_is_there_is_left() {
        let file = JsonFile::parse(NESTED.as_bytes(), FormatId::Json).unwrap();
        assert_eq!(file.set("cart.empty", "Older", "Old"), Ok(Edited::There));
        assert_eq!(file.remove("cart.gone"), Ok(Edited::There));
        assert_eq!(file.add("cart.empty", "Old"), Ok(Edited::There));
        assert_eq!(file.rename("cart.before", "cart.empty"), Ok(Edited::There));
        assert_eq!(String::from_utf8(file.bytes()).unwrap(), NESTED);
    }

    #[test]
    fn keys_are_added_where_they_belong() {
        let flat = "{\n  \"a.b\": \"B\"\n}\n";
        assert_eq!(edited(flat, |file| file.add("a.c", "C")), "{\n  \"a.b\": \"B\",\n  \"a.c\": \"C\"\n}\n");
        let nested = "{\n  \"a\": {\n    \"b\": \"B\"\n  }\n}\n";
        let added = edited(nested, |file| file.add("a.c.d", "D"));
        let value: serde_json::Value = serde_json::from_str(&added).unwrap();
        assert_eq!(value, serde_json::json!({"a": {"b": "B", "c": {"d": "D"}}}));
        assert!(added.starts_with("{\n  \"a\": {\n    \"b\": \"B\",\n    \"c\": {"), "{added}");
        assert_eq!(edited("{}", |file| file.add("a", "A")).replace(char::is_whitespace, ""), r#"{"a":"A"}"#);
    }

    #[test]
    fn keys_are_removed_with_what_becomes_empty() {
        assert_eq!(
            edited("{\n  \"a\": \"A\",\n  \"b\": \"B\"\n}\n", |file| file.remove("b")),
            "{\n  \"a\": \"A\"\n}\n"
        );
        let nested = "{\n  \"a\": \"A\",\n  \"b\": {\n    \"c\": {\n      \"d\": \"D\"\n    }\n  }\n}\n";
        assert_eq!(edited(nested, |file| file.remove("b.c.d")), "{\n  \"a\": \"A\"\n}\n");
    }

    #[test]
    fn a_key_is_renamed_in_its_place_or_moved() {
        let file = "{\"b\": {\"x\": \"X\", \"y\": \"Y\"}, \"a.z\": \"Z\"}";
        assert_eq!(edited(file, |json| json.rename("b.x", "b.w")), file.replace("\"x\"", "\"w\""));
        assert_eq!(edited(file, |json| json.rename("a.z", "a.q.r")), file.replace("a.z", "a.q.r"));
        let moved = edited(file, |json| json.rename("b.x", "c"));
        let value: serde_json::Value = serde_json::from_str(&moved).unwrap();
        assert_eq!(value, serde_json::json!({"b": {"y": "Y"}, "a.z": "Z", "c": "X"}));
        assert_eq!(refused(file, |json| json.rename("b.x", "b.y")), "the file has both names");
    }

    #[test]
    fn metadata_of_arb_goes_with_its_key() {
        let arb = "{\n  \"@@locale\": \"en\",\n  \"a.b\": \"A\",\n  \"@a.b\": {\"description\": \"of a\"},\n  \"c\": \"C\"\n}\n";
        let renamed = edited_as(FormatId::Arb, arb, |file| file.rename("a.b", "n"));
        assert_eq!(renamed, arb.replace("a.b", "n"));
        let removed = edited_as(FormatId::Arb, arb, |file| file.remove("a.b"));
        assert_eq!(removed, "{\n  \"@@locale\": \"en\",\n  \"c\": \"C\"\n}\n");
        let file = JsonFile::parse(arb.as_bytes(), FormatId::Arb).unwrap();
        file.set("@a.b.description", "of a", "x").unwrap_err();
    }
}
