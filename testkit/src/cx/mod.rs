//! The context of a check: its project, requests, assertions, receiver and time.

mod answer;
mod assert;
mod budget;
mod call;
mod content;
mod context;
mod endpoint;
mod hook;
mod job;
mod raw;
mod text;
mod time;
mod wait;
mod webhook;

pub use self::answer::CheckedExchange;
pub(crate) use self::budget::{AT_ONCE, MOST};
pub use self::call::Call;
pub use self::context::Cx;
pub use self::endpoint::Endpoint;
pub use self::job::EndedRun;
pub(crate) use self::webhook::IN_A_ROW;
pub use self::webhook::{Published, Webhook};

pub use crate::session::{ScratchProject, SpareReceiver};
pub use crate::wire::{Exchange, Request};
