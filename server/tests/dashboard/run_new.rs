//! Starting runs in the dashboard, without script: the price first, then the run, and what failed once more.

use std::sync::Arc;
use std::time::Duration;

use l10n_api_types::{Content, Millicredits};
use l10n_formats::SourceHash;
use l10n_formats::text::Syntax;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::audit::{self, AuditAction, AuditFilter};
use l10n_server::domain::receipts::LANDS_WITHIN;
use l10n_server::domain::run::sweep;
use l10n_server::store::keys::{self, NewKey};
use l10n_server::store::lifecycle::{self, LifecycleState};
use l10n_server::store::{projects, workspaces};
use l10n_server::testing::{TestStore, sql};
use serde_json::{Value, json};

use crate::support::{HOSTILE, PickyEngine, Site, Visited, check_is_text};

both_engines!(
    a_person_sees_the_price_of_what_is_missing_and_has_it_translated,
    a_run_of_a_person_takes_nothing_from_a_budget_and_changes_no_key,
    a_price_that_has_risen_is_told_and_nothing_is_started,
    a_form_that_is_sent_twice_starts_one_run,
    what_failed_is_translated_again_and_nothing_else,
    what_failed_of_a_document_is_translated_again_and_nothing_else,
    what_cannot_be_paid_is_said_before_and_not_started,
    fields_that_are_wrong_start_nothing,
    who_may_not_translate_is_not_offered_it,
    long_texts_are_translated_in_several_runs,
    a_run_of_many_keys_is_planned_ahead_and_lands_whole,
    a_run_that_takes_too_long_is_given_up,
    refs_and_languages_in_addresses_are_never_interpreted,
);

/// The tokens of the project's runs, newest first.
async fn runs(site: &Site) -> Vec<String> {
    let mut visitor = site.as_role(Role::Viewer).await;
    let links = visitor.get(&site.path("/runs")).await.html().links;
    let token = |link: &String| link.split_once("/runs/").map(|(_, token)| token.to_owned());
    links.iter().filter_map(token).filter(|token| token.starts_with("trk_")).collect()
}

async fn balance(site: &Site) -> Millicredits {
    let mut tx = site.service.store.begin_read().await.unwrap();
    workspaces::find(&mut tx, &site.project.workspace).await.unwrap().unwrap().balance
}

/// Registers texts that no machine has translated yet: the run that brings them has ended, and all of it failed.
async fn untranslated(site: &Site, engine: &PickyEngine, texts: &Value) -> String {
    engine.refuse("", "not now");
    let token = site.sync(texts).await.unwrap();
    assert_eq!(site.ended(&token).await["status"], "failed");
    engine.take_all();
    token
}

fn token_of(page: &Visited) -> String {
    page.path.split_once("/runs/").unwrap().1.split('?').next().unwrap().to_owned()
}

async fn a_person_sees_the_price_of_what_is_missing_and_has_it_translated(store: TestStore) {
    let engine = Arc::default();
    let site = Site::translated_by(&store, &engine).await;
    let mut visitor = site.as_role(Role::Manager).await;
    visitor.get(&site.path("/runs/new?language=de")).await.says("Nothing is left to translate here.");
    untranslated(&site, &engine, &json!({ "a": "Hello", "b": "World" })).await;
    let before = balance(&site).await;
    let page = visitor.get(&site.path("/runs")).await;
    let link = page.html().links.into_iter().find(|link| link.ends_with("/runs/new")).unwrap();
    let page = visitor.get(&link).await;
    page.says("2 missing, 0 stale");
    assert!(!page.html().text.contains("at most"), "nothing is chosen yet");
    let page = visitor.get(&format!("{link}?language=de")).await;
    page.says("Translate for at most 0.01 credits");
    assert_eq!(balance(&site).await, before, "a price costs nothing");
    let started = visitor.send(page.html().post_form("/runs/new")).await;
    started.says("The run was started.");
    let job = site.ended(&token_of(&started)).await;
    assert_eq!(
        (&job["status"], &job["progress"]["total"], &job["creditsCharged"]),
        (&json!("completed"), &json!(2), &json!(10))
    );
    assert_eq!(before.0 - balance(&site).await.0, 10);
    visitor.get(&link).await.says("0 missing, 0 stale").says("2 missing, 0 stale");
}

