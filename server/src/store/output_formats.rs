//! The files that a publish makes.

use l10n_api_types::{FormatId, ProjectId};
use l10n_api_types::output_formats::EmptyAs;

use super::row::{Json, to_json};
use super::{StoreError, Tx};

row! {
    /// An output format of a project.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct OutputFormat {
        /// `fmt_…`
        pub id: String,
        /// Name of the file format
        pub format: FormatId,
        /// Template of the path
        pub path: String,
        /// The entry for a missing translation
        pub empty_as: EmptyAs,
        /// Only keys of these namespaces; all when absent
        pub namespaces: Option<Json<Vec<String>>>,
    }
}

statements! {
    LIST = "SELECT id, format, path, empty_as, namespaces FROM output_formats WHERE project_id = $1 ORDER BY position";
    DELETE_ALL = "DELETE FROM output_formats WHERE project_id = $1";
    INSERT = values "INSERT INTO output_formats (id, project_id, position, format, path, empty_as, namespaces) VALUES"
        each "(?, ?, ?, ?, ?, ?, ?)"
        then "";
}

/// The list of a project, in its order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, project_id: &ProjectId) -> Result<Vec<OutputFormat>, StoreError> {
    fetch_all!(tx, OutputFormat, LIST, project_id.as_str())
}

/// Makes `formats` the whole list of a project, in this order. What stays keeps the id that the caller gives it.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project.
pub async fn replace(tx: &mut Tx, project_id: &ProjectId, formats: &[OutputFormat]) -> Result<(), StoreError> {
    let mut rows = Vec::with_capacity(formats.len());
    for (position, format) in (0i64..).zip(formats) {
        let namespaces = format.namespaces.as_ref().map(|list| to_json("output_formats.namespaces", &list.0)).transpose()?;
        rows.push((position, format, namespaces));
    }
    execute!(tx, DELETE_ALL, project_id.as_str())?;
    execute_values!(tx, INSERT, [], rows, |(position, format, namespaces)| [
        &format.id,
        project_id.as_str(),
        position,
        format.format.as_str(),
        &format.path,
        format.empty_as.as_str(),
        namespaces,
    ])
    .map(drop)
}
