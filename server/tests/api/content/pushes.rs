//! Documents come in and change.

use std::time::Duration;

use l10n_api_types::content::{DocumentState, SegmentCounts};
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore, sql};
use serde_json::json;

use crate::content::fixtures::{GUIDE, count, markdown, named, push, pushed, put, read, taken};

both_engines!(
    a_document_is_taken_in_with_what_it_is_made_of,
    an_edit_is_told_segment_by_segment_and_the_same_text_makes_no_source,
    a_push_of_the_same_text_brings_back_what_is_missing_of_it,
    an_external_id_belongs_to_one_document,
    of_two_pushes_over_one_version_one_is_refused,
    titles_are_the_callers_or_the_documents_own,
    a_plan_bounds_documents,
    a_refused_push_writes_nothing,
    what_a_push_says_is_checked_before_its_document_is_looked_for,
);

fn counts(total: u64, new: u64, changed: u64, unchanged: u64, removed: u64) -> SegmentCounts {
    SegmentCounts { total, new, changed, unchanged, removed }
}

/// FN-4
async fn a_document_is_taken_in_with_what_it_is_made_of(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &named("docs/guide.md", GUIDE)).await;
    assert!(document.doc_id.as_str().starts_with("doc_") && document.source_version_id.as_str().starts_with("cvr_"));
    assert_eq!((document.external_id.as_deref(), document.title.as_str()), (Some("docs/guide.md"), "Guide"));
    assert_eq!((document.language.as_str(), document.segments), ("en", counts(3, 3, 0, 0, 0)));
    let characters = ["Guide", "First steps here.", "Last steps there."].map(str::len).iter().sum::<usize>();
    assert_eq!((document.characters, document.live.as_ref()), (characters as u64, None), "tags and code do not count");
    let languages: Vec<_> = document.languages.iter().map(|l| (l.code.as_str(), l.state, l.segments)).collect();
    assert_eq!(languages, [("de", DocumentState::Missing, 3), ("fr", DocumentState::Missing, 3)]);
    assert_eq!(document.body, None);
    let again = taken(&read(&app, document.doc_id.as_str(), "").await);
    assert_eq!(again.body.as_deref(), Some(GUIDE));
    assert_eq!(l10n_api_types::content::Document { body: None, ..again }, document);
    assert_eq!(count(&app).await, 1);

    let german = json!({"format": "text", "language": "DE", "body": "Guten Tag.\n"});
    let german = pushed(&app, &german).await;
    let languages: Vec<_> = german.languages.iter().map(|language| language.code.as_str()).collect();
    assert_eq!((german.language.as_str(), languages), ("de", vec!["en", "fr"]));
    assert_eq!((german.external_id, german.title.as_str()), (None, ""));
}

async fn an_edit_is_told_segment_by_segment_and_the_same_text_makes_no_source(store: TestStore) {
    let app = TestApp::on(&store).await;
    let first = pushed(&app, &markdown("# A\n\nOne.\n\nTwo.\n")).await;
    let id = first.doc_id.as_str();
    app.clock.advance(Duration::from_secs(1));
    let same = taken(&put(&app, id, &json!({"body": "# A\n\nOne.\n\nTwo.\n"})).send().await);
    assert_eq!(same, first, "the text that it has changes nothing");
    let moved = taken(&put(&app, id, &json!({"body": "# A\n\nTwo.\n\nOne.\n"})).send().await);
    assert_eq!(moved.segments, counts(3, 0, 0, 3, 0), "what moved is unchanged");
    assert_ne!(moved.source_version_id, first.source_version_id);
    assert!(moved.updated_at > first.updated_at && moved.created_at == first.created_at);
    let edited = taken(&put(&app, id, &json!({"body": "# A\n\nTwo!\n\nOne.\n\nThree.\n"})).send().await);
    assert_eq!(edited.segments, counts(4, 1, 1, 2, 0));
    let cut = taken(&put(&app, id, &json!({"body": "# A\n"})).send().await);
    assert_eq!(cut.segments, counts(1, 0, 0, 1, 3));
    for (version, text) in [(&first, "# A\n\nOne.\n\nTwo.\n"), (&moved, "# A\n\nTwo.\n\nOne.\n"), (&cut, "# A\n")] {
        let query = format!("?version={}", version.source_version_id);
        assert_eq!(taken(&read(&app, id, &query).await).body.as_deref(), Some(text), "sources stay");
    }
}