/// LIM-DAY-6 for runs: a person's run counts for no key's requests, and is in the audit log.
async fn a_run_of_a_person_takes_nothing_from_a_budget_and_changes_no_key(store: TestStore) {
    let engine = Arc::default();
    let site = Site::translated_by(&store, &engine).await;
    untranslated(&site, &engine, &json!({ "a": "Hello", "b": "World" })).await;
    let meta = site.get("/meta").send().await.json();
    let keys = site.get("/translations?limit=50").send().await.json();
    let mut visitor = site.as_role(Role::Owner).await;
    let page = visitor.get(&site.path("/runs/new?language=fr&language=de")).await;
    let started = visitor.send(page.html().post_form("/runs/new")).await;
    site.ended(&token_of(&started)).await;
    let after = site.get("/meta").send().await.json();
    for budget in ["runs", "imports", "publishes"] {
        assert_eq!(meta["remaining"][budget], after["remaining"][budget], "{budget}");
    }
    assert_eq!(meta["keyCount"], after["keyCount"]);
    let keys_after = site.get("/translations?limit=50").send().await.json();
    for (before, after) in keys["keys"].as_array().unwrap().iter().zip(keys_after["keys"].as_array().unwrap()) {
        assert_eq!((&before["ref"], &before["text"]), (&after["ref"], &after["text"]));
    }
    let filter = AuditFilter { action: Some(AuditAction::RunStarted), ..AuditFilter::default() };
    let log = audit::list(site.service.people(), &site.project.workspace, &filter, 10).await.unwrap();
    assert_eq!(log.entries.len(), 1);
    assert_eq!(log.entries[0].actor, "owner@example.com");
    assert_eq!(log.entries[0].detail.as_deref(), Some("fr, de"));
}

async fn a_price_that_has_risen_is_told_and_nothing_is_started(store: TestStore) {
    let engine = Arc::default();
    let site = Site::translated_by(&store, &engine).await;
    untranslated(&site, &engine, &json!({ "a": "Hello" })).await;
    let mut visitor = site.as_role(Role::Manager).await;
    let form = visitor.get(&site.path("/runs/new?language=de")).await.html().post_form("/runs/new");
    untranslated(&site, &engine, &json!({ "a": "Hello", "b": "More words" })).await;
    let before = runs(&site).await;
    let page = visitor.send(form).await;
    assert_eq!(page.status, 409);
    page.says("The price has risen").says("Translate for at most 0.015 credits");
    assert_eq!(runs(&site).await, before);
    visitor.send(page.html().post_form("/runs/new")).await.says("The run was started.");
    // A price that has fallen is no reason to ask again.
    let form = visitor.get(&site.path("/runs/new?language=fr")).await.html().post_form("/runs/new").set("price", "999");
    visitor.send(form).await.says("The run was started.");
}

async fn a_form_that_is_sent_twice_starts_one_run(store: TestStore) {
    let site = Site::idle(&store).await;
    site.sync(&json!({ "a": "Hello" })).await;
    let mut visitor = site.as_role(Role::Manager).await;
    // What another run has queued is not priced again.
    visitor.get(&site.path("/runs/new?language=de")).await.says("Nothing is left to translate here.");
    let fields = [("language", "de"), ("after", ""), ("price", "5")];
    let page = visitor.post(&site.path("/runs/new"), &fields).await;
    assert_eq!(page.status, 409);
    page.says("There is nothing to translate: it is done, or another run is working on it.");
    assert_eq!(runs(&site).await.len(), 1);
}

