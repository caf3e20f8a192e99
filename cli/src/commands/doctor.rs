//! `l10n doctor`: checks each step from the settings to the server, and names a fix for each problem.
//!
//! Calls `health::read`, `credential::read`, `meta::read`.

mod examination;
mod patterns;

use std::time::Duration;

use l10n_client::api::Scope;
use l10n_client::api::credential::Credential;
use l10n_client::is_loopback;
use serde::Serialize;
use serde_json::Value;
use url::Url;

use self::examination::{CheckStatus, DoctorCheck, Examination};
use self::patterns::{entries, patterns};
use crate::context::Context;
use crate::error::{CallError, CliError, Failure};
use crate::exit::ExitStatus;
use crate::network::{self, Proxy};
use crate::run::conclude;
use crate::session::{Session, client};
use crate::settings::{Settings, SettingsError};

/// A larger difference of clocks breaks signed webhooks (§6) and the checks of certificates.
const TOLERATED_SKEW: Duration = Duration::from_secs(60);

#[derive(Serialize)]
struct DoctorReport {
    healthy: bool,
    checks: Vec<DoctorCheck>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// Some checks failed.
#[derive(Debug, thiserror::Error)]
#[error("{problems} of {checks} checks failed")]
struct Unhealthy {
    problems: usize,
    checks: usize,
    status: ExitStatus,
}

impl Failure for Unhealthy {
    fn status(&self) -> ExitStatus {
        self.status
    }

    fn code(&self) -> &str {
        "unhealthy"
    }

    fn hint(&self) -> Option<String> {
        Some("each failed check above says how to fix it".into())
    }
}

pub(crate) async fn doctor(context: &Context) -> Result<ExitStatus, CliError> {
    let mut examination = Examination::default();
    examine(context, &mut examination).await;
    let Examination { checks, status } = examination;
    for check in &checks {
        let sign = match check.verdict {
            CheckStatus::Ok => "ok  ",
            CheckStatus::Warning => "warn",
            CheckStatus::Failed => "FAIL",
            CheckStatus::Skipped => "-   ",
        };
        context.printer.wrapped(&format!("{sign}  {:<12}  ", check.name), &check.message);
        if let Some(fix) = &check.fix {
            context.printer.wrapped("                    → ", fix);
        }
    }
    let problems = checks.iter().filter(|check| check.verdict == CheckStatus::Failed).count();
    let verdict = match status {
        Some(status) => Err(Unhealthy { problems, checks: checks.len(), status }.into()),
        None => Ok(()),
    };
    let error = verdict.as_ref().err().map(CliError::to_json);
    context.printer.json(&DoctorReport { healthy: verdict.is_ok(), checks, error });
    conclude(context, verdict)
}

async fn examine(context: &Context, found: &mut Examination) {
    let Some(settings) = found.take("config", context.settings()) else { return };
    match &settings.config {
        Some((path, config)) => found.ok("config", format!("{}, {}", path.display(), entries(config))),
        None => {
            found.warn("config", "no l10n.toml here or above", "`l10n init` writes one; sync, import and check need it")
        }
    }
    let base_url = found.take("base url", settings.base_url());
    if let Some(url) = &base_url {
        found.ok("base url", format!("{} (from {})", url.value, url.origin));
    }
    let project = found.take("project", settings.project());
    if let Some(project) = &project {
        found.ok("project", format!("{} (from {})", project.value, project.origin));
    }
    let key = match found.take("api key", settings.api_key()) {
        Some(Some(key)) => {
            found.ok("api key", format!("set (from {})", key.origin));
            true
        }
        Some(None) => {
            found.fail("api key", &SettingsError::NoApiKey.into());
            false
        }
        None => false,
    };
    let reached = match &base_url {
        Some(url) => way_to_the_server(context, &settings, &url.value, found).await,
        None => false,
    };
    let credential = if reached && key && project.is_some() {
        access(context, found).await
    } else {
        found.skip("access", "Skipped: fix the server, project and key checks first");
        None
    };
    patterns(context, &settings, credential, found).await;
}

/// Checks DNS, TCP, TLS with HTTP, and the clock. Returns true if the server answers.
async fn way_to_the_server(context: &Context, settings: &Settings, url: &Url, found: &mut Examination) -> bool {
    let limit = settings.timeout.unwrap_or(Duration::from_secs(10));
    if url.scheme() == "http" && !is_loopback(url) {
        found.warn("transport", "the key travels unencrypted", "use the server's https:// address");
    }
    match network::proxy_for(url) {
        Some(proxy) => through_proxy(&proxy, limit, found).await,
        None => match network::connect(url, limit).await {
            Ok(address) => found.ok("network", format!("connected to {address}, without a proxy")),
            // The client may use another route, so this alone decides nothing.
            Err(error) => found.warn("network", error.to_string(), error.fix()),
        },
    }
    let health = match client(context, settings) {
        Ok(client) => client.health().await,
        Err(error) => {
            found.fail("health", &error);
            return false;
        }
    };
    match health {
        Ok(health) => found.ok("health", format!("{}, version {}", health.status, health.version)),
        Err(source) => {
            found.fail("health", &CallError { doing: "checking that the server answers".into(), source }.into());
            return false;
        }
    }
    match network::clock_skew(url, limit).await {
        Some(skew) if skew.unsigned_abs() > TOLERATED_SKEW => {
            let side = if skew.is_positive() { "ahead of" } else { "behind" };
            found.warn(
                "clock",
                format!("this machine's clock is {} s {side} the server's", skew.unsigned_abs().as_secs()),
                "synchronise it (NTP): signatures of webhooks are valid for 300 s only",
            );
        }
        Some(_) => found.ok("clock", "agrees with the server's"),
        None => found.skip("clock", "the server sent no time"),
    }
    true
}

/// Checks that the proxy answers. It resolves the server's name itself, and the check of /health below goes through it.
async fn through_proxy(proxy: &Proxy, limit: Duration, found: &mut Examination) {
    let Proxy { url, variable } = proxy;
    match network::connect(url, limit).await {
        Ok(address) => found.ok("proxy", format!("connected to {address}; requests go through {url} ({variable})")),
        Err(error) => found.warn(
            "proxy",
            format!("requests go through {url} ({variable}): {error}"),
            format!("correct or unset {variable}, or name the server's host in NO_PROXY"),
        ),
    }
}

/// Checks the project and the key's scopes.
async fn access(context: &Context, found: &mut Examination) -> Option<(Session, Credential)> {
    let session = found.take("access", Session::open(context).await)?;
    let credential = found.take("access", session.credential().await)?;
    let scopes: Vec<&str> = credential.scopes.iter().map(|scope| scope.as_str()).collect();
    found.ok("access", format!("{}, scopes {}", session.project.id(), scopes.join(", ")));
    let needed = [
        (
            Scope::Read,
            "status, keys, check, diff, review list, versions, languages, pull --version, pull-changes and content pull",
        ),
        (Scope::Translate, "sync, import and translate"),
        (Scope::Write, "languages add, formats set, content push, glossary push and memory import"),
        (Scope::Publish, "publish, restore, webhooks and deliveries"),
        (Scope::Capture, "capture"),
    ];
    for (scope, commands) in needed {
        if !Scope::grants(&credential.scopes, &[scope]) {
            found.warn(
                "scopes",
                format!("the key lacks `{scope}`, so it cannot run: {commands}"),
                "use another key for these commands, if you need them",
            );
        }
    }
    if credential.requires_operation_approval {
        found.warn(
            "scopes",
            "this is an AI agent's key",
            "a person must approve its spending and publishing; --dry-run works without approval",
        );
    }
    Some((session, credential))
}
