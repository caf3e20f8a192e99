use std::fmt;

/// A name that is not one of a closed set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    name: String,
    known: Vec<&'static str>,
}

impl UnknownName {
    pub(crate) fn new(name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        Self { name: name.to_owned(), known: known.collect() }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not one of {}", self.name, self.known.join(", "))
    }
}

impl std::error::Error for UnknownName {}
