//! Captured keys, without script.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::audit::{self, AuditFilter};
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::support::{Form, Site, Visited};

both_engines!(
    a_selection_is_accepted_or_discarded_and_the_log_names_it,
    a_key_is_accepted_with_another_text_into_a_file,
    what_nobody_selected_or_knows_is_refused_and_nothing_is_written,
    keys_that_are_decided_meanwhile_are_told_and_none_of_the_selection_is_decided,
    a_long_list_has_pages,
    what_an_app_reports_is_shown_and_never_interpreted,
);

const CAPTURED: &str = "/dashboard/@acme/app/captured";

async fn capture(site: &Site, keys: Value) {
    let answer = site.post("/capture").json(&json!({ "keys": keys })).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

/// The form with the boxes of these keys set.
fn selected(page: &Visited, ids: &[&str]) -> Form {
    ids.iter().fold(page.html().form("/captured"), |form, id| form.check("key", id))
}

/// Ids of the keys on a page, in their order.
fn ids(page: &Visited) -> Vec<String> {
    let boxes = page.html().tags.into_iter().filter(|(name, _)| name == "input");
    let get = |attributes: &[(String, String)], wanted: &str| {
        attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone())
    };
    boxes
        .filter(|(_, all)| get(all, "type").as_deref() == Some("checkbox"))
        .filter_map(|(_, all)| get(&all, "value"))
        .collect()
}

/// The numbers of keys, and of those that wait.
async fn counts(site: &Site) -> (Value, Value) {
    let meta = site.get("/meta").send().await.json();
    (meta["keyCount"].clone(), meta["capturedCount"].clone())
}

async fn log(site: &Site) -> Vec<String> {
    let log = audit::list(site.service.people(), &site.project.workspace, &AuditFilter::default(), 50).await.unwrap();
    let entries = log.entries.iter().filter(|entry| entry.action.as_str().starts_with("captured"));
    entries
        .map(|entry| format!("{} {} {}", entry.actor, entry.action.as_str(), entry.detail.as_deref().unwrap()))
        .collect()
}

async fn a_selection_is_accepted_or_discarded_and_the_log_names_it(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    manager.get(CAPTURED).await.says("No captured keys");
    let context = json!({"url": "https://ann:pw@shop.example/cart?x=1", "file": "src/cart.ts", "line": 7});
    capture(
        &site,
        json!([{"ref": "a", "text": "Alpha", "context": context}, {"ref": "b", "text": "Beta"}, {"ref": "c"}]),
    )
    .await;
    let page = manager.get(CAPTURED).await;
    page.says("Alpha").says("Missed at https://shop.example/cart, in src/cart.ts:7").says("No text");
    assert!(!page.text().contains("pw@"));
    let ids = ids(&page);
    let accepted = manager.send(selected(&page, &[&ids[0], &ids[1]]).set("do", "accept")).await;
    accepted.says("The selected keys were accepted.");
    assert_eq!(counts(&site).await, (json!(2), json!(1)));
    assert_eq!(site.get("/translations?ref=a").send().await.json()["text"], "Alpha");
    let changes = site.get("/pending-code-changes").send().await.json();
    assert_eq!(
        (&changes["changes"][0]["kind"], &changes["changes"][0]["by"]),
        (&json!("key_added"), &json!("manager@example.com"))
    );
    let discarded = manager.send(selected(&accepted, &[&ids[2]]).set("do", "discard")).await;
    discarded.says("The selected keys were discarded.").says("No captured keys");
    assert_eq!(counts(&site).await, (json!(2), json!(0)));
    assert_eq!(
        log(&site).await,
        ["manager@example.com captured_discarded c", "manager@example.com captured_accepted a, b"]
    );
}

async fn a_key_is_accepted_with_another_text_into_a_file(store: TestStore) {
    let site = Site::on(&store).await;
    let file = json!({"path": "en.json", "content": "{\"x\": \"X\"}", "encoding": "utf8", "format": "json"});
    assert!(site.post("/sync").json(&json!({ "file": file })).send().await.status < 300);
    capture(&site, json!([{"ref": "c"}])).await;
    let mut manager = site.as_role(Role::Manager).await;
    let link =
        manager.get(CAPTURED).await.html().links.into_iter().find(|link| link.contains("/captured/str_")).unwrap();
    let page = manager.get(&link).await;
    let form = page.html().form("/captured/str_");
    for (text, file, words) in [
        ("", "", "Fill in this field."),
        ("See\u{1b}", "", "Remove control characters"),
        ("See", "nowhere.json", "no file `nowhere.json` has been synced"),
    ] {
        let refused = manager.send(form.clone().set("text", text).set("file", file)).await;
        assert_eq!(refused.status, 422, "{text:?}");
        refused.says(words);
    }
    assert_eq!(counts(&site).await, (json!(1), json!(1)));
    let form = form.set("text", "See <b>").set("file", "en.json");
    manager.send(form.clone()).await.says("The key was accepted.");
    assert_eq!(site.get("/translations?ref=c").send().await.json()["text"], "See <b>");
    assert_eq!(site.get("/pending-code-changes").send().await.json()["changes"][0]["file"], "en.json");
    let again = manager.send(form).await;
    assert_eq!(again.status, 409);
    again.says("Somebody has decided about this key meanwhile");
    assert_eq!(manager.get(&link).await.status, 404);
}

