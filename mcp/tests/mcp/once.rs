//! Clients repeat calls: nothing is paid for twice, and nothing is published twice.

use std::sync::Arc;

use async_trait::async_trait;
use l10n_server::both_engines;
use l10n_server::engines::{Batch, BatchLimits, EngineError, Pseudo, TextSegment, Translator, UnitError};
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::person::{decide_only, pending};
use crate::proxy::Proxy;
use crate::support::{Agent, Host, REVISIONS, Revision, two_keys};

both_engines!(
    a_repeated_call_pays_and_publishes_nothing,
    a_publish_of_drafts_that_are_not_live_is_made,
    output_formats_that_are_stated_again_stay_as_they_are,
    a_repeated_call_waits_for_the_run_of_the_first,
    a_run_of_another_process_is_named,
);

/// The balance, and the number of versions.
pub(crate) async fn state(agent: &Agent) -> (Value, usize) {
    let balance = agent.ok("get_project", json!({})).await["balance_credits"].clone();
    let versions = agent.ok("restore_version", json!({})).await["versions"].as_array().unwrap().len();
    (balance, versions)
}

fn keys_of(turn: usize) -> Value {
    json!([{"ref": format!("k{turn}"), "text": format!("A text of turn {turn}")}])
}

/// Each call that writes.
pub(crate) async fn writes(agent: &Agent, turn: usize) -> Vec<(&'static str, Value)> {
    let document = json!({"external_id": format!("{turn}.md"), "content": format!("Text {turn}"), "reason": "r"});
    let first = agent.ok("restore_version", json!({})).await["versions"][0]["version_id"].clone();
    let mut calls = vec![
        ("translate", json!({"keys": keys_of(turn), "reason": "r"})),
        ("translate_document", document),
        ("add_languages", json!({"codes": ["ja"]})),
        ("report_missing_keys", json!({"keys": [{"ref": format!("m{turn}")}]})),
        ("publish", json!({"reason": "r"})),
        ("publish", json!({"languages": ["de"], "label": format!("l{turn}"), "force": false, "reason": "r"})),
        ("publish", json!({"target": "content", "reason": "r"})),
        ("set_output_formats", json!({"output_formats": [{"format": "json", "path": "l/{language}.json"}]})),
    ];
    if first.is_string() {
        calls.push(("restore_version", json!({"version_id": first, "reason": "r"})));
    }
    calls
}

/// The texts of a call are being translated by the run of another process, whose token is not known here.
async fn a_run_of_another_process_is_named(store: TestStore) {
    let gate = Arc::new(Gate(Semaphore::new(0)));
    let app = TestApp::translated_by(&store, Arc::clone(&gate) as Arc<dyn Translator>).await;
    let proxy = Proxy::to(app.address).await;
    let one = Agent::through(&proxy, &app, &app.project.keys.admin, Host::plain()).await;
    let other = Agent::admin(&app, Revision::New).await;
    let second = async {
        proxy.until_waiting(1).await;
        let told = other.ok("translate", json!({"keys": [two_keys()[0]], "reason": "r"})).await;
        assert_eq!((&told["status"], &told["total"]), (&json!("completed"), &json!(0)), "{told}");
        assert_eq!(told["warnings"], json!(["left to a run that had not ended yet: 2 translations"]));
        assert!(told["next"].as_str().unwrap().contains("call again"), "{told}");
        gate.0.add_permits(1_000);
    };
    let (run, ()) = tokio::join!(one.ok("translate", json!({"keys": two_keys(), "reason": "r"})), second);
    assert_eq!((&run["status"], run.get("warnings")), (&json!("completed"), None), "{run}");
}

async fn a_repeated_call_pays_and_publishes_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    for (turn, revision) in REVISIONS.into_iter().enumerate() {
        let agent = Agent::admin(&app, revision).await;
        for (tool, arguments) in writes(&agent, turn).await {
            agent.ok(tool, arguments.clone()).await;
            let before = state(&agent).await;
            for _ in 0..2 {
                agent.ok(tool, arguments.clone()).await;
                assert_eq!(state(&agent).await, before, "{tool} {arguments}");
            }
        }
        let keys = keys_of(turn);
        agent.ok("translate", json!({"keys": keys, "reason": "the new language"})).await;
    }
}

