//! `/mcp`: the project of a key as tools for AI agents (Model Context Protocol), where the settings offer it.
//!
//! A request brings its key in `Authorization`. The gate of the API says whose key it is, so that a wrong one is answered and
//! counted as there. `l10n-mcp` reads the request and calls the API with that key over a client whose transport is the server's
//! own entry: scopes, budgets, receipts, log lines and the order of checks are those of the API, since it is the API that is
//! called. The key lives as long as its request.
//!
//! It is no feature of cargo: it adds eleven crates of others to 360, and no HTTP client or TLS stack, while a setting also reaches
//! those who install a binary.

mod bounds;
mod cross_origin;
mod in_process;
mod seal;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::any;
use http::header::CONNECTION;
use http::request::Parts;
use http::{HeaderValue, Method, Uri};
use http_body_util::{BodyExt as _, Full};
use l10n_api_types::{ApiKeyId, ProjectId, RequestId};
use l10n_client::Client;
use l10n_mcp::{Account, HttpOptions, HttpService, Options, ProjectName};

use self::bounds::{McpBounds, RequestPermit};
use self::cross_origin::CrossOrigin;
use self::in_process::InProcess;
use super::access_log::Route;
use super::body::{RejectedBody, RequestBody};
use super::client_address::ClientAddress;
use super::correlation::Entry;
use super::{BASE_PATH, Gate, auth, error};
use crate::domain::ServiceError;
use crate::large_requests::LARGE_BODY;

/// The path of the protocol, beside that of the API.
const PATH: &str = "/mcp";

/// Limit of a call of the API with its pauses: an agent is told about a longer one, and does something else meanwhile.
const CALL_TIMEOUT: Duration = Duration::from_secs(20);

/// The parts that requests share.
struct Agents {
    /// The endpoints of the API, with every check before them.
    api: Entry,
    service: HttpService,
    bounds: McpBounds,
    cross_origin: CrossOrigin,
}

/// The route, with calls that go to `api`.
pub(super) fn routes(gate: &Gate, api: Entry) -> Router<Gate> {
    let (parts, settings) = (&gate.service, &gate.service.settings);
    let host = Uri::try_from(settings.origin()).ok().and_then(|origin| Some(origin.host()?.to_owned()));
    let own = settings.origin().to_owned();
    let http = HttpOptions {
        allowed_hosts: host.into_iter().collect(),
        allowed_origins: settings.mcp.allowed_origins.iter().cloned().chain([own]).collect(),
    };
    let service = HttpService::new(Options::default(), http, seal::of(&parts.vault), parts.draining.clone());
    let bounds = McpBounds::new(settings.limits.requests_per_minute);
    let agents = Arc::new(Agents { api, service, bounds, cross_origin: CrossOrigin::new(settings) });
    let handler = async move |State(gate): State<Gate>, request: Request| agents.respond(&gate, request).await;
    Router::new().route(PATH, any(handler))
}

/// The project and the key's record, once they are proven.
type VerifiedCaller = Option<(ProjectId, ApiKeyId)>;

impl Agents {
    async fn respond(&self, gate: &Gate, request: Request) -> Response {
        let origin = self.cross_origin.of(request.headers());
        if let Some(origin) = origin.as_ref().filter(|_| request.method() == Method::OPTIONS) {
            return cross_origin::preflight(origin);
        }
        let id = request.extensions().get::<RequestId>().cloned().unwrap_or_else(|| RequestId::from("-"));
        let mut caller = None;
        let mut response = match self.answer(gate, request, &id, &mut caller).await {
            Ok(response) => response,
            Err(refused) => {
                let mut response = error::respond(&refused.error, &id);
                if refused.close {
                    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                }
                response
            }
        };
        if let Some(origin) = &origin {
            cross_origin::allow(response.headers_mut(), origin);
        }
        response.extensions_mut().insert(Route { template: PATH, caller, is_open: false, request: None });
        response
    }

    async fn answer(
        &self,
        gate: &Gate,
        request: Request,
        id: &RequestId,
        known: &mut VerifiedCaller,
    ) -> Result<Response, RejectedBody> {
        let (parts, body) = request.into_parts();
        let mut body = RequestBody::new(&parts.headers, body);
        let client = parts.extensions.get().copied();
        let (caller, _) = gate.admit(&parts, client, id).await?;
        *known = Some((caller.project.clone(), caller.key.clone()));
        let held = self.bounds.admit(&caller, gate.service.clock.now()).await?;
        let large = self.bounds.admit_large(&caller);
        let (bytes, held_body) =
            body.read_large(HttpService::LARGEST_BODY, gate.timeouts.body, LARGE_BODY, large).await?;
        bounds::check_body(&bytes)?;
        let account = self.account(&parts, &caller.project)?;
        let answer = self.service.answer(Request::from_parts(parts, Full::new(bytes)), account).await;
        Ok(holding(answer.map(Body::new), (held, held_body)))
    }

    /// The caller's key, and a client that calls the API with it.
    fn account(&self, parts: &Parts, project: &ProjectId) -> Result<Account, ServiceError> {
        let key = auth::key_text(&parts.headers)?;
        let client = parts.extensions.get::<ClientAddress>().copied();
        // The host is a name for messages: the transport looks at the path alone.
        let client = Client::builder(format!("http://localhost{BASE_PATH}"))
            .transport(InProcess { api: self.api.clone(), client })
            .api_key(key.expose())
            .user_agent(concat!("l10n-server-mcp/", env!("CARGO_PKG_VERSION")))
            .request_timeout(CALL_TIMEOUT)
            .total_timeout(CALL_TIMEOUT)
            .build()
            .map_err(ServiceError::internal)?;
        Ok(Account::new(client, ProjectName::Id(project.to_string()), key.expose()))
    }
}

/// Holds the places of a request until its answer, which may be a stream, has been sent or given up.
fn holding(answer: Response, held: (RequestPermit, Option<RequestPermit>)) -> Response {
    answer.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let _held = &held;
            frame
        }))
    })
}
