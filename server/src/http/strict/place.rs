//! The place of a value in the input: `keys[3].text`.

use std::fmt;

/// Longest name of a member that a message repeats, in characters.
const LONGEST_NAME: usize = 64;

/// A place in the input, linked to the places around it.
#[derive(Clone, Copy)]
pub(super) enum InputPath<'a> {
    /// The whole input, under the name that messages give it.
    Root(&'static str),
    /// A member of an object.
    Member(&'a InputPath<'a>, &'a str),
    /// An element of an array.
    Element(&'a InputPath<'a>, usize),
}

impl InputPath<'_> {
    fn is_root(&self) -> bool {
        matches!(self, Self::Root(_))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(_) => Ok(()),
            Self::Member(parent, name) => {
                parent.write(f)?;
                if !parent.is_root() {
                    f.write_str(".")?;
                }
                write!(f, "{}", QuotedName(name))
            }
            Self::Element(parent, index) => {
                parent.write(f)?;
                write!(f, "[{index}]")
            }
        }
    }
}

impl fmt::Display for InputPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(name) => f.write_str(name),
            place => {
                f.write_str("`")?;
                place.write(f)?;
                f.write_str("`")
            }
        }
    }
}

/// A name of the input in a message: cut short, without control characters.
pub(super) struct QuotedName<'a>(pub(super) &'a str);

impl fmt::Display for QuotedName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, char) in self.0.chars().enumerate() {
            if index == LONGEST_NAME {
                return f.write_str("…");
            }
            if char.is_control() { write!(f, "{}", char.escape_default())? } else { fmt::Write::write_char(f, char)? }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_reads_as_a_programmer_would_write_it() {
        let root = InputPath::Root("the body");
        let keys = InputPath::Member(&root, "keys");
        let third = InputPath::Element(&keys, 3);
        assert_eq!(root.to_string(), "the body");
        assert_eq!(InputPath::Member(&third, "text").to_string(), "`keys[3].text`");
        assert_eq!(InputPath::Member(&root, "a\u{1}b").to_string(), "`a\\u{1}b`");
        assert!(InputPath::Member(&root, &"x".repeat(1 << 20)).to_string().len() < 100);
    }
}