async fn what_failed_is_translated_again_and_nothing_else(store: TestStore) {
    let engine = Arc::default();
    let site = Site::translated_by(&store, &engine).await;
    let first = untranslated(&site, &engine, &json!({ "a": "Hello", "b": "World" })).await;
    // Another key lacks its translations, too, and is none of that run's.
    untranslated(&site, &engine, &json!({ "a": "Hello", "b": "World", "c": "Another" })).await;
    let mut visitor = site.as_role(Role::Manager).await;
    let page = visitor.get(&site.path(&format!("/runs/{first}"))).await;
    let link = page.html().links.into_iter().find(|link| link.ends_with("/retry")).unwrap();
    let page = visitor.get(&link).await;
    page.says("Translate failed texts again").says("Translate for at most 0.02 credits");
    let started = visitor.send(page.html().post_form("/retry")).await;
    started.says("The run was started.");
    let job = site.ended(&token_of(&started)).await;
    assert_eq!((&job["status"], &job["progress"]["total"]), (&json!("completed"), &json!(4)));
    visitor.get(&link).await.says("Nothing is left to translate here.");
    visitor.get(&site.path("")).await.says("German de 0 2 0 0 1");
    let again = visitor.post(&link, &[("price", "20")]).await;
    assert_eq!(again.status, 409);
}

async fn what_failed_of_a_document_is_translated_again_and_nothing_else(store: TestStore) {
    let engine: Arc<PickyEngine> = Arc::default();
    let site = Site::translated_by(&store, &engine).await;
    engine.refuse("Bad", "not now");
    let document =
        json!({ "externalId": "guide.md", "format": "markdown", "body": "# Guide\n\nBad words.\n\nGood words." });
    let body = json!({ "documents": [document] });
    let pushed = site.post("/content").json(&body).send().await;
    let id = pushed.json()["results"][0]["docId"].as_str().unwrap().to_owned();
    let run = site.post(&format!("/content/{id}/run")).json(&json!({})).send().await;
    let first = run.json()["trackingToken"].as_str().unwrap().to_owned();
    let job = site.ended(&first).await;
    assert_eq!((&job["status"], &job["progress"]["failed"]), (&json!("partial"), &json!(2)));
    engine.take_all();
    let mut visitor = site.as_role(Role::Manager).await;
    let links = visitor.get(&site.path(&format!("/runs/{first}"))).await.html().links;
    let link = links.into_iter().find(|link| link.ends_with("/retry")).unwrap();
    let page = visitor.get(&link).await;
    page.says("Translate failed texts again").says("Paragraphs").says("Translate for at most 0.02 credits");
    let before = balance(&site).await;
    let dearer = visitor.post(&link, &[("price", "19")]).await;
    assert_eq!(dearer.status, 409);
    dearer.says("The price has risen");
    let started = visitor.send(page.html().post_form("/retry")).await;
    started.says("The run was started.");
    let job = site.ended(&token_of(&started)).await;
    assert_eq!((&job["status"], &job["progress"]["total"]), (&json!("completed"), &json!(2)));
    assert_eq!(before.0 - balance(&site).await.0, 20);
    visitor.get(&link).await.says("Nothing is left to translate here.");
    assert_eq!(visitor.post(&link, &[("price", "20")]).await.status, 409);
    let filter = AuditFilter { action: Some(AuditAction::RunStarted), ..AuditFilter::default() };
    let log = audit::list(site.service.people(), &site.project.workspace, &filter, 10).await.unwrap();
    assert_eq!(log.entries.len(), 1);
    // Of a document that is gone nothing can be translated.
    let mut tx = site.service.store.begin_write().await.unwrap();
    let archived = LifecycleState { archived_at: Some(site.clock.now()), delete_at: None };
    lifecycle::archive_document(&mut tx, &id, archived).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(visitor.get(&link).await.status, 404);
}

