//! People of a test.

use std::net::IpAddr;
use std::ops::Deref;

use l10n_api_types::WorkspaceId;
use l10n_server::clock::Clock as _;
use l10n_server::domain::Actor;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::links::LinkValidity;
use l10n_server::domain::people::{IssuedSession, PeopleParts, Person, Session, SignInClient};
use l10n_server::domain::people::{members, passwords, sessions, sign_in, users};
use l10n_server::testing::{TestApp, TestStore};
use secrecy::ExposeSecret as _;

pub(crate) const PASSWORD: &str = "a pony in the attic";

/// A server with people.
pub(crate) struct World {
    app: TestApp,
}

impl Deref for World {
    type Target = TestApp;

    fn deref(&self) -> &TestApp {
        &self.app
    }
}

/// An operator at the command line.
pub(crate) fn operator() -> Actor {
    Actor::Operator { name: "root".to_owned() }
}

/// A browser at an address.
pub(crate) fn client(address: &str) -> SignInClient {
    SignInClient { address: address.parse::<IpAddr>().unwrap(), user_agent: "Test/1.0".to_owned() }
}

impl World {
    pub(crate) async fn on(store: &TestStore) -> Self {
        Self { app: TestApp::on(store).await }
    }

    pub(crate) fn people(&self) -> PeopleParts<'_> {
        self.app.service.people()
    }

    /// The workspace of the app's project.
    pub(crate) fn workspace(&self) -> WorkspaceId {
        self.app.project.workspace.clone()
    }

    /// A person without a password.
    pub(crate) async fn person(&self, email: &str) -> Person {
        let mut tx = self.service.store.begin_write().await.unwrap();
        let (person, _) = users::create(&mut tx, self.clock.now(), email, "").await.unwrap();
        tx.commit().await.unwrap();
        person
    }

    /// A member of the workspace.
    pub(crate) async fn member(&self, email: &str, role: Role) -> Person {
        let person = self.person(email).await;
        let mut tx = self.service.store.begin_write().await.unwrap();
        members::put(&mut tx, self.clock.now(), &operator(), &self.workspace(), &person, role).await.unwrap();
        tx.commit().await.unwrap();
        person
    }

    /// The token of a link for a person.
    pub(crate) async fn link(&self, person: &Person, validity: LinkValidity) -> String {
        let mut tx = self.service.store.begin_write().await.unwrap();
        let token = users::sign_in_link(&mut tx, self.clock.now(), &operator(), &person.email, validity).await.unwrap();
        tx.commit().await.unwrap();
        token.expose_secret().to_owned()
    }

    /// A session that begins with a link.
    pub(crate) async fn signed_in(&self, person: &Person) -> IssuedSession {
        let token = self.link(person, LinkValidity::Brief).await;
        sign_in::with_link(self.people(), &token, &client("203.0.113.1")).await.unwrap().unwrap()
    }

    /// A person with a password, and a session.
    pub(crate) async fn with_password(&self, email: &str) -> (Person, IssuedSession) {
        let person = self.person(email).await;
        let session = self.signed_in(&person).await;
        passwords::set(self.people(), &session.session, None, PASSWORD).await.unwrap();
        (person, session)
    }

    /// The session that a token opens now.
    pub(crate) async fn find(&self, session: &IssuedSession) -> Option<Session> {
        sessions::find(self.people(), session.token.expose_secret()).await.unwrap()
    }
}
