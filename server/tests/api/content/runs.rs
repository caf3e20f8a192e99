//! Documents are priced and translated.

use std::collections::HashSet;
use std::sync::Arc;

use l10n_api_types::Millicredits;
use l10n_api_types::content::DocumentState;
use l10n_api_types::translations::{JobKind, JobStatus, Run, RunStatus};
use l10n_server::both_engines;
use l10n_server::engines::IdentityEngine;
use l10n_server::testing::{TestApp, TestStore};
use l10n_server::workers::translate::WorkerConfig;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::content::fixtures::{GUIDE, markdown, pushed, put, read, taken};
use crate::content::run_fixtures::{balance, ended, run, run_of, translated};
use crate::jobs::fixtures::TestWorker;

both_engines!(
    a_run_charges_what_its_preview_said_and_the_draft_is_there,
    an_edit_pays_for_the_edited_paragraph_and_a_move_for_nothing,
    whatever_is_edited_each_text_is_paid_for_once,
    a_repeated_run_is_done_once_and_has_a_receipt,
    the_identity_engine_gives_a_document_back_byte_for_byte,
    a_segment_is_translated_once_for_all_documents,
    the_body_of_a_run_is_checked_and_capped_to_the_byte,
    segments_that_an_unfinished_run_translates_are_left_to_it,
);

/// FN-4, DRY-2, DRY-3: the preview writes nothing, and the run costs no more than it said.
async fn a_run_charges_what_its_preview_said_and_the_draft_is_there(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &markdown(GUIDE)).await;
    let (id, before) = (document.doc_id.as_str(), balance(&app).await);
    let preview = run_of(&run(&app, id, &json!({"dryRun": true})).send().await);
    assert_eq!((preview.status, preview.dry_run, &preview.would_fail), (RunStatus::Preview, true, &None));
    let characters = i64::try_from(document.characters).unwrap();
    assert_eq!(preview.estimated_credits, Millicredits(characters * 2), "two languages");
    assert_eq!((preview.classification.new, preview.items.len()), (3, 3));
    assert_eq!(balance(&app).await, before);
    assert_eq!(taken(&read(&app, id, "").await).languages[0].state, DocumentState::Missing);

    let real = run_of(&run(&app, id, &json!({"dryRun": false, "languages": ["de"]})).send().await);
    assert_eq!((real.status, real.estimated_credits), (RunStatus::Queued, Millicredits(characters)));
    let job = ended(&app, &real).await;
    assert_eq!((job.kind, job.status, job.progress.total), (JobKind::Content, JobStatus::Completed, 3));
    assert_eq!(job.credits_charged, Millicredits(characters));
    let refs: Vec<_> = real.items.iter().map(|item| item.r#ref.as_str()).collect();
    let made: Vec<_> = job.translations.iter().map(|made| made.r#ref.as_str()).collect();
    assert_eq!(made, refs);
    assert_eq!(balance(&app).await, before - characters);
    let now = taken(&read(&app, id, "?language=de&draft=true").await);
    let states: Vec<_> = now.languages.iter().map(|language| (language.code.as_str(), language.state)).collect();
    assert_eq!(states, [("de", DocumentState::Translated), ("fr", DocumentState::Missing)]);
    let draft = now.body.unwrap();
    assert!(draft.contains("```sh\nmake\n```\n") && draft != GUIDE, "{draft}");
    assert_eq!(taken(&read(&app, id, "?language=fr&draft=true").await).body.as_deref(), Some(GUIDE));

    assert_eq!(translated(&app, id).await, Millicredits(characters), "French is left");
    let again = run_of(&run(&app, id, &json!({})).send().await);
    assert_eq!((again.status, again.estimated_credits), (RunStatus::Completed, Millicredits::ZERO));
    assert_eq!(again.classification.unchanged, 3);
    let anew = run_of(&run(&app, id, &json!({"retranslate": true, "dryRun": true})).send().await);
    assert_eq!((anew.classification.changed, anew.estimated_credits), (3, Millicredits(characters * 2)));
}

async fn an_edit_pays_for_the_edited_paragraph_and_a_move_for_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    let paragraphs: Vec<String> = (0..20).map(|number| format!("Paragraph *number* {number} says this.")).collect();
    let document = pushed(&app, &markdown(&paragraphs.join("\n\n"))).await;
    let id = document.doc_id.as_str();
    assert_eq!(translated(&app, id).await.0, i64::try_from(document.characters).unwrap() * 2);
    for at in [0, 7, 19] {
        let mut moved = paragraphs.clone();
        let one = moved.remove(at);
        moved.insert(moved.len() / 2, one);
        put(&app, id, &json!({"body": moved.join("\n\n")})).send().await;
        assert_eq!(translated(&app, id).await, Millicredits::ZERO, "{at}");

        let text = format!("Edited for the {at}th time.");
        moved[at.min(18)] = text.clone();
        put(&app, id, &json!({"body": moved.join("\n\n")})).send().await;
        assert_eq!(translated(&app, id).await.0, i64::try_from(text.len()).unwrap() * 2, "{at}");
        put(&app, id, &json!({"body": paragraphs.join("\r\n\r\n")})).send().await;
        assert_eq!(translated(&app, id).await, Millicredits::ZERO, "what came back was paid for");
    }
}

