//! A server with people.

use std::ops::Deref;
use std::sync::Arc;

use l10n_server::clock::Clock as _;
use l10n_server::config::Settings;
use l10n_server::domain::Actor;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::links::LinkValidity;
use l10n_server::domain::people::{Person, SignInClient, members, passwords, sign_in, users};
use l10n_server::engines::Pseudo;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::testing::{TestApp, TestProject, TestStore};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};

use super::engine::PickyEngine;
use super::visitor::Visitor;

/// The password of everybody who has one.
pub(crate) const PASSWORD: &str = "a pony in the attic";

/// A server with people.
pub(crate) struct Site {
    app: TestApp,
}

impl Deref for Site {
    type Target = TestApp;

    fn deref(&self) -> &TestApp {
        &self.app
    }
}

impl Site {
    pub(crate) async fn on(store: &TestStore) -> Self {
        Self { app: TestApp::on(store).await }
    }

    /// With other settings.
    pub(crate) async fn with(store: &TestStore, change: impl FnOnce(&mut Settings)) -> Self {
        Self { app: TestApp::with(store, change, ConnectionTimeouts::default()).await }
    }

    /// With an engine that refuses texts.
    pub(crate) async fn translated_by(store: &TestStore, engine: &Arc<PickyEngine>) -> Self {
        let engine = Arc::clone(engine);
        Self { app: TestApp::translated_by(store, engine).await }
    }

    /// Without workers: jobs stay queued.
    pub(crate) async fn idle(store: &TestStore) -> Self {
        Self { app: TestApp::idle(store, |_| {}, Arc::new(Pseudo)).await }
    }

    /// Registers texts, which are then translated.
    pub(crate) async fn sync(&self, texts: &Value) -> Option<String> {
        let file = json!({ "path": "en.json", "content": texts.to_string(), "encoding": "utf8", "format": "json" });
        let answer = self.post("/sync").json(&json!({ "file": file })).send().await;
        assert!(answer.status < 300, "{answer:?}");
        answer.json()["trackingToken"].as_str().map(str::to_owned)
    }

    /// Brings translations of a language.
    pub(crate) async fn import(&self, language: &str, texts: &Value) {
        let path = format!("{language}.json");
        let file = json!({ "path": path, "content": texts.to_string(), "encoding": "utf8", "format": "json" });
        let answer = self.post("/sync").json(&json!({ "file": file, "language": language })).send().await;
        assert!(answer.status < 300, "{answer:?}");
    }

    /// Waits until a job has ended; returns it.
    pub(crate) async fn ended(&self, token: &str) -> Value {
        loop {
            let job = self.get(&format!("/translations?waitSeconds=25&trackingToken={token}")).send().await.json();
            if !matches!(job["status"].as_str(), Some("queued" | "running")) {
                return job;
            }
        }
    }

    /// A path of the project's pages.
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/dashboard/@{}/{}{rest}", self.project.handle, self.project.slug)
    }

    /// A member of the workspace of the app's project, without a password.
    pub(crate) async fn member(&self, email: &str, role: Role) -> Person {
        self.member_of(&self.project, email, role).await
    }

    /// A member of the workspace of a project, without a password.
    pub(crate) async fn member_of(&self, project: &TestProject, email: &str, role: Role) -> Person {
        let operator = Actor::Operator { name: "root".to_owned() };
        let mut tx = self.service.store.begin_write().await.unwrap();
        let (person, _) = users::create(&mut tx, self.clock.now(), email, "").await.unwrap();
        members::put(&mut tx, self.clock.now(), &operator, &project.workspace, &person, role).await.unwrap();
        tx.commit().await.unwrap();
        person
    }

    /// Gives a person the password of everybody.
    pub(crate) async fn give_password(&self, person: &Person) {
        let token = self.link(person).await;
        let client = SignInClient { address: [127, 0, 0, 1].into(), user_agent: String::new() };
        let session = sign_in::with_link(self.service.people(), &token, &client).await.unwrap().unwrap();
        passwords::set(self.service.people(), &session.session, None, PASSWORD).await.unwrap();
    }

    /// The token of a link that signs a person in.
    pub(crate) async fn link(&self, person: &Person) -> String {
        let operator = Actor::Operator { name: "root".to_owned() };
        let mut tx = self.service.store.begin_write().await.unwrap();
        let now = self.clock.now();
        let token = users::sign_in_link(&mut tx, now, &operator, &person.email, LinkValidity::Brief).await.unwrap();
        tx.commit().await.unwrap();
        token.expose_secret().to_owned()
    }

    /// Somebody without a session.
    pub(crate) fn stranger(&self) -> Visitor<'_> {
        Visitor::new(&self.app)
    }

    /// A person's browser, signed in by a link.
    pub(crate) async fn signed_in(&self, person: &Person) -> Visitor<'_> {
        let mut visitor = self.stranger();
        let token = self.link(person).await;
        let page = visitor.get(&format!("/dashboard/login/{token}")).await;
        let home = visitor.send(page.html().form("/login/")).await;
        assert_eq!(home.status, 200, "{}", home.text());
        visitor
    }

    /// A member of this role, signed in.
    pub(crate) async fn as_role(&self, role: Role) -> Visitor<'_> {
        let person = self.member(&format!("{}@example.com", role.as_str()), role).await;
        self.signed_in(&person).await
    }
}
