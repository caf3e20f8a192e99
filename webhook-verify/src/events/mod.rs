//! Events as the service sends them (§6). Additions of later versions do no harm (ENV-12).
//!
//! Unknown fields are ignored. Unknown event types and later schema versions are [`EventData::Other`], unknown actions
//! are [`Action::Other`].
//!
//! ```
//! use l10n_webhook_verify::events::{Event, EventData};
//!
//! # let verified_body = br#"{"id":"evt_1","type":"strings.published","schemaVersion":1,
//! #   "createdAt":"2027-01-15T08:00:00.000Z","project":{"id":"prj_1","handle":"acme","slug":"app"},
//! #   "data":{"versionId":"ver_1","label":"","keyCount":3,"languages":[{"code":"en","isBase":true}]}}"#;
//! // Only what has been verified is parsed.
//! let event = Event::parse(verified_body)?;
//! match &event.data {
//!     EventData::StringsPublished(published) => println!("version {} is live", published.version_id),
//!     EventData::ContentPublished(published) => println!("{} documents", published.documents.len()),
//!     // Answer 2xx all the same, or the service sends it five times more.
//!     _ => println!("nothing to do for {}", event.event_type),
//! }
//! # Ok::<(), l10n_webhook_verify::events::EventError>(())
//! ```

mod content;
mod envelope;
mod strings;

pub use content::{Action, ContentPublished, Document, Summary};
pub use envelope::{Event, EventData, EventError, Project};
pub use strings::{Language, StringsPublished};
