//! Documents are published.

use std::sync::Arc;

use l10n_api_types::State;
use l10n_api_types::content::DocumentState;
use l10n_api_types::events::{ContentSummary, DocumentAction};
use l10n_api_types::requests::Receipt;
use l10n_server::both_engines;
use l10n_server::domain::operations::OperationDecision;
use l10n_server::engines::IdentityEngine;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::store::Tx;
use l10n_server::testing::{TestApp, TestStore, decide};
use l10n_server::workers::translate::WorkerConfig;
use serde_json::{Value, json};

use crate::content::fixtures::{
    GUIDE, actions, live, markdown, named, publish, published, pushed, put, read, row, say, taken,
};
use crate::content::run_fixtures::translated;
use crate::jobs::fixtures::TestWorker;

both_engines!(
    a_publish_says_of_each_document_what_became_of_it,
    what_is_published_is_what_is_read,
    what_is_known_to_be_the_same_is_not_rendered_again_until_a_translation_changes,
    languages_that_are_not_asked_for_stay_as_they_are_live,
    a_language_that_is_live_is_never_lost,
    what_a_check_finds_holds_its_document_alone,
    a_rendered_document_has_256_kb_at_most,
    two_hundred_rows_are_listed_and_those_that_moved_come_first,
    without_a_document_nothing_moves,
    a_refused_publish_writes_nothing,
    publishes_of_keys_and_documents_share_a_day,
    an_agent_publishes_what_a_person_allowed,
    published_by_the_identity_engine_a_document_is_its_source_byte_for_byte,
);

async fn what_is_known_to_be_the_same_is_not_rendered_again_until_a_translation_changes(store: TestStore) {
    use DocumentAction::{Published, Unchanged};
    let app = TestApp::on(&store).await;
    let guide = pushed(&app, &markdown(GUIDE)).await;
    translated(&app, guide.doc_id.as_str()).await;
    assert_eq!(actions(&published(&app, json!({})).await), [Published]);
    // Behind the server's back: rendered again, it would be another text.
    set_sources(&store, "# Something else\n").await;
    assert_eq!(actions(&published(&app, json!({})).await), [Unchanged]);
    set_sources(&store, GUIDE).await;
    say(&app, &guide, 0, "de", "Anders", State::Translated).await;
    assert_eq!(actions(&published(&app, json!({})).await), [Published]);
    assert_eq!(actions(&published(&app, json!({})).await), [Unchanged]);
    // In other languages it is asked for anew.
    assert_eq!(actions(&published(&app, json!({"languages": ["de"]})).await), [Unchanged]);
    assert_eq!(actions(&published(&app, json!({})).await), [Unchanged]);
}

async fn set_sources(store: &TestStore, body: &str) {
    const ALL: &str = "UPDATE document_sources SET body = $1";
    let mut tx = store.begin_write().await.unwrap();
    match &mut tx {
        Tx::Sqlite(tx) => drop(sqlx::query(ALL).bind(body).execute(&mut **tx).await.unwrap()),
        Tx::Postgres(tx) => drop(sqlx::query(ALL).bind(body).execute(&mut **tx).await.unwrap()),
    }
    tx.commit().await.unwrap();
}

