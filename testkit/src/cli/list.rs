//! `l10n-testkit list`.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use l10n_testkit::check::Check;
use l10n_testkit::checks;
use l10n_testkit::endpoints::ENDPOINTS;

use super::output::{CommandError, print};
use super::run::SelectionArguments;

#[derive(Args)]
pub(crate) struct ListCommand {
    #[command(flatten)]
    chosen: SelectionArguments,
    /// Only checks of statements about this endpoint: `webhooks::create`
    #[arg(long, value_name = "ENDPOINT")]
    endpoint: Option<String>,
}

impl ListCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, CommandError> {
        let all = checks::all();
        let selection = self.chosen.selection();
        selection.validate(&all).map_err(CommandError::usage)?;
        let about = match &self.endpoint {
            None => None,
            Some(name) => Some(ENDPOINTS.iter().find(|entry| entry.endpoint == name).ok_or_else(|| {
                let known: Vec<_> = ENDPOINTS.iter().map(|entry| entry.endpoint).collect();
                CommandError::usage(anyhow::anyhow!("there is no endpoint `{name}`, only {}", known.join(", ")))
            })?),
        };
        let mut out = String::new();
        for check in all.into_iter().filter(|check| selection.takes(check)) {
            if about.is_none_or(|entry| check.covers.iter().any(|id| entry.requirements.contains(id))) {
                line(&mut out, check);
            }
        }
        if out.is_empty() {
            return Err(CommandError::usage(anyhow::anyhow!("the selection contains no check")));
        }
        print(&out)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn line(out: &mut String, check: &Check) {
    let needs: Vec<_> = check.claims().map(|claim| claim.to_string()).collect();
    let needs = if needs.is_empty() { String::new() } else { format!("  needs {}", needs.join(", ")) };
    let also: Vec<_> = check.covers.iter().copied().filter(|id| *id != check.id).collect();
    let also = if also.is_empty() { String::new() } else { format!("  covers {}", also.join(", ")) };
    let waits = if check.waits.is_zero() { String::new() } else { format!("  waits {} s", check.waits.as_secs()) };
    let _ = writeln!(out, "{:16} {:4}{needs}{also}{waits}", check.id, check.level().name());
}
