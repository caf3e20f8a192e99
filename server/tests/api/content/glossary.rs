//! Translated segments of documents before a glossary that changes.

use std::sync::Arc;

use async_trait::async_trait;
use http::Method;
use l10n_api_types::{Check, Issue, ProjectId, Severity, State};
use l10n_formats::SourceHash;
use l10n_server::engines::{Batch, BatchLimits, EngineError, TextSegment, Translator, UnitError};
use l10n_server::store::segment_translations::{self, CheckedTranslation, NewSegmentTranslation, TranslationScope};
use l10n_server::store::segments::{self, Segment};
use l10n_server::testing::{TestApp, TestProject, TestStore, sql};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::content::fixtures::{markdown, pushed, say};
use crate::content::run_fixtures::{ended, run, run_of};

l10n_server::both_engines!(
    segments_are_checked_anew_when_terms_change,
    a_check_goes_through_all_segments_and_languages,
    segments_that_an_engine_was_asked_for_before_are_checked_by_the_terms_after,
);

async fn set(app: &TestApp, project: &TestProject, terms: Value) {
    let path = format!("/v1/projects/{}/glossary", project.id);
    let put = app.at(Method::PUT, &path).key(&project.keys.write).json(&json!({ "terms": terms }));
    assert_eq!(put.send().await.status, 200);
}

/// All translations of a project's segments.
async fn all(app: &TestApp, project: &ProjectId) -> Vec<CheckedTranslation> {
    let mut tx = app.service.store.begin_read().await.unwrap();
    let found = segment_translations::after(&mut tx, project, None, 10_000).await.unwrap();
    tx.rollback().await.unwrap();
    found
}

/// The messages of the check `glossary` in a translation.
fn terms(translation: &CheckedTranslation) -> Vec<&str> {
    let ours = translation.issues.0.iter().filter(|issue| issue.check == Check::Glossary);
    ours.map(|issue| issue.message.as_str()).collect()
}

