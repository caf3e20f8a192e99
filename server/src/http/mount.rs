//! Puts a handler under its endpoint's path, behind the checks that all routes share, in one order (API-COMPLETION 1):
//!
//! 1. correlation id (`correlation`, around everything)
//! 2. key valid and of this project: 401
//! 3. request budget: 429
//! 4. path values that can exist: 404 (the router answers unknown paths and methods, after 2 and 3)
//! 5. scope: 403
//! 6. body size: 413
//! 7. JSON, preview flag, fields, query parameters: 400
//! 8. scope, where it depends on what was asked: 403
//!
//! A write then gets its receipt (`domain::receipts`), or the answer that it was given before.
//!
//! The checks that follow (the addressed resource, approval, daily budget, conflict, credits) belong to the rules.

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use bytes::Bytes;
use http::HeaderValue;
use http::header::CONNECTION;
use http::request::Parts;
use l10n_api_types::{Access, ApiKeyId, BodyKind, Endpoint, EndpointInfo, Method, ProjectId, RequestId, UnknownFields};

use super::access_log::Route;
use super::body::{Incoming, RejectedBody};
use super::gate::no_such_path;
use super::strict::{self, Strictness, Tree};
use super::{
    BASE_PATH, Committed, Context, Gate, PublicContext, Reply, Request, auth, body, cors, dry_run, error, idempotency,
    path, query, rerun,
};
use crate::domain::ServiceError;
use crate::domain::receipts::{self, BeginOutcome, IdempotencyKey, WriteRequest};
use crate::request_windows::Budget;
use crate::turns::{LARGE_BODY, Turn};

