//! Languages of a project, without script.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use http::Method;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::audit::{self, AuditFilter};
use l10n_server::testing::TestStore;
use l10n_server::workers::retention;
use serde_json::{Value, json};

use crate::support::{Site, Visitor};

both_engines!(
    a_language_is_added_by_its_tag_and_shown_by_its_name,
    what_is_no_language_is_refused_beside_the_field,
    a_removed_language_is_gone_everywhere_and_comes_back_with_its_translations,
    translations_of_a_removed_language_are_deleted_after_thirty_days,
    a_base_language_stays,
    a_language_is_removed_once,
    a_removed_language_is_an_unpublished_change,
);

const LANGUAGES: &str = "/dashboard/@acme/app/settings/languages";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Registers texts and a document, and waits until all is translated.
async fn translated(site: &Site) {
    let keys = json!({"keys": [{"ref": "a", "text": "One"}, {"ref": "b", "text": "Two"}]});
    let answer = site.post("/translate").json(&keys).send().await;
    wait(site, &answer.json()["trackingToken"]).await;
    let document = json!({"title": "Help", "format": "markdown", "body": "# Help\n\nRead this."});
    let pushed = site.post("/content").json(&document).send().await.json();
    let path = format!("/content/{}/run", pushed["docId"].as_str().unwrap());
    let answer = site.post(&path).json(&json!({})).send().await;
    wait(site, &answer.json()["trackingToken"]).await;
}

async fn wait(site: &Site, token: &Value) {
    let token = token.as_str().unwrap();
    loop {
        let job = site.get(&format!("/translations?waitSeconds=25&trackingToken={token}")).send().await.json();
        if job["status"] == "completed" {
            return;
        }
        assert!(matches!(job["status"].as_str(), Some("queued" | "running")), "{job}");
    }
}

async fn remove(visitor: &mut Visitor<'_>, code: &str) {
    let page = visitor.get(&format!("{LANGUAGES}/{code}/remove")).await;
    visitor.send(page.html().form("/remove")).await.says("The language was removed.");
}

/// Codes of the project's languages with the number of their translations, as the API tells them.
async fn told(site: &Site) -> Value {
    let meta = site.get("/meta").send().await.json();
    let languages = meta["languages"].as_array().unwrap().iter();
    languages.map(|language| json!([language["code"], language["translated"]])).collect()
}

async fn actions(site: &Site) -> Vec<String> {
    let log = audit::list(site.service.people(), &site.project.workspace, &AuditFilter::default(), 50).await.unwrap();
    let entries = log.entries.iter().filter(|entry| entry.action.as_str().starts_with("language"));
    entries
        .map(|entry| format!("{} {} {}", entry.actor, entry.action.as_str(), entry.detail.as_deref().unwrap()))
        .collect()
}

async fn a_language_is_added_by_its_tag_and_shown_by_its_name(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let page = manager.get(LANGUAGES).await;
    page.says("English en Base language").says("German de").says("French fr");
    let page = manager.send(page.html().form("/languages").set("code", " pt_br ")).await;
    page.says("The language was added.").says("pt-BR");
    assert_eq!(told(&site).await, json!([["en", 0], ["de", 0], ["fr", 0], ["pt-BR", 0]]));
    let page = manager.send(page.html().form("/languages").set("code", "ar")).await;
    page.says("Arabic ar Right to left");
    assert_eq!(
        actions(&site).await,
        ["manager@example.com languages_added ar", "manager@example.com languages_added pt-BR"]
    );
    let added = site.post("/languages").json(&json!({"languages": [{"code": "ja"}, {"code": "ar"}]})).send().await;
    assert_eq!(added.status, 200);
    assert!(actions(&site).await[0].ends_with(" languages_added ja"), "a key's change is in the log as well");
}

async fn what_is_no_language_is_refused_beside_the_field(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let long = "x".repeat(65);
    for (code, words) in [
        ("", "Fill in this field."),
        (long.as_str(), "Enter at most 64 characters."),
        ("d\u{7}e", "Remove control characters"),
        ("german!", "is not a BCP 47 language tag"),
        ("jp", "ja"),
        ("DE", "The project has this language already."),
        ("en", "The project has this language already."),
    ] {
        let page = manager.post(LANGUAGES, &[("code", code)]).await;
        assert_eq!(page.status, 422, "{code}");
        page.says(words);
        assert_eq!(page.html().form("/languages").value("code"), Some(code), "what was typed is kept");
    }
    assert_eq!(told(&site).await, json!([["en", 0], ["de", 0], ["fr", 0]]));
    assert!(actions(&site).await.is_empty());
}