/// CP-1, CP-2, CP-4, CP-5
async fn a_publish_says_of_each_document_what_became_of_it(store: TestStore) {
    let app = TestApp::on(&store).await;
    let moved = pushed(&app, &named("docs/guide.md", GUIDE)).await;
    let missing = pushed(&app, &markdown("# Nothing of this\n")).await;
    let half = pushed(&app, &markdown("# Half\n\nof this.\n")).await;
    translated(&app, moved.doc_id.as_str()).await;
    say(&app, &half, 0, "de", "Halb", State::Translated).await;
    let answer = publish(&app, json!({})).header("x-correlation-id", "publish-1").send().await;
    assert_eq!(answer.status, 201);
    let raw = answer.json();
    let first: l10n_api_types::publish::DocumentsPublished = answer.read();
    let summary =
        ContentSummary { docs_published: 1, docs_held: 1, docs_unchanged: 0, docs_skipped: 1, docs_too_large: 0 };
    assert_eq!((first.summary, first.truncated, first.restored), (summary, false, false));
    assert_eq!(raw["summary"].as_object().unwrap().len(), 5);
    assert!(first.publish_id.as_str().starts_with("pub_") && raw.get("restored").is_none(), "{raw}");
    use DocumentAction::{Held, Published, Skipped, Unchanged};
    assert_eq!(actions(&first), [Published, Held, Skipped]);
    assert_eq!(row(&first, &moved).external_id.as_deref(), Some("docs/guide.md"));
    assert_eq!(raw["documents"][1].get("externalId"), None, "CP-5: left out where there is none");
    for (document, is_live) in [(&moved, true), (&half, false), (&missing, false)] {
        let now = taken(&read(&app, document.doc_id.as_str(), "").await);
        let version = row(&first, document).version_id.clone();
        assert!(version.as_str().starts_with("cvr_"));
        assert_eq!(now.live.as_ref().map(|live| live.version_id.clone()), is_live.then(|| version.clone()));
        assert_eq!(version == document.source_version_id, !is_live, "without a live version it is the source");
    }
    let receipt: Receipt = app.get("/requests/publish-1").send().await.read();
    let resource = receipt.resource.unwrap();
    assert_eq!((receipt.http_status, resource.kind.as_str()), (Some(201), "publish"));
    assert_eq!((&first.request_id, resource.id.as_str()), (&receipt.request_id, first.publish_id.as_str()));

    let again = published(&app, json!({})).await;
    assert_eq!(actions(&again), [Held, Unchanged, Skipped]);
    assert_eq!(row(&again, &moved).version_id, row(&first, &moved).version_id);
    assert_ne!(again.publish_id, first.publish_id);
    let some = published(&app, json!({"docIds": [missing.doc_id, moved.doc_id, moved.doc_id]})).await;
    assert_eq!(actions(&some), [Unchanged, Skipped]);
}

/// FN-4, CP-7: drafts are not served, and what is published stays.
async fn what_is_published_is_what_is_read(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &named("guide", GUIDE)).await;
    let id = document.doc_id.as_str();
    translated(&app, id).await;
    for language in ["en", "de", "fr"] {
        let unpublished = read(&app, id, &format!("?language={language}")).await;
        assert_eq!(unpublished.outcome(), "404 not_published");
    }
    let draft = taken(&read(&app, id, "?language=de&draft=true").await).body.unwrap();
    let first = published(&app, json!({})).await.documents.remove(0).version_id;
    assert_eq!(live(&app, &document, "de").await, draft);
    assert_eq!(live(&app, &document, "en").await, GUIDE);
    let edited = "# Guide\n\nAnother *step* here.\n";
    put(&app, id, &json!({"body": edited})).send().await;
    translated(&app, id).await;
    assert_eq!(live(&app, &document, "de").await, draft, "a draft was served");
    assert_eq!(live(&app, &document, "en").await, GUIDE);
    assert_eq!(taken(&read(&app, id, "").await).body.as_deref(), Some(edited));

    app.clock.advance(std::time::Duration::from_secs(60));
    let second = published(&app, json!({})).await;
    let now = taken(&read(&app, id, "?language=de").await);
    let at = now.live.as_ref().unwrap();
    assert_eq!((&at.version_id, at.published_at), (&second.documents[0].version_id, second.published_at));
    assert_eq!(now.updated_at, second.published_at);
    assert!(now.body.as_ref().unwrap().starts_with("# ") && now.body.as_deref() != Some(draft.as_str()));
    assert_eq!(live(&app, &document, "en").await, edited);
    for (query, body) in [("", GUIDE), ("&language=de", draft.as_str()), ("&language=en", GUIDE)] {
        let old = taken(&read(&app, id, &format!("?version={first}{query}")).await);
        assert_eq!(old.body.as_deref(), Some(body), "a version stays as it was published");
    }
    let other = pushed(&app, &markdown("Other.")).await;
    let foreign = read(&app, other.doc_id.as_str(), &format!("?version={first}")).await;
    assert_eq!(foreign.outcome(), "404 version_not_found");
}

async fn languages_that_are_not_asked_for_stay_as_they_are_live(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &markdown("One.")).await;
    let id = document.doc_id.as_str();
    say(&app, &document, 0, "de", "Eins.", State::Translated).await;
    say(&app, &document, 0, "fr", "Un.", State::Reviewed).await;
    published(&app, json!({"languages": ["de"]})).await;
    assert_eq!(live(&app, &document, "de").await, "Eins.");
    assert_eq!(read(&app, id, "?language=fr").await.outcome(), "404 not_published");
    assert_eq!(actions(&published(&app, json!({"languages": ["DE", "en"]})).await), [DocumentAction::Unchanged]);
    published(&app, json!({"languages": ["fr"]})).await;
    say(&app, &document, 0, "de", "Ein.", State::Translated).await;
    published(&app, json!({"languages": ["fr"]})).await;
    assert_eq!([live(&app, &document, "de").await, live(&app, &document, "fr").await], ["Eins.", "Un."]);
    published(&app, json!({})).await;
    assert_eq!([live(&app, &document, "de").await, live(&app, &document, "fr").await], ["Ein.", "Un."]);
    assert_eq!(actions(&published(&app, json!({"languages": ["en"]})).await), [DocumentAction::Skipped]);
}

