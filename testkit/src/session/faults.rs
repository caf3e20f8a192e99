//! Faults of a run's surroundings, for which no deployment is blamed.

use std::collections::HashMap;

use crate::profile::Identity;

/// The faults that the beginning of a run has found. Each text is a sentence for people.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    /// Keys that do not hold what the same key of other lanes does, by project.
    pub(crate) keys: HashMap<(String, Identity), String>,
    /// The deployment's clock does not go as the profile says.
    pub(crate) time: Option<String>,
    /// The deployment cannot resolve names.
    pub(crate) names: Option<String>,
}

impl Faults {
    /// The fault of a key.
    pub(crate) fn of_key(&self, project: &str, identity: Identity) -> Option<&str> {
        self.keys.get(&(project.to_owned(), identity)).map(String::as_str)
    }
}
