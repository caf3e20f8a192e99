//! The callers that each route admits.

use http::Method;
use l10n_api_types::{Access, Endpoint, Scope, for_each_endpoint};
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};

both_engines!(
    a_key_opens_its_own_project,
    a_wrong_key_is_unauthorized_everywhere,
    a_key_of_another_project_is_unauthorized,
    a_missing_key_wins_over_everything_else,
    a_key_opens_the_routes_of_its_scope_alone,
    the_credential_is_what_the_key_holds,
    admin_opens_every_route,
    a_key_must_come_in_one_bearer_header,
);

struct Declared {
    name: &'static str,
    method: &'static str,
    path: &'static str,
    access: Access,
}

macro_rules! declared {
    ($($resource:ident :: $verb:ident,)+) => {
        fn declared() -> Vec<Declared> {
            vec![$(Declared {
                name: <l10n_api_types::$resource::$verb as Endpoint>::NAME,
                method: <l10n_api_types::$resource::$verb as Endpoint>::METHOD.as_str(),
                path: <l10n_api_types::$resource::$verb as Endpoint>::PATH,
                access: <l10n_api_types::$resource::$verb as Endpoint>::ACCESS,
            },)+]
        }
    };
}
for_each_endpoint!(declared);

impl Declared {
    fn method(&self) -> Method {
        self.method.parse().unwrap()
    }

    fn path(&self, project: &str) -> String {
        let values = [
            ("{projectId}", project),
            ("{versionId}", "ver_0"),
            ("{webhookId}", "whk_0"),
            ("{deliveryId}", "dlv_0"),
            ("{operationId}", "op_0"),
            ("{requestId}", "req_0"),
            ("{docId}", "doc_0"),
            ("{*path}", "en.json"),
        ];
        let path = values.iter().fold(self.path.to_owned(), |path, (name, value)| path.replace(name, value));
        format!("/v1{path}")
    }
}

/// The routes that need a key.
fn keyed() -> impl Iterator<Item = Declared> {
    declared().into_iter().filter(|route| route.access != Access::Public)
}

/// AUTH-1, RES-9
async fn a_key_opens_its_own_project(store: TestStore) {
    let app = TestApp::on(&store).await;
    for key in app.project.keys.valid() {
        assert!(key.starts_with("eik_"));
        assert_eq!(app.get("/credential").key(key).send().await.status, 200);
    }
}

/// AUTH-2, AUTH-3, AUTH-5, AUTH-15, ERR-401-1, RES-9
async fn a_wrong_key_is_unauthorized_everywhere(store: TestStore) {
    let app = TestApp::on(&store).await;
    let good = app.project.keys.admin.clone();
    let last = if good.ends_with('a') { "b" } else { "a" };
    let wrong = [
        app.project.keys.revoked.clone(),
        l10n_server::ids::ApiKeyText::generate().expose().to_owned(),
        format!("{}{last}", &good[..good.len() - 1]),
        good[..good.len() - 1].to_owned(),
        good.trim_start_matches("eik_").to_owned(),
    ];
    for route in keyed() {
        let path = route.path(app.project.id.as_str());
        let missing = app.at(route.method(), &path).send().await;
        assert_eq!(missing.outcome(), "401 unauthorized", "{}", route.name);
        assert_eq!(missing.header("www-authenticate"), Some("Bearer"));
        for key in &wrong {
            let answer = app.at(route.method(), &path).key(key).send().await;
            assert_eq!(answer.outcome(), "401 unauthorized", "{}", route.name);
        }
    }
}

/// AUTH-3, AUTH-16, HOSTILE-INPUTS S4
async fn a_key_must_come_in_one_bearer_header(store: TestStore) {
    let app = TestApp::on(&store).await;
    let key = app.project.keys.admin.clone();
    let path = format!("/v1/projects/{}/credential", app.project.id);
    let call = |headers: &[(&str, String)], query: &str| {
        headers
            .iter()
            .fold(app.at(Method::GET, &format!("{path}{query}")), |call, (name, value)| call.header(name, value))
            .send()
    };
    let bearer = |scheme: &str| ("authorization", format!("{scheme} {key}"));
    for scheme in ["Bearer", "bearer", "BEARER"] {
        assert_eq!(call(&[bearer(scheme)], "").await.status, 200, "{scheme}");
    }
    let refused = [
        call(&[bearer("Basic")], "").await,
        call(&[("authorization", key.clone())], "").await,
        call(&[("authorization", String::new())], "").await,
        call(&[("authorization", format!("Bearer  {key}"))], "").await,
        call(&[("authorization", format!("Bearer\t{key}"))], "").await,
        call(&[("authorization", format!("Bearer é{key}"))], "").await,
        call(&[("authorization", format!("Bearer {}", "x".repeat(8192)))], "").await,
        call(&[bearer("Bearer"), bearer("Bearer")], "").await,
        call(&[bearer("Bearer"), ("authorization", "Bearer nonsense".into())], "").await,
        call(&[("authorization", "Bearer nonsense".into()), bearer("Bearer")], "").await,
        call(&[("x-api-key", key.clone())], "").await,
        call(&[("cookie", format!("authorization=Bearer {key}; key={key}"))], "").await,
        call(&[], &format!("?key={key}&api_key={key}&access_token={key}")).await,
    ];
    for answer in refused {
        assert_eq!(answer.outcome(), "401 unauthorized");
    }
}

