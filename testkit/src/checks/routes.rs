//! Every route of §4 that takes a key: the one table for the checks that go over all of them.

use http::Method;

use crate::check::Claim;
use crate::cx::{Call, Cx};
use crate::outcome::CheckResult;
use crate::profile::{Identity, Project};

/// A route, with a request of it that changes nothing, whoever makes it: it addresses what does not exist, lacks what is
/// needed, or carries the preview flag.
#[derive(Debug)]
pub(super) struct Route {
    /// Method.
    pub(super) method: Method,
    /// Path and query below `base_url`.
    path: &'static str,
    /// The check of who may use it.
    pub(super) scope_check: &'static str,
    /// The single scopes that open it; none: any key of the project does.
    pub(super) scopes: &'static [Identity],
    /// The claim of a deployment that has the route.
    pub(super) claim: Option<Claim>,
    /// A JSON body.
    body: Option<&'static str>,
}

const fn route(
    method: Method,
    path: &'static str,
    scope_check: &'static str,
    scopes: &'static [Identity],
    claim: Option<Claim>,
    body: Option<&'static str>,
) -> Route {
    Route { method, path, scope_check, scopes, claim, body }
}

const ANY: &[Identity] = &[];
const READ: &[Identity] = &[Identity::Read];
const TRANSLATE: &[Identity] = &[Identity::Translate];
const WRITE: &[Identity] = &[Identity::Write];
const PUBLISH: &[Identity] = &[Identity::Publish];
const CAPTURE: &[Identity] = &[Identity::Capture];

const EMPTY: Option<&str> = Some("{}");
const PREVIEW: Option<&str> = Some(r#"{"dryRun":true}"#);

/// The routes. `POST /operations` is there twice: which scope it needs depends on its body.
pub(super) static ROUTES: &[Route] = &[
    route(Method::GET, "/projects/resolve?workspace={handle}&project={slug}", "SCOPE-ANY-4", ANY, None, None),
    route(Method::GET, "/projects/{projectId}/credential", "SCOPE-ANY-3", ANY, None, None),
    route(Method::GET, "/projects/{projectId}/meta", "SCOPE-R-2", READ, None, None),
    route(Method::GET, "/projects/{projectId}/translations", "SCOPE-R-1", READ, None, None),
    route(
        Method::POST,
        "/projects/{projectId}/translate?dryRun=true",
        "SCOPE-T-1",
        TRANSLATE,
        Some(Claim::Translate),
        EMPTY,
    ),
    route(
        Method::POST,
        "/projects/{projectId}/sync?dryRun=true",
        "SCOPE-T-2",
        TRANSLATE,
        Some(Claim::Translate),
        EMPTY,
    ),
    route(Method::POST, "/projects/{projectId}/languages", "SCOPE-W-1", WRITE, Some(Claim::Write), EMPTY),
    route(Method::POST, "/projects/{projectId}/output-formats", "SCOPE-W-2", WRITE, Some(Claim::Write), EMPTY),
    route(Method::POST, "/projects/{projectId}/publish?dryRun=true", "SCOPE-P-1", PUBLISH, Some(Claim::Publish), EMPTY),
    route(
        Method::POST,
        "/projects/{projectId}/versions/{id}/restore?dryRun=true",
        "SCOPE-P-2",
        PUBLISH,
        Some(Claim::Publish),
        EMPTY,
    ),
    route(Method::POST, "/projects/{projectId}/webhooks", "SCOPE-P-3", PUBLISH, Some(Claim::Webhooks), EMPTY),
    route(Method::GET, "/projects/{projectId}/webhooks", "SCOPE-P-3", PUBLISH, Some(Claim::Webhooks), None),
    route(Method::PATCH, "/projects/{projectId}/webhooks/{id}", "SCOPE-P-3", PUBLISH, Some(Claim::Webhooks), EMPTY),
    route(Method::DELETE, "/projects/{projectId}/webhooks/{id}", "SCOPE-P-3", PUBLISH, Some(Claim::Webhooks), None),
    route(
        Method::POST,
        "/projects/{projectId}/webhooks/{id}/rotate-secret",
        "SCOPE-P-3",
        PUBLISH,
        Some(Claim::Webhooks),
        None,
    ),
    route(
        Method::GET,
        "/projects/{projectId}/webhooks/{id}/deliveries",
        "SCOPE-P-3",
        PUBLISH,
        Some(Claim::Webhooks),
        None,
    ),
    route(
        Method::POST,
        "/projects/{projectId}/webhooks/{id}/deliveries/{id}/resend",
        "SCOPE-P-3",
        PUBLISH,
        Some(Claim::Webhooks),
        None,
    ),
    route(Method::GET, "/projects/{projectId}/content", "SCOPE-R-4", READ, Some(Claim::Documents), None),
    route(Method::GET, "/projects/{projectId}/content/{id}", "SCOPE-R-5", READ, Some(Claim::Documents), None),
    route(Method::POST, "/projects/{projectId}/content", "SCOPE-W-3", WRITE, Some(Claim::Documents), EMPTY),
    route(Method::PUT, "/projects/{projectId}/content/{id}", "SCOPE-W-4", WRITE, Some(Claim::Documents), EMPTY),
    route(
        Method::POST,
        "/projects/{projectId}/content/{id}/run",
        "SCOPE-T-3",
        TRANSLATE,
        Some(Claim::Documents),
        PREVIEW,
    ),
    route(Method::POST, "/projects/{projectId}/capture", "SCOPE-C-1", CAPTURE, Some(Claim::Capture), PREVIEW),
    route(Method::GET, "/projects/{projectId}/pending-code-changes", "SCOPE-R-3", READ, Some(Claim::CodeChanges), None),
    route(Method::GET, "/projects/{projectId}/requests/{id}", "SCOPE-ANY-1", ANY, Some(Claim::Requests), None),
    route(Method::GET, "/projects/{projectId}/operations/{id}", "SCOPE-ANY-2", ANY, Some(Claim::Operations), None),
    route(
        Method::POST,
        "/projects/{projectId}/operations",
        "SCOPE-T-4",
        TRANSLATE,
        Some(Claim::Operations),
        Some(r#"{"kind":"translation","max_credits":1}"#),
    ),
    route(
        Method::POST,
        "/projects/{projectId}/operations",
        "SCOPE-P-4",
        PUBLISH,
        Some(Claim::Operations),
        Some(r#"{"kind":"publish"}"#),
    ),
];

/// The routes that the deployment has, as it claims.
pub(super) fn claimed(cx: &Cx) -> impl Iterator<Item = &'static Route> {
    ROUTES.iter().filter(|route| route.claim.is_none_or(|claim| cx.claims(claim)))
}

/// The routes that the check in hand is about: those of the claims that it needs; those that every deployment has, where
/// it needs none of a route's.
pub(super) fn needed(cx: &Cx) -> impl Iterator<Item = &'static Route> {
    let needs = cx.needs();
    let some = ROUTES.iter().any(|route| route.claim.is_some_and(|claim| needs.contains(&claim)));
    ROUTES.iter().filter(move |route| route.claim.map_or(!some, |claim| needs.contains(&claim)))
}

impl Route {
    /// Its path under the project, without the query: `/webhooks/{id}`.
    pub(super) fn bare(&self) -> &'static str {
        let path = self.path.split('?').next().unwrap_or_default();
        path.strip_prefix("/projects/{projectId}").unwrap_or(path)
    }

    /// `PATCH /webhooks/{id}`.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.method, self.bare())
    }

    /// A request of it in the check's project, with the key `full`.
    pub(super) fn call(&self, cx: &Cx) -> Call {
        self.call_on(cx, cx.lane())
    }

    /// A request of it in a project, with the key `full` of that.
    pub(super) fn call_on(&self, cx: &Cx, project: &Project) -> Call {
        let path = self.path.replace("{handle}", &project.handle).replace("{slug}", &project.slug);
        let path = path.replace("{id}", &cx.unique());
        let call = match path.strip_prefix("/projects/{projectId}") {
            Some(rest) => cx.call_on(project, self.method.clone(), rest),
            None => match project.keys.get(&Identity::Full) {
                Some(key) => cx.at(self.method.clone(), &path).bearer(key.expose()),
                None => cx.at(self.method.clone(), &path),
            },
        };
        match self.body {
            Some(body) => call.bytes(body).content_type("application/json"),
            None => call,
        }
    }

    /// Returns true if a key with only this scope opens it.
    pub(super) fn opens_to(&self, identity: Identity) -> bool {
        self.scopes.is_empty() || self.scopes.contains(&identity)
    }
}

