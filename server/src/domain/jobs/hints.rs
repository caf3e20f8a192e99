//! The hints that engines get for the texts of a chunk, beside their descriptions and the glossary. They are read after the chunk
//! is begun, in a reading transaction, each kind for all texts at once: whoever writes waits for none of it.

use std::collections::HashMap;

use super::claimed::ClaimedChunk;
use super::lease::Lease;
use crate::domain::ServiceError;
use crate::domain::memory::{LanguagePair, ProjectMemory};
use crate::engines::{Hints, Neighbours, SupportedHints, WorkHints};
use crate::store::{Tx, neighbours, projects};

/// Most texts before one, and after it.
const MOST_NEIGHBOURS: usize = 2;

/// Reads the hints that the engines of a chunk make use of.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn hints(tx: &mut Tx, lease: &Lease, wanted: &ClaimedChunk) -> Result<WorkHints, ServiceError> {
    let heeded = wanted.engines.supported_hints();
    let project = &lease.job.project_id;
    let style = projects::style_note(tx, project).await?.map(Into::into);
    let mut contents: Vec<Hints> = wanted.texts.iter().map(|_| Hints::default()).collect();
    // A segment of a document has no name that says anything, and no file with places.
    if lease.job.document_id.is_none() {
        let names: Vec<&str> = wanted.texts.iter().map(|text| text.name.as_str()).collect();
        let mut around = around(neighbours::find(tx, project, &names).await?);
        for (hints, name) in contents.iter_mut().zip(names) {
            hints.key = Some(name.to_owned());
            hints.neighbours = around.remove(name).unwrap_or_default();
        }
    }
    if heeded == SupportedHints::All {
        let languages = LanguagePair { source: &wanted.source_language, target: wanted.language() };
        let texts: Vec<&str> =
            wanted.texts.iter().map(|text| text.source.content.other().unwrap_or_default()).collect();
        let similar =
            ProjectMemory::find(tx, project).await?.of_similar(tx, languages, &wanted.engines, &texts).await?;
        for (hints, similar) in contents.iter_mut().zip(similar) {
            hints.similar = similar.texts;
            hints.has_own_similar = similar.is_own;
        }
    }
    Ok(WorkHints { style, contents })
}

/// The texts around each key, by its `ref`; `rows` are in the order of their places.
fn around(rows: Vec<neighbours::Neighbour>) -> HashMap<String, Neighbours> {
    let mut found: HashMap<String, Neighbours> = HashMap::new();
    for row in rows {
        let Some(text) = row.source.0.other() else { continue };
        let Neighbours { before, after } = found.entry(row.name).or_default();
        if row.distance < 0 {
            before.push(text.to_owned());
            // The nearest ones stay.
            if before.len() > MOST_NEIGHBOURS {
                before.remove(0);
            }
        } else if after.len() < MOST_NEIGHBOURS {
            after.push(text.to_owned());
        }
    }
    found
}