/// ERR-409: `external_id_exists` names the document.
/// Before, a document whose texts were lost could not be translated any more, whatever was pushed.
async fn a_push_of_the_same_text_brings_back_what_is_missing_of_it(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &named("guide", "# A\n\nOne.\n")).await;
    let one = put(&app, document.doc_id.as_str(), &json!({"body": "# A\n\nOne.\n"}));
    let many = push(&app, &json!({"documents": [named("guide", "# A\n\nOne.\n")]}));
    for again in [one, many] {
        sql::run(&store, "DELETE FROM segments").await;
        let answer = again.send().await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(sql::count(&store, "segments").await, 2);
        assert_eq!(sql::count(&store, "document_sources").await, 1, "it makes no source");
    }
}

async fn an_external_id_belongs_to_one_document(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (a, b) = (pushed(&app, &named("a", "A.")).await, pushed(&app, &named("b", "B.")).await);
    pushed(&app, &markdown("No name.")).await;
    pushed(&app, &markdown("No name.")).await;
    let refused = push(&app, &named("a", "Another.")).send().await;
    assert_eq!(refused.outcome(), "409 external_id_exists");
    assert_eq!(refused.json()["details"]["docId"], a.doc_id.as_str());
    let refused = put(&app, b.doc_id.as_str(), &json!({"body": "B.", "externalId": "a"})).send().await;
    assert_eq!(refused.json()["details"]["docId"], a.doc_id.as_str());
    let own = taken(&put(&app, b.doc_id.as_str(), &json!({"body": "B.", "externalId": "b"})).send().await);
    assert_eq!(own.source_version_id, b.source_version_id);
    let renamed = taken(&put(&app, b.doc_id.as_str(), &json!({"body": "B.", "externalId": "c"})).send().await);
    assert_eq!(renamed.external_id.as_deref(), Some("c"));
    pushed(&app, &named("b", "The name is free.")).await;
    let racers: Vec<_> = (0..6).map(|_| tokio::spawn(push(&app, &named("race", "R.")).send())).collect();
    let mut outcomes = Vec::new();
    for racer in racers {
        outcomes.push(racer.await.unwrap().outcome());
    }
    outcomes.sort();
    assert_eq!(outcomes[0], "201");
    assert!(outcomes[1..].iter().all(|outcome| outcome == "409 external_id_exists"), "{outcomes:?}");
    let other = app.other_project("unlimited").await;
    let theirs = app.at(http::Method::POST, &format!("/v1/projects/{}/content", other.id)).key(&other.keys.write);
    assert_eq!(theirs.json(&named("a", "A.")).send().await.status, 201, "another project has names of its own");
}

/// Two PUTs at once with one `ifVersionId`: one 409.
async fn of_two_pushes_over_one_version_one_is_refused(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &markdown("One.")).await;
    let id = document.doc_id.as_str();
    let other = app.beside(&store).await;
    let racers: Vec<_> = (0..6)
        .map(|number| {
            let body = json!({"body": format!("By {number}."), "ifVersionId": document.source_version_id});
            tokio::spawn(put([&app, &other][number % 2], id, &body).send())
        })
        .collect();
    let (mut landed, mut refused) = (Vec::new(), Vec::new());
    for racer in racers {
        let answer = racer.await.unwrap();
        if answer.status == 200 { landed.push(taken(&answer)) } else { refused.push(answer) }
    }
    assert_eq!((landed.len(), refused.len()), (1, 5));
    for answer in refused {
        assert_eq!(answer.outcome(), "409 version_conflict");
        assert_eq!(answer.json()["details"]["versionId"], landed[0].source_version_id.as_str());
    }
    let now = taken(&read(&app, id, "").await);
    assert_eq!(now.source_version_id, landed[0].source_version_id);
    let body = json!({"body": "At last.", "ifVersionId": now.source_version_id});
    assert_eq!(put(&app, id, &body).send().await.status, 200);
}

