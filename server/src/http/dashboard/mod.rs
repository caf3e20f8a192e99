//! `/dashboard`: where people see, decide and manage. Pages are made on the server; `README.md` says how one is added.
//!
//! A request passes `guard` (does it come from a page of this origin?), is bounded by `bounds`, becomes a [`Visit`](visit::Visit)
//! (who is it, of which workspace, with which role?), and reaches the handler of its row in `routes`.

mod account;
mod admit;
mod answer;
mod api_key_end;
mod api_key_new;
mod api_keys;
mod approvals;
mod assets;
mod audit;
mod bounds;
mod captured;
mod captured_key;
mod changes;
mod confirm;
mod cookies;
mod credits;
mod credits_cap;
mod csv;
mod deliveries;
mod delivery;
mod failure;
mod format_edit;
mod formats;
mod forms;
mod glossary;
mod glossary_term;
mod gone;
mod guard;
mod home;
mod invite;
mod languages;
mod login;
mod member;
mod members;
mod oidc;
mod operation;
mod operation_documents;
mod overview;
mod poll;
mod publish;
mod routes;
mod run_new;
mod runs;
mod settings;
mod texts;
mod versions;
mod view;
mod visit;
mod webhook;
mod webhook_end;
mod webhook_new;
mod webhooks;
mod workspace;

use std::net::{IpAddr, Ipv4Addr};
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::from_fn_with_state;
use axum::response::{Redirect, Response};
use axum::routing::{MethodFilter, any, get, on};
use futures_util::FutureExt as _;
use http::header::{CONNECTION, CONTENT_TYPE, SET_COOKIE};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method};
use l10n_api_types::RequestId;

#[cfg(feature = "testing")]
pub(crate) use self::routes::Audience;
pub(crate) use self::routes::{PAGES, PageRoute};

use self::answer::{AnswerBody, PageResponse};
use self::bounds::DashboardBounds;
use self::cookies::{Preferences, SessionCookie};
use self::forms::Fields;
use self::poll::Poll;
use self::visit::{FRAGMENT_HEADER, Visit, nothing_here};
use super::Gate;
use super::access_log::Route;
use super::body::RequestBody;
use super::client_address::{self, ClientAddress};
use super::concurrency::ConcurrencyPermit;
use super::unsent;
use crate::domain::ServiceError;
use crate::domain::people::SignInClient;

/// The path of the dashboard.
pub(super) const PATH: &str = "/dashboard";

/// The routes of the dashboard.
pub(super) fn routes(gate: &Gate) -> Router<Gate> {
    let bounds = Arc::new(DashboardBounds::default());
    let mut router = Router::new();
    for page in PAGES {
        let bounds = Arc::clone(&bounds);
        let filter = if page.method == Method::POST { MethodFilter::POST } else { MethodFilter::GET };
        let handler =
            async move |State(gate): State<Gate>, request: Request| answer(page, &gate, &bounds, request).await;
        router = router.route(page.path, on(filter, handler));
    }
    router
        .route(assets::ROUTE, get(assets::handle))
        .route("/dashboard/", get(first_page))
        .route("/dashboard/{*rest}", any(unknown))
        .method_not_allowed_fallback(unknown)
        .layer(from_fn_with_state(gate.clone(), guard::layer))
}

/// Warns of a session that travels in the clear, when a server starts.
pub(crate) fn warn_of_plain_http(base_url: &str) {
    if SessionCookie::of(base_url) == SessionCookie::Plain {
        tracing::warn!(
            base_url,
            "the dashboard is reached by plain http from other machines: passwords and sessions can be read on the way; put a \
             proxy that speaks TLS in front of it, and state its https URL as `base_url`"
        );
    }
}

