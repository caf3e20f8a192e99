//! Conventions of every answer.

use http::Method;
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};

both_engines!(
    every_answer_is_named,
    paths_that_name_nothing_are_not_found,
    a_known_path_lists_its_methods,
    the_api_lies_under_its_version,
    a_store_that_is_gone_is_unavailable,
    public_routes_are_open_to_browsers,
    a_server_that_ends_finishes_what_runs,
);

/// CONV-5, CONV-6, CONV-7: one id on every answer (`Answer` checks that), the caller's own where it is harmless.
async fn every_answer_is_named(store: TestStore) {
    let app = TestApp::on(&store).await;
    let calls = [
        app.get("/credential"),
        app.get("/credential").no_key(),
        app.get("/nowhere"),
        app.call(Method::PATCH, "/credential"),
        app.post("/languages").body("{"),
        app.post("/languages").body(vec![b' '; 2 << 20]),
        app.at(Method::GET, "/v1/health"),
        app.at(Method::GET, "/openapi.json"),
        app.at(Method::GET, "/"),
        app.at(Method::OPTIONS, "/v1/health"),
    ];
    let mut seen = std::collections::HashSet::new();
    for call in calls {
        let own = call.clone().header("x-correlation-id", "my.own_id-1").send().await;
        assert_eq!(own.header("x-correlation-id"), Some("my.own_id-1"));
        for harmful in ["", "a b", "a%0d%0ab", &"x".repeat(8192)] {
            let answer = call.clone().header("x-correlation-id", harmful).send().await;
            let id = answer.header("x-correlation-id").unwrap().to_owned();
            assert!(id.starts_with("req_"), "{id}");
            assert!(seen.insert(id));
        }
    }
}

/// ERR-404-1, ERR-400-3, HOSTILE-INPUTS S4
async fn paths_that_name_nothing_are_not_found(store: TestStore) {
    let app = TestApp::on(&store).await;
    let id = app.project.id.to_string();
    let encoded = id.replace("prj", "%70rj");
    let paths = [
        "/",
        "/v1",
        "/v1/",
        "/v2/health",
        "/V1/health",
        "/v1/health/",
        "/v1//health",
        "/v1/projects",
        "/v1/projects/",
        &format!("/v1/projects/{id}"),
        &format!("/v1/projects/{id}/"),
        &format!("/v1/projects/{id}/credential/"),
        &format!("/v1/projects/{id}/Credential"),
        &format!("/v1/projects//{id}/credential"),
        &format!("/v1/projects/{id}/../{id}/credential"),
        &format!("/v1/projects/{encoded}/credential"),
        &format!("/v1/projects/{id};x=1/credential"),
        &format!("/v1/projects/{id}%00/credential"),
        &format!("/v1/projects/{}/credential", "x".repeat(10_000)),
        "/v1/projects/%ff/credential",
        "/v1/projects/%zz/credential",
    ];
    for path in paths {
        let answer = app.at(Method::GET, path).key(&app.project.keys.admin).send().await;
        assert_eq!(answer.outcome(), "404 not_found", "{path}");
    }
}

/// ERR-405-1, AMB-29
async fn a_known_path_lists_its_methods(store: TestStore) {
    let app = TestApp::on(&store).await;
    let answer = app.call(Method::DELETE, "/credential").send().await;
    assert_eq!((answer.outcome(), answer.header("allow")), ("405 method_not_allowed".into(), Some("GET, HEAD")));
    let answer = app.get("/languages").send().await;
    assert_eq!((answer.outcome(), answer.header("allow")), ("405 method_not_allowed".into(), Some("POST")));
    let answer = app.at(Method::POST, "/v1/health").send().await;
    assert_eq!(answer.outcome(), "405 method_not_allowed");
    let head = app.call(Method::HEAD, "/credential").send().await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
}

/// VER-1, CONV-1, PUB-1, PUB-3, CONV-8
async fn the_api_lies_under_its_version(store: TestStore) {
    let app = TestApp::on(&store).await;
    let health = app.at(Method::GET, "/v1/health").send().await;
    assert_eq!((health.status, &health.json()["status"]), (200, &"ok".into()));
    let with_bad_key = app.at(Method::GET, "/v1/health").key("nonsense").send().await;
    assert_eq!(with_bad_key.status, 200);
    for path in ["/health", "/v1/v1/health", "/v2/health", "/V1/health", "/v1//health", "/v1/health/"] {
        assert_eq!(app.at(Method::GET, path).send().await.outcome(), "404 not_found", "{path}");
    }
    let document = app.at(Method::GET, "/openapi.json").send().await;
    assert_eq!((document.status, document.header("content-type")), (200, Some("application/json")));
}

/// ERR-503-1, ERR-500-1
async fn a_store_that_is_gone_is_unavailable(store: TestStore) {
    let app = TestApp::on(&store).await;
    app.service.store.close().await;
    let calls = [
        app.at(Method::GET, "/v1/health"),
        app.get("/credential"),
        app.post("/languages").json(&serde_json::json!({"languages": [{"code": "it"}]})),
    ];
    for call in calls {
        let answer = call.send().await;
        assert_eq!(answer.outcome(), "503 unavailable");
        assert!(answer.error().message.contains("again"), "{}", answer.error().message);
        assert!(!answer.error().message.to_lowercase().contains("pool"));
    }
}

/// API-COMPLETION 6
async fn public_routes_are_open_to_browsers(store: TestStore) {
    let app = TestApp::on(&store).await;
    let health = app.at(Method::GET, "/v1/health").send().await;
    assert_eq!(health.header("access-control-allow-origin"), Some("*"));
    let preflight = app.at(Method::OPTIONS, "/v1/health").header("origin", "https://app.example").send().await;
    assert_eq!((preflight.status, preflight.header("access-control-allow-headers")), (204, Some("*, authorization")));
    // A key in a page would be anyone's: nothing that needs one is open.
    let keyed = app.get("/credential").header("origin", "https://app.example").send().await;
    assert_eq!(keyed.header("access-control-allow-origin"), None);
}

/// A request whose body is still on its way when the server is asked to end is answered; no new one is.
async fn a_server_that_ends_finishes_what_runs(store: TestStore) {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};

    let app = TestApp::on(&store).await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = tokio_util::sync::CancellationToken::new();
    let running = tokio::spawn(l10n_server::app::run(app.service.clone(), listener, shutdown.clone()));
    let mut stream = TcpStream::connect(address).await.unwrap();
    let body = r#"{"languages":[{"code":"it"}]}"#;
    let head = format!(
        "POST /v1/projects/{}/languages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\nexpect: 100-continue\r\n\
         content-length: {}\r\n\r\n",
        app.project.id,
        app.project.keys.write,
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // `100 Continue`: the handler waits for the body.
    let mut answer = vec![0; 1024];
    let read = stream.read(&mut answer).await.unwrap();
    assert!(answer[..read].starts_with(b"HTTP/1.1 100"), "{}", String::from_utf8_lossy(&answer[..read]));
    shutdown.cancel();
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    running.await.unwrap().unwrap();
}
