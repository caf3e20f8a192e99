//! Pending code changes, without script.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use l10n_api_types::Content;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::domain::code_changes::edit::Edit;
use l10n_server::domain::people::audit::{self, AuditAction, AuditFilter};
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::support::{Site, Visited};

both_engines!(
    each_kind_of_change_is_shown_and_withdrawn,
    a_change_that_somebody_went_on_with_is_not_withdrawn_unseen,
    a_change_that_the_code_has_is_told_to_be_gone,
    texts_of_others_are_shown_and_never_interpreted,
    a_large_page_counts_with_the_answers_of_its_workspace,
);

const CHANGES: &str = "/dashboard/@acme/app/changes";

async fn sync(site: &Site, texts: &Value) {
    let file = json!({"path": "en.json", "content": texts.to_string(), "encoding": "utf8", "format": "json"});
    let answer = site.post("/sync").json(&json!({ "file": file })).send().await;
    assert!(answer.status < 300, "{answer:?}");
}

/// A change that a person makes on the server.
enum SourceEdit<'a> {
    Text(&'a str, &'a str),
    Rename(&'a str, &'a str),
    Archive(&'a str),
    Add(&'a str, &'a str),
}

async fn edit(site: &Site, made: SourceEdit<'_>) {
    let mut tx = site.service.store.begin_write().await.unwrap();
    let edit = Edit {
        clock: site.service.clock.as_ref(),
        settings: &site.service.settings,
        project: &site.project.id,
        by: "ann",
    };
    match made {
        SourceEdit::Text(name, text) => {
            edit.text(&mut tx, name, &Content::Text(text.to_owned())).await.unwrap();
        }
        SourceEdit::Rename(name, to) => {
            edit.rename(&mut tx, name, to).await.unwrap();
        }
        SourceEdit::Archive(name) => edit.archive(&mut tx, name).await.unwrap(),
        SourceEdit::Add(name, text) => edit.add(&mut tx, name, &Content::Text(text.to_owned()), None).await.unwrap(),
    }
    tx.commit().await.unwrap();
}

/// Links to the changes of a list, in its order.
fn links(page: &Visited) -> Vec<String> {
    page.html().links.into_iter().filter(|link| link.contains("/changes/chg_")).collect()
}

/// Names and texts of the project's keys.
async fn keys(site: &Site) -> Value {
    let keys = site.get("/translations").send().await.json();
    keys["keys"].as_array().unwrap().iter().map(|key| json!([key["ref"], key["text"]])).collect()
}

async fn each_kind_of_change_is_shown_and_withdrawn(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    manager.get(CHANGES).await.says("No pending changes");
    sync(&site, &json!({"a": "Alpha", "b": "Beta", "c": "Gamma"})).await;
    let before = keys(&site).await;
    edit(&site, SourceEdit::Text("a", "Alpha, better")).await;
    edit(&site, SourceEdit::Rename("b", "b.new")).await;
    edit(&site, SourceEdit::Archive("c")).await;
    edit(&site, SourceEdit::Add("d", "Delta")).await;
    let page = manager.get(CHANGES).await;
    page.says("l10n pull-changes").says("Alpha, better").says("b.new").says("Archived").says("Delta").says("ann");
    let links = links(&page);
    assert_eq!(links.len(), 4);
    for link in &links {
        let form = manager.get(link).await.html().form("/changes/chg_");
        manager.send(form).await.says("The change was withdrawn.");
    }
    manager.get(CHANGES).await.says("No pending changes");
    assert_eq!(keys(&site).await, before, "the project says what the code says");
    assert_eq!(site.get("/pending-code-changes").send().await.json()["changes"], json!([]));
    let filter = AuditFilter { action: Some(AuditAction::CodeChangeWithdrawn), ..AuditFilter::default() };
    let log = audit::list(site.service.people(), &site.project.workspace, &filter, 50).await.unwrap();
    let mut told: Vec<_> = log.entries.iter().map(|entry| entry.detail.clone().unwrap()).collect();
    told.sort();
    assert_eq!(told, ["key_added: d", "key_archived: c", "key_renamed: b.new", "text_changed: a"]);
    assert!(log.entries.iter().all(|entry| entry.actor == "manager@example.com"));
}

async fn a_change_that_somebody_went_on_with_is_not_withdrawn_unseen(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    sync(&site, &json!({"a": "Alpha"})).await;
    edit(&site, SourceEdit::Text("a", "First")).await;
    let link = links(&manager.get(CHANGES).await)[0].clone();
    let form = manager.get(&link).await.html().form("/changes/chg_");
    site.clock.advance(std::time::Duration::from_secs(1));
    edit(&site, SourceEdit::Text("a", "Second")).await;
    for wrong in [form.clone(), form.clone().set("seen", "soon"), form.set("seen", "")] {
        let late = manager.send(wrong).await;
        assert_eq!(late.status, 409);
        late.says("Somebody has changed the key again").says("Second");
    }
    assert_eq!(keys(&site).await, json!([["a", "Second"]]));
}

async fn a_change_that_the_code_has_is_told_to_be_gone(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    sync(&site, &json!({"a": "Alpha"})).await;
    edit(&site, SourceEdit::Text("a", "Better")).await;
    let link = links(&manager.get(CHANGES).await)[0].clone();
    let form = manager.get(&link).await.html().form("/changes/chg_");
    sync(&site, &json!({"a": "Better"})).await;
    let late = manager.send(form).await;
    assert_eq!(late.status, 409);
    late.says("This change is no longer waiting");
    assert_eq!(manager.get(&link).await.status, 404);
    assert_eq!(keys(&site).await, json!([["a", "Better"]]));
}

async fn texts_of_others_are_shown_and_never_interpreted(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    sync(&site, &json!({"a": "<b>old</b>"})).await;
    edit(&site, SourceEdit::Text("a", "<script>new()</script>\u{202e}")).await;
    let page = manager.get(CHANGES).await;
    page.says("<b>old</b>").says("<script>new()</script>U+202E");
    let asked = manager.get(&links(&page)[0]).await;
    for page in [page, asked] {
        assert!(!page.text().contains("<script>new") && !page.text().contains("<b>old"));
    }
}

async fn a_large_page_counts_with_the_answers_of_its_workspace(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    sync(&site, &json!({"a": "Alpha"})).await;
    edit(&site, SourceEdit::Text("a", &"long ".repeat(20_000))).await;
    let share = usize::try_from(site.service.settings.limits.unsent_answer_bytes / 2).unwrap();
    let held = site.service.unsent.take_free(site.project.workspace.clone(), share).unwrap();
    let refused = manager.get(CHANGES).await;
    assert_eq!(refused.status, 503);
    assert_eq!(manager.get("/dashboard/@acme/app").await.status, 200, "what is small is always shown");
    drop(held);
    manager.get(CHANGES).await.says("long long long");
    while site.service.unsent.held() > 0 {
        tokio::task::yield_now().await;
    }
}
