//! Webhooks: addresses of a project that are called when it publishes (§2, §4).

mod create;
mod delete;
mod list;
mod rotate_secret;
mod update;
mod webhook;

pub use create::{Create, CreateBody, Created};
pub use delete::Delete;
pub use list::{List, Webhooks};
pub use rotate_secret::{RotateSecret, Rotated};
pub use update::{Update, UpdateBody};
pub use webhook::{DisabledReason, Webhook, WebhookPath};
