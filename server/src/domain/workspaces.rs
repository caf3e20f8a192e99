//! Settings of a workspace: its plan, which operators set, and its monthly cap, which owners set as well.

use l10n_api_types::{Millicredits, WorkspaceId};

use super::people::audit::{self, AuditAction, Record};
use super::{Actor, ServiceError};
use crate::clock::Timestamp;
use crate::config::Settings;
use crate::store::workspaces::{self, Workspace};
use crate::store::{Tx, lock};

/// The workspace of this handle or id.
///
/// # Errors
///
/// 404 when there is none.
pub(crate) async fn find(tx: &mut Tx, name: &str) -> Result<Workspace, ServiceError> {
    let found = match workspaces::find_by_handle(tx, name).await? {
        None => workspaces::find(tx, &WorkspaceId::from(name)).await?,
        found => found,
    };
    found.ok_or_else(|| ServiceError::NotFound(format!("there is no workspace `{name}`")))
}

/// Sets the most that may be charged in a month (UTC); `None` for no bound. Work that was begun before goes on.
pub(crate) async fn set_cap(
    tx: &mut Tx,
    now: Timestamp,
    by: &Actor,
    id: &WorkspaceId,
    cap: Option<Millicredits>,
) -> Result<Workspace, ServiceError> {
    let workspace = locked(tx, id).await?;
    change_cap(tx, now, by, workspace, cap).await
}

/// Like [`set_cap`], if the cap is the one that the person has `seen`. Returns false where it is another one.
pub(crate) async fn set_cap_seen(
    tx: &mut Tx,
    now: Timestamp,
    by: &Actor,
    id: &WorkspaceId,
    (seen, cap): (Option<Millicredits>, Option<Millicredits>),
) -> Result<bool, ServiceError> {
    let workspace = locked(tx, id).await?;
    if workspace.spending_cap != seen && workspace.spending_cap != cap {
        return Ok(false);
    }
    change_cap(tx, now, by, workspace, cap).await?;
    Ok(true)
}

async fn change_cap(
    tx: &mut Tx,
    now: Timestamp,
    by: &Actor,
    workspace: Workspace,
    cap: Option<Millicredits>,
) -> Result<Workspace, ServiceError> {
    if workspace.spending_cap == cap {
        return Ok(workspace);
    }
    workspaces::update_terms(tx, &workspace.id, &workspace.plan, cap).await?;
    let said = |cap: Option<Millicredits>| cap.map_or_else(|| "–".to_owned(), |cap| cap.to_string());
    let detail = format!("{} → {}", said(workspace.spending_cap), said(cap));
    let action = AuditAction::SpendingCapChanged;
    let record = Record { project: None, action, subject: None, detail: Some(&detail) };
    audit::write(tx, &workspace.id, by, now, record).await?;
    Ok(Workspace { spending_cap: cap, ..workspace })
}

/// Sets the plan. Things of a project beyond a smaller plan stay; no more of them can be added.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`] for a plan that the settings do not know.
pub(crate) async fn set_plan(
    tx: &mut Tx,
    settings: &Settings,
    id: &WorkspaceId,
    plan: &str,
) -> Result<Workspace, ServiceError> {
    if !settings.plans.contains_key(plan) {
        let known: Vec<_> = settings.plans.keys().map(String::as_str).collect();
        let message = format!("there is no plan `{plan}`, only {}", known.join(", "));
        return Err(ServiceError::InvalidArgument(message));
    }
    let workspace = locked(tx, id).await?;
    workspaces::update_terms(tx, id, plan, workspace.spending_cap).await?;
    Ok(Workspace { plan: plan.to_owned(), ..workspace })
}

async fn locked(tx: &mut Tx, id: &WorkspaceId) -> Result<Workspace, ServiceError> {
    lock::workspace(tx, id).await?;
    find(tx, id.as_str()).await
}
