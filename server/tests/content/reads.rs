//! One document, in its texts.

use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};

use crate::fixtures::{GUIDE, markdown, pushed, read, taken};

both_engines!(a_document_is_read_as_far_as_there_is_one);

async fn a_document_is_read_as_far_as_there_is_one(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &markdown(GUIDE)).await;
    let id = document.doc_id.as_str();
    let source = document.source_version_id.as_str();
    let version = format!("?version={source}");
    let in_own = format!("?version={source}&language=en");
    for query in ["", "?draft=true", "?language=de&draft=true", &version, &in_own] {
        assert_eq!(taken(&read(&app, id, query).await).body.as_deref(), Some(GUIDE), "{query}");
    }
    for query in ["?language=de", "?language=en", &format!("{version}&language=de")] {
        assert_eq!(read(&app, id, query).await.outcome(), "404 not_published", "{query}");
    }
    let elsewhere = pushed(&app, &markdown("Other.")).await;
    let of_other = format!("?version={}", elsewhere.source_version_id);
    for query in ["?version=cvr_none", "?version=%20", &of_other] {
        assert_eq!(read(&app, id, query).await.outcome(), "404 version_not_found", "{query}");
    }
    for query in ["?language=es", "?language=x", "?draft=1", &format!("{version}&draft=true")] {
        assert_eq!(read(&app, id, query).await.outcome(), "400 invalid_argument", "{query}");
    }
    assert_eq!(read(&app, "doc_none", "").await.outcome(), "404 not_found");
    let other = app.other_project("unlimited").await;
    let theirs = app.at(http::Method::GET, &format!("/v1/projects/{}/content/{id}", other.id)).key(&other.keys.read);
    assert_eq!(theirs.send().await.outcome(), "404 not_found");
}
