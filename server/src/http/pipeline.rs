//! The request path: the checks that all routes share, in one order (API-COMPLETION 1):
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

use axum::response::Response;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::HeaderValue;
use http::header::CONNECTION;
use http::request::Parts;
use l10n_api_types::{Access, ApiKeyId, BodyKind, EndpointInfo, Method, ProjectId, RequestId, WorkspaceId};

use super::access_log::Route;
use super::body::{RejectedBody, RequestBody};
use super::client_address::ClientAddress;
use super::endpoints::{Answered, ServedEndpoint};
use super::gate::no_such_path;
use super::mount::{Mounted, PreparedRequest, ReadInput};
use super::strict::{InputError, Tree};
use super::{
    BASE_PATH, Context, Gate, PublicContext, auth, body, client_address, cors, dry_run, error, idempotency, path,
    query, rerun, unsent,
};
use crate::compute::compute;
use crate::domain::receipts::{self, BeginOutcome, IdempotencyKey, WriteRequest};
use crate::domain::{Caller, ServiceError};
use crate::fair_places::FairPermit;
use crate::large_requests::{LARGE_BODY, LargeRequestPermit};
use crate::request_windows::Budget;

/// An endpoint that needs a key.
pub(super) struct Keyed(pub(super) Mounted<Context>);

impl ServedEndpoint for Keyed {
    fn answer<'a>(&'a self, gate: &'a Gate, mut arrived: IncomingRequest) -> BoxFuture<'a, Answered> {
        Box::pin(async move {
            let mut known = None;
            let answer = answer_keyed(&self.0, gate, &mut arrived, &mut known).await;
            finish(self.0.info, answer, known, arrived.id)
        })
    }

    fn is_open(&self) -> bool {
        cors::is_open(self.0.info)
    }
}

/// A public endpoint.
pub(super) struct Public(pub(super) Mounted<PublicContext>);

impl ServedEndpoint for Public {
    fn answer<'a>(&'a self, gate: &'a Gate, mut arrived: IncomingRequest) -> BoxFuture<'a, Answered> {
        Box::pin(async move {
            let answer = answer_public(&self.0, gate, &mut arrived).await;
            finish(self.0.info, answer, None, arrived.id)
        })
    }

    fn is_open(&self) -> bool {
        cors::is_open(self.0.info)
    }
}

/// A method as the HTTP library has it.
pub(super) const fn method(method: Method) -> http::Method {
    match method {
        Method::Get => http::Method::GET,
        Method::Post => http::Method::POST,
        Method::Put => http::Method::PUT,
        Method::Patch => http::Method::PATCH,
        Method::Delete => http::Method::DELETE,
    }
}

/// `known` becomes the project and the key, once they are proven.
async fn answer_keyed(
    mounted: &Mounted<Context>,
    gate: &Gate,
    arrived: &mut IncomingRequest,
    known: &mut Option<(ProjectId, ApiKeyId)>,
) -> Result<Response, RejectedBody> {
    let info = mounted.info;
    let again = |error| rerun::advise(info, error);
    let (mut caller, remaining_requests) =
        gate.admit(&arrived.parts, arrived.client, &arrived.id).await.map_err(again)?;
    *known = Some((caller.project.clone(), caller.key.clone()));
    let read = (mounted.path)(arrived.parts.uri.path()).ok_or_else(no_such_path)?;
    if let Access::Scopes(scopes) = info.access {
        auth::require(&caller, scopes)?;
    }
    let workspace = caller.workspace.clone();
    let (bytes, held) = arrived.body(info, gate, Some(&caller)).await?;
    let input = compute(bytes.len() > LARGE_BODY, || arrived.input(info, &bytes, read));
    let Input { prepared, is_preview, idempotency } = input?;
    drop(bytes);
    let _held = held.map(|held| held.of_work(info));
    auth::require(&caller, prepared.scopes)?;
    let answers = &gate.service.unsent;
    let write = if info.method == Method::Get || is_preview {
        None
    } else {
        let request = WriteRequest { kind: info.operation_id, idempotency };
        match receipts::begin(&gate.service.receipts(), &caller, request).await.map_err(again)? {
            BeginOutcome::New(write) => Some(write),
            BeginOutcome::Before(replayed) => {
                return Ok(unsent::count(idempotency::replay(replayed)?, answers, workspace));
            }
        }
    };
    if let Some(write) = &write {
        caller.request = write.request().clone();
        arrived.id = write.request().clone();
    }
    let headers = std::mem::take(&mut arrived.parts.headers);
    let service = gate.service.clone();
    let context = Context { service, caller, remaining_requests, write: write.clone(), success: info.success };
    match (prepared.run)(context, headers).await {
        Ok(response) if write.is_some() => Ok(unsent::count(response, answers, workspace)),
        Ok(response) => Ok(unsent::admit(response, answers, workspace).ok_or_else(|| rerun::unsent(info))?),
        Err(error) => {
            let error = again(error);
            if let Some(write) = write.filter(|write| !write.has_ended()) {
                write.fail(&error).await;
            }
            Err(error.into())
        }
    }
}

