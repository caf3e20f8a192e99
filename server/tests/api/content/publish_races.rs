//! Publishes of documents and whatever comes at the same time.

use l10n_api_types::events::DocumentAction;
use l10n_api_types::publish::{DocumentsPublished, Publish};
use l10n_api_types::{KeyKind, Scope, State};
use l10n_server::both_engines;
use l10n_server::domain::{Caller, content};
use l10n_server::testing::sql::{count, run_beside};
use l10n_server::testing::{TestApp, TestStore, on_postgres};
use serde_json::json;

use crate::content::fixtures::{actions, live, markdown, publish, published, pushed, put, read, say, taken};

both_engines!(
    of_publishes_at_once_one_moves_a_document,
    a_publish_takes_a_document_as_it_was_before_a_push_or_after_it,
    what_changed_after_it_was_rendered_is_rendered_anew,
    a_publish_that_is_cut_off_leaves_nothing,
    no_document_is_rendered_for_an_operation_that_does_not_allow_the_publish,
);

async fn of_publishes_at_once_one_moves_a_document(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.beside(&store).await;
    let document = pushed(&app, &markdown("One.")).await;
    say(&app, &document, 0, "de", "Eins.", State::Translated).await;
    let racers: Vec<_> =
        (0..8).map(|number| tokio::spawn(publish([&app, &other][number % 2], json!({})).send())).collect();
    let mut moved = Vec::new();
    for racer in racers {
        let done: DocumentsPublished = racer.await.unwrap().read();
        match done.documents[0].action {
            DocumentAction::Published => moved.push(done.documents[0].version_id.clone()),
            action => assert_eq!(action, DocumentAction::Unchanged),
        }
    }
    assert_eq!(moved.len(), 1);
    assert_eq!(taken(&read(&app, document.doc_id.as_str(), "").await).live.unwrap().version_id, moved[0]);
}

async fn a_publish_takes_a_document_as_it_was_before_a_push_or_after_it(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &markdown("One.\n\nTwo.\n")).await;
    say(&app, &document, 0, "de", "Eins.", State::Translated).await;
    say(&app, &document, 1, "de", "Zwei.", State::Translated).await;
    let texts = [("One.\n\nTwo.\n", "Eins.\n\nZwei.\n"), ("Two.\n\nOne.\n", "Zwei.\n\nEins.\n")];
    for round in 0..6 {
        let (text, _) = texts[(round + 1) % 2];
        let push = tokio::spawn(put(&app, document.doc_id.as_str(), &json!({"body": text})).send());
        let publishing = tokio::spawn(publish(&app, json!({})).send());
        assert_eq!(push.await.unwrap().status, 200);
        assert_eq!(publishing.await.unwrap().status, 201);
        let pair = (live(&app, &document, "en").await, live(&app, &document, "de").await);
        assert!(texts.iter().any(|(en, de)| pair.0 == *en && pair.1 == *de), "{pair:?}");
        published(&app, json!({})).await;
        assert_eq!(live(&app, &document, "en").await, text);
    }
}

fn caller(app: &TestApp) -> Caller {
    Caller {
        project: app.project.id.clone(),
        workspace: app.project.workspace.clone(),
        key: "key_test".into(),
        scopes: vec![Scope::Admin],
        kind: KeyKind::Ci,
        request: "test".into(),
    }
}

async fn what_changed_after_it_was_rendered_is_rendered_anew(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &markdown("One.\n\nTwo.\n")).await;
    say(&app, &document, 0, "de", "Eins.", State::Translated).await;
    say(&app, &document, 1, "de", "Zwei.", State::Translated).await;
    let (id, caller, body) = (document.doc_id.as_str(), caller(&app), Publish::default());
    let late = async |ahead| {
        let mut tx = app.service.store.begin_write().await.unwrap();
        let done = content::publish(&mut tx, app.service.publishing(), &caller, &body, ahead).await.unwrap();
        tx.commit().await.unwrap();
        done
    };
    let ahead = content::ahead(app.service.publishing(), &caller, &body).await.unwrap();
    put(&app, id, &json!({"body": "Two.\n\nOne.\n"})).send().await;
    assert_eq!(actions(&late(ahead).await), [DocumentAction::Published]);
    assert_eq!(live(&app, &document, "en").await, "Two.\n\nOne.\n");
    assert_eq!(live(&app, &document, "de").await, "Zwei.\n\nEins.\n");

    say(&app, &document, 0, "de", "Eine.", State::Translated).await;
    let ahead = content::ahead(app.service.publishing(), &caller, &body).await.unwrap();
    assert_eq!(actions(&published(&app, json!({})).await), [DocumentAction::Published]);
    assert_eq!(actions(&late(ahead).await), [DocumentAction::Unchanged], "the other publish had moved it already");
    let added = pushed(&app, &markdown("Two.\n")).await;
    let ahead = content::ahead(app.service.publishing(), &caller, &body).await.unwrap();
    let later = pushed(&app, &markdown("Two.\n\nTwo.\n")).await;
    assert_eq!(
        actions(&late(ahead).await),
        [DocumentAction::Published, DocumentAction::Published, DocumentAction::Unchanged]
    );
    for document in [&added, &later] {
        assert!(taken(&read(&app, document.doc_id.as_str(), "").await).live.is_some());
    }
}

