//! Man pages of the command line: `l10n.1`, and one for each subcommand.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

/// Writes the pages.
///
/// # Errors
///
/// Returns an error if the folder cannot be written to.
pub fn write(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    clap_mangen::generate_to(l10n_cli::command(), folder)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_command_has_a_page() {
        let folder = std::env::temp_dir().join(format!("l10n-man-{}", std::process::id()));
        super::write(&folder).unwrap();
        for command in l10n_cli::command().get_subcommands() {
            assert!(folder.join(format!("l10n-{}.1", command.get_name())).exists(), "{}", command.get_name());
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
