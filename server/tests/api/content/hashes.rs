//! A document says what its texts hash to.

use std::time::Duration;

use l10n_api_types::State;
use l10n_api_types::content::{Document, Documents, LiveFile};
use l10n_server::both_engines;
use l10n_server::store::Tx;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::content::fixtures::{live, named, published, pushed, put, read, say, taken};

both_engines!(
    a_document_says_what_its_source_hashes_to,
    a_source_that_has_no_hash_gets_one_by_the_next_push_of_the_document,
    a_document_says_what_its_published_texts_hash_to,
    a_document_that_is_read_in_a_language_says_what_was_published_in_it,
);

fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn listed(app: &TestApp) -> Vec<Document> {
    app.get("/content").send().await.read::<Documents>().documents
}

/// The document, after checking that list and read agree.
async fn shown(app: &TestApp, id: &str) -> Document {
    let listed = listed(app).await.into_iter().find(|document| document.doc_id.as_str() == id).unwrap();
    let read = taken(&read(app, id, "").await);
    assert_eq!(Document { body: None, ..read }, listed);
    listed
}

async fn a_document_says_what_its_source_hashes_to(store: TestStore) {
    let app = TestApp::on(&store).await;
    for (name, text) in [("a", "Grüße.\r\n"), ("b", ""), ("c", "Text.")] {
        let made = pushed(&app, &named(name, text)).await;
        assert_eq!(made.source_sha256, Some(sha256(text)));
        assert_eq!(shown(&app, made.doc_id.as_str()).await, made);
    }
    let first = listed(&app).await.remove(0);
    let id = first.doc_id.as_str();
    let same = taken(&put(&app, id, &json!({"body": "Grüße.\r\n", "title": "Other"})).send().await);
    assert_eq!(same.source_sha256, first.source_sha256);
    let changed = taken(&put(&app, id, &json!({"body": "Grüße.\n"})).send().await);
    assert_eq!(changed.source_sha256, Some(sha256("Grüße.\n")));
    assert_eq!(shown(&app, id).await, changed);
}

async fn a_source_that_has_no_hash_gets_one_by_the_next_push_of_the_document(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (one, two) = (pushed(&app, &named("a", "One.")).await, pushed(&app, &named("b", "Two.")).await);
    // As they were before hashes were stored.
    let mut tx = app.service.store.begin_write().await.unwrap();
    let forget = "UPDATE document_sources SET sha256 = NULL";
    match &mut tx {
        Tx::Sqlite(tx) => drop(sqlx::query(forget).execute(&mut **tx).await.unwrap()),
        Tx::Postgres(tx) => drop(sqlx::query(forget).execute(&mut **tx).await.unwrap()),
    }
    tx.commit().await.unwrap();
    for made in [&one, &two] {
        let old = shown(&app, made.doc_id.as_str()).await;
        assert_eq!(old, Document { source_sha256: None, ..made.clone() });
    }
    let raw = app.get("/content").send().await.json();
    assert_eq!(raw["documents"][0].get("sourceSha256"), None::<&Value>, "it is left out, not null");

    app.clock.advance(Duration::from_secs(1));
    let same = taken(&put(&app, one.doc_id.as_str(), &json!({"body": "One."})).send().await);
    assert_eq!(same, one, "the same source as before, changed at the same time");
    let changed = taken(&put(&app, two.doc_id.as_str(), &json!({"body": "Three."})).send().await);
    assert_eq!(changed.source_sha256, Some(sha256("Three.")));
    assert_eq!(listed(&app).await, [same, changed]);
}

async fn a_document_says_what_its_published_texts_hash_to(store: TestStore) {
    let app = TestApp::on(&store).await;
    let mut made = Vec::new();
    for name in ["a", "b", "none"] {
        made.push(pushed(&app, &named(name, &format!("Text {name}."))).await);
    }
    for (document, language, text) in [(0, "fr", "Texte a."), (0, "de", "Text A."), (1, "de", "Text B.")] {
        say(&app, &made[document], 0, language, text, State::Translated).await;
    }
    let hashes = |texts: &[(&str, &str)]| -> Vec<LiveFile> {
        texts.iter().map(|(language, text)| LiveFile { language: (*language).into(), sha256: sha256(text) }).collect()
    };
    let raw = app.get("/content").send().await.json();
    assert_eq!(raw["documents"][0]["live"], Value::Null);
    published(&app, json!({})).await;
    let now = listed(&app).await;
    let files = |document: &Document| document.live.as_ref().map(|live| live.files.clone());
    assert_eq!(files(&now[0]), Some(hashes(&[("de", "Text A."), ("en", "Text a."), ("fr", "Texte a.")])));
    assert_eq!(files(&now[1]), Some(hashes(&[("de", "Text B."), ("en", "Text b.")])));
    assert_eq!(files(&now[2]), None);
    for document in &now {
        assert_eq!(shown(&app, document.doc_id.as_str()).await, *document);
        for file in files(document).into_iter().flatten() {
            assert_eq!(file.sha256, sha256(&live(&app, document, file.language.as_str()).await));
        }
    }

    // An edit moves neither, until it is published.
    let edited = taken(&put(&app, made[1].doc_id.as_str(), &json!({"body": "New."})).send().await);
    assert_eq!((files(&edited), edited.source_sha256.clone()), (files(&now[1]), Some(sha256("New."))));
    say(&app, &edited, 0, "de", "Neu.", State::Translated).await;
    published(&app, json!({})).await;
    assert_eq!(files(&listed(&app).await[1]), Some(hashes(&[("de", "Neu."), ("en", "New.")])));
}

async fn a_document_that_is_read_in_a_language_says_what_was_published_in_it(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (made, other) = (pushed(&app, &named("a", "One.")).await, pushed(&app, &named("b", "Other.")).await);
    let id = made.doc_id.as_str();
    let told = async |query: &str| taken(&read(&app, id, query).await).published_sha256;
    assert_eq!(told("?language=de&draft=true").await, Some(Vec::new()));
    for (source, german) in [("One.", "Eins."), ("Two.", "Zwei."), ("Three.", "Zwei."), ("Four.", "Eins.")] {
        let document = taken(&put(&app, id, &json!({"body": source})).send().await);
        say(&app, &document, 0, "de", german, State::Translated).await;
        say(&app, &other, 0, "de", "Anderes.", State::Translated).await;
        published(&app, json!({})).await;
    }
    let hashes = |texts: &[&str]| Some(texts.iter().map(|text| sha256(text)).collect::<Vec<_>>());
    // Each once, by its latest publish.
    assert_eq!(told("?language=de").await, hashes(&["Eins.", "Zwei."]));
    assert_eq!(told("?language=de&draft=true").await, hashes(&["Eins.", "Zwei."]));
    assert_eq!(told("?language=en").await, hashes(&["Four.", "Three.", "Two.", "One."]));
    assert_eq!(told("?language=fr&draft=true").await, Some(Vec::new()));
    assert_eq!(told("").await, None, "the texts of which language is not asked");
    let raw = app.get("/content").send().await.json();
    assert_eq!(raw["documents"][0].get("publishedSha256"), None::<&Value>);
}
