//! Command line of the localization service.

use std::process::ExitCode;

fn main() -> ExitCode {
    l10n_cli::run()
}