async fn titles_are_the_callers_or_the_documents_own(store: TestStore) {
    let app = TestApp::on(&store).await;
    let own = pushed(&app, &markdown("---\ntitle: Front matter\n---\n\n# Heading\n")).await;
    assert_eq!(own.title, "Front matter");
    let id = own.doc_id.as_str();
    assert_eq!(taken(&put(&app, id, &json!({"body": "# Heading\n"})).send().await).title, "Heading");
    let given = taken(&put(&app, id, &json!({"body": "# Heading\n", "title": "Given"})).send().await);
    assert_eq!(given.title, "Given");
    assert_eq!(taken(&put(&app, id, &json!({"body": "# Other\n"})).send().await).title, "Given", "it stays");
}

/// ERR-402-3
async fn a_plan_bounds_documents(store: TestStore) {
    let app = TestApp::on(&store).await;
    let free = app.other_project("free").await;
    let post = || app.at(http::Method::POST, &format!("/v1/projects/{}/content", free.id)).key(&free.keys.write);
    for number in 0..10 {
        assert_eq!(post().json(&named(&number.to_string(), "Text.")).send().await.status, 201);
    }
    let refused = post().json(&named("one more", "Text.")).send().await;
    assert_eq!(refused.outcome(), "402 plan_limit");
    assert_eq!(refused.json()["details"], json!({"feature": "documents", "limit": 10}));
}

/// DRY-5, ERR-400-2, SCOPE: what is refused leaves no document behind.
async fn a_refused_push_writes_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &markdown("One.")).await;
    let id = document.doc_id.as_str();
    for bad in [
        json!({"body": "x"}),
        json!({"format": "markdown"}),
        json!({"format": "docx", "body": "x"}),
        json!({"format": "text", "body": 5}),
        json!({"format": "text", "body": "x\u{0}"}),
        json!({"format": "text", "body": "x", "language": "xx"}),
        json!({"format": "text", "body": "x", "language": "../x"}),
        json!({"format": "text", "body": "x", "externalId": ""}),
        json!({"format": "text", "body": "x", "externalId": "a\nb"}),
        json!({"format": "text", "body": "x", "title": "a\nb"}),
        json!({"format": "text", "body": "x", "dryRun": true}),
        json!({"format": "text", "body": "x", "dry_run": false}),
        json!({"format": "text", "body": "x", "external_id": "a"}),
    ] {
        assert_eq!(push(&app, &bad).send().await.outcome(), "400 invalid_argument", "{bad}");
    }
    for bad in [json!({}), json!({"body": "x", "format": "text"}), json!({"body": "x", "dryRun": true})] {
        assert_eq!(put(&app, id, &bad).send().await.outcome(), "400 invalid_argument", "{bad}");
    }
    let dry = app.post("/content?dryRun=true").json(&markdown("x")).send().await;
    assert_eq!(dry.outcome(), "400 invalid_argument");
    for unknown in ["doc_none", "%20", "doc_none%00"] {
        assert_eq!(put(&app, unknown, &json!({"body": "x"})).send().await.outcome(), "404 not_found");
    }
    for key in [&app.project.keys.read, &app.project.keys.publish, &app.project.keys.translate] {
        assert_eq!(push(&app, &markdown("x")).key(key).send().await.outcome(), "403 forbidden");
        assert_eq!(put(&app, id, &json!({"body": "x"})).key(key).send().await.outcome(), "403 forbidden");
    }
    let other = app.other_project("unlimited").await;
    let theirs = app.at(http::Method::PUT, &format!("/v1/projects/{}/content/{id}", other.id)).key(&other.keys.admin);
    assert_eq!(theirs.json(&json!({"body": "x"})).send().await.outcome(), "404 not_found");
    assert_eq!(count(&app).await, 1);
    let l10n_api_types::content::Document { body, .. } = taken(&read(&app, id, "").await);
    assert_eq!(body.as_deref(), Some("One."));
}

/// ERR-400-1, ERR-404-4: 400 comes before 404.
async fn what_a_push_says_is_checked_before_its_document_is_looked_for(store: TestStore) {
    let app = TestApp::on(&store).await;
    assert_eq!(put(&app, "doc_none", &json!({"body": "x"})).send().await.outcome(), "404 not_found");
    for bad in [json!({"body": "x", "title": "a\nb"}), json!({"body": "x", "externalId": ""})] {
        let refused = put(&app, "doc_none", &bad).send().await;
        assert_eq!(refused.outcome(), "400 invalid_argument", "{bad}");
    }
}
