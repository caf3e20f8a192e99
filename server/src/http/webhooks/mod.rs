//! Webhooks.

pub(super) mod create;
pub(super) mod delete;
pub(super) mod list;
pub(super) mod rotate_secret;
pub(super) mod update;
