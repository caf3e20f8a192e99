//! Faults of the surroundings keep checks from running, and let none fail.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::check;
use crate::check::{Check, Claim};
use crate::cx::Cx;
use crate::outcome::{CheckResult, NotRun, Status};
use crate::profile::{Identity, Profile, Project, ReceiverProfile, Secret, TimeProfile};
use crate::receiver::Authority;
use crate::runner::{Options, RunRecord, run_checks};

/// A deployment: keys are named after their scope, and what is published is sent to every webhook.
#[derive(Debug, Clone, Default)]
struct Deployment {
    hooks: Arc<Mutex<Vec<String>>>,
    /// Resolves no names.
    no_names: bool,
    /// Every key has this scope.
    one_scope: Option<&'static str>,
}

async fn answer(State(this): State<Deployment>, method: Method, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let path = uri.path();
    if path.ends_with("/credential") {
        let key = headers["authorization"].to_str().unwrap();
        let scope = this.one_scope.unwrap_or_else(|| key.rsplit('_').next().unwrap());
        return json!({ "scopes": [scope] }).to_string().into_response();
    }
    if method == Method::POST && path.ends_with("/webhooks") {
        let url = serde_json::from_slice::<Value>(&body).unwrap()["url"].as_str().unwrap().to_owned();
        if this.no_names && url.starts_with("https://example.com") {
            return (StatusCode::BAD_REQUEST, json!({ "error": "webhook_url", "message": "" }).to_string())
                .into_response();
        }
        let mut hooks = this.hooks.lock().unwrap();
        hooks.push(url.clone());
        let made = json!({ "webhookId": format!("wh_{}", hooks.len()), "url": url, "secret": "whsec_0123456789" });
        return (StatusCode::CREATED, made.to_string()).into_response();
    }
    if method == Method::POST && path.ends_with("/publish") {
        let hooks = this.hooks.lock().unwrap().clone();
        tokio::spawn(async move {
            for url in hooks {
                // It trusts nobody.
                let sender = reqwest::Client::builder().tls_backend_preconfigured(trusts_no_one()).no_proxy().build();
                let _ = sender.unwrap().post(url).send().await;
            }
        });
    }
    json!({ "webhooks": [], "versionId": "ver_1" }).to_string().into_response()
}

fn trusts_no_one() -> rustls::ClientConfig {
    rustls::ClientConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth()
}

/// A run of these checks in two lanes, whose keys `read` are these.
async fn run_of(
    deployment: Deployment,
    checks: &'static [Check],
    read: [&str; 2],
    change: impl FnOnce(&mut Profile),
) -> RunRecord {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    let router = Router::new().fallback(answer).with_state(deployment);
    tokio::spawn(async move { axum::serve(listener, router).await });
    let minimal = json!({ "base_url": base_url, "lanes": [], "claims": ["webhooks", "publish"] });
    let mut profile: Profile = serde_json::from_value(minimal).unwrap();
    let lane = |id: &str, read: &str| Project {
        id: id.to_owned(),
        handle: "h".to_owned(),
        slug: id.to_owned(),
        keys: BTreeMap::from([
            (Identity::Full, Secret::of(format!("eik_{id}_admin"))),
            (Identity::Read, Secret::of(format!("eik_{id}_{read}"))),
        ]),
    };
    profile.lanes = vec![lane("a", read[0]), lane("b", read[1])];
    change(&mut profile);
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        journal: Some(folder.path().join("journal")),
        timeout: std::time::Duration::from_secs(5),
        ..Options::default()
    };
    run_checks(checks.iter().collect(), profile, options).await.unwrap()
}

/// The reasons of checks that were not run; each other has to have passed.
fn prerequisites(run: &RunRecord) -> Vec<String> {
    let reason = |one: &crate::runner::CheckRecord| match (&one.not_run, one.status) {
        (Some(NotRun::PrerequisiteFailed(why)), Status::NotRun) => Some(why.clone()),
        (None, Status::Pass) => None,
        other => panic!("{}: {other:?} {:?} {:?}", one.check.id, one.failures, one.error),
    };
    run.checks.iter().filter_map(reason).collect()
}

async fn reads(cx: Cx) -> CheckResult {
    let credential = cx.get("/credential").key(Identity::Read)?.send().await?.control("GET /credential")?;
    // So that checks of both lanes are under way at once.
    cx.sleep(std::time::Duration::from_millis(100)).await;
    cx.equal("scopes", &json!(["read"]), &credential.json()?["scopes"])
}