/// RES-13: whichever paragraphs come, go, move and are repeated, in whichever documents, a text is paid for once, and no more
/// than the preview said.
async fn whatever_is_edited_each_text_is_paid_for_once(store: TestStore) {
    const TEXTS: usize = 12;
    const STORIES: usize = 6;
    let app = TestApp::on(&store).await;
    let text = |number: usize| format!("Paragraph {} is {}.", "n".repeat(number + 1), number * number);
    let story = prop::collection::vec((any::<bool>(), prop::collection::vec(0..TEXTS, 1..8)), 1..5);
    let mut runner = TestRunner::deterministic();
    let mut paid = HashSet::new();
    let documents = [pushed(&app, &markdown("1")).await, pushed(&app, &markdown("2")).await];
    for _ in 0..STORIES {
        for (which, paragraphs) in story.new_tree(&mut runner).unwrap().current() {
            let id = documents[usize::from(which)].doc_id.as_str();
            let body = paragraphs.iter().map(|number| text(*number)).collect::<Vec<_>>().join("\n\n");
            assert_eq!(put(&app, id, &json!({"body": body})).send().await.status, 200);
            let unpaid: Vec<_> = paragraphs.into_iter().filter(|number| paid.insert(*number)).collect();
            let price = unpaid.iter().map(|number| text(*number).len()).sum::<usize>() * 2;
            let preview = run_of(&run(&app, id, &json!({"dryRun": true})).send().await);
            assert_eq!(preview.estimated_credits.0, i64::try_from(price).unwrap(), "{body}");
            assert_eq!(translated(&app, id).await, preview.estimated_credits, "{body}");
        }
    }
    assert!(paid.len() > TEXTS / 2, "{paid:?}");
}

/// API-COMPLETION 1 and 2
async fn a_repeated_run_is_done_once_and_has_a_receipt(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &markdown(GUIDE)).await;
    let (id, before) = (document.doc_id.as_str(), balance(&app).await);
    let call = || run(&app, id, &json!({"languages": ["de"]})).header("idempotency-key", "one");
    let first = call().header("x-correlation-id", "my-run").send().await;
    let job = ended(&app, &run_of(&first)).await;
    let again = call().send().await;
    assert_eq!((again.status, again.header("idempotency-replayed")), (202, Some("true")));
    assert_eq!(again.json(), first.json());
    assert_eq!(balance(&app).await, before - job.credits_charged.0);
    let receipt = app.get("/requests/my-run").send().await.json();
    assert_eq!((&receipt["status"], &receipt["httpStatus"]), (&json!("succeeded"), &json!(202)));
    assert_eq!(receipt["resource"], json!({"kind": "translation", "id": job.tracking_token}));
}

