//! Output formats of a project, without script.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use http::Method;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::audit::{self, AuditAction, AuditFilter};
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::support::Site;

both_engines!(
    an_output_format_is_made_previewed_changed_and_removed,
    a_preview_shows_paths_and_writes_nothing,
    what_no_output_format_can_be_is_refused_beside_its_field,
    a_form_about_an_output_format_that_has_changed_meanwhile_writes_nothing,
    what_somebody_else_saves_meanwhile_is_not_undone,
    the_api_and_the_dashboard_change_one_list,
);

const FORMATS: &str = "/dashboard/@acme/app/settings/formats";

/// Paths of the output formats, as the API tells them.
async fn paths(site: &Site) -> Value {
    let meta = site.get("/meta").send().await.json();
    meta["outputFormats"].as_array().unwrap().iter().map(|format| format["path"].clone()).collect()
}

async fn log(site: &Site) -> Vec<(String, String)> {
    let filter = AuditFilter { action: Some(AuditAction::OutputFormatsChanged), ..AuditFilter::default() };
    let log = audit::list(site.service.people(), &site.project.workspace, &filter, 50).await.unwrap();
    log.entries.into_iter().map(|entry| (entry.actor, entry.detail.unwrap())).collect()
}

async fn an_output_format_is_made_previewed_changed_and_removed(store: TestStore) {
    let site = Site::on(&store).await;
    site.post("/translate").json(&json!({"keys": [{"ref": "a", "text": "A"}]})).send().await;
    let mut manager = site.as_role(Role::Manager).await;
    manager.get(FORMATS).await.says("No output formats");
    let form = manager.get(&format!("{FORMATS}/new")).await.html().form("/formats/new");
    let form = form.set("path", "locales/{language}.json").set("empty", "base");
    let list = manager.send(form).await;
    list.says("The output format was saved.").says("Text of the base language").says("locales/fr.json");
    let link = list.html().links.into_iter().find(|link| link.contains("/formats/fmt_")).unwrap();
    let page = manager.get(&link).await;
    page.says("locales/de.json");
    let form = page.html().form("/formats/fmt_");
    assert_eq!((form.value("path"), form.value("empty")), (Some("locales/{language}.json"), Some("base")));
    let list = manager.send(form.set("path", "i18n/{languageUnderscore}.json").set("empty", "skip")).await;
    list.says("i18n/de.json").says("Left out");
    assert_eq!(site.post("/publish").json(&json!({})).send().await.status, 201);
    let bundle = format!("/v1/projects/{}/bundles/live/i18n/de.json", site.project.id);
    assert_eq!(site.at(Method::GET, &bundle).no_key().send().await.status, 200);
    let link = list.html().links.into_iter().find(|link| link.contains("/formats/fmt_")).unwrap();
    let form = manager.get(&link).await.html().form("/remove");
    manager.send(form.clone()).await.says("The output format was removed.").says("No output formats");
    let again = manager.send(form).await;
    assert_eq!(again.status, 409);
    again.says("Somebody has changed or removed it meanwhile.");
    let told = ["", "i18n/{languageUnderscore}.json", "locales/{language}.json"];
    assert_eq!(log(&site).await, told.map(|detail| ("manager@example.com".to_owned(), detail.to_owned())));
}

async fn a_preview_shows_paths_and_writes_nothing(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let fields = [
        ("format", "json"),
        ("path", "{language}/{namespace}.json"),
        ("empty", "skip"),
        ("namespaces", "shop\nadmin"),
        ("preview", "yes"),
    ];
    let page = manager.post(&format!("{FORMATS}/new"), &fields).await;
    assert_eq!(page.status, 200);
    page.says("de/shop.json").says("de/admin.json").says("fr/shop.json");
    let form = page.html().form("/formats/new");
    assert_eq!(form.value("namespaces"), Some("shop\nadmin"), "what was typed is kept");
    assert_eq!(paths(&site).await, json!([]));
    assert!(log(&site).await.is_empty());
    let page = manager.send(form.set("namespaces", "")).await;
    page.says("The output format was saved.").says("fr/{namespace}.json");
}

