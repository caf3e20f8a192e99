//! Credits: quotes are bounds, refusals say why, no race spends what is not there.

use std::collections::BTreeMap;
use std::sync::Arc;

use l10n_api_types::translations::{Run, RunStatus};
use l10n_api_types::{ErrorCode, Key, Millicredits};
use l10n_server::engines::Pseudo;
use l10n_server::store::workspaces;
use l10n_server::testing::{Answer, CREDITS, TestApp, TestProject, TestStore};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::jobs::fixtures::{ended, money, money_of, state, sync_with, taken, texts, translate};

l10n_server::both_engines!(
    the_balance_refuses_what_it_does_not_cover,
    the_monthly_cap_refuses_what_it_does_not_leave_and_a_new_month_begins_anew,
    the_plan_refuses_keys_that_it_does_not_hold,
    the_plan_counts_what_a_sync_would_leave,
    a_balance_belongs_to_the_workspace,
    sixty_four_spenders_never_spend_what_is_not_there,
    a_quote_is_a_bound_whatever_is_run,
);

/// Every character costs so much that the workspace can pay for a hundred.
async fn with_a_hundred_characters(store: &TestStore) -> TestApp {
    let change = |settings: &mut l10n_server::config::Settings| {
        settings.pricing.millicredits_per_character = CREDITS.0 / 100;
    };
    TestApp::idle(store, change, Arc::new(Pseudo)).await
}

fn characters(count: usize) -> Value {
    json!({"keys": [Key::text("k", "x".repeat(count))], "languages": ["de"]})
}

async fn set_terms(app: &TestApp, project: &TestProject, plan: &str, cap: Option<Millicredits>) {
    let mut tx = app.service.store.begin_write().await.unwrap();
    workspaces::update_terms(&mut tx, &project.workspace, plan, cap).await.unwrap();
    tx.commit().await.unwrap();
}

/// The dry run says what the real run then answers, and neither changes anything.
async fn refused(app: &TestApp, body: &Value) -> Answer {
    let before = state(app).await;
    let dry = taken(app.post("/translate?dryRun=true").json(body).send().await);
    let real = app.post("/translate").json(body).send().await;
    assert_eq!(real.status, 402, "{real:?}");
    assert_eq!(dry.would_fail, Some(real.error()), "the dry run says what the real one meets");
    assert_eq!(state(app).await, before);
    real
}

/// ERR-402-1, ERR-402-5.
async fn the_balance_refuses_what_it_does_not_cover(store: TestStore) {
    let app = with_a_hundred_characters(&store).await;
    let error = refused(&app, &characters(101)).await.error();
    assert_eq!((error.error, error.available_credits), (ErrorCode::InsufficientCredits, Some(CREDITS)));
    let run = taken(app.post("/translate").json(&characters(100)).send().await);
    assert_eq!(run.status, RunStatus::Queued, "what is there may be spent to the last");
    let other = json!({"keys": texts([("other", "y")]), "languages": ["de"]});
    let error = refused(&app, &other).await.error();
    assert_eq!(error.available_credits, Some(Millicredits::ZERO), "what is held is not available");
    let free = taken(app.post("/translate").json(&characters(100)).send().await);
    assert_eq!(free.status, RunStatus::Completed, "what costs nothing is taken");
}

/// ERR-402-2, ERR-402-5.
async fn the_monthly_cap_refuses_what_it_does_not_leave_and_a_new_month_begins_anew(store: TestStore) {
    let app = TestApp::on(&store).await;
    let cap = Millicredits(10);
    set_terms(&app, &app.project, "unlimited", Some(cap)).await;
    let six = json!({"keys": [Key::text("a", "abcdef")], "languages": ["de"]});
    let run = taken(app.post("/translate").json(&six).send().await);
    ended(&app, &run).await;
    let five = json!({"keys": [Key::text("b", "vwxyz")], "languages": ["de"]});
    let error = refused(&app, &five).await.error();
    assert_eq!(error.error, ErrorCode::SpendCapExceeded);
    assert_eq!((error.cap_remaining, error.spending_cap), (Some(Millicredits(4)), Some(cap)));
    // From 21 November to the first of December.
    app.clock.advance(std::time::Duration::from_secs(10 * 24 * 3_600));
    let run = taken(app.post("/translate").json(&five).send().await);
    assert_eq!(ended(&app, &run).await.credits_charged, Millicredits(5));
}

/// ERR-402-3, ERR-402-5.
async fn the_plan_refuses_keys_that_it_does_not_hold(store: TestStore) {
    let app = TestApp::on(&store).await;
    set_terms(&app, &app.project, "free", None).await;
    let keys = |count: usize| json!({"keys": (0..count).map(|n| Key::text(n.to_string(), "x")).collect::<Vec<_>>()});
    let error = refused(&app, &keys(101)).await.error();
    assert_eq!(error.error, ErrorCode::PlanLimit);
    assert_eq!(Value::Object(error.details.unwrap()), json!({"feature": "keys", "limit": 100}));
    ended(&app, &taken(app.post("/translate").json(&keys(100)).send().await)).await;
    refused(&app, &json!({"keys": texts([("one more", "x")])})).await;
    taken(app.post("/translate").json(&keys(100)).send().await);
}

