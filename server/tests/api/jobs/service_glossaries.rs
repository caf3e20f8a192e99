//! Glossaries that translation services keep themselves, before a strict fake of DeepL.

use std::time::Duration;

use http::Method;
use l10n_api_types::translations::KeyDetail;
use l10n_server::domain::provision::{Description, provision};
use l10n_server::testing::{TestApp, TestProject, TestStore, deepl};
use l10n_server::workers::service_glossaries::sweep;
use l10n_testkit::engines::{Behaviour, FakeEngines, Mount};
use serde_json::{Value, json};

use crate::jobs::fixtures::{ended, key, taken, text_in, texts, translate};
use crate::jobs::hints::remembered;

l10n_server::both_engines!(
    a_service_gets_the_terms_that_it_can_be_told_before_the_first_text_that_has_one,
    a_list_that_changes_is_another_glossary_and_the_old_one_is_removed,
    projects_share_the_glossary_of_their_workspace_and_no_other,
    what_a_service_makes_with_a_projects_own_terms_serves_it_alone,
    a_glossary_that_is_not_made_fails_no_text,
    a_glossary_that_the_service_has_lost_is_made_anew,
    what_cannot_be_removed_is_tried_again_some_times,
);

/// Longer than a service that failed is left alone.
const LATER: Duration = Duration::from_secs(601);

/// The server before a fake of DeepL.
async fn start(store: &TestStore) -> (TestApp, FakeEngines) {
    let fakes = FakeEngines::start().await.unwrap();
    let engine = deepl("deepl", fakes.deepl().address(), fakes.deepl().key());
    (TestApp::translated_by(store, engine).await, fakes)
}

pub(super) async fn set(app: &TestApp, project: &TestProject, terms: Value) {
    let path = format!("/v1/projects/{}/glossary", project.id);
    let put = app.at(Method::PUT, &path).key(&project.keys.write).json(&json!({ "terms": terms }));
    assert_eq!(put.send().await.status, 200);
}

/// States the list of a workspace.
pub(super) async fn set_of_workspace(app: &TestApp, handle: &str, terms: Value) {
    let description = json!({"workspaces": [{"handle": handle, "glossary": terms}]});
    let description: Description = serde_json::from_value(description).unwrap();
    let mut tx = app.service.store.begin_write().await.unwrap();
    provision(&mut tx, app.service.provisioning(), &description).await.unwrap();
    tx.commit().await.unwrap();
}

fn cart(translation: &str) -> Value {
    json!([{"term": "cart", "translations": {"de": translation}}])
}

/// Translates a text of a new key, and returns the key.
async fn translated(app: &TestApp, name: &str, text: &str) -> KeyDetail {
    let job = ended(app, &taken(translate(app, &texts([(name, text)])).send().await)).await;
    assert_eq!(job.progress.failed, 0, "{job:?}");
    key(app, name).await
}

/// The German text of a new key.
async fn german(app: &TestApp, name: &str, text: &str) -> String {
    text_in(&translated(app, name, text).await, "de").unwrap().to_owned()
}

/// Translates a text of another project.
async fn german_of(app: &TestApp, project: &TestProject, text: &str) -> String {
    let path = |path: &str| format!("/v1/projects/{}{path}", project.id);
    let body = json!({"keys": texts([("a", text)])});
    let run = taken(app.at(Method::POST, &path("/translate")).key(&project.keys.admin).json(&body).send().await);
    let wait = format!("/translations?waitSeconds=25&trackingToken={}", run.tracking_token.unwrap());
    app.at(Method::GET, &path(&wait)).key(&project.keys.read).send().await;
    let read = app.at(Method::GET, &path("/translations?ref=a")).key(&project.keys.read).send().await.read();
    text_in(&read, "de").unwrap().to_owned()
}

/// The entries of each glossary that the service has.
fn kept(deepl: &Mount) -> Vec<Vec<(String, String)>> {
    deepl.expect_no_complaints();
    deepl.glossaries().into_iter().map(|glossary| glossary.entries).collect()
}

fn entry(term: &str, translation: &str) -> (String, String) {
    (term.to_owned(), translation.to_owned())
}

