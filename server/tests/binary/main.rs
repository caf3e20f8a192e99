//! The binary `l10n-server`, run as people run it.

mod process;
mod serving;
mod tools;
