//! Documents: pushed, translated segment by segment, published, read.
//!
//! ```text
//! push ── parsed ──> segments, each known by the hash of its text
//! segments + how their translations stand ── standing ──> the state of a document in a language
//! ```
//!
//! A translation belongs to a segment, not to a document: what was translated once is there for every document of the
//! project that says the same, wherever it says it.

mod batch;
mod describe;
mod draft;
mod fields;
mod list;
mod parsed;
mod price;
mod publish;
mod push;
mod read;
mod reader;
mod restore;
mod retry;
mod run;
mod standing;
mod translated;

pub(crate) use self::batch::{DocumentPush, push_batch, read_batch};
pub(crate) use self::fields::names;
pub(crate) use self::list::list;
pub(crate) use self::parsed::parse;
pub(crate) use self::price::{price, price_of_all};
pub(crate) use self::publish::{ChangedDocument, ChangedFile, preview};
pub use self::publish::{ahead, publish};
pub(crate) use self::push::{PushParts, create, format_of, update};
pub(crate) use self::read::read;
pub(crate) use self::restore::restore;
pub(crate) use self::retry::{retry, retry_price};
pub(crate) use self::run::run;

use l10n_api_types::ProjectId;

use super::{Caller, ServiceError, pages};
use crate::store::Tx;
use crate::store::documents::{self, Document};

/// The document `id` of the caller's project.
async fn find(tx: &mut Tx, caller: &Caller, id: &str) -> Result<Document, ServiceError> {
    look_up(tx, caller, id).await?.ok_or_else(unknown)
}

async fn look_up(tx: &mut Tx, caller: &Caller, id: &str) -> Result<Option<Document>, ServiceError> {
    present(tx, &caller.project, id).await
}

/// A document of a project, unless it is archived.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn present(tx: &mut Tx, project: &ProjectId, id: &str) -> Result<Option<Document>, ServiceError> {
    Ok(match pages::is_id(id) {
        true => documents::find(tx, project, id).await?.filter(|document| document.archived_at.is_none()),
        false => None,
    })
}

/// The refusal of a text that can be no id. It does not repeat the text, which may be anything.
fn unknown() -> ServiceError {
    ServiceError::NotFound("this project has no such document".to_owned())
}