async fn answer_public(
    mounted: &Mounted<PublicContext>,
    gate: &Gate,
    arrived: &mut IncomingRequest,
) -> Result<Response, RejectedBody> {
    let raw = arrived.parts.uri.path();
    let read = (mounted.path)(raw).ok_or_else(no_such_path)?;
    if let Some(budget) = public_budget(raw) {
        gate.count_public(&budget).await?;
    }
    let (bytes, _turn) = arrived.body(mounted.info, gate, None).await?;
    let Input { prepared, .. } = arrived.input(mounted.info, &bytes, read)?;
    let headers = std::mem::take(&mut arrived.parts.headers);
    let context = PublicContext { service: gate.service.clone() };
    let response = (prepared.run)(context, headers).await?;
    let admitted = unsent::admit(response, &gate.service.unsent_files, client_address::group(arrived.client));
    Ok(admitted.ok_or_else(|| rerun::unsent(mounted.info))?)
}

fn public_budget(raw: &str) -> Option<Budget> {
    if let Some(project) = path::project_segment(raw).filter(|project| path::is_id(project)) {
        return Some(Budget::Project(project.to_owned()));
    }
    let mut named = raw.strip_prefix(BASE_PATH)?.strip_prefix("/@")?.split('/');
    let (handle, slug) = (named.next()?, named.next()?);
    Some(Budget::Named(format!("{handle}/{slug}")))
}

/// A request that has come.
pub(super) struct IncomingRequest {
    pub(super) parts: Parts,
    pub(super) id: RequestId,
    /// `None` where it came over no connection.
    pub(super) client: Option<ClientAddress>,
    body: RequestBody,
}

/// The place and the turn of a large body.
struct HeldTurn {
    place: FairPermit<WorkspaceId>,
    turn: LargeRequestPermit,
}

impl HeldTurn {
    /// The part that is held until the request is answered: the turn, or the place in exchange for it where the work does not
    /// grow with the body.
    fn of_work(self, info: &EndpointInfo) -> (Option<LargeRequestPermit>, Option<FairPermit<WorkspaceId>>) {
        if info.large_work { (Some(self.turn), None) } else { (None, Some(self.place)) }
    }
}

/// The input of a request.
struct Input<C> {
    prepared: PreparedRequest<C>,
    /// True for a preview, which writes nothing.
    is_preview: bool,
    idempotency: Option<IdempotencyKey>,
}

impl IncomingRequest {
    pub(super) fn new(request: axum::extract::Request, id: RequestId, client: Option<ClientAddress>) -> Self {
        let (parts, body) = request.into_parts();
        let body = RequestBody::new(&parts.headers, body);
        Self { parts, id, client, body }
    }

    /// Check 6. A large body has a place before more of it is read than a small body has, and is handed over when the turn of its
    /// request has come.
    async fn body(
        &mut self,
        info: &EndpointInfo,
        gate: &Gate,
        caller: Option<&Caller>,
    ) -> Result<(Bytes, Option<HeldTurn>), RejectedBody> {
        let (cap, time) = (info.body_cap, gate.timeouts.body);
        if info.body == BodyKind::None {
            return Ok((Bytes::new(), None));
        }
        let Some(Caller { workspace, project, .. }) = caller else {
            return Ok((self.body.read(cap, time).await?, None));
        };
        let busy = || rerun::busy(info);
        let place = async { gate.large_bodies.take_free(workspace.clone()).ok_or_else(busy) };
        let (bytes, place) = self.body.read_large(cap, time, LARGE_BODY, place).await?;
        let Some(place) = place else { return Ok((bytes, None)) };
        let turn = gate.service.turns.take_in(workspace, project).await.ok_or_else(busy)?;
        if gate.service.unsent.is_used_up(workspace) {
            return Err(rerun::unsent(info).into());
        }
        Ok((bytes, Some(HeldTurn { place, turn })))
    }

    /// Check 7.
    fn input<C>(&self, info: &EndpointInfo, bytes: &Bytes, read: ReadInput<C>) -> Result<Input<C>, RejectedBody> {
        if !bytes.is_empty() {
            body::check_media_type(&self.parts.headers)?;
        }
        let (prepared, is_preview) = self.read(info, bytes, read).map_err(ServiceError::from)?;
        let idempotency = if info.method == Method::Get { None } else { idempotency::key(&self.parts, bytes)? };
        Ok(Input { prepared, is_preview, idempotency })
    }

    fn read<C>(
        &self,
        info: &EndpointInfo,
        bytes: &[u8],
        read: ReadInput<C>,
    ) -> Result<(PreparedRequest<C>, bool), InputError> {
        let query = query::parse(self.parts.uri.query().unwrap_or_default())?;
        let absent = info.body == BodyKind::None || (info.body == BodyKind::Optional && is_blank(bytes));
        let body = if absent { Tree::Object(Vec::new()) } else { Tree::from_json(bytes)? };
        dry_run::check(info.dry_run, &query, &body)?;
        let is_preview = dry_run::is_asked(info.dry_run, &query, &body);
        Ok((read(&query, &body)?, is_preview))
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

fn finish(
    info: &EndpointInfo,
    answer: Result<Response, RejectedBody>,
    caller: Option<(ProjectId, ApiKeyId)>,
    id: RequestId,
) -> Answered {
    let response = match answer {
        Ok(response) => response,
        Err(refused) => {
            let mut response = error::respond(&refused.error, &id);
            if refused.close {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            response
        }
    };
    let (template, is_open) = (info.path, cors::is_open(info));
    (response, Some(Route { template, caller, is_open, request: Some(id) }))
}