/// ERR-402-3: a renamed key counts twice as long as the old one is kept, one that comes back from the archive counts anew, and
/// an import makes no key.
async fn the_plan_counts_what_a_sync_would_leave(store: TestStore) {
    let app = TestApp::on(&store).await;
    set_terms(&app, &app.project, "free", None).await;
    let file = |names: std::ops::Range<usize>| -> Value {
        let texts = names.map(|n| (format!("key {n}"), json!(format!("text {}", n % 100))));
        Value::Object(texts.collect())
    };
    let archive = || json!({"onRemoved": "archive"});
    ended(&app, &taken(sync_with(&app, "", "en.json", &file(0..100), json!({})).send().await)).await;
    // One key was renamed: its text is that of the one that went.
    let renamed = file(1..101);
    let before = state(&app).await;
    let dry = taken(sync_with(&app, "?dryRun=true", "en.json", &renamed, json!({})).send().await);
    let real = sync_with(&app, "", "en.json", &renamed, json!({})).send().await;
    assert_eq!((dry.renamed.len(), dry.would_fail), (1, Some(real.error())));
    assert_eq!(real.outcome(), "402 plan_limit");
    assert_eq!(state(&app).await, before);
    let archived = taken(sync_with(&app, "", "en.json", &renamed, archive()).send().await);
    assert_eq!(archived.renamed.len(), 1);
    let back = sync_with(&app, "", "en.json", &file(0..101), archive()).send().await;
    assert_eq!(back.outcome(), "402 plan_limit");
    let import = sync_with(&app, "", "de.json", &json!({"unknown": "Text"}), json!({"language": "de"})).send().await;
    assert_eq!(import.status, 200, "{import:?}");
    assert_eq!(app.get("/meta").send().await.json()["keyCount"], 100);
}

/// ERR-402-4.
async fn a_balance_belongs_to_the_workspace(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.other_project("unlimited").await;
    let run = taken(translate(&app, &texts([("a", "Text")])).send().await);
    ended(&app, &run).await;
    assert_eq!(money(&app).await.balance, CREDITS - Millicredits(8));
    assert_eq!(money_of(&app, &other.workspace).await.balance, CREDITS, "another workspace pays nothing");
}

async fn sixty_four_spenders_never_spend_what_is_not_there(store: TestStore) {
    let app = Arc::new(with_a_hundred_characters(&store).await);
    let mut spenders = tokio::task::JoinSet::new();
    for n in 0..64 {
        let app = app.clone();
        spenders.spawn(async move {
            let keys = [Key::text(format!("key {n}"), format!("{n:03}"))];
            app.post("/translate").json(&json!({"keys": keys, "languages": ["de"]})).send().await
        });
    }
    let answers = spenders.join_all().await;
    let taken: Vec<Run> = answers.iter().filter(|answer| answer.status == 202).map(Answer::read).collect();
    assert_eq!(taken.len(), 33, "three characters each, of a hundred");
    assert!(answers.iter().all(|answer| matches!(answer.outcome().as_str(), "202" | "402 insufficient_credits")));
    assert_eq!(money(&app).await.held, Millicredits(CREDITS.0 / 100 * 99));
    let _workers = [crate::jobs::fixtures::TestWorker::start(&app), crate::jobs::fixtures::TestWorker::start(&app)];
    for run in &taken {
        assert_eq!(ended(&app, run).await.credits_charged, run.estimated_credits);
    }
    let money = money(&app).await;
    assert_eq!((money.balance, money.held), (Millicredits(CREDITS.0 / 100), Millicredits::ZERO));
}

/// One step of a history: keys by name with their texts, and which languages.
fn steps() -> impl Strategy<Value = Vec<(BTreeMap<String, String>, bool, bool)>> {
    let keys = proptest::collection::btree_map("[a-e]", "[xy ]{0,3}|\\PC{1,4}", 1..6);
    proptest::collection::vec((keys, any::<bool>(), any::<bool>()), 1..4)
}

/// RES-13, ERR-402-5: over histories of runs with doubles, edits and memory, a run charges exactly at most what its dry
/// run said, and the balance is the sum of the ledger.
async fn a_quote_is_a_bound_whatever_is_run(store: TestStore) {
    let app = TestApp::on(&store).await;
    let mut runner = TestRunner::deterministic();
    for _ in 0..Config::default().cases.min(24) {
        let history = steps().new_tree(&mut runner).unwrap().current();
        let mut spent = CREDITS - money(&app).await.balance;
        for (keys, german_alone, retranslate) in history {
            let keys: Vec<Key> = keys.into_iter().map(|(name, text)| Key::text(name, text)).collect();
            let mut body = json!({"keys": keys, "retranslate": retranslate});
            if german_alone {
                body["languages"] = json!(["de"]);
            }
            let dry = taken(app.post("/translate?dryRun=true").json(&body).send().await);
            let run = taken(app.post("/translate").json(&body).send().await);
            assert_eq!(dry.estimated_credits, run.estimated_credits, "{body}");
            assert_eq!(
                (&dry.items, dry.classification, &dry.per_language),
                (&run.items, run.classification, &run.per_language)
            );
            let parts: Millicredits = run.per_language.iter().map(|language| language.estimated_credits).sum();
            assert_eq!(parts, run.estimated_credits);
            if run.tracking_token.is_some() {
                let job = ended(&app, &run).await;
                assert!(job.credits_charged <= dry.estimated_credits);
                spent += job.credits_charged;
            } else {
                assert_eq!(run.estimated_credits, Millicredits::ZERO);
            }
            let money = money(&app).await;
            assert_eq!((money.balance, money.held), (CREDITS - spent, Millicredits::ZERO));
        }
    }
}