/// Output formats, a restore and a publish of some languages change neither a key nor a translation.
async fn a_publish_of_drafts_that_are_not_live_is_made(store: TestStore) {
    let app = TestApp::on(&store).await;
    let agent = Agent::admin(&app, Revision::New).await;
    let publish = async || agent.ok("publish", json!({"reason": "r"})).await["status"].clone();
    agent.ok("translate", json!({"keys": two_keys(), "reason": "r"})).await;
    assert_eq!((publish().await, publish().await), (json!("published"), json!("live")));
    let formats = json!({"output_formats": [{"format": "json", "path": "l/{language}.json"}]});
    agent.ok("set_output_formats", formats).await;
    assert_eq!((publish().await, publish().await), (json!("published"), json!("live")));
    let first = agent.ok("restore_version", json!({})).await["versions"][1]["version_id"].clone();
    agent.ok("restore_version", json!({"version_id": first, "reason": "r"})).await;
    assert_eq!((publish().await, publish().await), (json!("published"), json!("live")));
    agent.ok("publish", json!({"languages": ["de"], "force": true, "reason": "r"})).await;
    assert_eq!((publish().await, publish().await), (json!("published"), json!("live")));
    // All of its languages are live, and one of them alone is not the same.
    let of = async |codes: &[&str]| agent.ok("publish", json!({"languages": codes, "reason": "r"})).await;
    assert_eq!(of(&["de", "fr"]).await["already_live"], json!(true));
    let german = of(&["de"]).await;
    assert_eq!(german["status"], json!("published"), "{german}");
    assert_eq!(of(&["de"]).await["already_live"], json!(true));
    assert_eq!(publish().await, json!("published"));
}

/// An agent states again what it was shown, with one more.
async fn output_formats_that_are_stated_again_stay_as_they_are(store: TestStore) {
    let app = TestApp::on(&store).await;
    let agent = Agent::admin(&app, Revision::New).await;
    let body = json!({"outputFormats": [{"format": "json", "path": "l/{language}.json", "emptyAs": "base",
        "namespaces": ["menu"]}]});
    let set = app.post("/output-formats").json(&body).send().await;
    assert_eq!(set.status, 200, "{}", set.text());
    let shown = async || agent.ok("get_project", json!({})).await["output_formats"].clone();
    let kept = json!({"format": "json", "path": "l/{language}.json", "empty_as": "base", "namespaces": ["menu"]});
    assert_eq!(shown().await, json!([kept]));
    let stated = |format: &str| json!({"format": format, "path": "l/{language}.json"});
    let one_more = json!({"format": "arb", "path": "{language}.arb"});
    agent.ok("set_output_formats", json!({"output_formats": [stated("json"), one_more]})).await;
    let added = json!({"format": "arb", "path": "{language}.arb", "empty_as": "skip"});
    assert_eq!(shown().await, json!([kept, added]));
    // Another format in its place is another file.
    agent.ok("set_output_formats", json!({"output_formats": [stated("i18next")]})).await;
    let other = json!({"format": "i18next", "path": "l/{language}.json", "empty_as": "skip"});
    assert_eq!(shown().await, json!([other]));
}

/// The engine stands still until both calls wait for the run.
async fn a_repeated_call_waits_for_the_run_of_the_first(store: TestStore) {
    let gate = Arc::new(Gate(Semaphore::new(0)));
    let app = TestApp::translated_by(&store, Arc::clone(&gate) as Arc<dyn Translator>).await;
    let more = json!([{"ref": "more", "text": "More"}, {"ref": "less", "text": "Less"}]);
    for (key, keys) in [(&app.project.keys.admin, two_keys()), (&app.project.keys.agent, more)] {
        let proxy = Proxy::to(app.address).await;
        let agent = Agent::through(&proxy, &app, key, Host::plain()).await;
        let call = json!({"keys": keys, "reason": "r"});
        if *key == app.project.keys.agent {
            assert_eq!(agent.ok("translate", call.clone()).await["status"], "needs_approval");
            decide_only(&app.service, true).await;
        }
        let second = async {
            proxy.until_waiting(1).await;
            let open = async {
                proxy.until_waiting(2).await;
                gate.0.add_permits(1_000);
            };
            tokio::join!(agent.ok("translate", call.clone()), open).0
        };
        let (one, other) = tokio::join!(agent.ok("translate", call.clone()), second);
        assert_eq!((&one["status"], &other["status"]), (&json!("completed"), &json!("completed")), "{one} {other}");
        assert_eq!((&one["tracking_token"], &other["new"]), (&other["tracking_token"], &json!(0)));
        let after = agent.ok("translate", call).await;
        assert_eq!((&after["credits_charged"], &after["unchanged"]), (&json!(0.0), &json!(2)), "{after}");
        assert!(pending(&app.service).await.is_empty());
        gate.0.forget_permits(1_000_000);
    }
}

/// The pseudo engine, behind a gate.
#[derive(Debug)]
pub(crate) struct Gate(pub(crate) Semaphore);

#[async_trait]
impl Translator for Gate {
    fn name(&self) -> &str {
        "gate"
    }

    fn supports(&self, _: &str, _: &str) -> bool {
        true
    }

    fn limits(&self) -> BatchLimits {
        Pseudo.limits()
    }

    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        self.0.acquire().await.unwrap().forget();
        Pseudo.translate(batch).await
    }
}