async fn what_nobody_selected_or_knows_is_refused_and_nothing_is_written(store: TestStore) {
    let site = Site::on(&store).await;
    capture(&site, json!([{"ref": "a", "text": "A"}, {"ref": "b"}])).await;
    let mut manager = site.as_role(Role::Manager).await;
    let page = manager.get(CAPTURED).await;
    let ids = ids(&page);
    let all: Vec<(&str, &str)> = ids.iter().map(|id| ("key", id.as_str())).chain([("do", "accept")]).collect();
    for (fields, words) in [
        (vec![("do", "accept")], "Select at least one key."),
        (vec![("key", "<b>"), ("do", "discard")], "Select at least one key."),
        (vec![("key", ids[0].as_str())], "Choose what to do"),
        (vec![("key", ids[0].as_str()), ("do", "burn")], "Choose what to do"),
        (all, "b was captured without a text."),
    ] {
        let page = manager.post(CAPTURED, &fields).await;
        assert_eq!(page.status, 422, "{fields:?}");
        page.says(words);
    }
    let kept = manager.post(CAPTURED, &[("key", &ids[0]), ("do", "burn")]).await;
    assert_eq!(kept.html().form("/captured").value("key"), Some(ids[0].as_str()), "what was selected is kept");
    assert_eq!(counts(&site).await, (json!(0), json!(2)));
    assert!(log(&site).await.is_empty());
}

async fn keys_that_are_decided_meanwhile_are_told_and_none_of_the_selection_is_decided(store: TestStore) {
    let site = Site::on(&store).await;
    capture(&site, json!([{"ref": "a", "text": "A"}, {"ref": "b", "text": "B"}])).await;
    let mut manager = site.as_role(Role::Manager).await;
    let page = manager.get(CAPTURED).await;
    let ids = ids(&page);
    let both = selected(&page, &[&ids[0], &ids[1]]).set("do", "accept");
    manager.send(selected(&page, &[&ids[0]]).set("do", "discard")).await;
    let late = manager.send(both).await;
    assert_eq!(late.status, 409);
    late.says("Some of the selected keys are no longer waiting.");
    assert_eq!(counts(&site).await, (json!(0), json!(1)));
    // A key of another project is none of this one's.
    let other = site.project_beside("other").await;
    let answer = site.at(http::Method::POST, &format!("/v1/projects/{}/capture", other.id)).key(&other.keys.admin);
    assert_eq!(answer.json(&json!({"keys": [{"ref": "theirs", "text": "T"}]})).send().await.status, 200);
    let theirs = manager.get("/dashboard/@acme/other/captured").await;
    let theirs = self::ids(&theirs);
    assert_eq!(manager.post(CAPTURED, &[("key", &theirs[0]), ("do", "discard")]).await.status, 409);
    assert_eq!(manager.get(&format!("{CAPTURED}/{}", theirs[0])).await.status, 404);
}

async fn a_long_list_has_pages(store: TestStore) {
    let site = Site::on(&store).await;
    let keys: Vec<Value> = (0..120).map(|n| json!({"ref": format!("key.{n:03} &?#"), "text": "T"})).collect();
    capture(&site, json!(keys)).await;
    let mut manager = site.as_role(Role::Manager).await;
    let mut page = manager.get(CAPTURED).await;
    let mut seen = ids(&page).len();
    while let Some(next) =
        page.html().links.into_iter().find(|link| link.contains("after=") && !link.contains("select"))
    {
        page = manager.get(&next).await;
        seen += ids(&page).len();
    }
    assert_eq!(seen, 120);
    let all = manager.get(&format!("{CAPTURED}?select=all")).await;
    let decided = manager.send(all.html().form("/captured").set("do", "discard")).await;
    decided.says("The selected keys were discarded.");
    assert_eq!(counts(&site).await, (json!(0), json!(70)));
}

async fn what_an_app_reports_is_shown_and_never_interpreted(store: TestStore) {
    let site = Site::on(&store).await;
    let hostile = "<script>alert(1)</script>\u{202e}";
    capture(&site, json!([{"ref": hostile, "text": hostile, "context": {"url": "https://x.example/<img src=x>"}}]))
        .await;
    let mut manager = site.as_role(Role::Manager).await;
    let page = manager.get(CAPTURED).await;
    page.says("<script>alert(1)</script>U+202E");
    assert!(
        !page.text().contains("<script>alert") && !page.text().contains("<img") && !page.text().contains('\u{202e}')
    );
    let link = page.html().links.into_iter().find(|link| link.contains("/captured/str_")).unwrap();
    let page = manager.get(&link).await;
    assert!(!page.text().contains("<script>alert") && !page.text().contains("<img"));
}