const READS: &[Check] =
    &[check! { id: "AUTH-1", needs: [], run: reads }, check! { id: "AUTH-2", needs: [], run: reads }];

#[tokio::test]
async fn a_key_that_is_wrong_in_one_lane_is_the_profiles_fault() {
    assert_eq!(
        prerequisites(&run_of(Deployment::default(), READS, ["read", "read"], |_| ()).await),
        Vec::<&str>::new()
    );
    let run = run_of(Deployment::default(), READS, ["read", "write"], |_| ()).await;
    let [why] = &*prerequisites(&run) else { panic!("one of both runs in the lane with the wrong key") };
    assert_eq!(why, "lanes[1].keys.read has the scopes [\"write\"], other than in other lanes");
}

#[tokio::test]
async fn keys_that_are_wrong_in_every_lane_are_for_the_checks() {
    let deployment = Deployment { one_scope: Some("write"), ..Deployment::default() };
    let run = run_of(deployment, READS, ["read", "read"], |_| ()).await;
    assert!(run.checks.iter().all(|one| one.status == Status::Fail));
}

async fn passes(cx: Cx) -> CheckResult {
    cx.get("/credential").send().await?.control("GET /credential")?;
    cx.ensure(true, "nothing", "nothing")
}

#[tokio::test]
async fn a_clock_that_goes_otherwise_than_the_profile_says_keeps_what_waits_from_running() {
    const CHECKS: &[Check] =
        &[check! { id: "SIG-8", needs: [], waits: 31, run: passes }, check! { id: "AUTH-1", needs: [], run: passes }];
    let scaled = |profile: &mut Profile| profile.time = TimeProfile { scale: Some(60), ..TimeProfile::default() };
    let run = run_of(Deployment::default(), CHECKS, ["read", "read"], scaled).await;
    let [why] = &*prerequisites(&run) else { panic!("one of both waits") };
    assert!(why.starts_with("time.scale says 60, but the deployment's clock goes 1 times"), "{why}");
}

async fn makes_one(cx: Cx) -> CheckResult {
    let made = cx.post("/webhooks").json(&json!({ "url": "https://example.com/x", "events": ["strings.published"] }));
    passes(cx.clone()).await?;
    made.send().await?.expect(201).map(drop)
}

#[tokio::test]
async fn a_deployment_without_names_is_not_asked_to_resolve_one() {
    const CHECKS: &[Check] = &[check! { id: "DRY-6", needs: [Webhooks], slots: 1, run: makes_one }];
    let run = run_of(Deployment::default(), CHECKS, ["read", "read"], |_| ()).await;
    assert_eq!(prerequisites(&run), Vec::<&str>::new());
    let deployment = Deployment { no_names: true, ..Deployment::default() };
    let run = run_of(deployment, CHECKS, ["read", "read"], |_| ()).await;
    assert!(prerequisites(&run)[0].ends_with("it has no DNS"), "{:?}", run.checks);
}

async fn gets_a_delivery(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    cx.webhook(&endpoint, &[]).await?;
    cx.publish().await?;
    endpoint.wait_for(1).await.map(drop)
}

#[tokio::test]
async fn a_receiver_that_the_deployment_does_not_trust_is_called_that() {
    const CHECKS: &[Check] = &[
        check! { id: "EV-1", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, run: gets_a_delivery },
        check! { id: "AUTH-1", needs: [], run: passes },
    ];
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::new().unwrap();
    let (ca, ca_key) = (folder.path().join("ca.pem"), folder.path().join("ca.key"));
    std::fs::write(&ca, authority.pem()).unwrap();
    std::fs::write(&ca_key, authority.key_pem()).unwrap();
    let with_receiver = |profile: &mut Profile| {
        profile.claims.insert(Claim::Receiver);
        profile.receiver = Some(ReceiverProfile {
            listen: ([127, 0, 0, 1], 0).into(),
            public_url: None,
            ca: Some(ca),
            ca_key: Some(ca_key),
            cert: None,
            key: None,
            spares: Vec::new(),
        });
    };
    let run = run_of(Deployment::default(), CHECKS, ["read", "read"], with_receiver).await;
    let [why] = &*prerequisites(&run) else { panic!("one of both waits for a delivery") };
    assert!(why.contains("does not trust the receiver's certificate") && why.contains("UnknownCA"), "{why}");
}
