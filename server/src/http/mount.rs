//! Puts a handler under its endpoint's path. The checks before it stand in [`pipeline`](super::pipeline), which knows no
//! types of an endpoint: only the few steps here are compiled anew for each.

use axum::response::Response;
use futures_util::future::BoxFuture;
use http::HeaderMap;
use l10n_api_types::{Access, Endpoint, EndpointInfo, Method, Scope, UnknownFields};

use super::cors::Preflight;
use super::endpoints::ServedEndpoint;
use super::path::PathTemplate;
use super::pipeline::{Keyed, Public};
use super::strict::{self, InputError, Strictness, Tree};
use super::{BASE_PATH, Committed, Context, Endpoints, PublicContext, Reply, Request, cors, pipeline, query};
use crate::domain::ServiceError;

/// An endpoint as its request path sees it. `C` is what surrounds its handler.
pub(super) struct Mounted<C> {
    pub(super) info: &'static EndpointInfo,
    /// Reads the values of a path; `None` if they cannot exist.
    pub(super) path: ReadPath<C>,
}

type ReadPath<C> = Box<dyn Fn(&str) -> Option<ReadInput<C>> + Send + Sync>;

/// Reads the query and the body of a request whose path has been read.
pub(super) type ReadInput<C> = Box<dyn FnOnce(&Tree<'_>, &Tree<'_>) -> Result<PreparedRequest<C>, InputError> + Send>;

/// A request that has been read.
pub(super) struct PreparedRequest<C> {
    /// The scopes of which the key must hold one, now that the request has been read.
    pub(super) scopes: &'static [Scope],
    /// Runs the handler.
    pub(super) run: Box<dyn FnOnce(C, HeaderMap) -> ResponseFuture + Send>,
}

type ResponseFuture = BoxFuture<'static, Result<Response, ServiceError>>;

/// Mounts the handler of an endpoint that needs a key and writes nothing.
pub(crate) fn read<E, H, F>(endpoints: &mut Endpoints, handler: H)
where
    E: Endpoint,
    H: Fn(Context, Request<E>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<Reply<E::Response>, ServiceError>> + Send + 'static,
{
    const { assert!(matches!(E::METHOD, Method::Get), "what is not GET has a receipt: mount it with `write`") };
    keyed::<E, _, _, _>(endpoints, handler);
}

/// Mounts the handler of an endpoint that needs a key and writes. It can only answer what [`Context::commit`] returns.
pub(crate) fn write<E, H, F>(endpoints: &mut Endpoints, handler: H)
where
    E: Endpoint,
    H: Fn(Context, Request<E>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<Committed<E::Response>, ServiceError>> + Send + 'static,
{
    const { assert!(!matches!(E::METHOD, Method::Get), "GET has no receipt: mount it with `read`") };
    keyed::<E, _, _, _>(endpoints, handler);
}

fn keyed<E, H, F, R>(endpoints: &mut Endpoints, handler: H)
where
    E: Endpoint,
    H: Fn(Context, Request<E>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<R, ServiceError>> + Send + 'static,
    R: Into<Reply<E::Response>> + Send,
{
    const { assert!(!matches!(E::ACCESS, Access::Public), "a public endpoint has no caller: mount it with `public`") };
    add::<E>(endpoints, Keyed(mounted::<E, _, _, _, _>(handler)));
}

/// Mounts the handler of a public endpoint. What lies under a project counts against a request budget.
pub(crate) fn public<E, H, F>(endpoints: &mut Endpoints, handler: H)
where
    E: Endpoint,
    H: Fn(PublicContext, Request<E>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<Reply<E::Response>, ServiceError>> + Send + 'static,
{
    const { assert!(matches!(E::ACCESS, Access::Public), "this endpoint needs a key: mount it with `read` or `write`") };
    add::<E>(endpoints, Public(mounted::<E, _, _, _, _>(handler)));
}

/// Adds the endpoint, and the answer to what browsers ask before they call it.
fn add<E: Endpoint>(endpoints: &mut Endpoints, endpoint: impl ServedEndpoint + 'static) {
    let path = format!("{BASE_PATH}{}", E::PATH);
    endpoints.add(&path, pipeline::method(E::METHOD), endpoint);
    if cors::is_open(EndpointInfo::of::<E>()) {
        endpoints.add(&path, http::Method::OPTIONS, Preflight(E::METHOD));
    }
}

fn mounted<E, C, H, F, R>(handler: H) -> Mounted<C>
where
    E: Endpoint,
    C: Send + 'static,
    H: Fn(C, Request<E>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<R, ServiceError>> + Send + 'static,
    R: Into<Reply<E::Response>> + Send,
{
    let strictness = match E::UNKNOWN_FIELDS {
        UnknownFields::Refused => Strictness::Refuse,
        UnknownFields::Ignored => Strictness::Ignore,
    };
    let template = PathTemplate::new(E::PATH);
    let read_path = move |raw: &str| -> Option<ReadInput<C>> {
        let path: E::Path = template.values(raw)?;
        let handler = handler.clone();
        Some(Box::new(move |query: &Tree<'_>, body: &Tree<'_>| {
            let query: E::Query = query::into(query, strictness)?;
            let body: E::Body = strict::read(body, "the body", strictness)?;
            let scopes = E::accepted_scopes(&query, &body);
            let run = move |context: C, headers: HeaderMap| -> ResponseFuture {
                let answer = handler(context, Request { path, query, body, headers });
                Box::pin(async move { answer.await?.into().into_response(E::SUCCESS) })
            };
            Ok(PreparedRequest { scopes, run: Box::new(run) })
        }))
    };
    Mounted { info: EndpointInfo::of::<E>(), path: Box::new(read_path) }
}