async fn a_removed_language_is_gone_everywhere_and_comes_back_with_its_translations(store: TestStore) {
    let site = Site::on(&store).await;
    translated(&site).await;
    let formats = json!({"outputFormats": [{"format": "json", "path": "{language}.json"}]});
    assert_eq!(site.post("/output-formats").json(&formats).send().await.status, 200);
    assert_eq!(site.post("/publish").json(&json!({})).send().await.status, 201);
    let mut manager = site.as_role(Role::Manager).await;
    let page = manager.get(&format!("{LANGUAGES}/de/remove")).await;
    page.says("Remove German?").says("2 keys have a translation into it.").says("kept for 30 days");
    remove(&mut manager, "de").await;

    assert_eq!(told(&site).await, json!([["en", 0], ["fr", 2]]));
    let keys = site.get("/translations").send().await.json();
    let languages = |key: &Value| -> Vec<String> {
        key["translations"].as_array().unwrap().iter().map(|one| one["language"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(languages(&keys["keys"][0]), ["fr"]);
    assert_eq!(site.get("/translations?language=de").send().await.outcome(), "400 invalid_argument");
    let body = json!({"keys": [{"ref": "c", "text": "Three"}], "languages": ["de"]});
    assert_eq!(site.post("/translate").json(&body).send().await.outcome(), "400 invalid_argument");
    assert_eq!(
        site.post("/publish").json(&json!({"languages": ["de"]})).send().await.outcome(),
        "400 invalid_argument"
    );
    // The third key lacks French alone, and no key counts as translated by what is kept.
    let body = json!({"keys": [{"ref": "c", "text": "Three"}]});
    wait(&site, &site.post("/translate").json(&body).send().await.json()["trackingToken"]).await;
    assert_eq!(site.get("/translations?state=missing").send().await.json()["keys"], json!([]));
    let documents = site.get("/content").send().await.json();
    let of_document: Vec<_> =
        documents["documents"][0]["languages"].as_array().unwrap().iter().map(|one| one["code"].clone()).collect();
    assert_eq!(of_document, ["fr"]);

    // What was published stays, and the next version is without it.
    let bundle = format!("/v1/projects/{}/bundles/live/de.json", site.project.id);
    assert_eq!(site.at(Method::GET, &bundle).no_key().send().await.status, 200);
    assert_eq!(site.post("/publish").json(&json!({})).send().await.status, 201);
    assert_eq!(site.at(Method::GET, &bundle).no_key().send().await.status, 404);

    let page = manager.get(LANGUAGES).await;
    page.says("Removed languages").says("German de2just nowmanager@example.com");
    let again = page.html().form("/languages");
    let back = manager.send(again.set("code", "de")).await;
    back.says("The language was added again, with the translations that it had.");
    assert!(!back.html().text.contains("Removed languages"));
    assert_eq!(told(&site).await, json!([["en", 0], ["fr", 3], ["de", 2]]));
    let missing = site.get("/translations?state=missing&language=de").send().await.json();
    assert_eq!(missing["keys"][0]["ref"], "c");
    assert_eq!(
        actions(&site).await,
        [
            "manager@example.com languages_added de",
            "manager@example.com language_removed 2 translations, kept for 30 days"
        ]
    );
}

async fn translations_of_a_removed_language_are_deleted_after_thirty_days(store: TestStore) {
    let site = Site::on(&store).await;
    translated(&site).await;
    let mut manager = site.as_role(Role::Manager).await;
    remove(&mut manager, "de").await;
    remove(&mut manager, "fr").await;
    site.clock.advance(30 * DAY);
    retention::sweep(&site.service).await.unwrap();
    let mut manager = site.as_role(Role::Owner).await;
    let page = manager.get(LANGUAGES).await;
    page.says("German de230 days ago").says("French fr230 days ago");
    manager.send(page.html().form("/languages").set("code", "fr")).await.says("with the translations that it had");
    site.clock.advance(Duration::from_secs(1));
    retention::sweep(&site.service).await.unwrap();
    let page = manager.get(LANGUAGES).await;
    assert!(!page.html().text.contains("Removed languages"));
    manager.send(page.html().form("/languages").set("code", "de")).await.says("The language was added.");
    assert_eq!(told(&site).await, json!([["en", 0], ["fr", 2], ["de", 0]]));
    let documents = site.get("/content").send().await.json();
    let states: Vec<_> = documents["documents"][0]["languages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| json!([one["code"], one["state"]]))
        .collect();
    assert_eq!(json!(states), json!([["fr", "translated"], ["de", "missing"]]));
}

async fn a_base_language_stays(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    assert!(!manager.get(LANGUAGES).await.html().links.iter().any(|link| link.ends_with("/en/remove")));
    for page in [
        manager.get(&format!("{LANGUAGES}/en/remove")).await,
        manager.post(&format!("{LANGUAGES}/en/remove"), &[]).await,
    ] {
        assert_eq!(page.status, 409);
        page.says("The project is written in it.");
    }
    assert_eq!(told(&site).await, json!([["en", 0], ["de", 0], ["fr", 0]]));
}

async fn a_language_is_removed_once(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let page = manager.get(&format!("{LANGUAGES}/de/remove")).await;
    page.says("No key has a translation into it.");
    let form = page.html().form("/remove");
    manager.send(form.clone()).await.says("The language was removed.");
    let again = manager.send(form).await;
    assert_eq!(again.status, 409);
    again.says("It has been removed already.");
    for unknown in ["ja", "none", "not_a_language_at_all"] {
        assert_eq!(manager.post(&format!("{LANGUAGES}/{unknown}/remove"), &[]).await.status, 404, "{unknown}");
    }
    assert_eq!(actions(&site).await.len(), 1);
}

async fn a_removed_language_is_an_unpublished_change(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    translated(&site).await;
    assert_eq!(site.post("/publish").send().await.status, 201);
    manager.get("/dashboard").await.says("No changes since the last publish");
    remove(&mut manager, "fr").await;
    manager.get("/dashboard").await.says("1 unpublished change");
    let page = manager.get(&site.path("")).await;
    page.says("Unpublished changes1");
    assert!(page.html().links.contains(&site.path("/publish")));
    let published = site.post("/publish").send().await.json();
    assert_eq!(published["languages"].as_array().unwrap().len(), 2, "{published}");
    manager.get("/dashboard").await.says("No changes since the last publish");
}
