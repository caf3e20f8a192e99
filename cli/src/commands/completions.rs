//! `l10n completions SHELL`: a completion script on stdout.

use clap::CommandFactory as _;

use crate::args::{Cli, CompletionsArgs};
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;

pub(crate) fn completions(context: &Context, args: &CompletionsArgs) -> Result<ExitStatus, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "l10n", &mut script);
    context.printer.raw(&String::from_utf8_lossy(&script));
    Ok(ExitStatus::Success)
}
