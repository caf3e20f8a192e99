//! Events as they are sent to webhooks (§6). Receivers read them with `l10n-webhook-verify`, which tolerates what later
//! versions add.

mod content_published;
mod envelope;
mod strings_published;

pub use content_published::{ContentPublished, ContentSummary, DocumentAction, PublishedDocument};
pub use envelope::{Envelope, EventProject, SCHEMA_VERSION};
pub use strings_published::StringsPublished;

string_enum! {
    /// What happened (§6).
    EventType {
        /// A version of the project's keys was published or restored.
        StringsPublished = "strings.published",
        /// A publish of Content moved at least one document, or a document was rolled back.
        ContentPublished = "content.published",
    }
}
