//! The trait of every module's errors, the error of a command, and the errors that belong to no module.

mod broken_file;
mod call;
mod failure;
mod hints;
mod interrupted;
mod read;
mod routes;
mod usage;

pub(crate) use self::broken_file::BrokenFile;
pub(crate) use self::call::{CallError, Doing};
pub(crate) use self::failure::{CliError, Failure};
pub(crate) use self::hints::of_code as hint_of_code;
pub(crate) use self::interrupted::Interrupted;
pub(crate) use self::read::{ReadError, unreadable};
pub(crate) use self::routes::without_routes;
pub(crate) use self::usage::usage;