async fn what_cannot_be_paid_is_said_before_and_not_started(store: TestStore) {
    let engine = Arc::default();
    let site = Site::translated_by(&store, &engine).await;
    untranslated(&site, &engine, &json!({ "a": "Hello" })).await;
    let mut tx = site.service.store.begin_write().await.unwrap();
    workspaces::update_terms(&mut tx, &site.project.workspace, "unlimited", Some(Millicredits(2))).await.unwrap();
    tx.commit().await.unwrap();
    let mut visitor = site.as_role(Role::Manager).await;
    let page = visitor.get(&site.path("/runs/new?language=de")).await;
    page.says("cap");
    assert!(!page.text().contains("name=\"price\""), "it cannot be started");
    let before = runs(&site).await;
    let refused = visitor.post(&site.path("/runs/new"), &[("language", "de"), ("after", ""), ("price", "5")]).await;
    assert_eq!(refused.status, 409);
    refused.says("No run was started.");
    assert_eq!(runs(&site).await, before);
}

async fn fields_that_are_wrong_start_nothing(store: TestStore) {
    let engine = Arc::default();
    let site = Site::translated_by(&store, &engine).await;
    untranslated(&site, &engine, &json!({ "a": "Hello" })).await;
    let before = runs(&site).await;
    let mut visitor = site.as_role(Role::Manager).await;
    let long = "x".repeat(5_000);
    for (fields, words) in [
        (vec![], "Choose at least one language."),
        (vec![("price", "5")], "Choose at least one language."),
        (vec![("language", "de")], "Look at the price first."),
        (vec![("language", "de"), ("price", "-1")], "Look at the price first."),
        (vec![("language", "de"), ("price", "99999999999999999999")], "Look at the price first."),
        (vec![("language", "de"), ("price", "5 ")], "Look at the price first."),
        (vec![("language", "en"), ("price", "5")], "base language"),
        (vec![("language", "ja"), ("price", "5")], "no language"),
        (vec![("language", "\u{0}\u{202e}"), ("price", "5")], "No run was started."),
        (vec![("language", long.as_str()), ("price", "5")], "No run was started."),
    ] {
        let page = visitor.post(&site.path("/runs/new"), &fields).await;
        assert_eq!(page.status, 422, "{fields:?}");
        page.says("No run was started.").says(words);
    }
    // A ref that is too long is none.
    let fields = [("language", "de"), ("price", "0"), ("after", long.as_str())];
    assert_eq!(visitor.post(&site.path("/runs/new"), &fields).await.status, 409);
    assert_eq!(runs(&site).await, before);
    let other = site.project_beside("beside").await;
    let retry = format!("/dashboard/@acme/{}/runs/{}/retry", other.slug, before[0]);
    assert_eq!(visitor.get(&retry).await.status, 404);
    assert_eq!(visitor.post(&retry, &[("price", "5")]).await.status, 404);
}

async fn who_may_not_translate_is_not_offered_it(store: TestStore) {
    let engine = Arc::default();
    let site = Site::translated_by(&store, &engine).await;
    let token = untranslated(&site, &engine, &json!({ "a": "Hello" })).await;
    for role in Role::ALL {
        let mut visitor = site.as_role(role).await;
        let may = role >= Role::Manager;
        let list = visitor.get(&site.path("/runs")).await;
        assert_eq!(list.html().links.iter().any(|link| link.ends_with("/runs/new")), may, "{}", role.as_str());
        let run = visitor.get(&site.path(&format!("/runs/{token}"))).await;
        assert_eq!(run.html().links.iter().any(|link| link.ends_with("/retry")), may, "{}", role.as_str());
    }
}

/// A project whose 2,300 keys have no translation into Japanese.
async fn of_many_keys(store: &TestStore) -> Site {
    let site = Site::on(store).await;
    let texts: serde_json::Map<String, Value> =
        (0..2_300).map(|n| (format!("key.{n:04}"), json!(format!("Text {n}")))).collect();
    site.ended(&site.sync(&Value::Object(texts)).await.unwrap()).await;
    assert!(site.post("/languages").json(&json!({ "languages": [{ "code": "ja" }] })).send().await.status < 300);
    site
}

