//! The engines that a project chooses, in its row.

use std::collections::BTreeMap;

use l10n_api_types::ProjectId;
use serde::{Deserialize, Serialize};

use super::row::{Json, to_json};
use super::{StoreError, Tx};

/// The engines that a project chooses, by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineChoice {
    /// Its chain; empty for that of the server
    #[serde(default)]
    pub chain: Vec<String>,
    /// The chains of target languages that have their own, by code
    #[serde(default)]
    pub languages: BTreeMap<String, Vec<String>>,
}

row! {
    /// The part of a project's row.
    #[derive(Debug, Clone)]
    pub struct EngineChoiceRow {
        /// Its choice
        pub engines: Option<Json<EngineChoice>>,
    }
}

statements! {
    FIND = "SELECT engines FROM projects WHERE id = $1";
    SET = "UPDATE projects SET engines = $2, change_seq = change_seq + 1 WHERE id = $1";
}

/// The choice of a project; the empty one where it has made none.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project.
pub async fn find(tx: &mut Tx, project: &ProjectId) -> Result<EngineChoice, StoreError> {
    let row = fetch_one!(tx, EngineChoiceRow, FIND, project.as_str())?;
    Ok(row.engines.map(|choice| choice.0).unwrap_or_default())
}

/// Changes the choice of a project. Lock the project before: a run that has read the choice ends first.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project.
pub async fn set(tx: &mut Tx, project: &ProjectId, choice: &EngineChoice) -> Result<(), StoreError> {
    let json = match *choice == EngineChoice::default() {
        true => None,
        false => Some(to_json("projects.engines", choice)?),
    };
    StoreError::exactly_one(execute!(tx, SET, project.as_str(), json)?)
}
