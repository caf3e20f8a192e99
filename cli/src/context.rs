//! The context of every command.

use std::path::PathBuf;

use crate::args::GlobalArgs;
use crate::config::ConfigError;
use crate::printer::Printer;
use crate::settings::Settings;

/// Output, the current folder and the environment.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) printer: Printer,
    pub(crate) folder: PathBuf,
    pub(crate) global: GlobalArgs,
}

impl Context {
    /// Returns a variable of the environment; an empty one counts as not set.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    /// Reads flags, environment and `l10n.toml`.
    pub(crate) fn settings(&self) -> Result<Settings, ConfigError> {
        Settings::read(&self.global, |name| self.variable(name), &self.folder)
    }
}
