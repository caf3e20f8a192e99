//! The delivery log of a webhook.

pub(super) mod list;
pub(super) mod resend;