/// An uncommitted publish leaves nothing.
async fn a_publish_that_is_cut_off_leaves_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &markdown("One.")).await;
    say(&app, &document, 0, "de", "Eins.", State::Translated).await;
    let (caller, body) = (caller(&app), Publish::default());
    let ahead = content::ahead(app.service.publishing(), &caller, &body).await.unwrap();
    let mut tx = app.service.store.begin_write().await.unwrap();
    let done = content::publish(&mut tx, app.service.publishing(), &caller, &body, ahead).await.unwrap();
    assert_eq!(actions(&done), [DocumentAction::Published]);
    drop(tx);
    assert_eq!(read(&app, document.doc_id.as_str(), "?language=de").await.outcome(), "404 not_published");
    assert_eq!(actions(&published(&app, json!({})).await), [DocumentAction::Published]);
}

/// AUTH-11. Before, whoever invented an operation had all documents rendered and stored for an hour, as often as they asked.
async fn no_document_is_rendered_for_an_operation_that_does_not_allow_the_publish(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &markdown("One.")).await;
    say(&app, &document, 0, "de", "Eins.", State::Translated).await;
    for key in [&app.project.keys.agent, &app.project.keys.publish] {
        for operation in ["op_00000000000000000000000000", "invented"] {
            let answer = publish(&app, json!({"operationId": operation})).key(key).send().await;
            assert_eq!(answer.outcome(), "403 authorization_required", "{operation}");
            assert_eq!((count(&store, "blobs").await, count(&store, "staged_blobs").await), (0, 0), "{operation}");
        }
    }
    let unknown = json!({"operationId": "invented", "docIds": ["doc_none"]});
    assert_eq!(publish(&app, unknown).send().await.outcome(), "404 not_found", "404 comes first");
    assert_eq!(actions(&published(&app, json!({"docIds": [document.doc_id]})).await), [DocumentAction::Published]);
    assert!(count(&store, "blobs").await > 0);
}

/// The transaction that writes a version waits for a sweep that deletes a content.
#[test]
fn contents_that_are_swept_while_a_document_is_published_are_stored_again() {
    on_postgres(async |store: TestStore| {
        let app = TestApp::on(&store).await;
        let document = pushed(&app, &markdown("One.")).await;
        say(&app, &document, 0, "de", "Eins.", State::Translated).await;
        let (parts, caller, body) = (app.service.publishing(), caller(&app), Publish::default());
        drop(content::ahead(parts, &caller, &body).await.unwrap());
        assert_eq!((count(&store, "blobs").await, count(&store, "staged_blobs").await), (2, 2));
        let agent = Caller { kind: KeyKind::Agent, ..caller.clone() };
        let nothing = content::ahead(parts, &agent, &body).await.unwrap();
        let publish = async {
            let mut tx = app.service.store.begin_write().await.unwrap();
            let done = content::publish(&mut tx, parts, &caller, &body, nothing).await.unwrap();
            tx.commit().await.unwrap();
            done
        };
        let done = run_beside(&store, "DELETE FROM staged_blobs; DELETE FROM blobs", publish).await;
        assert_eq!(actions(&done), [DocumentAction::Published]);
        assert_eq!(live(&app, &document, "de").await, "Eins.");
        assert_eq!((count(&store, "blobs").await, count(&store, "staged_blobs").await), (2, 0));
    });
}
