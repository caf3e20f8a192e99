//! Prices of engines: a quote is the dearest of a chain, a charge that of the engine that translated.

use std::collections::BTreeMap;

use l10n_api_types::Millicredits;
use l10n_api_types::translations::Run;
use l10n_server::config::Settings;
use l10n_server::store::job_engines;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::jobs::fixtures::{TestWorker, ended, money, named_engines, provide, taken, texts, translate};

l10n_server::both_engines!(
    a_quote_is_of_the_dearest_engine_and_a_charge_of_the_one_that_translated,
    a_job_charges_no_more_than_its_quote_when_its_project_chooses_a_dearer_engine,
);

/// Prices: `careful` 2, `other` 7, `plain` 3.
fn prices(settings: &mut Settings) {
    settings.pricing.millicredits_per_character = 3;
    settings.pricing.of_engines = BTreeMap::from([("careful".to_owned(), 2), ("other".to_owned(), 7)]);
}

/// Price of each language.
fn quoted(run: &Run) -> Vec<(&str, i64)> {
    run.per_language.iter().map(|one| (one.language.as_str(), one.estimated_credits.0)).collect()
}

/// The texts that each engine translated of a run, and their price.
async fn shares_of(app: &TestApp, run: &Run) -> Vec<(String, i64, i64)> {
    let mut tx = app.service.store.begin_read().await.unwrap();
    let shares = job_engines::list(&mut tx, run.tracking_token.as_ref().unwrap()).await.unwrap();
    shares.into_iter().map(|share| (share.engine, share.texts, share.charged.0)).collect()
}

async fn a_quote_is_of_the_dearest_engine_and_a_charge_of_the_one_that_translated(store: TestStore) {
    let app = TestApp::idle_with(&store, prices, named_engines()).await;
    provide(&app, json!({"engine": "careful, other", "languageEngines": {"fr": "plain"}})).await.unwrap();
    let meta = app.get("/meta").send().await.json();
    let of_french = json!({"language": "fr", "name": "plain", "millicreditsPerCharacter": 3});
    let engine = json!({"name": "careful,other", "millicreditsPerCharacter": 7, "languages": [of_french]});
    assert_eq!((&meta["engine"], &meta["limits"]["millicreditsPerCharacter"]), (&engine, &json!(7)));

    // `Save` has 4 characters, `Save!` 5, which `careful` does not take.
    let keys = texts([("calm", "Save"), ("loud", "Save!"), ("calm.too", "Save")]);
    let before = money(&app).await.balance;
    let dry = taken(app.post("/translate?dryRun=true").json(&json!({"keys": keys})).send().await);
    let run = taken(translate(&app, &keys).send().await);
    for quote in [&dry, &run] {
        assert_eq!((quoted(quote), quote.estimated_credits.0), (vec![("de", 9 * 7), ("fr", 9 * 3)], 90));
    }
    assert_eq!(money(&app).await.held, Millicredits(90));
    let worker = TestWorker::start(&app);
    let job = ended(&app, &run).await;
    let charged = Millicredits(4 * 2 + 5 * 7 + 9 * 3);
    assert_eq!((job.progress.done, job.credits_charged), (6, charged));
    let shares = [("careful", 2, 4 * 2), ("other", 1, 5 * 7), ("plain", 3, 9 * 3)];
    assert_eq!(shares_of(&app, &run).await, shares.map(|(name, texts, charged)| (name.to_owned(), texts, charged)));
    // `money` holds the balance against the sum of the ledger.
    let after = money(&app).await;
    assert_eq!((after.balance, after.held), (before.saturating_add(-charged), Millicredits::ZERO));

    // What memory has stays free, whoever made it.
    let other_ref = texts([("calm.again", "Save"), ("loud.again", "Save!")]);
    let run = taken(translate(&app, &other_ref).send().await);
    assert_eq!((run.estimated_credits, run.tracking_token), (Millicredits::ZERO, None));
    worker.shut_down().await;
}

async fn a_job_charges_no_more_than_its_quote_when_its_project_chooses_a_dearer_engine(store: TestStore) {
    let app = TestApp::idle_with(&store, prices, named_engines()).await;
    provide(&app, json!({"engine": "careful"})).await.unwrap();
    let before = money(&app).await.balance;
    let run = taken(translate(&app, &texts([("calm", "Save")])).send().await);
    assert_eq!(run.estimated_credits, Millicredits(2 * 4 * 2));
    provide(&app, json!({"engine": "other"})).await.unwrap();
    let worker = TestWorker::start(&app);
    let job = ended(&app, &run).await;
    assert_eq!((job.progress.done, job.credits_charged), (2, run.estimated_credits));
    assert_eq!(shares_of(&app, &run).await, [("other".to_owned(), 2, run.estimated_credits.0)]);
    worker.shut_down().await;
    assert_eq!(money(&app).await.balance, before.saturating_add(-run.estimated_credits));

    // The next run is quoted at the new price.
    let run = taken(translate(&app, &texts([("new", "Open")])).send().await);
    assert_eq!(run.estimated_credits, Millicredits(2 * 4 * 7));
}