/// A language into which nothing is translated is left out; one that readers have is not taken from them.
async fn a_language_that_is_live_is_never_lost(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &markdown("One.")).await;
    let id = document.doc_id.as_str();
    say(&app, &document, 0, "de", "Eins.", State::Translated).await;
    assert_eq!(actions(&published(&app, json!({})).await), [DocumentAction::Published]);
    let moved = taken(&put(&app, id, &json!({"body": "Two."})).send().await);
    assert_eq!(actions(&published(&app, json!({})).await), [DocumentAction::Skipped]);
    say(&app, &moved, 0, "fr", "Deux.", State::Translated).await;
    assert_eq!(actions(&published(&app, json!({})).await), [DocumentAction::Held]);
    assert_eq!([live(&app, &document, "de").await, live(&app, &document, "en").await], ["Eins.", "One."]);
    say(&app, &moved, 0, "de", "Zwei.", State::Translated).await;
    assert_eq!(actions(&published(&app, json!({})).await), [DocumentAction::Published]);
    assert_eq!([live(&app, &document, "de").await, live(&app, &document, "fr").await], ["Zwei.", "Deux."]);
}

/// A translation that needs a person, a lost link, and one that would become a heading at its place.
async fn what_a_check_finds_holds_its_document_alone(store: TestStore) {
    let app = TestApp::on(&store).await;
    let fine = pushed(&app, &markdown("Fine.")).await;
    say(&app, &fine, 0, "de", "Gut.", State::Translated).await;
    let review = pushed(&app, &markdown("Look at this.")).await;
    say(&app, &review, 0, "de", "Sieh hin.", State::NeedsReview).await;
    let lost = pushed(&app, &markdown("See [the guide](https://example.com/guide) for more.")).await;
    say(&app, &lost, 0, "de", "Siehe die Anleitung.", State::Translated).await;
    let state = |document: l10n_api_types::content::Document| document.languages[0].state;
    assert_eq!(state(taken(&read(&app, review.doc_id.as_str(), "").await)), DocumentState::Held);
    let first = published(&app, json!({})).await;
    assert_eq!((first.summary.docs_published, first.summary.docs_held, first.summary.docs_too_large), (1, 2, 0));
    assert_eq!(row(&first, &fine).action, DocumentAction::Published);
    for held in [&review, &lost] {
        assert_eq!(row(&first, held).action, DocumentAction::Held);
        assert_eq!(read(&app, held.doc_id.as_str(), "?language=de").await.outcome(), "404 not_published");
    }
    say(&app, &review, 0, "de", "Sieh hin.", State::Reviewed).await;
    say(&app, &lost, 0, "de", "Mehr in <1>der Anleitung</1>.", State::Reviewed).await;
    assert_eq!(published(&app, json!({})).await.summary.docs_published, 2);
    assert_eq!(live(&app, &lost, "de").await, "Mehr in [der Anleitung](https://example.com/guide).");
    let list = app.get("/content?state=held").send().await.json();
    assert_eq!(list["documents"], json!([]));
}

/// `docsTooLarge` counts what is held for its size, to the byte.
async fn a_rendered_document_has_256_kb_at_most(store: TestStore) {
    const MOST: usize = 262_144;
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &json!({"format": "text", "body": "Long."})).await;
    say(&app, &document, 0, "de", &"x".repeat(MOST), State::Translated).await;
    assert_eq!(actions(&published(&app, json!({})).await), [DocumentAction::Published]);
    say(&app, &document, 0, "de", &"y".repeat(MOST + 1), State::Translated).await;
    let held = published(&app, json!({})).await;
    assert_eq!(actions(&held), [DocumentAction::Held]);
    assert_eq!((held.summary.docs_held, held.summary.docs_too_large), (1, 1));
    assert_eq!(live(&app, &document, "de").await.len(), MOST, "what is live stays live");
}

