//! A project's first page, and what the start page tells of it, without script.

use http::Method;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::support::{HOSTILE, Site, Visited, check_is_text};

both_engines!(
    an_empty_project_says_what_to_type_with_its_own_names,
    progress_counts_each_key_of_a_language_once,
    what_is_live_and_what_is_not_is_told_and_leads_to_the_pages,
    the_start_page_tells_of_translations_that_need_review,
    labels_of_versions_are_shown_and_never_interpreted,
);

/// The numbers of a language: reviewed, translated, needs review, stale, missing.
fn numbers(page: &Visited, language: &str) -> Vec<String> {
    let text = page.html().text;
    let (_, rest) = text.split_once(&format!(" {language} ")).unwrap_or_else(|| panic!("no {language} in: {text}"));
    let digits = |word: &str| word.chars().take_while(char::is_ascii_digit).collect();
    rest.split(' ').take(5).map(digits).collect()
}

async fn an_empty_project_says_what_to_type_with_its_own_names(store: TestStore) {
    let site = Site::on(&store).await;
    let mut visitor = site.as_role(Role::Manager).await;
    let page = visitor.get(&site.path("")).await;
    let base = format!("export L10N_BASE_URL=http://{}/v1 L10N_PROJECT=acme/app L10N_API_KEY=eik_…", site.address);
    page.says(&base).says("l10n init --base-language en").says("l10n sync --dry-run").says("l10n sync");
    page.says("German de").says("Not published yet").says("1,000,000 credits");
    assert!(!page.html().text.contains("l10n languages add"), "the project has target languages");
    assert!(page.html().links.contains(&site.path("/settings/keys/new")));
    assert!(!page.html().text.contains("Last runs"));
    let mut viewer = site.as_role(Role::Viewer).await;
    let page = viewer.get(&site.path("")).await;
    page.says("l10n init");
    assert!(!page.html().links.iter().any(|link| link.ends_with("/keys/new") || link.ends_with("/publish")));
    // A project without target languages is told how to add them.
    let form = visitor.get("/dashboard/@acme").await.html().form("/dashboard/@acme");
    let made = visitor.send(form.set("name", "Shop").set("slug", "shop").set("base", "fr")).await;
    made.says("The project was created.").says("No target languages yet").says("l10n languages add de fr");
    made.says("L10N_PROJECT=acme/shop").says("l10n init --base-language fr");
}

async fn progress_counts_each_key_of_a_language_once(store: TestStore) {
    let site = Site::idle(&store).await;
    site.sync(&json!({ "a": "One {n}", "b": "Two", "c": "Three", "d": "Four" })).await;
    // A check holds the first one back.
    site.import("de", &json!({ "a": "Eins", "b": "Zwei", "c": "Drei" })).await;
    let mut visitor = site.as_role(Role::Viewer).await;
    let page = visitor.get(&site.path("")).await;
    let bars = page.html().tags.iter().filter(|(tag, _)| tag == "svg").count();
    assert!(bars >= 2, "a bar for each language");
    assert_eq!(numbers(&page, "de"), ["0", "2", "1", "0", "1"]);
    assert_eq!(numbers(&page, "fr"), ["0", "0", "0", "0", "4"]);
    // The text changes: a person's translation stays, and is stale.
    site.sync(&json!({ "a": "One {n}", "b": "Two and a half", "c": "Three", "d": "Four" })).await;
    let page = visitor.get(&site.path("")).await;
    assert_eq!(numbers(&page, "de"), ["0", "1", "1", "1", "1"]);
    page.says("Last runs").says("Strings").says("Queued");
    visitor.get("/dashboard").await.says("1 of 8 translated");
    let answer = visitor.once(Method::GET, &site.path(""), None, &[("l10n-fragment", "state")]).await;
    assert!(answer.text().contains("Queued") && !answer.text().contains("<h1"), "{}", answer.text());
}

async fn what_is_live_and_what_is_not_is_told_and_leads_to_the_pages(store: TestStore) {
    let site = Site::idle(&store).await;
    site.sync(&json!({ "a": "One" })).await;
    assert_eq!(site.post("/publish").json(&json!({ "label": "First" })).send().await.status, 201);
    let mut visitor = site.as_role(Role::Manager).await;
    let page = visitor.get(&site.path("")).await;
    page.says("Unpublished changes0").says("Live version#1 First");
    site.sync(&json!({ "a": "One", "b": "Two", "c": "Three" })).await;
    let page = visitor.get(&site.path("")).await;
    page.says("Unpublished changes2").says("Keys3");
    let links = page.html().links;
    let version = links.iter().find(|link| link.contains("/versions/")).unwrap();
    visitor.get(version).await.says("First");
    let run = links.iter().find(|link| link.contains("/runs/")).unwrap();
    visitor.get(run).await.says("About this run");
    assert!(links.contains(&site.path("/publish")));
    assert!(!links.iter().any(|link| link.contains("/translations")), "there is no editor yet");
    // Whoever may not publish is not led there.
    let mut viewer = site.as_role(Role::Viewer).await;
    let links = viewer.get(&site.path("")).await.html().links;
    assert!(!links.contains(&site.path("/publish")));
}

async fn the_start_page_tells_of_translations_that_need_review(store: TestStore) {
    let site = Site::idle(&store).await;
    site.sync(&json!({ "a": "One {n}", "b": "Two {n}" })).await;
    let mut reviewer = site.as_role(Role::Reviewer).await;
    reviewer.get("/dashboard").await.says("Nothing is waiting for you.");
    site.import("de", &json!({ "a": "Eins", "b": "Zwei" })).await;
    let page = reviewer.get("/dashboard").await;
    page.says("2 translations need review");
    assert!(page.html().links.contains(&site.path("")), "the project tells more");
    let mut translator = site.as_role(Role::Translator).await;
    translator.get("/dashboard").await.says("Nothing is waiting for you.");
}

async fn labels_of_versions_are_shown_and_never_interpreted(store: TestStore) {
    let site = Site::on(&store).await;
    let mut visitor = site.as_role(Role::Owner).await;
    site.sync(&json!({ "a": "One" })).await;
    for hostile in HOSTILE {
        let published = site.post("/publish").json(&json!({ "label": hostile })).send().await;
        if published.status == 201 {
            let page = visitor.get(&site.path("")).await;
            assert_eq!(page.status, 200);
            check_is_text(&page, hostile);
            assert!(!page.text().contains('\u{202e}'));
        }
    }
}
