//! One document, in its texts.

use l10n_api_types::content::{Document, DocumentState};
use l10n_api_types::events::DocumentAction;
use l10n_api_types::{Check, State};
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::content::fixtures::{GUIDE, actions, markdown, published, pushed, read, say, taken};

both_engines!(a_document_is_read_as_far_as_there_is_one, a_draft_says_why_a_publish_does_not_take_it);

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

/// A draft lists missing segments, segments that a check holds back, and problems that only rendering finds; it lists
/// none if the next publish takes it.
async fn a_draft_says_why_a_publish_does_not_take_it(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &markdown("One.\n\nSee [the guide](/g).\n\nOne.\n\nThree.\n")).await;
    let id = document.doc_id.as_str();
    let draft = async || taken(&read(&app, id, "?language=de&draft=true").await);
    let told = |document: &Document| -> Vec<(String, Option<String>, Vec<Check>)> {
        let checks = |issues: &[l10n_api_types::Issue]| issues.iter().map(|issue| issue.check).collect();
        let problems = document.problems.iter();
        problems.map(|one| (one.text.clone(), one.translation.clone(), checks(&one.issues))).collect()
    };
    let missing = |text: &str| (text.to_owned(), None, Vec::new());
    let none = draft().await;
    assert_eq!(told(&none), [missing("One."), missing("See <1>the guide</1>."), missing("Three.")]);
    for query in ["", "?draft=true", "?language=en&draft=true"] {
        assert_eq!(taken(&read(&app, id, query).await).problems, [], "{query}");
    }
    let lines: Vec<String> = (0..60_u8).map(|line| format!("Line {line}.\n")).collect();
    let long = pushed(&app, &markdown(&lines.join("\n"))).await;
    let long = taken(&read(&app, long.doc_id.as_str(), "?language=de&draft=true").await);
    assert_eq!((long.segments.total, long.problems.len()), (60, 50));

    say(&app, &document, 0, "de", "Eins.", State::Translated).await;
    say(&app, &document, 1, "de", "Siehe den Leitfaden.", State::Translated).await;
    say(&app, &document, 3, "de", "Drei.", State::NeedsReview).await;
    let held = draft().await;
    assert_eq!(held.languages[0].state, DocumentState::Held);
    assert_eq!(held.body.as_deref(), Some("Eins.\n\nSee [the guide](/g).\n\nEins.\n\nThree.\n"));
    let lost = ("See <1>the guide</1>.".to_owned(), Some("Siehe den Leitfaden.".to_owned()), vec![Check::Tags]);
    assert_eq!(told(&held), [lost.clone(), ("Three.".to_owned(), Some("Drei.".to_owned()), vec![])]);
    assert_eq!(held.problems[0].issues[0].message, "`<1>` is missing");

    say(&app, &document, 3, "de", "Drei.", State::Reviewed).await;
    let written = draft().await;
    assert_eq!((told(&written), written.languages[0].state), (vec![lost], DocumentState::Held));
    assert_eq!(actions(&published(&app, json!({"docIds": [id]})).await), [DocumentAction::Held]);

    say(&app, &document, 1, "de", "Siehe <1>den Leitfaden</1>.", State::Reviewed).await;
    let ready = draft().await;
    assert_eq!((told(&ready), ready.languages[0].state), (Vec::new(), DocumentState::Translated));
    assert_eq!(actions(&published(&app, json!({"docIds": [id]})).await), [DocumentAction::Published]);
}
