//! The answer of a page: what its handler returns.

use bytes::Bytes;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION, SET_COOKIE};
use http::{HeaderMap, HeaderValue, StatusCode};
use maud::Markup;

/// An answer.
#[derive(Debug)]
pub(super) struct PageResponse {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: AnswerBody,
}

#[derive(Debug)]
pub(super) enum AnswerBody {
    /// A whole page, which the layout surrounds.
    Page { title: String, content: Markup },
    /// A part of a page, for the script.
    Fragment(Markup),
    /// A file.
    File(Bytes),
    /// Nothing: the headers say where to go.
    Empty,
}

impl PageResponse {
    fn new(status: StatusCode, body: AnswerBody) -> Self {
        Self { status, headers: HeaderMap::new(), body }
    }

    /// A page. The title stands in the browser's tab; the content has the one `h1`.
    pub(super) fn page(title: impl Into<String>, content: Markup) -> Self {
        Self::new(StatusCode::OK, AnswerBody::Page { title: title.into(), content })
    }

    /// The part of a page that [`Visit::fragment`](super::visit::Visit::fragment) names.
    pub(super) fn fragment(content: Markup) -> Self {
        Self::new(StatusCode::OK, AnswerBody::Fragment(content))
    }

    /// The part of a page that [`Visit::fragment`](super::visit::Visit::fragment) names, in a state of which the script is told
    /// when there is another one. `state` has visible ASCII characters, and does not tell the time.
    pub(super) fn polled(content: Markup, state: &str) -> Self {
        let mut answer = Self::fragment(content);
        super::poll::put_state(&mut answer.headers, state);
        answer
    }

    /// Leads to a page after a form. `path` is one of this dashboard.
    pub(super) fn see_other(path: &str) -> Self {
        let mut answer = Self::new(StatusCode::SEE_OTHER, AnswerBody::Empty);
        // Paths are made of ids and names, and what is no header leads home.
        let location = HeaderValue::from_str(path).unwrap_or(HeaderValue::from_static(super::PATH));
        answer.headers.insert(LOCATION, location);
        answer
    }

    /// Leads to a page that then says what was done: `done("…/keys", "keys.revoked")` shows the text `keys.done.revoked`.
    pub(super) fn done(path: &str, what: &'static str) -> Self {
        let separator = if path.contains('?') { '&' } else { '?' };
        Self::see_other(&format!("{path}{separator}done={what}"))
    }

    /// A file that the browser saves under this name, of letters, digits, `-`, `_` and `.`.
    pub(super) fn file(name: &str, media_type: &'static str, content: impl Into<Bytes>) -> Self {
        let mut answer = Self::new(StatusCode::OK, AnswerBody::File(content.into()));
        answer.headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
        let safe: String =
            name.chars().filter(|character| character.is_ascii_alphanumeric() || "-_.".contains(*character)).collect();
        if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{safe}\"")) {
            answer.headers.insert(CONTENT_DISPOSITION, value);
        }
        answer
    }

    /// The form is shown again: something in it is wrong.
    pub(super) fn invalid(self) -> Self {
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, ..self }
    }

    /// The form is shown again: what it is about has changed meanwhile.
    pub(super) fn conflict(self) -> Self {
        Self { status: StatusCode::CONFLICT, ..self }
    }

    /// The page asks for something before it goes on, such as a password.
    pub(super) fn forbidden(self) -> Self {
        Self { status: StatusCode::FORBIDDEN, ..self }
    }

    /// Somebody whom the page needs does not answer.
    pub(super) fn unavailable(self) -> Self {
        Self { status: StatusCode::SERVICE_UNAVAILABLE, ..self }
    }

    /// Too many attempts: the page says how long to wait.
    pub(super) fn too_many(self) -> Self {
        Self { status: StatusCode::TOO_MANY_REQUESTS, ..self }
    }

    /// With a cookie.
    pub(super) fn cookie(mut self, cookie: Option<HeaderValue>) -> Self {
        if let Some(cookie) = cookie {
            self.headers.append(SET_COOKIE, cookie);
        }
        self
    }
}
