//! A request of a page, with all that is known about it when the page's handler is called.

use std::sync::Arc;

use http::HeaderValue;
use l10n_api_types::RequestId;
use l10n_formats::text::format::Value;
use maud::Markup;

use super::cookies::{Preferences, SessionCookie};
use super::forms::Fields;
use super::texts::LanguageTexts;
use crate::clock::Timestamp;
use crate::domain::access::Action;
use crate::domain::people::memberships::Membership;
use crate::domain::people::{Person, Session, SignInClient};
use crate::domain::{Actor, ProjectChange, ServiceError};
use crate::service::Service;
use crate::store::Tx;
use crate::store::projects::Project;

/// The header in which the script asks for a part of a page.
pub(super) const FRAGMENT_HEADER: &str = "l10n-fragment";

/// A visit of a page.
#[derive(Clone)]
pub(crate) struct Visit {
    /// The parts of the server.
    pub(super) service: Arc<Service>,
    /// The name of this request, for logs and for people who report a fault.
    pub(super) request: RequestId,
    /// The time at which it came.
    pub(super) now: Timestamp,
    /// The path, as it was sent, without the query.
    pub(super) path: String,
    /// The query.
    pub(super) query: Fields,
    /// The form of a POST; empty for a GET.
    pub(super) form: Fields,
    /// The browser that asks.
    pub(super) client: SignInClient,
    /// The choices about the looks: of the account, or of this device.
    pub(super) looks: Preferences,
    /// The dashboard's texts in the language of the visit.
    pub(super) texts: &'static LanguageTexts,
    /// The cookie that this server gives sessions.
    pub(super) cookie: SessionCookie,
    /// The sealed sign-in that the browser has begun with an identity provider.
    pub(super) sign_in: Option<String>,
    /// Values of the path's places.
    pub(super) values: Vec<(&'static str, String)>,
    /// The part of the page that the script asks for.
    pub(super) part: Option<String>,
    /// The session, where somebody is signed in.
    pub(super) session: Option<Session>,
    /// The workspace of the path and the role in it, where the person is a member.
    pub(super) membership: Option<Membership>,
    /// The project of the path, where the person is a member of its workspace.
    pub(super) of_project: Option<Project>,
    /// Requests of agents in the project that wait for a decision, where the person may decide; counted up to a bound.
    pub(super) pending: i64,
    /// True where the page answers a form, and can be opened at the same address.
    pub(super) is_answer: bool,
    /// The cookie of a session that began on the way. It goes with the answer, whatever that is.
    pub(super) new_cookie: Option<HeaderValue>,
}

impl Visit {
    /// The session. Pages for people who are signed in always have one.
    ///
    /// # Errors
    ///
    /// 404 on a page that anybody may see.
    pub(super) fn session(&self) -> Result<&Session, ServiceError> {
        self.session.as_ref().ok_or_else(nothing_here)
    }

    /// The person who is signed in, as [`session`](Self::session).
    ///
    /// # Errors
    ///
    /// 404 on a page that anybody may see.
    pub(super) fn person(&self) -> Result<&Person, ServiceError> {
        Ok(&self.session()?.person)
    }

    /// The workspace of the path, with the person's role in it. Pages of a workspace, a project or an operation always have one.
    ///
    /// # Errors
    ///
    /// 404 on other pages.
    pub(super) fn membership(&self) -> Result<&Membership, ServiceError> {
        self.membership.as_ref().ok_or_else(nothing_here)
    }

    /// The project of the path. Pages of a project or an operation always have one.
    ///
    /// # Errors
    ///
    /// 404 on other pages.
    pub(super) fn project(&self) -> Result<&Project, ServiceError> {
        self.of_project.as_ref().ok_or_else(nothing_here)
    }

    /// The context of a change of the project of the path, by `by`, who is the person.
    ///
    /// # Errors
    ///
    /// 404 on pages of no project.
    pub(super) fn change<'a>(&'a self, by: &'a Actor) -> Result<ProjectChange<'a>, ServiceError> {
        let (clock, settings) = (self.service.clock.as_ref(), self.service.settings.as_ref());
        let (project, workspace) = (&self.project()?.id, &self.membership()?.workspace);
        Ok(ProjectChange { clock, settings, project, workspace, by })
    }

    /// Begins the transaction of a form that changes the project of the path, when it is the project's turn.
    ///
    /// # Errors
    ///
    /// 404 on pages of no project; 503 where its turn does not come in time, or the datastore fails.
    pub(super) async fn begin_write(&self) -> Result<Tx, ServiceError> {
        let (workspace, project) = (&self.membership()?.workspace, &self.project()?.id);
        Ok(self.service.store.begin_write_in(workspace, project).await?)
    }

    /// Returns true if the person may do this in the workspace of the path: what they may not do is not offered.
    pub(super) fn may(&self, action: Action) -> bool {
        self.membership.as_ref().is_some_and(|membership| membership.may(action))
    }

    /// The value of a place of the path, such as `keyId`.
    ///
    /// # Errors
    ///
    /// 404 where the path has no such place.
    pub(super) fn value(&self, name: &str) -> Result<&str, ServiceError> {
        let found = self.values.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str()).ok_or_else(nothing_here)
    }

    /// The part of the page that the script asks for: answer with
    /// [`PageResponse::fragment`](super::answer::PageResponse::fragment) then.
    pub(super) fn fragment(&self) -> Option<&str> {
        self.part.as_deref()
    }

    /// A text of the dashboard.
    pub(super) fn t(&self, key: &str) -> String {
        self.texts.text(key, &[])
    }

    /// A text of the dashboard, with values put in.
    pub(super) fn tf(&self, key: &str, values: &[(&str, Value<'_>)]) -> String {
        self.texts.text(key, values)
    }

    /// A text of the dashboard with elements in it, such as links and code.
    pub(super) fn rich(&self, key: &str, elements: &[(&str, Markup)]) -> Markup {
        self.texts.rich(key, &[], elements)
    }

    /// The path of a page of the workspace, such as `/-/members`; empty for its first page.
    pub(super) fn in_workspace(&self, rest: &str) -> String {
        let handle = self.membership.as_ref().map_or("", |membership| &membership.handle);
        format!("{}/@{handle}{rest}", super::PATH)
    }

    /// The path of a page of the project, such as `/settings/keys`; empty for its first page.
    pub(super) fn in_project(&self, rest: &str) -> String {
        let slug = self.of_project.as_ref().map_or("", |project| &project.slug);
        self.in_workspace(&format!("/{slug}{rest}"))
    }

    /// The path and the query, for coming back.
    pub(super) fn here(&self) -> String {
        format!("{}{}", self.path, self.query.with("done", None))
    }
}

/// The answer for what is not there, or is none of this person's business.
pub(super) fn nothing_here() -> ServiceError {
    ServiceError::NotFound("there is nothing here, or it is not yours to see".to_owned())
}
