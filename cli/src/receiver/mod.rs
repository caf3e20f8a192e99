//! The parts of a receiver of webhooks on this machine that other commands and the command line use, too.

mod answer;
mod authority;
mod forward;

pub(crate) use self::answer::{Answer, SLOW, Script};
pub(crate) use self::authority::{Authority, certificate_of, find as authority_folder};
pub(crate) use self::forward::{Answered, Forward, root_cause, target};