async fn what_no_output_format_can_be_is_refused_beside_its_field(store: TestStore) {
    let site = Site::on(&store).await;
    let formats = json!({"outputFormats": [{"format": "json", "path": "taken/{language}.json"}]});
    assert_eq!(site.post("/output-formats").json(&formats).send().await.status, 200);
    let mut manager = site.as_role(Role::Manager).await;
    let long = format!("{}/{{language}}.json", "x".repeat(512));
    for (format, path, empty, namespaces, words) in [
        ("json", "", "skip", "", "Fill in this field."),
        ("json", long.as_str(), "skip", "", "Enter at most 512 characters."),
        ("json", "a\u{7}/{language}", "skip", "", "Remove control characters"),
        ("json", "../{language}.json", "skip", "", "The path must be a relative path"),
        ("json", "locales/en.json", "skip", "", "The path must have a place for the language"),
        ("json", "{language}/{file}.json", "skip", "", "The path has the unknown placeholder {file}"),
        ("json", "taken/{language}.json", "skip", "", "make the paths differ"),
        ("arb", "taken/{appleLanguage}.json", "skip", "", "make the paths differ"),
        ("word", "{language}.doc", "skip", "", "Choose one of these formats."),
        ("", "{language}.doc", "skip", "", "Choose one of these formats."),
        ("json", "{language}.json", "", "", "Choose one of these."),
        ("json", "{language}/{namespace}.json", "skip", "a/b", "The list of namespaces must hold names"),
        ("json", "{language}/{namespace}.json", "skip", "a\na", "The list of namespaces has `a` twice"),
    ] {
        for preview in [false, true] {
            let mut fields = vec![("format", format), ("path", path), ("empty", empty), ("namespaces", namespaces)];
            fields.extend(preview.then_some(("preview", "yes")));
            let page = manager.post(&format!("{FORMATS}/new"), &fields).await;
            assert_eq!(page.status, 422, "{fields:?}");
            page.says(words);
        }
    }
    assert_eq!(paths(&site).await, json!(["taken/{language}.json"]));
}

async fn a_form_about_an_output_format_that_has_changed_meanwhile_writes_nothing(store: TestStore) {
    let site = Site::on(&store).await;
    let formats = |path: &str| json!({"outputFormats": [{"format": "json", "path": path}]});
    site.post("/output-formats").json(&formats("a/{language}.json")).send().await;
    let mut manager = site.as_role(Role::Manager).await;
    let link = manager.get(FORMATS).await.html().links.into_iter().find(|link| link.contains("/fmt_")).unwrap();
    let form = manager.get(&link).await.html().form("/fmt_").set("path", "mine/{language}.json");
    site.post("/output-formats").json(&formats("b/{language}.json")).send().await;
    let late = manager.send(form).await;
    assert_eq!(late.status, 409);
    late.says("Nothing was saved.");
    assert_eq!(manager.get(&link).await.status, 404);
    assert_eq!(paths(&site).await, json!(["b/{language}.json"]));
}

async fn what_somebody_else_saves_meanwhile_is_not_undone(store: TestStore) {
    let site = Site::on(&store).await;
    // Format and path stay, so that it keeps its id.
    let formats =
        |empty: &str| json!({"outputFormats": [{"format": "json", "path": "a/{language}.json", "emptyAs": empty}]});
    site.post("/output-formats").json(&formats("skip")).send().await;
    let mut manager = site.as_role(Role::Manager).await;
    let link = manager.get(FORMATS).await.html().links.into_iter().find(|link| link.contains("/fmt_")).unwrap();
    let page = manager.get(&link).await.html();
    site.post("/output-formats").json(&formats("base")).send().await;
    let form = page.form_to(&link).set("namespaces", "shop").set("path", "a/{language}/{namespace}.json");
    let removed = manager.send(page.form("/remove")).await;
    assert_eq!(removed.status, 409);
    removed.says("This output format has changed");
    // Neither a preview nor a fault shows her the change.
    let faulty = manager.send(form.clone().set("path", "")).await;
    assert_eq!(faulty.status, 422);
    let mended = faulty.html().form_to(&link).set("path", "a/{language}/{namespace}.json");
    for form in [form.clone().set("preview", "yes"), form, mended] {
        let late = manager.send(form).await;
        assert_eq!(late.status, 409);
        late.says("If you save again, you replace that change.").says("Text of the base language");
    }
    let late = manager.send(page.form_to(&link).set("namespaces", "shop")).await;
    assert_eq!(site.get("/meta").send().await.json()["outputFormats"][0]["emptyAs"], "base");
    let again = late.html().form_to(&link);
    assert_eq!(again.value("namespaces"), Some("shop"), "what was typed is kept");
    for _ in 0..2 {
        manager.send(again.clone()).await.says("The output format was saved.");
    }
    assert_eq!(site.get("/meta").send().await.json()["outputFormats"][0]["emptyAs"], "skip");
}

async fn the_api_and_the_dashboard_change_one_list(store: TestStore) {
    let site = Site::on(&store).await;
    let two = json!({"outputFormats": [
        {"format": "json", "path": "a/{language}.json"}, {"format": "arb", "path": "b/{language}.arb", "namespaces": ["x"]}]});
    assert_eq!(site.post("/output-formats").json(&two).send().await.status, 200);
    assert_eq!(site.post("/output-formats").json(&two).send().await.status, 200);
    assert_eq!(log(&site).await.len(), 1, "the second call changes nothing");
    let before = site.get("/meta").send().await.json()["outputFormats"].clone();
    let mut manager = site.as_role(Role::Manager).await;
    let form = manager.get(&format!("{FORMATS}/new")).await.html().form("/formats/new");
    manager.send(form.set("path", "c/{language}.json")).await.says("The output format was saved.");
    let after = site.get("/meta").send().await.json()["outputFormats"].clone();
    assert_eq!((&after[0], &after[1]), (&before[0], &before[1]), "the others stay, with their ids");
    assert_eq!(after[2]["path"], "c/{language}.json");
}
