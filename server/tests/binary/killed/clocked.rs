//! A project on a database, and servers on it whose clocks are ahead.

use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use super::server::{Server, free_address};
use crate::process::{feed, stdout};

/// A database with one project, which a key may change.
pub(super) struct Setting {
    pub(super) store: TestStore,
    pub(super) folder: tempfile::TempDir,
    pub(super) project: String,
    pub(super) key: String,
}

impl Setting {
    /// Makes a project with these target languages.
    pub(super) fn new(store: TestStore, languages: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let tree = json!({"workspaces": [{"handle": "acme", "credits": 1_000, "projects": [{
            "slug": "app", "name": "App", "baseLanguage": "en", "languages": languages,
            "keys": [{"label": "ci", "scopes": ["admin"], "kind": "ci"}]}]}]});
        let output = feed(folder.path(), &["provision", "-", "--database-url", store.url()], &tree.to_string());
        let made: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let project = &made["workspaces"][0]["projects"][0];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let (project, key) = (text(&project["projectId"]), text(&project["keys"][0]["key"]));
        Self { store, folder, project, key }
    }

    /// A server whose clock is ahead of the machine's by so many seconds.
    pub(super) async fn server(&self, ahead: u32) -> Server {
        let clock = free_address();
        let kept = self.folder.path().join(format!("clock-{}", clock.port()));
        std::fs::write(&kept, (u64::from(ahead) * 1_000).to_string()).unwrap();
        let environment = [
            ("L10N_SERVER_DATABASE_URL", self.store.url().to_owned()),
            ("L10N_SERVER_SECRETS_MASTER_KEY", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=".to_owned()),
            ("L10N_LAB_CLOCK", clock.to_string()),
            ("L10N_LAB_CLOCK_KEPT", kept.to_str().unwrap().to_owned()),
        ];
        let environment = environment.map(|(name, value)| (name.to_owned(), value));
        let mut server = Server::new(self.folder.path(), &environment);
        server.start();
        server.ready().await;
        server
    }
}
