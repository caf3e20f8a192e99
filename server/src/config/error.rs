//! Errors of the configuration, with the place of the fault.

use std::path::PathBuf;

/// The reason why the server refuses to start. Each text names the setting and the values that it takes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration file {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The file is no TOML, or has a setting that does not exist or has the wrong type.
    #[error("{path}, line {line}, column {column}: {setting}{message}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The setting, ready to stand before the message, or nothing.
        setting: String,
        /// The fault.
        message: String,
    },
    /// A value that a setting does not take.
    #[error("setting `{setting}`: {message}")]
    Invalid {
        /// The setting, as the file spells it.
        setting: String,
        /// The fault and the values that the setting takes. Never the value of a setting that may hold a password.
        message: String,
    },
}

impl ConfigError {
    pub(super) fn invalid(setting: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid { setting: setting.into(), message: message.into() }
    }
}
