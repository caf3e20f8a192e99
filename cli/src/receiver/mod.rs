//! The parts of a receiver of webhooks on this machine that other commands and the command line use, too.

mod answer;
mod authority;
mod forward;

pub(crate) use self::answer::{ReceiverResponse, SLOW, Script};
pub(crate) use self::authority::{Authority, certificate_of, find as authority_folder};
pub(crate) use self::forward::{Forward, ForwardedResponse, root_cause, target};
