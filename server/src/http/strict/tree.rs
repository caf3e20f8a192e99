//! A parsed input that has lost nothing: duplicate members are still there to be seen.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::fault::InputError;
use super::place::InputPath;

/// A value of the input.
#[derive(Debug)]
pub(crate) enum Tree<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number that is not negative.
    Unsigned(u64),
    /// A negative whole number.
    Signed(i64),
    /// A fraction, or a number that is too large for 64 bits.
    Float(f64),
    /// A string.
    String(Cow<'a, str>),
    /// Text of a query parameter: what it stands for depends on what is read from it.
    Text(Cow<'a, str>),
    /// An array.
    Array(Vec<Tree<'a>>),
    /// An object, its members in order.
    Object(Vec<(Cow<'a, str>, Tree<'a>)>),
}

impl<'a> Tree<'a> {
    /// The member of that name, of an object.
    pub(crate) fn member(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(known, _)| known == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Parses a JSON text, in time linear in its length.
    ///
    /// # Errors
    ///
    /// Not JSON, not UTF-8, nested deeper than 127 values, a member twice in one object, `\u0000` in a string.
    pub(crate) fn from_json(json: &'a [u8]) -> Result<Self, InputError> {
        if json.starts_with(b"\xEF\xBB\xBF") {
            return Err(InputError::new("the body begins with a byte order mark: send plain UTF-8 JSON"));
        }
        let mut deserializer = serde_json::Deserializer::from_slice(json);
        let parsed = Tree::deserialize(&mut deserializer).and_then(|tree| deserializer.end().map(|()| tree));
        let tree = parsed.map_err(|error| InputError::new(format!("the body is not valid JSON: {error}")))?;
        tree.check(&InputPath::Root("the body"))?;
        Ok(tree)
    }

    fn check(&self, place: &InputPath<'_>) -> Result<(), InputError> {
        match self {
            Self::String(text) | Self::Text(text) => check_text(text, place),
            Self::Array(elements) => elements
                .iter()
                .enumerate()
                .try_for_each(|(index, element)| element.check(&InputPath::Element(place, index))),
            Self::Object(members) => {
                let mut seen = HashSet::with_capacity(members.len());
                members.iter().try_for_each(|(name, value)| {
                    let member = InputPath::Member(place, name);
                    check_text(name, &member)?;
                    if !seen.insert(name.as_ref()) {
                        return Err(InputError::new(format!("{member} is there twice: leave one of them out")));
                    }
                    value.check(&member)
                })
            }
            Self::Null | Self::Bool(_) | Self::Unsigned(_) | Self::Signed(_) | Self::Float(_) => Ok(()),
        }
    }

    /// Names of the members, where this is an object.
    pub(crate) fn members(&self) -> impl Iterator<Item = &str> {
        let members: &[(Cow<'a, str>, Tree<'a>)] = if let Self::Object(members) = self { members } else { &[] };
        members.iter().map(|(name, _)| name.as_ref())
    }
}

fn check_text(text: &str, place: &InputPath<'_>) -> Result<(), InputError> {
    if text.contains('\0') {
        return Err(InputError::new(format!("{place} holds the character U+0000, which no text may hold")));
    }
    Ok(())
}

impl<'de> Deserialize<'de> for Tree<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Tree<'de>, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Tree<'de>, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Tree<'de>, E> {
        Ok(Tree::Unsigned(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Tree<'de>, E> {
        Ok(Tree::Signed(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Tree<'de>, E> {
        Ok(Tree::Float(value))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Tree<'de>, E> {
        Ok(Tree::String(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Tree<'de>, E> {
        Ok(Tree::String(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree<'de>, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = seq.next_element()? {
            elements.push(element);
        }
        Ok(Tree::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = map.next_key::<MemberName<'de>>()? {
            members.push((name.0, map.next_value()?));
        }
        Ok(Tree::Object(members))
    }
}

/// A member's name, borrowed from the input where it has no escapes.
struct MemberName<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for MemberName<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor;
        impl<'de> Visitor<'de> for NameVisitor {
            type Value = MemberName<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a member's name")
            }
            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<MemberName<'de>, E> {
                Ok(MemberName(Cow::Borrowed(text)))
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<MemberName<'de>, E> {
                Ok(MemberName(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(NameVisitor)
    }
}