async fn a_service_gets_the_terms_that_it_can_be_told_before_the_first_text_that_has_one(store: TestStore) {
    let (app, fakes) = start(&store).await;
    let deepl = fakes.deepl();
    let terms = json!([
        {"term": "cart", "translations": {"de": "Warenkorb"}},
        {"term": "Acme Pay", "rule": "keep"},
        {"term": "Kasse", "language": "de", "rule": "forbidden"},
        {"term": "voucher", "translations": {"fr": "bon"}},
    ]);
    set(&app, &app.project, terms).await;
    assert_eq!(german(&app, "a", "Nothing of it").await, "NOTHING OF IT");
    assert!(kept(deepl).is_empty() && deepl.glossary_calls().is_empty(), "no text has a term");
    let found = translated(&app, "b", "Your cart with {n} of it").await;
    assert_eq!(text_in(&found, "de"), Some("YOUR Warenkorb WITH {n} OF IT"));
    assert!(found.translations.iter().all(|translation| translation.issues.is_empty()), "{found:?}");
    assert_eq!(kept(deepl), [vec![entry("Acme Pay", "Acme Pay"), entry("cart", "Warenkorb")]]);
    assert_eq!((deepl.glossaries()[0].source.as_str(), deepl.glossaries()[0].target.as_str()), ("en", "de"));
    assert_eq!(german(&app, "c", "Another cart").await, "ANOTHER Warenkorb");
    assert_eq!(deepl.glossary_calls().len(), 1, "it is made once");
    sweep(&app.service).await.unwrap();
    assert_eq!(kept(deepl).len(), 1);
}

async fn a_list_that_changes_is_another_glossary_and_the_old_one_is_removed(store: TestStore) {
    let (app, fakes) = start(&store).await;
    let deepl = fakes.deepl();
    for (name, translation) in [("a", "Warenkorb"), ("b", "Einkaufswagen")] {
        set(&app, &app.project, cart(translation)).await;
        assert_eq!(
            german(&app, name, &format!("The cart {name}")).await,
            format!("THE {translation} {}", name.to_uppercase())
        );
        sweep(&app.service).await.unwrap();
        assert_eq!(kept(deepl), [vec![entry("cart", translation)]]);
    }
    set(&app, &app.project, json!([])).await;
    sweep(&app.service).await.unwrap();
    assert_eq!(kept(deepl), [[]; 0]);
    assert_eq!(german(&app, "c", "The cart c").await, "THE CART C");
    assert_eq!(deepl.glossary_calls().len(), 4);
}

async fn projects_share_the_glossary_of_their_workspace_and_no_other(store: TestStore) {
    let (app, fakes) = start(&store).await;
    let deepl = fakes.deepl();
    let (beside, own) = (app.project_beside("beside").await, app.project_beside("own").await);
    let foreign = app.other_project("unlimited").await;
    for (project, word) in [(&app.project, "Korb"), (&foreign, "Wagen")] {
        let terms = json!([{"term": "cart", "language": "en", "translations": {"de": word}}]);
        set_of_workspace(&app, &project.handle, terms).await;
    }
    set(&app, &own, cart("Warenkorb")).await;
    for (project, expected) in [(&app.project, "Korb"), (&beside, "Korb"), (&own, "Warenkorb"), (&foreign, "Wagen")] {
        assert_eq!(
            german_of(&app, project, &format!("A cart of {}", project.id)).await.split(' ').nth(1),
            Some(expected)
        );
    }
    let expected = ["Korb", "Warenkorb", "Wagen"].map(|word| vec![entry("cart", word)]);
    assert_eq!(kept(deepl), expected);

    // The workspace's list holds for the project with terms of its own, too.
    set_of_workspace(&app, &app.project.handle, json!([])).await;
    sweep(&app.service).await.unwrap();
    assert_eq!(kept(deepl), [vec![entry("cart", "Wagen")]]);
}

