//! Clients repeat calls: nothing is paid for twice, and nothing is published twice.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use l10n_server::both_engines;
use l10n_server::engines::{Batch, EngineError, Limits, Pseudo, Segment, Translator, UnitError};
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::support::{Agent, REVISIONS, Revision, two_keys};

both_engines!(a_repeated_call_pays_and_publishes_nothing, a_repeated_call_waits_for_the_run_of_the_first);

/// The balance, and the number of versions.
async fn state(agent: &Agent) -> (Value, usize) {
    let balance = agent.ok("get_project", json!({})).await["balance_credits"].clone();
    let versions = agent.ok("restore_version", json!({})).await["versions"].as_array().unwrap().len();
    (balance, versions)
}

async fn a_repeated_call_pays_and_publishes_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    for (turn, revision) in REVISIONS.into_iter().enumerate() {
        let agent = Agent::admin(&app, revision).await;
        let text = format!("A text of turn {turn}");
        let document = json!({"external_id": format!("{turn}.md"), "content": text, "reason": "r"});
        let first = agent.ok("restore_version", json!({})).await["versions"][0]["version_id"].clone();
        let mut calls = vec![
            ("translate", json!({"keys": [{"ref": format!("k{turn}"), "text": text}], "reason": "r"})),
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
        for (tool, arguments) in calls {
            agent.ok(tool, arguments.clone()).await;
            let before = state(&agent).await;
            for _ in 0..2 {
                agent.ok(tool, arguments.clone()).await;
                assert_eq!(state(&agent).await, before, "{tool} {arguments}");
            }
        }
        let keys = json!([{"ref": format!("k{turn}"), "text": text}]);
        agent.ok("translate", json!({"keys": keys, "reason": "the new language"})).await;
    }
}

/// The engine stands still until the second call has met the unfinished run of the first.
async fn a_repeated_call_waits_for_the_run_of_the_first(store: TestStore) {
    let gate = Arc::new(Gate(Semaphore::new(0)));
    let app = TestApp::translated_by(&store, Arc::clone(&gate) as Arc<dyn Translator>).await;
    let agent = Agent::admin(&app, Revision::New).await;
    let call = json!({"keys": two_keys(), "reason": "r"});
    let second = async {
        while agent.ok("get_project", json!({})).await["keys"] == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let open = async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            gate.0.add_permits(1_000);
        };
        tokio::join!(agent.ok("translate", call.clone()), open).0
    };
    let (one, other) = tokio::join!(agent.ok("translate", call.clone()), second);
    assert_eq!((&one["status"], &other["status"]), (&json!("completed"), &json!("completed")), "{one} {other}");
    assert_eq!((&one["tracking_token"], &other["new"]), (&other["tracking_token"], &json!(0)));
    let after = agent.ok("translate", call).await;
    assert_eq!((&after["credits_charged"], &after["unchanged"]), (&json!(0.0), &json!(2)), "{after}");
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

    fn limits(&self) -> Limits {
        Pseudo.limits()
    }

    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<Segment>, UnitError>>, EngineError> {
        self.0.acquire().await.unwrap().forget();
        Pseudo.translate(batch).await
    }
}