/// The sweep takes what is older for dead: nothing of it may land after that.
async fn a_run_that_takes_too_long_is_given_up(store: TestStore) {
    let site = of_many_keys(&store).await;
    let mut visitor = site.as_role(Role::Manager).await;
    let form = visitor.get(&site.path("/runs/new?language=ja")).await.html().post_form("/runs/new");
    let before = runs(&site).await;
    let takes_long = async {
        loop {
            let held = site.service.store.hold_turn(&site.project.id).await.unwrap();
            if sql::count(&store, "jobs WHERE status = 'staged'").await > 0 {
                site.clock.advance(Duration::from_millis(LANDS_WITHIN.unsigned_abs()));
                return drop(held);
            }
            drop(held);
            tokio::task::yield_now().await;
        }
    };
    let (answer, ()) = tokio::join!(visitor.send(form), takes_long);
    assert_eq!(answer.status, 503);
    assert_eq!(runs(&site).await, before);
    site.clock.advance(Duration::from_secs(5 * 60));
    sweep(&site.service.store, site.clock.now()).await.unwrap();
    assert_eq!(sql::count(&store, "jobs WHERE status = 'staged'").await, 0);
    visitor.get(&site.path("/runs/new?language=ja")).await.says("2,300 missing, 0 stale");
}

/// Before, the texts of 10,000 keys were in memory together, however long they were.
async fn long_texts_are_translated_in_several_runs(store: TestStore) {
    let site = Site::idle(&store).await;
    let (source, now) = (Content::Text("x".repeat(7 * 1024 * 1024)), site.clock.now());
    let key = |name: &'static str| NewKey {
        id: name,
        name,
        namespace: None,
        source_path: None,
        position: 0,
        source: &source,
        source_hash: SourceHash::of(&source),
        description: None,
        max_length: None,
        tags: None,
        syntax: Syntax::Mixed,
        created_at: now,
        updated_at: now,
    };
    let mut tx = site.service.store.begin_write().await.unwrap();
    keys::upsert(&mut tx, &site.project.id, &["a", "b", "c"].map(key)).await.unwrap();
    projects::add_counts(&mut tx, &site.project.id, 3, 3).await.unwrap();
    tx.commit().await.unwrap();
    let mut visitor = site.as_role(Role::Manager).await;
    let path = site.path("/runs/new?language=de");
    let further = |page: &Visited| page.text().contains(r#"name="after" value="b""#);
    let first = visitor.get(&path).await;
    assert!(further(&first), "the third key is for another run");
    let second = visitor.get(&format!("{path}&after=a")).await;
    assert!(!second.text().contains(r#"name="after" value="c""#), "the last two are one run");
}

async fn a_run_of_many_keys_is_planned_ahead_and_lands_whole(store: TestStore) {
    let site = of_many_keys(&store).await;
    let mut visitor = site.as_role(Role::Manager).await;
    let page = visitor.get(&site.path("/runs/new?language=ja")).await;
    page.says("2,300 missing, 0 stale").says("Translate for at most");
    let started = visitor.send(page.html().post_form("/runs/new")).await;
    started.says("The run was started.");
    let job = site.ended(&token_of(&started)).await;
    assert_eq!((&job["status"], &job["progress"]["total"]), (&json!("completed"), &json!(2_300)));
    visitor.get(&site.path("/runs/new?language=ja")).await.says("Nothing is left to translate here.");
    let meta = site.get("/meta").send().await.json();
    assert_eq!(meta["keyCount"], 2_300);
}

async fn refs_and_languages_in_addresses_are_never_interpreted(store: TestStore) {
    let engine = Arc::default();
    let site = Site::translated_by(&store, &engine).await;
    untranslated(&site, &engine, &json!({ "a": "Hello" })).await;
    let mut visitor = site.as_role(Role::Owner).await;
    for hostile in HOSTILE {
        let encode = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let page = visitor.get(&site.path(&format!("/runs/new?language={}", encode(hostile)))).await;
        assert_eq!(page.status, 422, "{hostile}");
        check_is_text(&page, hostile);
        let page = visitor.get(&site.path(&format!("/runs/new?language=de&after={}", encode(hostile)))).await;
        assert_eq!(page.status, 200, "{hostile}");
        check_is_text(&page, hostile);
    }
}
