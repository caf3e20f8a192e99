//! Decisions about documents: what a run would cost, and what a publish would change.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::approvals::{ask, path};
use crate::support::Site;

both_engines!(
    work_on_a_document_names_it_and_its_price,
    work_on_all_documents_has_one_price,
    a_publish_of_documents_shows_what_would_change,
);

async fn work_on_a_document_names_it_and_its_price(store: TestStore) {
    let site = Site::idle(&store).await;
    let text = "# Guide\n\nGood words.\n\n<b>More</b> words.";
    let document = json!({ "externalId": "guide.md", "title": "A <b>guide</b>", "format": "markdown", "body": text });
    let body = json!({ "documents": [document] });
    let pushed = site.post("/content").json(&body).send().await;
    assert!(pushed.status < 300, "{pushed:?}");
    let id = pushed.json()["results"][0]["docId"].as_str().unwrap().to_owned();
    let dry =
        site.post(&format!("/content/{id}/run")).json(&json!({ "dryRun": true, "languages": ["de"] })).send().await;
    let quoted = dry.json()["estimatedCredits"].as_i64().unwrap();
    assert!(quoted > 0, "{dry:?}");
    let mut manager = site.as_role(Role::Manager).await;
    let asked = ask(
        &site,
        &json!({"kind": "translation", "target": "content", "docId": id, "max_credits": 4, "languages": ["de"]}),
    )
    .await;
    let page = manager.get(&path(&asked)).await;
    page.says("A <b>guide</b>").says("Paragraphs without translation now3");
    assert!(page.text().contains(&format!("<data class=\"money\" value=\"{quoted}\"")), "{}", page.text());
    let asked = ask(&site, &json!({"kind": "publish", "target": "content", "docId": id})).await;
    let page = manager.get(&path(&asked)).await;
    page.says("A <b>guide</b>").says("Live version of the documentNot published yet");
    assert!(!page.html().text.contains("since the last publish"), "that is said of strings");
}

/// A paragraph that two documents have is translated once; one in another language is priced by its own languages.
async fn work_on_all_documents_has_one_price(store: TestStore) {
    let site = Site::idle(&store).await;
    let document = |name: &str, body: &str| json!({"externalId": name, "format": "markdown", "body": body});
    let documents = [
        document("a.md", "Of both.\n\nOf the first alone."),
        document("b.md", "Of both.\n\nOf the second alone, and longer."),
    ];
    let pushed = site.post("/content").json(&json!({ "documents": documents })).send().await.json();
    let id = |at: usize| pushed["results"][at]["docId"].as_str().unwrap().to_owned();
    let price = async |id: String| {
        let dry = site.post(&format!("/content/{id}/run")).json(&json!({"dryRun": true, "languages": ["de"]}));
        dry.send().await.json()["estimatedCredits"].as_i64().unwrap()
    };
    let shared = document("c.md", "Of both.");
    let third = site.post("/content").json(&json!({"documents": [shared]})).send().await.json();
    let shared = price(third["results"][0]["docId"].as_str().unwrap().to_owned()).await;
    let all = price(id(0)).await + price(id(1)).await - shared;
    assert!(shared > 0 && all > shared, "{shared} {all}");
    let mut manager = site.as_role(Role::Manager).await;
    let body = json!({"kind": "translation", "target": "content", "max_credits": 4, "languages": ["de"]});
    let page = manager.get(&path(&ask(&site, &body).await)).await;
    page.says("Paragraphs without translation now3");
    assert!(page.text().contains(&format!("<data class=\"money\" value=\"{all}\"")), "{}", page.text());

    // More paragraphs than are looked at for a page.
    for number in 0..30 {
        let text: String = (0..1_000).map(|at| format!("Word {number} {at}.\n\n")).collect();
        let pushed = site.post("/content").json(&json!({"documents": [document(&format!("{number}.md"), &text)]}));
        assert!(pushed.send().await.status < 300);
    }
    let page = manager.get(&path(&ask(&site, &body).await)).await;
    page.says("too many documents, or they are too large, to price them all here");
    assert!(!page.html().text.contains("Paragraphs without translation now"));
}

async fn a_publish_of_documents_shows_what_would_change(store: TestStore) {
    let site = Site::on(&store).await;
    let push = async |name: &str, text: &str| {
        let document = json!({"externalId": name, "format": "markdown", "body": text});
        let pushed = site.post("/content").json(&json!({"documents": [document]})).send().await.json();
        let id = pushed["results"][0]["docId"].as_str().unwrap().to_owned();
        let run = site.post(&format!("/content/{id}/run")).json(&json!({})).send().await;
        assert!(run.status < 300, "{run:?}");
        if let Some(token) = run.json()["trackingToken"].as_str() {
            let path = format!("/translations?waitSeconds=25&trackingToken={token}");
            while site.get(&path).send().await.json()["status"] != "completed" {}
        }
        id
    };
    let id = push("<b>guide</b>.md", "Of old.\n\nIt stays.").await;
    push("other.md", "Another one.").await;
    let published = site.post("/publish").json(&json!({"target": "content"})).send().await;
    assert_eq!(published.json()["summary"]["docsPublished"], 2, "{published:?}");
    push("<b>guide</b>.md", "Of new.\n\nIt stays.\n\nIt <i>[came](/x)</i>.").await;
    site.post("/content")
        .json(&json!({"documents": [{"externalId": "raw.md", "format": "markdown", "body": "Raw."}]}))
        .send()
        .await;

    let mut manager = site.as_role(Role::Manager).await;
    let asked = ask(&site, &json!({"kind": "publish", "target": "content"})).await;
    let page = manager.get(&path(&asked)).await;
    page.says("What would change").says("Show the differences");
    assert!(!page.html().text.contains("Of new."), "all documents are compared when somebody asks for it");
    let page = manager.get(&format!("{}?comparison=shown", path(&asked))).await;
    page.says(
        "1 document would get another version, 0 would be held back, 1 would stay as they are, 1 have no translation.",
    );
    page.says("Of old.")
        .says("Of new.")
        .says("It <i>[came](/x)</i>.")
        .says("<b>guide</b>.md")
        .says("1 added, 1 changed, 0 removed");
    assert!(!page.html().text.contains("It stays.") && !page.html().text.contains("Another one."));

    // Of one document and language, with the page itself; nothing is written for it.
    let body = json!({"kind": "publish", "target": "content", "docId": id, "languages": ["de"]});
    let page = manager.get(&path(&ask(&site, &body).await)).await;
    page.says("1 document would get another version").says("Of new.");
    let published = site.post("/publish").json(&json!({"target": "content"})).send().await;
    assert_eq!(published.json()["summary"]["docsPublished"], 1, "{published:?}");
    manager
        .get(&format!("{}?comparison=shown", path(&asked)))
        .await
        .says("No document would get another version")
        .says("No text differs.");

    // A target of a link is no text for translators; it is shown all the same.
    push("<b>guide</b>.md", "Of new.\n\nIt stays.\n\nIt <i>[came](/y)</i>.").await;
    let page = manager.get(&format!("{}?comparison=shown", path(&asked))).await;
    page.says("It <i>[came](/x)</i>.").says("It <i>[came](/y)</i>.").says("0 added, 1 changed, 0 removed");
}
