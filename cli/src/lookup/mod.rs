//! Finds what a person names in the project: a version, a webhook, documents.

mod documents;
mod versions;
mod webhooks;

pub(crate) use self::documents::{all as documents, existing, languages, name, selection};
pub(crate) use self::versions::{find as find_version, newest as newest_versions};
pub(crate) use self::webhooks::{all as webhooks, events, find as find_webhook, look_up as look_up_webhook};
