//! `l10n-testkit receiver`.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use l10n_testkit::outcome::Status;
use l10n_testkit::profile::Secret;
use l10n_testkit::receivers::{Judgement, ReceiverTarget, judge};

use super::output::CommandError;

#[derive(Args)]
pub(crate) struct ReceiverCommand {
    /// URL of the receiver
    #[arg(long, value_name = "URL")]
    url: String,
    /// The receiver's secret: env:NAME or file:PATH, never the secret itself
    #[arg(long, value_name = "env:NAME", value_parser = secret)]
    secret_from: Secret,
    /// PEM file of certificates to trust, in addition to the machine's own
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Seconds that it may take in addition to the specification's ten
    #[arg(long, default_value_t = 0)]
    patience: u64,
    /// Print a JSON array instead of text
    #[arg(long)]
    json: bool,
}

fn secret(text: &str) -> Result<Secret, String> {
    Secret::named(text)
}

impl ReceiverCommand {
    pub(crate) async fn run(self) -> Result<ExitCode, CommandError> {
        let patience = Duration::from_secs(self.patience);
        let target = ReceiverTarget { url: self.url, secret: self.secret_from, ca: self.ca, patience };
        let judged = judge(&target).await.map_err(|problem| CommandError::fault(anyhow::Error::msg(problem)))?;
        let output = if self.json {
            serde_json::to_string_pretty(&judged).map_err(CommandError::fault)? + "\n"
        } else {
            text(&judged)
        };
        std::io::stdout().lock().write_all(output.as_bytes()).map_err(CommandError::fault)?;
        let any = |status| judged.iter().any(|one| one.can_be_seen && one.status == status);
        Ok(ExitCode::from(if any(Status::Fail) {
            1
        } else if any(Status::NotRun) {
            3
        } else {
            0
        }))
    }
}

fn text(judged: &[Judgement]) -> String {
    let mut out = String::new();
    for one in judged {
        out.push_str(&format!("{:8}{:22} {}\n", one.status.name(), one.id, one.says));
        if one.status != Status::Pass {
            out.push_str(&format!("{:31}{} ({})\n", "", one.saw, one.covers.join(", ")));
        }
    }
    let count = |status| judged.iter().filter(|one| one.can_be_seen && one.status == status).count();
    out.push_str(&format!(
        "\n{} passed, {} failed, {} warned, {} not run, {} cannot be seen from outside\n",
        count(Status::Pass),
        count(Status::Fail),
        count(Status::Warn),
        count(Status::NotRun),
        judged.iter().filter(|one| !one.can_be_seen).count()
    ));
    out
}
