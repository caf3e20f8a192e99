//! Machine translations of segments are checked, and approved ones stay.

use std::sync::Arc;

use async_trait::async_trait;
use l10n_api_types::content::DocumentState;
use l10n_api_types::translations::JobStatus;
use l10n_api_types::{Content, Millicredits, Origin, State};
use l10n_formats::SourceHash;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::engines::{Batch, BatchLimits, EngineError, IdentityEngine, TextSegment, Translator, UnitError};
use l10n_server::store::segment_translations::{self, NewSegmentTranslation, TranslationScope};
use l10n_server::testing::{TestApp, TestStore};
use l10n_server::workers::translate::WorkerConfig;
use serde_json::json;

use crate::content::fixtures::{markdown, pushed, read, taken};
use crate::content::run_fixtures::{ended, run, run_of};
use crate::jobs::fixtures::TestWorker;

both_engines!(
    what_would_lose_its_link_or_code_is_held_back,
    what_lost_its_placeholders_fails_and_is_not_charged,
    what_a_person_approved_while_a_job_waited_stays_and_is_not_charged,
    what_a_person_wrote_while_a_job_waited_stays_and_is_not_charged,
);

const TEXT: &str = "Plain words.\n\nRead [the manual](/m) of `make` now.\n";

/// An engine that does not keep placeholders where they were.
#[derive(Clone, Copy)]
enum Careless {
    /// It puts them all at the end.
    Moves,
    /// It drops them.
    Drops,
}

#[async_trait]
impl Translator for Careless {
    fn name(&self) -> &str {
        "careless"
    }

    fn supports(&self, _: &str, _: &str) -> bool {
        true
    }

    fn limits(&self) -> BatchLimits {
        BatchLimits::of(100, 100_000)
    }

    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        let made = batch.items.iter().map(|item| {
            let (texts, placeholders): (Vec<_>, Vec<_>) =
                item.segments.iter().cloned().partition(|segment| matches!(segment, TextSegment::Text(_)));
            let texts = texts.into_iter().map(|segment| match segment {
                TextSegment::Text(text) => TextSegment::Text(text.to_uppercase()),
                placeholder => placeholder,
            });
            Ok(match self {
                Self::Moves => texts.chain(placeholders).collect(),
                Self::Drops => texts.collect(),
            })
        });
        Ok(made.collect())
    }
}

async fn what_would_lose_its_link_or_code_is_held_back(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(Careless::Moves)).await;
    let worker = TestWorker::configured(&app, WorkerConfig::default());
    let document = pushed(&app, &markdown(TEXT)).await;
    let id = document.doc_id.as_str();
    let job = ended(&app, &run_of(&run(&app, id, &json!({"languages": ["de"]})).send().await)).await;
    assert_eq!((job.status, job.progress.done, job.progress.needs_review), (JobStatus::Completed, 2, 1));
    let states: Vec<_> = job.translations.iter().map(|made| made.state).collect();
    assert_eq!(states, [State::Translated, State::NeedsReview]);
    let draft = taken(&read(&app, id, "?language=de&draft=true").await);
    assert_eq!(draft.languages[0].state, DocumentState::Held);
    assert_eq!(draft.body.as_deref(), Some("PLAIN WORDS.\n\nRead [the manual](/m) of `make` now.\n"));
    // What is held back is not remembered, and not made anew by itself.
    let keys = json!({"keys": [{"ref": "a", "text": "Read <1>the manual</1> of <2/> now."}], "languages": ["de"]});
    let strings = run_of(&app.post("/translate?dryRun=true").json(&keys).send().await);
    assert!(strings.estimated_credits > Millicredits::ZERO, "{strings:?}");
    let again = run_of(&run(&app, id, &json!({"languages": ["de"], "dryRun": true})).send().await);
    assert_eq!(again.estimated_credits, Millicredits::ZERO);
    worker.shut_down().await;
}

async fn what_lost_its_placeholders_fails_and_is_not_charged(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(Careless::Drops)).await;
    let worker = TestWorker::configured(&app, WorkerConfig::default());
    let document = pushed(&app, &markdown(TEXT)).await;
    let id = document.doc_id.as_str();
    let asked = run_of(&run(&app, id, &json!({"languages": ["de"]})).send().await);
    let job = ended(&app, &asked).await;
    assert_eq!((job.status, job.progress.done, job.progress.failed), (JobStatus::Partial, 1, 1));
    assert_eq!(job.credits_charged, Millicredits("Plain words.".len() as i64));
    let failures: Vec<_> =
        job.failures.iter().map(|failure| (failure.r#ref.as_str(), failure.error.as_str())).collect();
    assert_eq!(failures, [(asked.items[1].r#ref.as_str(), "placeholders_lost")]);
    let now = taken(&read(&app, id, "").await);
    assert_eq!((now.languages[0].state, now.languages[0].translated), (DocumentState::Outdated, 1));
    // The next run takes it up.
    let again = run_of(&run(&app, id, &json!({"languages": ["de"], "dryRun": true})).send().await);
    assert_eq!(again.classification.new, 1);
    worker.shut_down().await;
}

async fn what_a_person_wrote_while_a_job_waited_stays_and_is_not_charged(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(IdentityEngine)).await;
    let document = pushed(&app, &markdown(TEXT)).await;
    let id = document.doc_id.as_str();
    let asked = run_of(&run(&app, id, &json!({"languages": ["de"]})).send().await);
    crate::content::fixtures::say(&app, &document, 0, "de", "Klare Worte.", State::Translated).await;
    let worker = TestWorker::configured(&app, WorkerConfig::default());
    let job = ended(&app, &asked).await;
    assert_eq!(job.credits_charged, Millicredits("Read the manual of  now.".len() as i64));
    let draft = taken(&read(&app, id, "?language=de&draft=true").await);
    assert_eq!(draft.body, Some(TEXT.replace("Plain words.", "Klare Worte.")));
    worker.shut_down().await;
}

async fn what_a_person_approved_while_a_job_waited_stays_and_is_not_charged(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(IdentityEngine)).await;
    let document = pushed(&app, &markdown(TEXT)).await;
    let id = document.doc_id.as_str();
    let asked = run_of(&run(&app, id, &json!({"languages": ["de"]})).send().await);
    let approved = NewSegmentTranslation {
        hash: SourceHash::of(&Content::Text("Plain words.".into())),
        text: "Klare Worte.",
        state: State::Reviewed,
        issues: &[],
        origin: Origin::Human,
        engine: None,
    };
    let pair = TranslationScope { project_id: &app.project.id, source_language: "en", language: "de" };
    let mut tx = app.service.store.begin_write().await.unwrap();
    segment_translations::upsert(&mut tx, pair, &[approved], app.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    let worker = TestWorker::configured(&app, WorkerConfig::default());
    let job = ended(&app, &asked).await;
    assert_eq!((job.status, job.progress.done), (JobStatus::Completed, 2));
    assert_eq!(job.credits_charged, Millicredits("Read the manual of  now.".len() as i64));
    let anew = run_of(&run(&app, id, &json!({"languages": ["de"], "retranslate": true, "dryRun": true})).send().await);
    assert_eq!((anew.classification.changed, anew.classification.unchanged), (1, 1));
    let draft = taken(&read(&app, id, "?language=de&draft=true").await);
    assert_eq!(draft.body, Some(TEXT.replace("Plain words.", "Klare Worte.")));
    worker.shut_down().await;
}
