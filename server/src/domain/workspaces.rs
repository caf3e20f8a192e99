//! An operator's settings of a workspace: its plan and its monthly cap.

use l10n_api_types::Millicredits;

use super::ServiceError;
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
        None => workspaces::find(tx, name).await?,
        found => found,
    };
    found.ok_or_else(|| ServiceError::NotFound(format!("there is no workspace `{name}`")))
}

/// Sets the most that may be charged in a month (UTC); `None` for no bound. Work that was begun before goes on.
pub(crate) async fn set_cap(tx: &mut Tx, id: &str, cap: Option<Millicredits>) -> Result<Workspace, ServiceError> {
    let workspace = locked(tx, id).await?;
    workspaces::update_terms(tx, id, &workspace.plan, cap).await?;
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
    id: &str,
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

async fn locked(tx: &mut Tx, id: &str) -> Result<Workspace, ServiceError> {
    lock::workspace(tx, id).await?;
    find(tx, id).await
}
