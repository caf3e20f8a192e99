//! Settings of a project, without script.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::audit::{self, AuditAction, AuditFilter};
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::support::Site;

both_engines!(
    name_label_and_memory_are_changed_once_and_the_log_says_how,
    a_version_without_a_label_gets_the_one_of_the_settings,
    what_no_setting_can_be_is_refused_beside_its_field,
    engines_are_chosen_by_name_and_an_unknown_one_is_refused_with_those_that_there_are,
    a_style_note_is_kept_as_it_was_written_and_the_log_has_it,
    people_who_change_different_settings_undo_nothing_of_each_other,
    the_same_setting_is_changed_by_whoever_was_first_and_the_other_is_told,
);

const SETTINGS: &str = "/dashboard/@acme/app/settings";

async fn name_label_and_memory_are_changed_once_and_the_log_says_how(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let form = manager.get(SETTINGS).await.html().form("/settings");
    assert_eq!(
        (form.value("name"), form.value("label"), form.value("memory")),
        (Some("Test project"), Some(""), Some("workspace"))
    );
    let form = form.set("name", "<b>Shop</b>").set("label", "Release {number}").set("memory", "off");
    let saved = manager.send(form.clone()).await;
    saved.says("The settings were saved.").says("<b>Shop</b>");
    let form_again = saved.html().form("/settings");
    assert_eq!((form_again.value("label"), form_again.value("memory")), (Some("Release {number}"), Some("off")));
    assert_eq!(site.get("/meta").send().await.json()["name"], "<b>Shop</b>");
    manager.send(form).await.says("The settings were saved.");
    let filter = AuditFilter { action: Some(AuditAction::ProjectChanged), ..AuditFilter::default() };
    let log = audit::list(site.service.people(), &site.project.workspace, &filter, 50).await.unwrap();
    let told: Vec<_> = log.entries.iter().map(|entry| (entry.actor.as_str(), entry.detail.as_deref())).collect();
    let detail = "name: <b>Shop</b>, label of versions: Release {number}, translation memory: off";
    assert_eq!(told, [("manager@example.com", Some(detail))], "the second form changes nothing");
}

async fn a_version_without_a_label_gets_the_one_of_the_settings(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    site.post("/translate").json(&json!({"keys": [{"ref": "a", "text": "A"}]})).send().await;
    let label = async |body: serde_json::Value| site.post("/publish").json(&body).send().await.json()["label"].clone();
    assert_eq!(label(json!({})).await, "v1");
    let form = manager.get(SETTINGS).await.html().form("/settings").set("label", "Release {number}");
    manager.send(form).await;
    assert_eq!(label(json!({})).await, "Release 2");
    assert_eq!(label(json!({"label": "Own"})).await, "Own");
    let form = manager.get(SETTINGS).await.html().form("/settings").set("label", "");
    manager.send(form).await;
    assert_eq!(label(json!({})).await, "v4");
}