/// Positive control: the key `full` reads its own credential, and what is not there is not answered as if it were.
pub(super) async fn authenticated(cx: &Cx) -> CheckResult {
    let answer = cx.get("/credential").send().await?.control("GET /credential with a key of the project")?;
    cx.control(answer.json()?["scopes"].is_array(), "GET /credential tells the scopes of the key")?;
    discerning(cx).await
}

/// Positive control: what is not there is not answered as if it were.
pub(super) async fn discerning(cx: &Cx) -> CheckResult {
    let nowhere = cx.get("/no-such-route").send().await?;
    cx.control(nowhere.status >= 400, "a route that is not there is no success")
}

/// Positive control: this route is there, and lets the key `full` in.
pub(super) async fn reachable(cx: &Cx, route: &Route) -> CheckResult {
    let answer = route.call(cx).send().await?;
    let open = !matches!(answer.status, 401 | 403 | 405) && answer.status < 500;
    cx.control(open, &format!("{} with a key of the project (answered {})", route.name(), answer.outcome()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_there_once_and_found_by_its_path() {
        for route in ROUTES {
            let alike = ROUTES.iter().filter(|other| other.name() == route.name() && other.body == route.body);
            assert_eq!(alike.count(), 1, "{}", route.name());
            assert!(
                crate::requirement::requirement(route.scope_check).is_some() || route.scope_check.starts_with("SCOPE-")
            );
        }
        assert_eq!(ROUTES.iter().filter(|route| route.bare().starts_with("/webhooks")).count(), 7);
    }
}