/// A service finds more than the terms as they are written, in all texts that it gets with a glossary.
async fn what_a_service_makes_with_a_projects_own_terms_serves_it_alone(store: TestStore) {
    let (app, fakes) = start(&store).await;
    let beside = app.project_beside("beside").await;
    let shared = json!([{"term": "basket", "language": "en", "translations": {"de": "Korb"}}]);
    set_of_workspace(&app, &app.project.handle, shared).await;
    assert_eq!(german(&app, "a", "A basket").await, "A Korb");
    assert_eq!(remembered(&app, &beside, ["A basket"]).await, [1]);

    set(&app, &app.project, cart("Warenkorb")).await;
    assert_eq!(german(&app, "b", "Nothing of it").await, "NOTHING OF IT");
    let both = texts([("c", "Your cart"), ("d", "Your carts")]);
    ended(&app, &taken(translate(&app, &both).send().await)).await;
    let asked = ["Nothing of it", "Your cart", "Your carts"];
    assert_eq!(remembered(&app, &app.project, asked).await, [1, 1, 1]);
    assert_eq!(remembered(&app, &beside, asked).await, [1, 0, 0]);
    fakes.deepl().expect_no_complaints();
}

async fn a_glossary_that_is_not_made_fails_no_text(store: TestStore) {
    let (app, fakes) = start(&store).await;
    let deepl = fakes.deepl();
    set(&app, &app.project, cart("Warenkorb")).await;
    let faults = [
        Behaviour::RateLimited(Some(1)),
        Behaviour::QuotaExhausted,
        Behaviour::Revoked,
        Behaviour::Status(400),
        Behaviour::Status(500),
        Behaviour::CutBody,
    ];
    for (number, fault) in faults.into_iter().enumerate() {
        deepl.script_glossaries([fault.clone()]);
        for part in ["a", "b"] {
            let found = translated(&app, &format!("{part}{number}"), &format!("Cart {part} {number}")).await;
            let german = found.translations.iter().find(|one| one.language.as_str() == "de").unwrap();
            assert_eq!(german.text.as_deref(), Some(&*format!("CART {} {number}", part.to_uppercase())));
            assert!(german.issues[0].message.contains("`Warenkorb` for `cart`"), "{german:?}");
        }
        assert_eq!(deepl.glossary_calls().len(), number + 1, "{fault:?} is not tried again for a while");
        app.clock.advance(LATER);
    }
    assert_eq!(german(&app, "last", "Cart at last").await, "Warenkorb AT LAST");
    deepl.expect_no_complaints();
}

async fn a_glossary_that_the_service_has_lost_is_made_anew(store: TestStore) {
    let (app, fakes) = start(&store).await;
    let deepl = fakes.deepl();
    set(&app, &app.project, cart("Warenkorb")).await;
    assert_eq!(german(&app, "a", "A cart").await, "A Warenkorb");
    deepl.lose_glossaries();
    assert_eq!(german(&app, "b", "Lost cart").await, "LOST Warenkorb");
    assert_eq!(kept(deepl).len(), 1);
    deepl.lose_glossaries();
    deepl.script_glossaries([Behaviour::Status(403)]);
    assert_eq!(german(&app, "c", "Lost cart again").await, "LOST CART AGAIN");
    assert_eq!(deepl.glossary_calls().len(), 3);
    deepl.expect_no_complaints();
}

async fn what_cannot_be_removed_is_tried_again_some_times(store: TestStore) {
    let (app, fakes) = start(&store).await;
    let deepl = fakes.deepl();
    let make = async |name: &str| {
        set(&app, &app.project, cart(name)).await;
        german(&app, name, &format!("A cart of {name}")).await;
        set(&app, &app.project, json!([])).await;
        deepl.glossary_calls().len()
    };
    let made = make("one").await;
    deepl.script_glossaries([Behaviour::Status(503)]);
    sweep(&app.service).await.unwrap();
    sweep(&app.service).await.unwrap();
    assert_eq!((kept(deepl).len(), deepl.glossary_calls().len()), (1, made + 1));
    app.clock.advance(Duration::from_secs(61));
    sweep(&app.service).await.unwrap();
    assert_eq!((kept(deepl).len(), deepl.glossary_calls().len()), (0, made + 2));

    // One that the service does not have is removed; one that it never removes is given up.
    let made = make("two").await;
    deepl.lose_glossaries();
    sweep(&app.service).await.unwrap();
    app.clock.advance(Duration::from_secs(86_400));
    sweep(&app.service).await.unwrap();
    assert_eq!(deepl.glossary_calls().len(), made + 1);
    let made = make("three").await;
    deepl.script_glossaries(vec![Behaviour::Revoked; 100]);
    for _ in 0..30 {
        sweep(&app.service).await.unwrap();
        app.clock.advance(Duration::from_secs(86_400));
    }
    assert_eq!(deepl.glossary_calls().len(), made + 16);
}
