//! The place of a setting in a configuration file, for what is found wrong after the file was read.

use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::ConfigError;

/// The error with the place where `text` states its setting, if it does.
pub(super) fn located(error: ConfigError, text: &str, path: &Path) -> ConfigError {
    let ConfigError::Invalid { setting, message } = error else { return error };
    match start(text, &setting) {
        Some(start) => malformed(path, text, start, format!("setting `{setting}`: "), message),
        None => ConfigError::Invalid { setting, message },
    }
}

/// The error at a byte of a file.
pub(super) fn malformed(path: &Path, text: &str, start: usize, setting: String, message: String) -> ConfigError {
    let before = &text[..start.min(text.len())];
    ConfigError::Malformed {
        path: path.to_owned(),
        line: before.matches('\n').count() + 1,
        column: before.chars().rev().take_while(|character| *character != '\n').count() + 1,
        setting,
        message,
    }
}

/// The first byte of a setting's value, or of the table that lacks it.
fn start(text: &str, setting: &str) -> Option<usize> {
    let document = DeTable::parse(text).ok()?;
    let (mut table, mut found) = (document.get_ref(), None);
    for name in setting.split('.') {
        let Some(value) = table.get(name) else { break };
        found = Some(value.span().start);
        match value.get_ref() {
            DeValue::Table(inner) => table = inner,
            _ => break,
        }
    }
    found
}