/// CP-3, CP-6, CP-9
async fn two_hundred_rows_are_listed_and_those_that_moved_come_first(store: TestStore) {
    let app = TestApp::on(&store).await;
    let mut documents = Vec::new();
    for number in 0..201 {
        documents.push(pushed(&app, &named(&number.to_string(), &format!("Number {number}."))).await);
    }
    say(&app, &documents[200], 0, "de", "Die letzte.", State::Translated).await;
    let ids: Vec<_> = documents[1..].iter().map(|document| &document.doc_id).collect();
    let fits = published(&app, json!({"docIds": ids})).await;
    assert_eq!((fits.documents.len(), fits.truncated, fits.summary.docs_skipped), (200, false, 199));
    say(&app, &documents[200], 0, "de", "Die allerletzte.", State::Translated).await;
    let more = published(&app, json!({})).await;
    assert_eq!((more.documents.len(), more.truncated, more.summary.docs_skipped), (200, true, 200));
    let listed: Vec<_> = more.documents.iter().map(|row| &row.doc_id).collect();
    let expected: Vec<_> = documents[200..].iter().chain(&documents[..199]).map(|document| &document.doc_id).collect();
    assert_eq!(listed, expected);
}

async fn without_a_document_nothing_moves(store: TestStore) {
    let app = TestApp::on(&store).await;
    let nothing = published(&app, json!({})).await;
    assert_eq!((nothing.summary, nothing.documents.len(), nothing.truncated), (ContentSummary::default(), 0, false));
}

/// DRY-5, ERR-400-2
async fn a_refused_publish_writes_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &markdown("One.")).await;
    say(&app, &document, 0, "de", "Eins.", State::Translated).await;
    let mine = document.doc_id.as_str();
    for (body, outcome) in [
        (json!({"dryRun": true}), "400 invalid_argument"),
        (json!({"dryRun": false}), "400 invalid_argument"),
        (json!({"label": "v1"}), "400 invalid_argument"),
        (json!({"languages": []}), "400 invalid_argument"),
        (json!({"languages": ["es"]}), "400 invalid_argument"),
        (json!({"docIds": []}), "400 invalid_argument"),
        (json!({"docIds": mine}), "400 invalid_argument"),
        (json!({"docids": [mine]}), "400 invalid_argument"),
        (json!({"docIds": [mine, "doc_none"]}), "404 not_found"),
        (json!({"docIds": [mine, "../x"]}), "404 not_found"),
        (json!({"docIds": [document.source_version_id]}), "404 not_found"),
    ] {
        assert_eq!(publish(&app, body.clone()).send().await.outcome(), outcome, "{body}");
    }
    let strings = app.post("/publish").json(&json!({"docIds": [mine]})).send().await;
    assert_eq!(strings.outcome(), "400 invalid_argument");
    let other = app.other_project("unlimited").await;
    let theirs = app.at(http::Method::POST, &format!("/v1/projects/{}/publish", other.id)).key(&other.keys.admin);
    let theirs = theirs.json(&json!({"target": "content", "docIds": [mine]}));
    assert_eq!(theirs.send().await.outcome(), "404 not_found");
    for key in [&app.project.keys.read, &app.project.keys.write, &app.project.keys.translate] {
        assert_eq!(publish(&app, json!({})).key(key).send().await.outcome(), "403 forbidden");
    }
    assert_eq!(taken(&read(&app, mine, "").await).live, None);
    assert_eq!(app.get("/meta").send().await.json()["remaining"]["publishes"], 100_000);
}

/// LIM-DAY-1, AMB-14
async fn publishes_of_keys_and_documents_share_a_day(store: TestStore) {
    let app =
        TestApp::with(&store, |settings| settings.limits.publishes_per_day = 2, ConnectionTimeouts::default()).await;
    let document = pushed(&app, &markdown("One.")).await;
    say(&app, &document, 0, "de", "Eins.", State::Translated).await;
    assert_eq!(publish(&app, json!({"docIds": ["doc_none"]})).send().await.outcome(), "404 not_found");
    assert_eq!(app.post("/publish").send().await.outcome(), "409 nothing_to_publish");
    published(&app, json!({})).await;
    assert_eq!(app.get("/meta").send().await.json()["remaining"]["publishes"], 1);
    published(&app, json!({})).await;
    for refused in [publish(&app, json!({})), app.post("/publish")] {
        let refused = refused.send().await;
        assert_eq!((refused.outcome(), refused.header("retry-after")), ("429 rate_limited".to_owned(), Some("60")));
    }
}

