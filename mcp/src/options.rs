//! Options of a server.

use std::path::PathBuf;
use std::str::FromStr;

use crate::nearest::unknown;
use crate::tools;

/// Options of a [`Server`](crate::Server).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Offer only tools that change nothing.
    pub read_only: bool,
    /// The tools to offer.
    pub tools: ToolChoice,
    /// The folder whose files tools may read. Without it, texts come as arguments alone.
    pub folder: Option<PathBuf>,
}

/// A choice of tools.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// The tools that most work needs.
    #[default]
    Usual,
    /// Every tool.
    All,
    /// These tools.
    Named(Vec<&'static str>),
}

/// There is no tool with this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownTool(String);

impl UnknownTool {
    pub(crate) fn new(name: &str, known: &[&'static str]) -> Self {
        Self(unknown("tool", name, known))
    }
}

/// Parses `all`, `default`, or names of tools with commas between them.
impl FromStr for ToolChoice {
    type Err = UnknownTool;

    fn from_str(text: &str) -> Result<Self, UnknownTool> {
        let known: Vec<&'static str> = tools::ALL.iter().map(|tool| tool.name).collect();
        let find = |name: &str| known.iter().copied().find(|known| *known == name);
        match text.trim() {
            "all" => Ok(Self::All),
            "default" => Ok(Self::Usual),
            names => names
                .split(',')
                .map(str::trim)
                .map(|name| find(name).ok_or_else(|| UnknownTool::new(name, &known)))
                .collect::<Result<_, _>>()
                .map(Self::Named),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_chosen_by_name_and_a_misspelt_one_is_refused() {
        assert_eq!("all".parse(), Ok(ToolChoice::All));
        assert_eq!("publish, get_key".parse(), Ok(ToolChoice::Named(vec!["publish", "get_key"])));
        let error = "find_key".parse::<ToolChoice>().unwrap_err();
        assert_eq!(error.to_string(), "there is no tool `find_key`; did you mean `find_keys`?");
    }
}
