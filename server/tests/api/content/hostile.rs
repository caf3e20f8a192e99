//! Documents that mean no good.

use std::sync::Arc;

use async_trait::async_trait;
use l10n_api_types::translations::JobStatus;
use l10n_server::both_engines;
use l10n_server::engines::{Batch, BatchItem, BatchLimits, EngineError, TextSegment, Translator, UnitError};
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::content::fixtures::{count, markdown, push, pushed, put, read, taken};
use crate::content::run_fixtures::{ended, run, run_of};

both_engines!(
    the_cap_holds_to_the_byte,
    whatever_is_pushed_is_taken_whole_or_refused_whole,
    an_answer_with_a_character_that_no_text_has_fails_its_text_alone,
);

const CAP: usize = 262_144;

/// LIM-BODY-4, AMB-10
async fn the_cap_holds_to_the_byte(store: TestStore) {
    let app = TestApp::on(&store).await;
    let frame = markdown("").to_string().len();
    let at_cap = markdown(&"x".repeat(CAP - frame)).to_string();
    assert_eq!(at_cap.len(), CAP);
    let post = |body: String| app.post("/content").body(body).header("content-type", "application/json").send();
    let document = taken(&post(at_cap.clone()).await);
    assert_eq!(post(format!("{at_cap} ")).await.outcome(), "413 payload_too_large");
    let id = document.doc_id.as_str();
    let frame = json!({"body": ""}).to_string().len();
    let at_cap = json!({"body": "y".repeat(CAP - frame)}).to_string();
    assert_eq!(at_cap.len(), CAP);
    let path = format!("/content/{id}");
    let put =
        |body: String| app.call(http::Method::PUT, &path).body(body).header("content-type", "application/json").send();
    assert_eq!(put(at_cap.clone()).await.status, 200);
    assert_eq!(put(format!("{at_cap} ")).await.outcome(), "413 payload_too_large");
    assert_eq!(count(&app).await, 1);
}

/// HOSTILE-INPUTS: deep nesting, floods of links and attributes, markup without an end, broken front matter.
async fn whatever_is_pushed_is_taken_whole_or_refused_whole(store: TestStore) {
    let app = TestApp::on(&store).await;
    let taken_whole = [
        ("markdown", format!("{} deep\n", "> ".repeat(10_000))),
        ("markdown", "- ".repeat(10_000) + "deep\n"),
        ("markdown", "[a](b)".repeat(20_000)),
        ("markdown", "[".repeat(50_000)),
        ("markdown", "*a _b ".repeat(20_000)),
        ("markdown", "<div>".repeat(20_000)),
        ("html", "<b>".repeat(20_000) + "x"),
        ("html", "</p></div><!-- ".repeat(5_000)),
        ("html", "<p title='x".repeat(10_000)),
        ("html", format!("<p {}>x</p>", "a=\"x\" ".repeat(30_000))),
        ("html", format!("<p>x</p {}>", "a=\"x\"\n".repeat(28_000))),
        ("markdown", format!("<p {}>x</p>\n", "a=\"x\" ".repeat(30_000))),
        ("markdown", format!("An <i {}>x</i>\n", "a=\"x\" ".repeat(30_000))),
        ("text", "\u{feff}a\r\n\r\r\nb\u{2028}c\n".repeat(5_000)),
        ("text", String::new()),
    ];
    for (format, text) in &taken_whole {
        let document = pushed(&app, &json!({"format": format, "body": text})).await;
        let back = taken(&read(&app, document.doc_id.as_str(), "").await);
        assert_eq!(back.body.as_ref(), Some(text), "{format}");
        let draft = taken(&read(&app, document.doc_id.as_str(), "?language=de&draft=true").await);
        assert_eq!(draft.body.as_ref(), Some(text), "nothing is translated: {format}");
    }
    let number = count(&app).await;
    assert_eq!(number, taken_whole.len() as u64);

    let broken = "---\ntitle: [unclosed\n---\n\n# A\n";
    let refused = push(&app, &markdown(broken)).send().await;
    assert_eq!(refused.outcome(), "400 document_unparseable");
    let details = &refused.json()["details"];
    assert!(details["line"].as_u64().is_some_and(|line| line >= 1), "{details}");
    assert!(details["column"].as_u64().is_some_and(|column| column >= 1), "{details}");
    let document = pushed(&app, &markdown("# A\n")).await;
    let refused = put(&app, document.doc_id.as_str(), &json!({"body": broken})).send().await;
    assert_eq!(refused.outcome(), "400 document_unparseable");
    let not_utf8 = b"{\"format\":\"text\",\"body\":\"\xff\"}".to_vec();
    let refused = app.post("/content").body(not_utf8).header("content-type", "application/json").send().await;
    assert_eq!(refused.outcome(), "400 invalid_argument");
    assert_eq!(count(&app).await, number + 1);
    assert_eq!(taken(&read(&app, document.doc_id.as_str(), "").await).body.as_deref(), Some("# A\n"));
}

/// Gives texts back, the first of a batch with the character NUL.
struct Garbling;

#[async_trait]
impl Translator for Garbling {
    fn name(&self) -> &str {
        "garbling"
    }
    fn supports(&self, _: &str, _: &str) -> bool {
        true
    }
    fn limits(&self) -> BatchLimits {
        BatchLimits { max_items: 100, max_characters: 10_000, max_bytes: usize::MAX }
    }
    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        let back = |(at, item): (usize, &BatchItem)| {
            let garble = TextSegment::Text("\0".to_owned());
            Ok(item.segments.iter().cloned().chain((at == 0).then_some(garble)).collect())
        };
        Ok(batch.items.iter().enumerate().map(back).collect())
    }
}

/// No text that comes in has it, and PostgreSQL stores none.
async fn an_answer_with_a_character_that_no_text_has_fails_its_text_alone(store: TestStore) {
    let app = TestApp::translated_by(&store, Arc::new(Garbling)).await;
    let document = pushed(&app, &markdown("First.\n\nSecond.\n\nThird.\n")).await;
    let run = run_of(&run(&app, document.doc_id.as_str(), &json!({"languages": ["de"]})).send().await);
    let job = ended(&app, &run).await;
    assert_eq!((job.status, job.progress.done, job.progress.failed), (JobStatus::Partial, 2, 1));
    let failure = &job.failures[0];
    assert!(failure.error == "engine_refused" && failure.message.contains("NUL"), "{failure:?}");
}
