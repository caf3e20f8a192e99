//! Table of contents: every route of the server.

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use l10n_api_types::{Access, Endpoint, Method, for_each_endpoint};

use super::access_log::Route;
use super::correlation::CorrelationLayer;
use super::gate::no_such_path;
use super::pipeline::IncomingRequest;
use super::{
    ConnectionTimeouts, Gate, capture, content, cors, credential, dashboard, deliveries, delivery, error, glossary,
    health, languages, mcp, memory, meta, openapi, operations, output_formats, path, pending_code_changes, probes,
    projects, public, publish, read, requests, translations, unpublished_changes, versions, webhooks, write,
};
use crate::domain::ServiceError;
use crate::service::Service;

/// The router of the whole server.
pub(crate) fn router(service: Service, timeouts: ConnectionTimeouts) -> Router {
    let gate = Gate::new(service, timeouts);
    let api = api();
    let r = api
        .clone()
        .route(probes::LIVE_PATH, get(probes::live))
        .route(probes::READY_PATH, get(probes::ready))
        .route(openapi::PATH, get(openapi::handle))
        .merge(dashboard::routes(&gate));
    if gate.service.settings.mcp.enabled {
        let agents = mcp::routes(&gate, checked(api, &gate));
        return checked(r.merge(agents), &gate);
    }
    checked(r, &gate)
}

/// Routes with the layers around them, and an answer for every other path.
fn checked(routes: Router<Gate>, gate: &Gate) -> Router {
    routes
        .fallback(unknown_path)
        .method_not_allowed_fallback(unknown_path)
        .layer(CorrelationLayer(gate.clone()))
        .with_state(gate.clone())
}

/// The routes of the API.
fn api() -> Router<Gate> {
    let r = Router::new();
    let r = read(r, projects::resolve::handle);
    let r = read(r, credential::read::handle);
    let r = read(r, meta::read::handle);
    let r = write(r, languages::add::handle);
    let r = write(r, output_formats::set::handle);
    let r = read(r, glossary::list::handle);
    let r = write(r, glossary::set::handle);
    let r = write(r, translations::translate::handle);
    let r = write(r, translations::sync::handle);
    let r = read(r, translations::get::handle);
    let r = write(r, capture::create::handle);
    let r = read(r, pending_code_changes::list::handle);
    let r = read(r, memory::suggest::handle);
    let r = read(r, memory::export::handle);
    let r = write(r, memory::import::handle);
    let r = write(r, publish::create::handle);
    let r = read(r, unpublished_changes::list::handle);
    let r = read(r, versions::list::handle);
    let r = write(r, versions::restore::handle);
    let r = write(r, content::create::handle);
    let r = read(r, content::list::handle);
    let r = read(r, content::read::handle);
    let r = write(r, content::update::handle);
    let r = write(r, content::run::handle);
    let r = write(r, webhooks::create::handle);
    let r = read(r, webhooks::list::handle);
    let r = write(r, webhooks::update::handle);
    let r = write(r, webhooks::delete::handle);
    let r = write(r, webhooks::rotate_secret::handle);
    let r = read(r, deliveries::list::handle);
    let r = write(r, deliveries::resend::handle);
    let r = read(r, requests::read::handle);
    let r = write(r, operations::create::handle);
    let r = read(r, operations::read::handle);
    let r = r.merge(delivered());
    public(r, health::read::handle)
}

/// The public routes of published versions.
fn delivered() -> Router<Gate> {
    let r = Router::new();
    let r = public(r, delivery::manifest::handle);
    let r = public(r, delivery::named_manifest::handle);
    let r = public(r, delivery::bundle::handle);
    public(r, delivery::named_bundle::handle)
}

/// A declared route, for paths that the router has refused.
struct DeclaredRoute {
    template: &'static str,
    method: Method,
    access: Access,
}

macro_rules! declared {
    ($($resource:ident :: $verb:ident,)+) => {
        const DECLARED: &[DeclaredRoute] = &[$(DeclaredRoute {
            template: <l10n_api_types::$resource::$verb as Endpoint>::PATH,
            method: <l10n_api_types::$resource::$verb as Endpoint>::METHOD,
            access: <l10n_api_types::$resource::$verb as Endpoint>::ACCESS,
        },)+];
    };
}
for_each_endpoint!(declared);

/// Answers a path that is none, or a method that the path does not take. Under a project the key comes first: 401 wins
/// over 404 and 405, so that no one learns anything without a key (AUTH-14).
async fn unknown_path(State(gate): State<Gate>, request: axum::extract::Request) -> Response {
    let arrived = IncomingRequest::new(request);
    let raw = arrived.parts.uri.path();
    let fits = |route: &&DeclaredRoute| path::fits(route.template, raw);
    let is_public = DECLARED.iter().filter(fits).any(|route| route.access == Access::Public);
    let mut known = None;
    if path::is_under_a_project(raw) && !is_public {
        match gate.admit(&arrived.parts, &arrived.id).await {
            Ok((caller, _)) => known = Some((caller.project, caller.key)),
            Err(refused) => return error::respond(&refused, &arrived.id),
        }
    }
    let mut allow: Vec<&'static str> = DECLARED.iter().filter(fits).map(|route| route.method.as_str()).collect();
    if allow.contains(&"GET") {
        allow.push("HEAD");
    }
    let refused = if allow.is_empty() || allow.contains(&arrived.parts.method.as_str()) {
        no_such_path()
    } else {
        ServiceError::MethodNotAllowed { allow }
    };
    let mut response = error::respond(&refused, &arrived.id);
    let template = DECLARED.iter().find(fits).map_or("-", |route| route.template);
    let (is_open, request) = (cors::is_open_path(raw), None);
    response.extensions_mut().insert(Route { template, caller: known, is_open, request });
    response
}