/// Waits until the translations of a project are as `is_so` wants them.
async fn until(
    app: &TestApp,
    project: &ProjectId,
    is_so: impl Fn(&[CheckedTranslation]) -> bool,
) -> Vec<CheckedTranslation> {
    let mut found = Vec::new();
    for _ in 0..1_000 {
        found = all(app, project).await;
        if is_so(&found) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(is_so(&found), "{found:?}");
    found
}

/// By the project's list, in each language by itself. Other findings, text, state and time stay.
async fn segments_are_checked_anew_when_terms_change(store: TestStore) {
    let app = TestApp::on(&store).await;
    let id = &app.project.id;
    let document = pushed(&app, &markdown("Your cart.\n\nNothing of it.\n")).await;
    say(&app, &document, 0, "de", "Ihr Wagen.", State::Reviewed).await;
    say(&app, &document, 1, "de", "Zur Kasse.", State::Translated).await;
    say(&app, &document, 0, "fr", "Votre panier.", State::Translated).await;
    let other = Issue {
        check: Check::DoubledWord,
        severity: Severity::Warning,
        message: "kept".to_owned(),
        start: None,
        end: None,
    };
    let first = all(&app, id).await.into_iter().find(|one| one.text == "Ihr Wagen.").unwrap();
    let mut tx = app.service.store.begin_write().await.unwrap();
    let pair = TranslationScope { project_id: id, source_language: "en", language: "de" };
    segment_translations::set_issues(&mut tx, pair, &[(first.hash, std::slice::from_ref(&other))]).await.unwrap();
    tx.commit().await.unwrap();
    let before = all(&app, id).await;
    app.clock.advance(std::time::Duration::from_secs(60));
    set(
        &app,
        &app.project,
        json!([
            {"term": "cart", "translations": {"de": "Warenkorb", "fr": "panier"}},
            {"term": "Kasse", "language": "de", "rule": "forbidden"},
        ]),
    )
    .await;
    let told = |found: &[CheckedTranslation], text: &str| -> Vec<String> {
        let one = found.iter().find(|one| one.text == text).unwrap();
        terms(one).into_iter().map(str::to_owned).collect()
    };
    let after = until(&app, id, |found| {
        told(found, "Ihr Wagen.") == ["the glossary has `Warenkorb` for `cart`"]
            && told(found, "Zur Kasse.") == ["the glossary forbids `Kasse`"]
    })
    .await;
    assert_eq!(told(&after, "Votre panier."), [""; 0]);
    let mut rest = after.clone();
    for one in &mut rest {
        one.issues.0.retain(|issue| issue.check != Check::Glossary);
    }
    assert_eq!(rest, before, "all else stays");
    assert!(after.iter().any(|one| one.issues.0.first() == Some(&other)), "{after:?}");

    set(&app, &app.project, json!([])).await;
    until(&app, id, |found| found == before).await;
}

/// More than are looked at in one go, of two languages; the list changes once more on the way.
async fn a_check_goes_through_all_segments_and_languages(store: TestStore) {
    let app = TestApp::on(&store).await;
    let id = &app.project.id;
    let texts: Vec<String> = (0..700).map(|at| format!("Cart {at}")).collect();
    let hash = |text: &str| SourceHash::of(&l10n_api_types::Content::Text(text.to_owned()));
    let rows = texts.iter().map(|text| Segment { hash: hash(text), text: text.clone(), characters: 8 });
    let mut tx = app.service.store.begin_write().await.unwrap();
    segments::keep(&mut tx, id, "en", &rows.collect::<Vec<_>>(), l10n_server::clock::Clock::now(&app.clock))
        .await
        .unwrap();
    for language in ["de", "fr"] {
        let new = texts.iter().map(|text| NewSegmentTranslation {
            hash: hash(text),
            text,
            state: State::Translated,
            issues: &[],
            origin: l10n_api_types::Origin::Machine,
            engine: Some("pseudo"),
        });
        let pair = TranslationScope { project_id: id, source_language: "en", language };
        let now = l10n_server::clock::Clock::now(&app.clock);
        segment_translations::upsert(&mut tx, pair, &new.collect::<Vec<_>>(), now).await.unwrap();
    }
    tx.commit().await.unwrap();
    for german in ["Warenkorb", "Korb"] {
        set(&app, &app.project, json!([{"term": "cart", "translations": {"de": german, "fr": "panier"}}])).await;
    }
    let expected = |language: &str| match language {
        "de" => "the glossary has `Korb` for `cart`",
        _ => "the glossary has `panier` for `cart`",
    };
    let found = until(&app, id, |found| found.iter().all(|one| terms(one) == [expected(&one.language)])).await;
    assert_eq!(found.len(), 1_400);
}

/// Gives texts back when it may.
struct Slow {
    asked: Semaphore,
    may: Semaphore,
}

#[async_trait]
impl Translator for Slow {
    fn name(&self) -> &str {
        "slow"
    }
    fn supports(&self, _: &str, _: &str) -> bool {
        true
    }
    fn limits(&self) -> BatchLimits {
        BatchLimits { max_items: 100, max_characters: 10_000, max_bytes: usize::MAX }
    }
    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        self.asked.add_permits(1);
        self.may.acquire().await.unwrap().forget();
        Ok(batch.items.iter().map(|item| Ok(item.segments.clone())).collect())
    }
}

/// Nothing has been translated yet when the worker checks it anew.
async fn segments_that_an_engine_was_asked_for_before_are_checked_by_the_terms_after(store: TestStore) {
    let engine = Arc::new(Slow { asked: Semaphore::new(0), may: Semaphore::new(0) });
    let app = TestApp::translated_by(&store, Arc::clone(&engine) as Arc<dyn Translator>).await;
    let document = pushed(&app, &markdown("Your cart.\n")).await;
    let run = run_of(&run(&app, document.doc_id.as_str(), &json!({"languages": ["de"]})).send().await);
    engine.asked.acquire().await.unwrap().forget();
    set(&app, &app.project, json!([{"term": "cart", "translations": {"de": "Warenkorb"}}])).await;
    while sql::count(&app.service.store, "glossary_checks").await > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    engine.may.add_permits(1);
    ended(&app, &run).await;
    until(&app, &app.project.id, |found| {
        found.iter().map(terms).collect::<Vec<_>>() == [["the glossary has `Warenkorb` for `cart`"]]
    })
    .await;
}
