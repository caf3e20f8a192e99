//! `l10n whoami`: the project and key in use.
//!
//! Calls `projects::resolve`, `credential::read`.

use l10n_client::api::{ProjectId, Scope};
use serde::Serialize;

use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::session::Session;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Whoami<'a> {
    base_url: String,
    project: String,
    project_id: &'a ProjectId,
    scopes: &'a [Scope],
    /// True if a person must approve its spending and publishing.
    requires_operation_approval: bool,
}

pub(crate) async fn whoami(context: &Context) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let credential = session.credential().await?;
    let base_url = session.settings.base_url()?;
    let found = session.settings.project()?;
    let key = session.settings.api_key()?;
    let printer = &context.printer;
    printer.json(&Whoami {
        base_url: base_url.value.to_string(),
        project: session.name.to_string(),
        project_id: session.project.id(),
        scopes: &credential.scopes,
        requires_operation_approval: credential.requires_operation_approval,
    });
    let scopes: Vec<&str> = credential.scopes.iter().map(|scope| scope.as_str()).collect();
    let kind = if credential.requires_operation_approval {
        "AI agent: a person must approve its spending and publishing"
    } else {
        "CI / scripts"
    };
    printer.line(format!("Server   {} (from {})", base_url.value, base_url.origin));
    printer.line(format!("Project  {} (from {})", session.name, found.origin));
    printer.line(format!("Id       {}", session.project.id()));
    if let Some(key) = key {
        printer.line(format!("Key      {kind} (from {})", key.origin));
    }
    printer.line(format!("Scopes   {}", if scopes.is_empty() { "none".to_owned() } else { scopes.join(", ") }));
    Ok(ExitStatus::Success)
}