/// AUTH-11: bound to the kind, the target, the document and the languages.
async fn an_agent_publishes_what_a_person_allowed(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (one, other) = (pushed(&app, &markdown("One.")).await, pushed(&app, &markdown("Other.")).await);
    say(&app, &one, 0, "de", "Eins.", State::Translated).await;
    let agent = app.project.keys.agent.clone();
    let approved = async |ask: Value| {
        let asked = app.post("/operations").key(&agent).json(&ask).send().await;
        assert_eq!(asked.status, 201, "{asked:?}");
        let id = asked.json()["operationId"].as_str().unwrap().to_owned();
        decide(&app.service, &id, OperationDecision { is_approved: true, by: "ada", reason: None }).await.unwrap();
        id
    };
    let refusal = async |body: Value| {
        let refused = publish(&app, body).key(&agent).send().await;
        assert_eq!(refused.outcome(), "403 authorization_required", "{refused:?}");
        refused.json()["details"]["reason"].as_str().unwrap().to_owned()
    };
    assert_eq!(refusal(json!({})).await, "missing");
    let strings = approved(json!({"kind": "publish"})).await;
    assert_eq!(refusal(json!({"operationId": strings})).await, "target");
    let bound = approved(json!({"kind": "publish", "docId": one.doc_id, "languages": ["de"]})).await;
    assert_eq!(refusal(json!({"operationId": bound})).await, "document");
    assert_eq!(refusal(json!({"operationId": bound, "docIds": [one.doc_id, other.doc_id]})).await, "document");
    assert_eq!(refusal(json!({"operationId": bound, "docIds": [one.doc_id]})).await, "languages");
    let allowed = json!({"operationId": bound, "docIds": [one.doc_id], "languages": ["de"]});
    let answer = publish(&app, allowed.clone()).key(&agent).send().await;
    assert_eq!((answer.status, &answer.json()["summary"]["docsPublished"]), (201, &json!(1)));
    assert_eq!(refusal(allowed).await, "used");
    let all = approved(json!({"kind": "publish", "target": "content"})).await;
    assert_eq!(publish(&app, json!({"operationId": all})).key(&agent).send().await.status, 201);
}

/// The law, end to end: pushed, run, published and read.
async fn published_by_the_identity_engine_a_document_is_its_source_byte_for_byte(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(IdentityEngine)).await;
    let worker = TestWorker::configured(&app, WorkerConfig::default());
    let mut documents = vec![("markdown", GUIDE.to_owned())];
    for number in 0..12 {
        documents.extend(generated(number));
    }
    let mut all = Vec::new();
    for (format, text) in &documents {
        let document = pushed(&app, &json!({"format": format, "body": text})).await;
        translated(&app, document.doc_id.as_str()).await;
        all.push(document);
    }
    let done = published(&app, json!({})).await;
    assert_eq!(done.summary.docs_published, documents.len() as u64, "{done:?}");
    for (document, (_, text)) in all.iter().zip(&documents) {
        for language in ["en", "de", "fr"] {
            assert_eq!(&live(&app, document, language).await, text, "{language}");
        }
    }
    worker.shut_down().await;
}

/// A document of each format, put together of parts by number: line ends, nesting and markup of all kinds.
fn generated(number: usize) -> [(&'static str, String); 3] {
    let parts = [
        "# Heading *of* `code`\n\n",
        "- one\n  - two **bold**\n\n    more\n- three\n\n",
        "> quoted [link](/a \"t\") <b>x</b>\n> lazy\n\n",
        "| a | b |\n|:--|--:|\n| `c` | d\\|e |\n\n",
        "```js\nconst x = '<p>';\n```\n\n",
        "Text with {x}, &amp; and <br/> breaks.  \nHere.\n\n",
        "1. first\n2. second[^1]\n\n[^1]: note\n\n",
        "<div title='a &quot;b'>\n\nInside *it*.\n\n</div>\n\n",
        "Setext\n======\n\n",
        "import A from 'a'\n\n<A b={1}>child</A>\n\n",
        "![alt *text*](i.png) and https://example.com\n\n",
    ];
    let pick = |at: usize| parts[(number * 7 + at * 3) % parts.len()];
    let mut body: String = (0..6).map(pick).collect();
    if number.is_multiple_of(3) {
        body = format!("---\ntitle: \"Number {number}\"\ntags: [a, b]\n---\n{body}");
    }
    if number.is_multiple_of(2) {
        body = body.replace('\n', "\r\n");
    }
    let html =
        format!("<!-- {number} --><UL><li>One <em>{number}</em><li title=two>Two &lt;</UL>\n<pre> kept </pre><p>End");
    let text = format!("Paragraph {number}\ngoes on.{}Next\t one. \n", "\r\n".repeat(2 + number % 3));
    [("markdown", body), ("html", html), ("text", text)]
}
