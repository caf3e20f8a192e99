//! A project with a key for every need.

use l10n_api_types::{KeyKind, Millicredits, ProjectId, Scope, WorkspaceId};

use crate::ids::{ApiKeyText, IdKind, new_id};
use crate::service::Service;
use crate::store::languages::Language;
use crate::store::ledger::{EntryKind, NewLedgerEntry};
use crate::store::{Tx, api_keys, languages, ledger, projects, workspaces};

/// Credits that a test's workspace begins with.
pub const CREDITS: Millicredits = Millicredits(1_000_000_000);

/// A project whose base language is `en`, with `de` and `fr` beside it.
#[derive(Debug, Clone)]
pub struct TestProject {
    /// Its id.
    pub id: ProjectId,
    /// Its workspace.
    pub workspace: WorkspaceId,
    /// The workspace's handle.
    pub handle: String,
    /// Its slug.
    pub slug: String,
    /// Its keys.
    pub keys: TestKeys,
}

/// Texts of the keys of a [`TestProject`]. Those of one scope hold that scope alone.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "each holds what it is named after")]
pub struct TestKeys {
    pub admin: String,
    pub read: String,
    pub translate: String,
    pub write: String,
    pub publish: String,
    pub capture: String,
    /// The two scopes of the dashboard, which open no route.
    pub members: String,
    /// No scope at all.
    pub none: String,
    /// `admin`, of an agent.
    pub agent: String,
    /// `read`, of an agent.
    pub agent_read: String,
    /// `admin`, and revoked.
    pub revoked: String,
}

impl TestKeys {
    /// The keys that hold one scope, with it.
    pub fn of_one_scope(&self) -> [(Scope, &str); 5] {
        [
            (Scope::Read, &self.read),
            (Scope::Translate, &self.translate),
            (Scope::Write, &self.write),
            (Scope::Publish, &self.publish),
            (Scope::Capture, &self.capture),
        ]
    }

    /// The keys that are not revoked.
    pub fn valid(&self) -> Vec<&str> {
        let one = self.of_one_scope().map(|(_, key)| key);
        one.into_iter().chain([&*self.admin, &self.members, &self.none, &self.agent, &self.agent_read]).collect()
    }
}

/// Makes a workspace of plan `plan` with [`CREDITS`], and a project in it.
pub(super) async fn make(service: &Service, handle: &str, slug: &str, plan: &str) -> TestProject {
    let now = service.clock.now();
    let workspace = WorkspaceId::new(new_id(IdKind::Workspace, now));
    let mut tx = service.store.begin_write().await.expect("a transaction");
    let new = workspaces::NewWorkspace { id: &workspace, handle, plan, spending_cap: None, created_at: now };
    workspaces::insert(&mut tx, new).await.expect("a workspace");
    let grant = NewLedgerEntry {
        id: &new_id(IdKind::LedgerEntry, now),
        workspace_id: &workspace,
        kind: EntryKind::Grant,
        amount: CREDITS,
        job_id: None,
        note: None,
        created_at: now,
    };
    ledger::append(&mut tx, grant).await.expect("credits");
    let project = make_in(&mut tx, service, &workspace, handle, slug).await;
    tx.commit().await.expect("a commit");
    project
}

/// Makes a project in the workspace of another.
pub(super) async fn make_beside(service: &Service, other: &TestProject, slug: &str) -> TestProject {
    let mut tx = service.store.begin_write().await.expect("a transaction");
    let project = make_in(&mut tx, service, &other.workspace, &other.handle, slug).await;
    tx.commit().await.expect("a commit");
    project
}

async fn make_in(tx: &mut Tx, service: &Service, workspace: &WorkspaceId, handle: &str, slug: &str) -> TestProject {
    let now = service.clock.now();
    let id = ProjectId::new(new_id(IdKind::Project, now));
    let new = projects::NewProject {
        id: &id,
        workspace_id: workspace,
        slug,
        name: "Test project",
        base_language: "en",
        created_at: now,
    };
    projects::insert(tx, new).await.expect("a project");
    let codes = (0i64..).zip(["en", "de", "fr"]);
    let rows: Vec<_> = codes
        .map(|(position, code)| Language { code: code.to_owned(), is_base: position == 0, position, created_at: now })
        .collect();
    languages::insert(tx, &id, &rows).await.expect("languages");
    let keys = TestKeys {
        admin: key(tx, service, &id, &[Scope::Admin], KeyKind::Ci).await,
        read: key(tx, service, &id, &[Scope::Read], KeyKind::Ci).await,
        translate: key(tx, service, &id, &[Scope::Translate], KeyKind::Ci).await,
        write: key(tx, service, &id, &[Scope::Write], KeyKind::Ci).await,
        publish: key(tx, service, &id, &[Scope::Publish], KeyKind::Ci).await,
        capture: key(tx, service, &id, &[Scope::Capture], KeyKind::Ci).await,
        members: key(tx, service, &id, &[Scope::MembersRead, Scope::MembersManage], KeyKind::Ci).await,
        none: key(tx, service, &id, &[], KeyKind::Ci).await,
        agent: key(tx, service, &id, &[Scope::Admin], KeyKind::Agent).await,
        agent_read: key(tx, service, &id, &[Scope::Read], KeyKind::Agent).await,
        revoked: revoked_key(tx, service, &id).await,
    };
    TestProject { id, workspace: workspace.clone(), handle: handle.to_owned(), slug: slug.to_owned(), keys }
}

/// Makes a key and returns its text.
pub(super) async fn key(
    tx: &mut Tx,
    service: &Service,
    project: &ProjectId,
    scopes: &[Scope],
    kind: KeyKind,
) -> String {
    let text = ApiKeyText::generate();
    let now = service.clock.now();
    let new = api_keys::NewApiKey {
        id: &new_id(IdKind::ApiKey, now),
        project_id: project,
        hash: text.hash(),
        label: "test",
        scopes,
        kind,
        created_at: now,
        ends_at: None,
        hint: "test",
        made_by: None,
    };
    api_keys::insert(tx, new).await.expect("a key");
    text.expose().to_owned()
}

async fn revoked_key(tx: &mut Tx, service: &Service, project: &ProjectId) -> String {
    let text = key(tx, service, project, &[Scope::Admin], KeyKind::Ci).await;
    let parsed = ApiKeyText::parse(&text).expect("a key");
    let record = api_keys::find_by_hash(tx, &parsed.hash()).await.expect("an answer").expect("the key just made");
    api_keys::revoke(tx, &record.id, service.clock.now()).await.expect("a revocation");
    text
}
