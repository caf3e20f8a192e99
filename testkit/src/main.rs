//! Command line of the conformance suite.

use std::io::{self, Write as _};
use std::process::ExitCode;

fn main() -> ExitCode {
    match print_plan() {
        Ok(()) => ExitCode::from(2),
        Err(_) => ExitCode::FAILURE,
    }
}

/// Lists what the suite will cover. It has no verdict to give yet, so it never ends with 0.
fn print_plan() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for entry in l10n_testkit::checks::coverage() {
        writeln!(out, "{:28} {}", entry.endpoint, entry.requirements.join(" "))?;
    }
    writeln!(
        io::stderr(),
        "The suite is not usable yet: no check was run. Above is what the checks of each endpoint will cover."
    )
}
