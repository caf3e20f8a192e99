//! Rows that other rows need.

use l10n_api_types::{ProjectId, Timestamp, WorkspaceId};
use l10n_server::store::projects::{self, NewProject};
use l10n_server::store::workspaces::{self, NewWorkspace};
use l10n_server::store::{Store, Tx};
use l10n_server::testing::sql;

pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_795_248_000_000);

/// The workspace `wsp_NAME` with the handle `NAME`.
pub(crate) async fn workspace(tx: &mut Tx, name: &str) -> WorkspaceId {
    let id = WorkspaceId::new(format!("wsp_{name}"));
    let new = NewWorkspace { id: &id, handle: name, plan: "unlimited", spending_cap: None, created_at: NOW };
    workspaces::insert(tx, new).await.unwrap();
    id
}

/// The project `prj_NAME` with the slug `NAME`, in a workspace of the same name.
pub(crate) async fn project(tx: &mut Tx, name: &str) -> ProjectId {
    let workspace_id = workspace(tx, name).await;
    let id = ProjectId::new(format!("prj_{name}"));
    let new = NewProject {
        id: &id,
        workspace_id: &workspace_id,
        slug: name,
        name: "An app",
        base_language: "en",
        created_at: NOW,
    };
    projects::insert(tx, new).await.unwrap();
    id
}

/// Runs statements that only a test needs.
pub(crate) async fn run(store: &Store, statements: &[String]) {
    for statement in statements {
        sql::run(store, statement).await;
    }
}