/// Returns true for a path of the dashboard, whose errors are pages.
pub(super) fn is_under(path: &str) -> bool {
    path.strip_prefix(PATH).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The page of an error that no route of the dashboard has met, such as too many connections.
pub(super) fn error_page(failed: &ServiceError, request: &RequestId) -> Response {
    let mut response = failure::without_visit(failed, request);
    guard::put_headers(response.headers_mut());
    response
}

async fn first_page() -> Redirect {
    Redirect::to(PATH)
}

async fn unknown(request: Request) -> Response {
    let id = request.extensions().get::<RequestId>().cloned().unwrap_or_else(|| RequestId::from("-"));
    failure::without_visit(&nothing_here(), &id)
}

/// A form, with its place where it is large.
type Form = (Fields, Option<ConcurrencyPermit<IpAddr>>);

/// A request whose body may still be on its way.
struct Arrived {
    parts: Parts,
    body: RequestBody,
    close: bool,
}

impl Arrived {
    /// Reads the form, of `cap` bytes at most. A large one waits for a place, which it keeps.
    async fn form(&mut self, cap: usize, gate: &Gate, bounds: &DashboardBounds) -> Result<Form, ServiceError> {
        forms::check_media_type(&self.parts.headers)?;
        let place = bounds.large_forms.take(self.address());
        let read = self.body.read_large(cap, gate.timeouts.body, forms::FORM_BYTES, place).await;
        let (bytes, place) = read.map_err(|refused| {
            self.close = refused.close;
            refused.error
        })?;
        Ok((Fields::parse(&bytes)?, place))
    }

    fn address(&self) -> IpAddr {
        client_address::group(self.parts.extensions.get().copied())
    }
}

/// Answers a request of a page; a handler that panics is an error page as well.
async fn answer(page: &'static PageRoute, gate: &Gate, bounds: &DashboardBounds, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = RequestBody::new(&parts.headers, body);
    let mut visit = begin(gate, &parts);
    let mut arrived = Arrived { parts, body, close: false };
    let run = AssertUnwindSafe(run(page, gate, bounds, &mut arrived, &mut visit)).catch_unwind().await;
    let outcome = run.unwrap_or_else(|_| Err(ServiceError::internal("a page panicked")));
    let mut response = match outcome {
        Ok(answer) => counted(page, &visit, respond(&visit, answer)),
        Err(failed) => failure::page(&visit, &failed, page.method == Method::POST),
    };
    // Whoever signed in on the way is signed in, whatever became of the form.
    if let Some(cookie) = visit.new_cookie.take() {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    if arrived.close {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response.extensions_mut().insert(Route { template: page.path, caller: None, is_open: false, request: None });
    response
}

/// The facts that a request tells about itself.
fn begin(gate: &Gate, parts: &Parts) -> Visit {
    let cookie = SessionCookie::of(&gate.service.settings.base_url);
    let looks = Preferences::read(&parts.headers);
    let texts = texts::of(looks.language.as_deref(), &parts.headers);
    let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let address = parts.extensions.get::<ClientAddress>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |client| client.0);
    let user_agent = header("user-agent").unwrap_or_default().to_owned();
    Visit {
        service: gate.service.clone(),
        request: parts.extensions.get::<RequestId>().cloned().unwrap_or_else(|| RequestId::from("-")),
        now: gate.service.clock.now(),
        path: parts.uri.path().to_owned(),
        // Too many fields are no filter of anybody's.
        query: Fields::parse(parts.uri.query().unwrap_or_default().as_bytes()).unwrap_or_default(),
        form: Fields::default(),
        client: SignInClient { address, user_agent },
        looks,
        texts,
        sign_in: cookie.sign_in(&parts.headers).map(str::to_owned),
        cookie,
        values: Vec::new(),
        part: header(FRAGMENT_HEADER).map(str::to_owned),
        session: None,
        membership: None,
        of_project: None,
        pending: 0,
        is_answer: false,
        new_cookie: None,
    }
}

/// Finds out who asks, lets them in, and calls the page.
async fn run(
    page: &'static PageRoute,
    gate: &Gate,
    bounds: &DashboardBounds,
    arrived: &mut Arrived,
    visit: &mut Visit,
) -> Result<PageResponse, ServiceError> {
    let address = arrived.address();
    visit.values = routes::values(page.path, &visit.path).ok_or_else(nothing_here)?;
    look_up(bounds, &arrived.parts.headers, address, visit).await?;
    // A body takes as long as the client likes, and holds none of the places of pages.
    let _place = if page.method == Method::POST {
        let (form, place) = arrived.form(page.form_bytes, gate, bounds).await?;
        visit.form = form;
        visit.is_answer = routes::page(page.path).is_some();
        if visit.session.is_some() {
            renew(bounds, &arrived.parts.headers, address, visit).await?;
        }
        place
    } else {
        None
    };
    let mut poll = Poll::of(visit, &page.method, &arrived.parts.headers);
    loop {
        let decided = visit.service.operation_decided.clone();
        let mut changed = pin!(decided.notified());
        // What happens while the page is made is not missed.
        changed.as_mut().enable();
        let answer = once(page, bounds, address, visit).await?;
        let Some(poll) = &mut poll else { return Ok(answer) };
        let hint = page.who.is_about_decisions().then_some(changed);
        if !poll.again(&bounds.waiting, visit, &answer, hint).await {
            return Ok(answer);
        }
        renew(bounds, &arrived.parts.headers, address, visit).await?;
    }
}

/// Time has passed: the session may have ended, and so may the membership.
async fn renew(
    bounds: &DashboardBounds,
    headers: &HeaderMap,
    address: IpAddr,
    visit: &mut Visit,
) -> Result<(), ServiceError> {
    visit.now = visit.service.clock.now();
    look_up(bounds, headers, address, visit).await
}

/// Finds the session of the cookie.
async fn look_up(
    bounds: &DashboardBounds,
    headers: &HeaderMap,
    address: IpAddr,
    visit: &mut Visit,
) -> Result<(), ServiceError> {
    visit.session = None;
    if let Some(token) = visit.cookie.token(headers) {
        let _place = bounds.lookups.take(address).await?;
        visit.session = admit::session(&visit.service, token).await?;
        // What the account says counts in every browser.
        if let Some(looks) = visit.session.as_ref().and_then(|session| session.looks.as_deref()) {
            visit.looks = Preferences::parse(looks);
            visit.texts = texts::of(visit.looks.language.as_deref(), headers);
        }
    }
    Ok(())
}

/// Lets the visit in, and calls the page, within a place.
async fn once(
    page: &'static PageRoute,
    bounds: &DashboardBounds,
    address: IpAddr,
    visit: &mut Visit,
) -> Result<PageResponse, ServiceError> {
    let held = bounds.place(visit, address).await?;
    if let Some(answer) = admit::admit(page, visit).await? {
        return Ok(answer);
    }
    let _held = bounds.share(visit, held).await?;
    let form = std::mem::take(&mut visit.form);
    let answer = (page.handler)(Visit { form, ..visit.clone() }).await?;
    if matches!(answer.body, AnswerBody::Page { .. }) {
        approvals::count(visit).await?;
    }
    Ok(answer)
}

/// Counts a large page of a workspace until the browser has taken it. A form has done its work, and is answered in any case.
fn counted(page: &PageRoute, visit: &Visit, response: Response) -> Response {
    let Some(membership) = &visit.membership else { return response };
    let (budget, workspace) = (&visit.service.unsent, membership.workspace.clone());
    if page.method == Method::POST {
        return unsent::count(response, budget, workspace);
    }
    unsent::admit(response, budget, workspace).unwrap_or_else(|| {
        let busy = "too many large pages are still being sent: try again in a moment";
        failure::page(visit, &ServiceError::Busy(busy.to_owned()), false)
    })
}

fn respond(visit: &Visit, answer: PageResponse) -> Response {
    let PageResponse { status, headers, body } = answer;
    let (html, bytes) = match body {
        AnswerBody::Page { title, content } => (true, view::layout::page(visit, &title, &content).into_string().into()),
        AnswerBody::Fragment(content) => (true, content.into_string().into()),
        AnswerBody::File(content) => (false, content),
        AnswerBody::Empty => (false, bytes::Bytes::new()),
    };
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    if html {
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    }
    response
}
