//! Completion of refs, codes and ids.

use l10n_mcp::HttpOptions;
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use rmcp::service::ServiceError;
use serde_json::{Value, json};

use crate::http::Http;
use crate::support::{Agent, REVISIONS, Revision};

both_engines!(names_of_resources_are_completed, the_language_of_a_prompt_is_completed);

const KEYS: &str = "l10n://keys/{ref}";
const LANGUAGES: &str = "l10n://languages/{code}";
const DOCUMENTS: &str = "l10n://documents/{docId}";

impl Agent {
    /// The values, and whether there are more.
    async fn complete(&self, template: &str, argument: &str, value: &str) -> (Vec<String>, bool) {
        let found = self.client.complete_resource_argument(template, argument, value, None).await.unwrap();
        (found.values, found.has_more.unwrap())
    }
}

async fn names_of_resources_are_completed(store: TestStore) {
    let app = TestApp::on(&store).await;
    let admin = Agent::admin(&app, Revision::New).await;
    let keys: Vec<Value> = (0..101).map(|n| json!({"ref": format!("k{n:03}"), "text": format!("Text {n}")})).collect();
    admin.ok("translate", json!({"keys": keys, "reason": "r"})).await;
    let odd = json!([{"ref": "nav/%home", "text": "Home"}, {"ref": "ähm", "text": "Hm"}]);
    admin.ok("translate", json!({"keys": odd, "reason": "r"})).await;
    let push = json!({"external_id": "docs/a.md", "content": "Text", "dry_run": true, "reason": "r"});
    let id = admin.ok("translate_document", push).await["document_id"].as_str().unwrap().to_owned();
    for revision in REVISIONS {
        let agent = Agent::admin(&app, revision).await;
        let (refs, has_more) = agent.complete(KEYS, "ref", "").await;
        assert_eq!((refs.len(), has_more), (100, true));
        assert_eq!(agent.complete(KEYS, "ref", "k").await, ((0..100).map(|n| format!("k{n:03}")).collect(), true));
        assert_eq!(agent.complete(KEYS, "ref", "k09").await, ((90..100).map(|n| format!("k{n:03}")).collect(), false));
        // The program writes the value into the template and encodes it.
        assert_eq!(agent.complete(KEYS, "ref", "nav/%").await, (vec!["nav/%home".into()], false));
        assert_eq!(agent.complete(KEYS, "ref", "ä").await, (vec!["ähm".into()], false));
        for none in ["none", "k\0", "\u{7}", &"k".repeat(10_000)] {
            assert_eq!(agent.complete(KEYS, "ref", none).await, (vec![], false));
        }
        assert_eq!(agent.complete(LANGUAGES, "code", "").await, (vec!["en".into(), "de".into(), "fr".into()], false));
        assert_eq!(agent.complete(LANGUAGES, "code", "D").await.0, ["de"]);
        assert_eq!(agent.complete(LANGUAGES, "code", "fren").await.0, ["fr"], "by its English name");
        for start in ["", &id[..6], id.as_str(), "docs/"] {
            assert_eq!(agent.complete(DOCUMENTS, "docId", start).await, (vec![id.clone()], false));
        }
        assert_eq!(agent.complete(DOCUMENTS, "docId", "a.md\0").await.0, Vec::<String>::new());
    }
}

async fn the_language_of_a_prompt_is_completed(store: TestStore) {
    let app = TestApp::on(&store).await;
    let http = Http::of(&app, HttpOptions::default()).await;
    for revision in REVISIONS {
        let agent = Agent::admin(&app, revision).await;
        for (prompt, argument, value, expected) in [
            ("review_language", "language", "", json!(["en", "de", "fr"])),
            ("localize_change", "language", "de", json!(["de"])),
            ("localize_change", "files", "src/", json!([])),
            ("prepare_release", "label", "", json!([])),
        ] {
            let found = agent.client.complete_prompt_argument(prompt, argument, value, None).await.unwrap();
            assert_eq!((json!(found.values), found.has_more), (expected.clone(), Some(false)));
            let reference = json!({"type": "ref/prompt", "name": prompt});
            let params = json!({"ref": reference, "argument": {"name": argument, "value": value}});
            let answer = http.answer(revision, &app.project.keys.read, "completion/complete", params).await;
            assert_eq!(answer["result"]["completion"]["values"], expected, "{answer}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_completed_is_refused_in_words() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let agent = Agent::admin(&app, Revision::New).await;
    let told = |answer: Result<_, ServiceError>| match answer {
        Err(ServiceError::McpError(error)) => (error.code.0, error.message.into_owned()),
        other => panic!("{other:?}"),
    };
    for (template, argument, words) in [
        (KEYS, "reff", "l10n://keys/{ref}: there is no argument `reff`; did you mean `ref`?"),
        (KEYS, "\0", "there is no argument ``"),
        ("l10n://key/{ref}", "ref", "did you mean `l10n://keys/{ref}`?"),
        ("l10n://project", "ref", "there is no resource template `l10n://project`"),
        ("", "", "there is no resource template ``"),
        (&"x".repeat(10_000), "ref", "there is no resource template `xxx"),
    ] {
        let (code, message) = told(agent.client.complete_resource_argument(template, argument, "", None).await);
        assert!(code == -32602 && message.contains(words) && message.len() < 400, "{code} {message}");
    }
    for (prompt, argument, words) in [
        ("review_languages", "language", "there is no prompt `review_languages`; did you mean `review_language`?"),
        ("review_language", "languages", "review_language: there is no argument `languages`; did you mean `language`?"),
    ] {
        let (code, message) = told(agent.client.complete_prompt_argument(prompt, argument, "", None).await);
        assert_eq!((code, message.as_str()), (-32602, words));
    }
    // What the key may not list is told, not shown as nothing.
    let agent = Agent::with(&app, &app.project.keys.capture, Revision::New).await;
    for (template, argument) in [(KEYS, "ref"), (LANGUAGES, "code"), (DOCUMENTS, "docId")] {
        let (code, message) = told(agent.client.complete_resource_argument(template, argument, "", None).await);
        assert!(code == -32603 && message.starts_with("forbidden: "), "{code} {message}");
    }
}