async fn what_no_setting_can_be_is_refused_beside_its_field(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let long = "x".repeat(101);
    for (name, label, memory, words) in [
        ("", "", "off", "Fill in this field."),
        (long.as_str(), "", "off", "Enter at most 100 characters."),
        ("a\u{7}b", "", "off", "Remove control characters"),
        ("a", long.as_str(), "off", "Enter at most 100 characters."),
        ("a", "{version}", "off", "In braces a label can have {number} and {date} only"),
        ("a", "", "everything", "Choose one of these."),
        ("a", "", "", "Choose one of these."),
    ] {
        let known = [("known-name", "Test project"), ("known-label", ""), ("known-memory", "workspace")];
        let typed = [("name", name), ("label", label), ("memory", memory)];
        let page = manager.post(SETTINGS, &[known, typed].concat()).await;
        assert_eq!(page.status, 422, "{name} {label} {memory}");
        page.says(words);
        let is_tied = page.text().contains(r#"aria-describedby="f-memory-fault""#);
        assert_eq!(is_tied, words == "Choose one of these.", "the fault of a group is read with it");
    }
    let form = manager.get(SETTINGS).await.html().form("/settings");
    assert_eq!((form.value("name"), form.value("memory")), (Some("Test project"), Some("workspace")));
}

async fn engines_are_chosen_by_name_and_an_unknown_one_is_refused_with_those_that_there_are(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let page = manager.get(SETTINGS).await;
    page.says("several separated by commas");
    let form = page.html().form("/settings");
    assert_eq!((form.value("engine"), form.value("language-engines")), (Some(""), Some("")));
    for (engine, languages, words) in [
        ("babel", "", "there is no engine `babel`, only pseudo"),
        ("pseudo, pseudo", "", "it names `pseudo` twice"),
        ("", "it: pseudo", "the project has no language `it`; it has en, de, fr"),
        ("", "de: babel", "there is no engine `babel`, only pseudo"),
        ("", "de pseudo", "a language, a colon, and engines"),
    ] {
        let wrong = form.clone().set("engine", engine).set("language-engines", languages);
        let refused = manager.send(wrong).await;
        assert_eq!(refused.status, 422, "{engine} {languages}");
        refused.says(words);
    }
    assert_eq!(
        site.get("/meta").send().await.json()["engine"],
        json!({"name": "pseudo", "millicreditsPerCharacter": 1})
    );
    let chosen = form.set("engine", "pseudo").set("language-engines", "de: pseudo");
    let saved = manager.send(chosen).await;
    saved.says("The settings were saved.");
    let again = saved.html().form("/settings");
    assert_eq!((again.value("engine"), again.value("language-engines")), (Some("pseudo"), Some("de: pseudo")));
    manager.send(again.set("engine", "").set("language-engines", "")).await.says("The settings were saved.");
    let filter = AuditFilter { action: Some(AuditAction::ProjectChanged), ..AuditFilter::default() };
    let log = audit::list(site.service.people(), &site.project.workspace, &filter, 50).await.unwrap();
    let told: Vec<_> = log.entries.iter().filter_map(|entry| entry.detail.as_deref()).collect();
    assert_eq!(told, ["engine: that of the server", "engine: pseudo; de: pseudo"]);

    // Who may not manage the project does not choose either.
    let mut translator = site.as_role(Role::Translator).await;
    assert_eq!(translator.post(SETTINGS, &[("engine", "pseudo")]).await.status, 403);
}

async fn a_style_note_is_kept_as_it_was_written_and_the_log_has_it(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let form = manager.get(SETTINGS).await.html().form("/settings");
    assert_eq!(form.value("style-note"), Some(""));
    let refused = manager.send(form.clone().set("style-note", &"x".repeat(1_001))).await;
    assert_eq!(refused.status, 422);
    let written = form.set("style-note", "Short, <b>friendly</b>.\nFor dentists.");
    let saved = manager.send(written.clone()).await;
    saved.says("The settings were saved.");
    let again = saved.html().form("/settings");
    assert_eq!(again.value("style-note"), Some("Short, <b>friendly</b>.\nFor dentists."));
    manager.send(written).await.says("The settings were saved.");
    manager.send(again.set("style-note", " ")).await.says("The settings were saved.");
    let filter = AuditFilter { action: Some(AuditAction::ProjectChanged), ..AuditFilter::default() };
    let log = audit::list(site.service.people(), &site.project.workspace, &filter, 50).await.unwrap();
    let told: Vec<_> = log.entries.iter().filter_map(|entry| entry.detail.as_deref()).collect();
    assert_eq!(told, ["style note: none", "style note: Short, <b>friendly</b>.\nFor dentists."]);
}

async fn people_who_change_different_settings_undo_nothing_of_each_other(store: TestStore) {
    let site = Site::on(&store).await;
    let (mut ada, mut ben) = (site.as_role(Role::Manager).await, site.as_role(Role::Owner).await);
    let form = ada.get(SETTINGS).await.html().form("/settings");
    let other = form.clone().set("label", "Release {number}").set("memory", "off").set("style-note", "One.\nTwo.");
    ben.send(other).await.says("The settings were saved.");
    let saved = ada.send(form.clone().set("name", "Shop")).await;
    saved.says("The settings were saved.");
    let now = saved.html().form("/settings");
    let values = ["name", "label", "memory", "style-note"].map(|name| now.value(name).unwrap().to_owned());
    assert_eq!(values, ["Shop", "Release {number}", "off", "One.\nTwo."]);
    // A fault in between does not make her page newer than it is.
    let faulty = ada.send(form.set("name", "Shop").set("engine", "babel")).await;
    assert_eq!(faulty.status, 422);
    let mended = faulty.html().form("/settings").set("engine", "pseudo");
    let saved = ada.send(mended).await;
    saved.says("The settings were saved.");
    assert_eq!(saved.html().form("/settings").value("label"), Some("Release {number}"));
    let filter = AuditFilter { action: Some(AuditAction::ProjectChanged), ..AuditFilter::default() };
    let log = audit::list(site.service.people(), &site.project.workspace, &filter, 50).await.unwrap();
    let hers = log.entries.iter().filter(|entry| entry.actor == "manager@example.com");
    let hers: Vec<_> = hers.filter_map(|entry| entry.detail.as_deref()).collect();
    assert_eq!(hers, ["engine: pseudo", "name: Shop"]);
}

async fn the_same_setting_is_changed_by_whoever_was_first_and_the_other_is_told(store: TestStore) {
    let site = Site::on(&store).await;
    let (mut ada, mut ben) = (site.as_role(Role::Manager).await, site.as_role(Role::Owner).await);
    let form = ada.get(SETTINGS).await.html().form("/settings");
    ben.send(form.clone().set("name", "Bens shop").set("label", "Ben {number}")).await.says("The settings were saved.");
    let late = ada.send(form.clone().set("name", "Adas shop").set("memory", "off")).await;
    assert_eq!(late.status, 409);
    late.says("Somebody has changed the same settings").says("What was changed meanwhile").says("Bens shop");
    assert_eq!(site.get("/meta").send().await.json()["name"], "Bens shop");
    // What she typed is kept, and what she did not touch is as it is now.
    let again = late.html().form("/settings");
    let values = ["name", "label", "memory"].map(|name| again.value(name).unwrap().to_owned());
    assert_eq!(values, ["Adas shop", "Ben {number}", "off"]);
    let saved = ada.send(again).await;
    saved.says("The settings were saved.");
    let now = saved.html().form("/settings");
    assert_eq!((now.value("name"), now.value("label")), (Some("Adas shop"), Some("Ben {number}")));
    // A form that does not say what the person was shown is none of the page's.
    let fields = [("name", "Anything"), ("label", ""), ("memory", "off")];
    assert_eq!(ada.post(SETTINGS, &fields).await.status, 409);
    assert_eq!(site.get("/meta").send().await.json()["name"], "Adas shop");
}