/// Mounts the handler of an endpoint that needs a key and writes nothing.
pub(crate) fn read<E, H, F>(router: Router<Gate>, handler: H) -> Router<Gate>
where
    E: Endpoint,
    H: Fn(Context, Request<E>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<Reply<E::Response>, ServiceError>> + Send,
{
    const { assert!(matches!(E::METHOD, Method::Get), "what is not GET has a receipt: mount it with `write`") };
    keyed::<E, _, _, _>(router, handler)
}

/// Mounts the handler of an endpoint that needs a key and writes. It can only answer what [`Context::commit`] returns.
pub(crate) fn write<E, H, F>(router: Router<Gate>, handler: H) -> Router<Gate>
where
    E: Endpoint,
    H: Fn(Context, Request<E>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<Committed<E::Response>, ServiceError>> + Send,
{
    const { assert!(!matches!(E::METHOD, Method::Get), "GET has no receipt: mount it with `read`") };
    keyed::<E, _, _, _>(router, handler)
}

fn keyed<E, H, F, R>(router: Router<Gate>, handler: H) -> Router<Gate>
where
    E: Endpoint,
    H: Fn(Context, Request<E>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<R, ServiceError>> + Send,
    R: Into<Reply<E::Response>> + Send,
{
    const { assert!(!matches!(E::ACCESS, Access::Public), "a public endpoint has no caller: mount it with `public`") };
    route::<E, _, _>(router, move |gate: Gate, mut arrived: IncomingRequest| {
        let handler = handler.clone();
        let again = |error| rerun::advise(EndpointInfo::of::<E>(), error);
        async move {
            let mut known = None;
            let answer = async {
                let (mut caller, remaining_requests) = gate.admit(&arrived.parts, &arrived.id).await.map_err(again)?;
                known = Some((caller.project.clone(), caller.key.clone()));
                let path = path::values(E::PATH, arrived.parts.uri.path()).ok_or_else(no_such_path)?;
                if let Access::Scopes(scopes) = E::ACCESS {
                    auth::require(&caller, scopes)?;
                }
                let input = arrived.input::<E>(&gate, Some(caller.workspace.as_str())).await?;
                let Input { query, body, is_preview, idempotency, turn: _turn } = input;
                auth::require(&caller, E::accepted_scopes(&query, &body))?;
                let write = if E::METHOD == Method::Get || is_preview {
                    None
                } else {
                    match receipts::begin(&gate.service, &caller, WriteRequest { kind: E::OPERATION_ID, idempotency })
                        .await
                    {
                        Ok(BeginOutcome::New(write)) => Some(write),
                        Ok(BeginOutcome::Before(replayed)) => return Ok(idempotency::replay(replayed)?),
                        Err(error) => return Err(again(error).into()),
                    }
                };
                if let Some(write) = &write {
                    caller.request = write.request().clone();
                    arrived.id = write.request().clone();
                }
                let headers = std::mem::take(&mut arrived.parts.headers);
                let service = gate.service.clone();
                let context =
                    Context { service, caller, remaining_requests, write: write.clone(), success: E::SUCCESS };
                match handler(context, Request { path, query, body, headers }).await {
                    Ok(reply) => Ok(reply.into().into_response(E::SUCCESS)?),
                    Err(error) => {
                        let error = again(error);
                        if let Some(write) = write.filter(|write| !write.has_ended()) {
                            write.fail(&error).await;
                        }
                        Err(error.into())
                    }
                }
            };
            let answer = answer.await;
            finish::<E>(answer, known, &arrived.id)
        }
    })
}

/// Mounts the handler of a public endpoint. What lies under a project counts against a request budget.
pub(crate) fn public<E, H, F>(router: Router<Gate>, handler: H) -> Router<Gate>
where
    E: Endpoint,
    H: Fn(PublicContext, Request<E>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<Reply<E::Response>, ServiceError>> + Send,
{
    const { assert!(matches!(E::ACCESS, Access::Public), "this endpoint needs a key: mount it with `read` or `write`") };
    route::<E, _, _>(router, move |gate: Gate, mut arrived: IncomingRequest| {
        let handler = handler.clone();
        async move {
            let answer = async {
                let raw = arrived.parts.uri.path();
                let path = path::values(E::PATH, raw).ok_or_else(no_such_path)?;
                let budget = public_budget(raw);
                if let Some(budget) = &budget {
                    gate.count_public(budget).await?;
                }
                let Input { query, body, .. } = arrived.input::<E>(&gate, None).await?;
                let headers = std::mem::take(&mut arrived.parts.headers);
                let context = PublicContext { service: gate.service.clone() };
                let reply = handler(context, Request { path, query, body, headers }).await?;
                Ok(reply.into_response(E::SUCCESS)?)
            };
            let answer = answer.await;
            finish::<E>(answer, None, &arrived.id)
        }
    })
}

fn full_path<E: Endpoint>() -> String {
    format!("{BASE_PATH}{}", E::PATH)
}

/// A request as the router hands it over.
pub(super) struct IncomingRequest {
    pub(super) parts: Parts,
    pub(super) id: RequestId,
    body: Incoming,
}

impl IncomingRequest {
    pub(super) fn new(request: axum::extract::Request) -> Self {
        let (parts, body) = request.into_parts();
        let id = parts.extensions.get::<RequestId>().cloned().unwrap_or_else(|| RequestId::from("-"));
        let body = Incoming::new(&parts.headers, body);
        Self { parts, id, body }
    }

    /// Checks 6 and 7. A large body of a workspace waits for its turn before it is parsed.
    async fn input<E: Endpoint>(&mut self, gate: &Gate, workspace: Option<&str>) -> Result<Input<E>, RejectedBody> {
        let bytes = match E::BODY {
            BodyKind::None => Bytes::new(),
            BodyKind::Optional | BodyKind::Required => self.body.read(E::BODY_CAP, gate.timeouts.body).await?,
        };
        let turn = match workspace.filter(|_| bytes.len() > LARGE_BODY) {
            Some(workspace) => {
                Some(gate.service.turns.take(workspace).await.ok_or_else(|| rerun::busy(EndpointInfo::of::<E>()))?)
            }
            None => None,
        };
        let strictness = match E::UNKNOWN_FIELDS {
            UnknownFields::Refused => Strictness::Refuse,
            UnknownFields::Ignored => Strictness::Ignore,
        };
        let parse = || {
            let query = query::parse(self.parts.uri.query().unwrap_or_default())?;
            let absent = E::BODY == BodyKind::None || (E::BODY == BodyKind::Optional && is_blank(&bytes));
            let body = if absent { Tree::Object(Vec::new()) } else { Tree::from_json(&bytes)? };
            dry_run::check(E::DRY_RUN, &query, &body)?;
            let is_preview = dry_run::is_asked(E::DRY_RUN, &query, &body);
            Ok((query::into(&query, strictness)?, strict::read(&body, "the body", strictness)?, is_preview))
        };
        if !bytes.is_empty() {
            body::check_media_type(&self.parts.headers)?;
        }
        let (query, body, is_preview) =
            parse().map_err(|fault: super::strict::Fault| ServiceError::InvalidArgument(fault.to_string()))?;
        let idempotency = if E::METHOD == Method::Get { None } else { idempotency::key(&self.parts, &bytes)? };
        Ok(Input { query, body, is_preview, idempotency, turn })
    }
}

/// The input of a request.
struct Input<E: Endpoint> {
    query: E::Query,
    body: E::Body,
    /// True for a preview, which writes nothing.
    is_preview: bool,
    idempotency: Option<IdempotencyKey>,
    /// Held until the request is answered.
    turn: Option<Turn>,
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

fn public_budget(raw: &str) -> Option<Budget> {
    if let Some(project) = path::project(raw).filter(|_| path::is_under_a_project(raw)) {
        return Some(Budget::Project(project.to_owned()));
    }
    let mut named = raw.strip_prefix(BASE_PATH)?.strip_prefix("/@")?.split('/');
    let (handle, slug) = (named.next()?, named.next()?);
    Some(Budget::Named(format!("{handle}/{slug}")))
}

fn route<E, R, F>(router: Router<Gate>, run: R) -> Router<Gate>
where
    E: Endpoint,
    R: Fn(Gate, IncomingRequest) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Response> + Send,
{
    let method = match E::METHOD {
        Method::Get => MethodFilter::GET,
        Method::Post => MethodFilter::POST,
        Method::Put => MethodFilter::PUT,
        Method::Patch => MethodFilter::PATCH,
        Method::Delete => MethodFilter::DELETE,
    };
    let handler = move |State(gate): State<Gate>, request: axum::extract::Request| {
        let run = run.clone();
        async move { run(gate, IncomingRequest::new(request)).await }
    };
    let router = router.route(&full_path::<E>(), on(method, handler));
    if !cors::is_open::<E>() {
        return router;
    }
    router.route(&full_path::<E>(), on(MethodFilter::OPTIONS, async || cors::preflight::<E>()))
}

fn finish<E: Endpoint>(
    answer: Result<Response, RejectedBody>,
    caller: Option<(ProjectId, ApiKeyId)>,
    id: &RequestId,
) -> Response {
    let mut response = match answer {
        Ok(response) => response,
        Err(refused) => {
            let mut response = error::respond(&refused.error, id);
            if refused.close {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            response
        }
    };
    response.extensions_mut().insert(id.clone());
    response.extensions_mut().insert(Route { template: E::PATH, caller });
    response
}
