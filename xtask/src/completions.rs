//! Completion scripts of the command line.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use clap::ValueEnum as _;
use clap_complete::{Shell, generate_to};

/// Writes a script for each shell.
///
/// # Errors
///
/// Returns an error if the folder cannot be written to.
pub fn write(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for shell in Shell::value_variants() {
        generate_to(*shell, &mut l10n_cli::command(), "l10n", folder)?;
    }
    Ok(())
}
