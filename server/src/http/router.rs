//! Table of contents: every route of the server.

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use l10n_api_types::{Access, Endpoint, Method, RequestId, for_each_endpoint};

use super::access_log::Route;
use super::correlation::Entry;
use super::endpoints::Endpoints;
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
    Router::new().fallback_service(whole(service, timeouts))
}

/// The whole server.
pub(crate) fn whole(service: Service, timeouts: ConnectionTimeouts) -> Entry {
    let gate = Gate::new(service, timeouts);
    let r = Router::new()
        .route(probes::LIVE_PATH, get(probes::live))
        .route(probes::READY_PATH, get(probes::ready))
        .route(openapi::PATH, get(openapi::handle))
        .merge(dashboard::routes(&gate));
    if gate.service.settings.mcp.enabled {
        let agents = mcp::routes(&gate, entry(&gate, Router::new()));
        return entry(&gate, r.merge(agents));
    }
    entry(&gate, r)
}

/// The API beside other routes, with an answer for every other path.
fn entry(gate: &Gate, others: Router<Gate>) -> Entry {
    let others = others.fallback(unknown_path).method_not_allowed_fallback(unknown_path).with_state(gate.clone());
    Entry::new(gate.clone(), api(), others)
}

/// The endpoints of the API.
fn api() -> Endpoints {
    let mut endpoints = Endpoints::default();
    let r = &mut endpoints;
    read(r, projects::resolve::handle);
    read(r, credential::read::handle);
    read(r, meta::read::handle);
    write(r, languages::add::handle);
    write(r, output_formats::set::handle);
    read(r, glossary::list::handle);
    write(r, glossary::set::handle);
    write(r, translations::translate::handle);
    write(r, translations::sync::handle);
    read(r, translations::get::handle);
    write(r, capture::create::handle);
    read(r, pending_code_changes::list::handle);
    read(r, memory::suggest::handle);
    read(r, memory::export::handle);
    write(r, memory::import::handle);
    write(r, publish::create::handle);
    read(r, unpublished_changes::list::handle);
    read(r, versions::list::handle);
    write(r, versions::restore::handle);
    write(r, content::create::handle);
    read(r, content::list::handle);
    read(r, content::read::handle);
    write(r, content::update::handle);
    write(r, content::run::handle);
    write(r, webhooks::create::handle);
    read(r, webhooks::list::handle);
    write(r, webhooks::update::handle);
    write(r, webhooks::delete::handle);
    write(r, webhooks::rotate_secret::handle);
    read(r, deliveries::list::handle);
    write(r, deliveries::resend::handle);
    read(r, requests::read::handle);
    write(r, operations::create::handle);
    read(r, operations::read::handle);
    public(r, delivery::manifest::handle);
    public(r, delivery::named_manifest::handle);
    public(r, delivery::bundle::handle);
    public(r, delivery::named_bundle::handle);
    public(r, health::read::handle);
    endpoints
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
    let id = request.extensions().get::<RequestId>().cloned().unwrap_or_else(|| RequestId::from("-"));
    let client = request.extensions().get().copied();
    let arrived = IncomingRequest::new(request, id, client);
    let raw = arrived.parts.uri.path();
    let fits = |route: &&DeclaredRoute| path::fits(route.template, raw);
    let is_public = DECLARED.iter().filter(fits).any(|route| route.access == Access::Public);
    let mut known = None;
    if path::is_under_a_project(raw) && !is_public {
        match gate.admit(&arrived.parts, client, &arrived.id).await {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::pipeline;

    /// Every declared endpoint is found under its path, and no other method is.
    #[test]
    fn each_endpoint_is_found_by_its_path_and_its_method() {
        let endpoints = api();
        for route in DECLARED {
            let raw = format!("{}{}", crate::http::BASE_PATH, route.template.replace(['{', '}', '*'], ""));
            assert!(path::fits(route.template, &raw));
            let own = pipeline::method(route.method);
            assert!(endpoints.find(&own, &raw).is_some(), "{own} {raw}");
            assert_eq!(endpoints.find(&http::Method::OPTIONS, &raw).is_some(), cors::is_open_path(&raw), "{raw}");
            assert!(endpoints.find(&http::Method::TRACE, &raw).is_none());
            let head = endpoints.find(&http::Method::HEAD, &raw);
            assert_eq!(head.is_some(), endpoints.find(&http::Method::GET, &raw).is_some());
        }
        assert!(endpoints.find(&http::Method::GET, "/v1/nowhere").is_none());
    }
}