/// The law: translated by the identity engine, a document comes back byte for byte.
async fn the_identity_engine_gives_a_document_back_byte_for_byte(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(IdentityEngine)).await;
    let worker = TestWorker::configured(&app, WorkerConfig::default());
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let mut documents = vec![
        ("markdown", GUIDE.to_owned()),
        (
            "markdown",
            "---\ntitle: 'A: b'\n---\r\n\r\n| a *b* | `c` |\r\n|---|:-:|\r\n| {x} | <b>y</b> |\r\n".to_owned(),
        ),
        ("html", "<!DOCTYPE html><P title='x &amp; y'>A <b>b\n c</P><script>if(a<b)</script>".to_owned()),
        ("text", "\u{feff}One\r\ntwo.\r\n\r\n\r\n  Three.\t\n".to_owned()),
    ];
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "server/src/store/README.md"] {
        documents.push(("markdown", std::fs::read_to_string(format!("{root}/{name}")).unwrap()));
    }
    for (format, text) in &documents {
        let document = pushed(&app, &json!({"format": format, "body": text})).await;
        let id = document.doc_id.as_str();
        translated(&app, id).await;
        let back = taken(&read(&app, id, "?language=de&draft=true").await);
        assert_eq!(back.body.as_ref(), Some(text));
        assert!(back.languages.iter().all(|language| language.state == DocumentState::Translated), "{back:?}");
    }
    worker.shut_down().await;
}

async fn segments_that_an_unfinished_run_translates_are_left_to_it(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(IdentityEngine)).await;
    let document = pushed(&app, &markdown("# Title\n\nA paragraph.\n")).await;
    let first = run_of(&run(&app, document.doc_id.as_str(), &json!({})).send().await);
    let again = run_of(&run(&app, document.doc_id.as_str(), &json!({})).send().await);
    assert_eq!((again.status, again.estimated_credits), (RunStatus::Completed, Millicredits::ZERO));
    assert_eq!(again.warnings, ["left to a run that had not ended yet: 4 translations"]);
    assert!(first.warnings.is_empty(), "{first:?}");
}

async fn a_segment_is_translated_once_for_all_documents(store: TestStore) {
    let app = TestApp::on(&store).await;
    let first = pushed(&app, &markdown("# Both say this\n\nOne alone.\n")).await;
    let second = pushed(&app, &markdown("Two alone.\n\n- Both say this\n")).await;
    translated(&app, first.doc_id.as_str()).await;
    assert_eq!(translated(&app, second.doc_id.as_str()).await, Millicredits(2 * "Two alone.".len() as i64));
    let page = app.get("/content?state=translated").send().await.json();
    assert_eq!(page["documents"].as_array().unwrap().len(), 2);
    // What the project's strings say is in the memory of the workspace.
    let keys = json!({"keys": [{"ref": "one", "text": "One alone."}]});
    let strings: Run = app.post("/translate?dryRun=true").json(&keys).send().await.read();
    assert_eq!(strings.estimated_credits, Millicredits::ZERO);
}

/// LIM-BODY-5, DRY-4
async fn the_body_of_a_run_is_checked_and_capped_to_the_byte(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &markdown(GUIDE)).await;
    let id = document.doc_id.as_str();
    for bad in [
        json!({"dryRun": "true"}),
        json!({"dryRun": 1}),
        json!({"dryRun": null}),
        json!({"dry_run": true}),
        json!({"languages": []}),
        json!({"languages": ["es"]}),
        json!({"languages": ["en"]}),
        json!({"more": 1}),
    ] {
        assert_eq!(run(&app, id, &bad).send().await.outcome(), "400 invalid_argument", "{bad}");
    }
    let path = format!("/content/{id}/run");
    assert_eq!(app.post(&format!("{path}?dryRun=true")).send().await.outcome(), "400 invalid_argument");
    let padded = |size: usize| format!("{:<size$}", "{\"dryRun\":true}");
    let post = |body: String| app.post(&path).body(body).header("content-type", "application/json").send();
    assert_eq!(post(padded(8_192)).await.status, 200);
    assert_eq!(post(padded(8_193)).await.outcome(), "413 payload_too_large");
    assert_eq!(run(&app, "doc_none", &json!({})).send().await.outcome(), "404 not_found");
    for key in [&app.project.keys.read, &app.project.keys.write, &app.project.keys.publish] {
        assert_eq!(run(&app, id, &json!({})).key(key).send().await.outcome(), "403 forbidden");
    }
    assert_eq!(taken(&read(&app, id, "").await).languages[0].state, DocumentState::Missing, "nothing ran");
}