/// AUTH-4, RES-8, CONV-4, AMB-2, ERR-404-2: another project, an unknown one and one's own by name are all the same.
async fn a_key_of_another_project_is_unauthorized(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.other_project("unlimited").await;
    let mut messages = Vec::new();
    for route in keyed().filter(|route| route.path.contains("{projectId}")) {
        for project in [other.id.as_str(), "prj_00000000000000000000000000", &app.project.slug, &app.project.handle] {
            let answer = app.at(route.method(), &route.path(project)).key(&app.project.keys.admin).send().await;
            assert_eq!(answer.outcome(), "401 unauthorized", "{} {project}", route.name);
            messages.push(answer.error().message);
        }
    }
    messages.dedup();
    assert_eq!(messages.len(), 1);
}

/// AUTH-14, AMB-1
async fn a_missing_key_wins_over_everything_else(store: TestStore) {
    let app = TestApp::on(&store).await;
    let calls = [
        app.get("/nowhere"),
        app.call(Method::DELETE, "/credential"),
        app.post("/languages").body("{"),
        app.post("/languages").body(vec![b' '; 1024 * 1024]),
        app.post("/versions/ver_0/restore"),
        app.get("/translations?version=ver_0&dry_run=1"),
        app.get("/%00"),
        app.get("/"),
    ];
    for call in calls {
        assert_eq!(call.clone().no_key().send().await.outcome(), "401 unauthorized", "{call:?}");
    }
    // The same with a key: 404 for what is not there.
    assert_eq!(app.get("/nowhere").send().await.outcome(), "404 not_found");
    assert_eq!(app.call(Method::DELETE, "/credential").send().await.outcome(), "405 method_not_allowed");
    // Outside a project nobody asks for a key.
    assert_eq!(app.at(Method::GET, "/v1/nowhere").send().await.outcome(), "404 not_found");
}

/// SCOPE-R, SCOPE-T, SCOPE-W, SCOPE-P, SCOPE-C, SCOPE-ANY, AUTH-6, AUTH-7, AUTH-10, AUTH-13, ERR-403-1, SCOPE-TR-1..4
async fn a_key_opens_the_routes_of_its_scope_alone(store: TestStore) {
    let app = TestApp::on(&store).await;
    let keys = &app.project.keys;
    let held: Vec<(&[Scope], &str)> = vec![
        (&[Scope::Read], &keys.read),
        (&[Scope::Translate], &keys.translate),
        (&[Scope::Write], &keys.write),
        (&[Scope::Publish], &keys.publish),
        (&[Scope::Capture], &keys.capture),
        (&[Scope::MembersRead, Scope::MembersManage], &keys.members),
        (&[], &keys.none),
        (&[Scope::Read], &keys.agent_read),
    ];
    for route in keyed() {
        let variants: Vec<(String, Vec<Scope>)> = match (route.access, route.name) {
            (_, "translations::get") => vec![
                ("?trackingToken=trk_0".into(), vec![Scope::Read, Scope::Translate]),
                ("?ref=x".into(), vec![Scope::Read, Scope::Translate]),
                ("?version=ver_0".into(), vec![Scope::Read]),
                ("?ref=x&version=ver_0".into(), vec![Scope::Read]),
                (String::new(), vec![Scope::Read]),
            ],
            (Access::Scopes(scopes), _) => vec![(String::new(), scopes.to_vec())],
            _ => vec![(String::new(), Scope::ALL.to_vec())],
        };
        for (query, accepted) in variants {
            for (scopes, key) in &held {
                let path = format!("{}{query}", route.path(app.project.id.as_str()));
                let answer = app.at(route.method(), &path).key(key).send().await;
                let any = matches!(route.access, Access::AnyKey);
                let open = any || scopes.iter().any(|scope| accepted.contains(scope));
                let forbidden = answer.outcome() == "403 forbidden";
                assert_eq!(forbidden, !open, "{} {query} {scopes:?}: {}", route.name, answer.outcome());
            }
        }
    }
}

/// AUTH-8
async fn admin_opens_every_route(store: TestStore) {
    let app = TestApp::on(&store).await;
    for route in keyed() {
        let answer =
            app.at(route.method(), &route.path(app.project.id.as_str())).key(&app.project.keys.admin).send().await;
        assert!(![401, 403].contains(&answer.status), "{}: {}", route.name, answer.outcome());
    }
}

/// RES-5, RES-6, RES-7, RES-10, AUTH-9, AUTH-12, AMB-40, SCOPE-ANY-3
async fn the_credential_is_what_the_key_holds(store: TestStore) {
    let app = TestApp::on(&store).await;
    let keys = &app.project.keys;
    let held = [
        (&keys.admin, vec!["admin"], false),
        (&keys.read, vec!["read"], false),
        (&keys.members, vec!["members:read", "members:manage"], false),
        (&keys.none, vec![], false),
        (&keys.agent, vec!["admin"], true),
        (&keys.agent_read, vec!["read"], true),
    ];
    for (key, scopes, agent) in held {
        let answer = app.get("/credential").key(key).send().await;
        let expected = serde_json::json!({ "scopes": scopes, "requires_operation_approval": agent });
        assert_eq!((answer.status, answer.json()), (200, expected));
    }
    let both = [Scope::Publish, Scope::Read];
    let key = app.key(&app.project, &both, l10n_api_types::KeyKind::Ci).await;
    let answer = app.get("/credential").key(&key).send().await;
    assert_eq!(answer.json()["scopes"], serde_json::json!(["publish", "read"]));
}
