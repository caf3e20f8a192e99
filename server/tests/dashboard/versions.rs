//! Publishing, versions and restoring, without script.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use http::Method;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::audit::{self, AuditAction, AuditFilter};
use l10n_server::testing::{TestStore, sql};
use serde_json::{Value, json};

use crate::support::{Site, Visitor};

both_engines!(
    a_person_sees_what_goes_live_publishes_it_and_restores_what_was_before,
    what_a_person_publishes_counts_against_no_budget_and_bears_their_name,
    a_form_that_is_sent_twice_or_late_publishes_once_and_says_so,
    what_a_check_holds_back_is_shown_with_its_reason,
    texts_of_others_are_shown_and_never_interpreted,
    a_large_project_is_compared_after_the_page_is_there,
    a_role_that_may_not_publish_is_not_offered_it,
    versions_of_another_project_lead_nowhere,
    files_of_a_version_come_in_pages_and_those_that_differ_are_bounded,
);

const VERSIONS: &str = "/dashboard/@acme/app/versions";
const PUBLISH: &str = "/dashboard/@acme/app/publish";

/// Paths of the project in place of those of the constants.
fn own(site: &Site, path: &str) -> String {
    path.replace("@acme/app", &format!("@{}/{}", site.project.handle, site.project.slug))
}

/// Registers texts and waits until they are translated.
async fn sync(site: &Site, texts: &Value) {
    let file = json!({ "path": "en.json", "content": texts.to_string(), "encoding": "utf8", "format": "json" });
    let answer = site.post("/sync").json(&json!({ "file": file })).send().await;
    assert!(answer.status < 300, "{answer:?}");
    let Some(token) = answer.json()["trackingToken"].as_str().map(str::to_owned) else { return };
    loop {
        let job = site.get(&format!("/translations?waitSeconds=25&trackingToken={token}")).send().await.json();
        if job["status"] == "completed" {
            return;
        }
        assert!(matches!(job["status"].as_str(), Some("queued" | "running")), "{job}");
    }
}

/// Publishes by the page's own form.
async fn publish(site: &Site, visitor: &mut Visitor<'_>, label: &str) -> String {
    let page = visitor.get(&own(site, PUBLISH)).await;
    let done = visitor.send(page.html().form("/publish").set("label", label)).await;
    done.says("The version is live now.").says(label);
    done.path.split('?').next().unwrap().to_owned()
}

async fn a_person_sees_what_goes_live_publishes_it_and_restores_what_was_before(store: TestStore) {
    let site = Site::on(&store).await;
    let mut visitor = site.as_role(Role::Manager).await;
    visitor.get(&own(&site, VERSIONS)).await.says("No versions yet");
    visitor.get(&own(&site, PUBLISH)).await.says("Nothing to publish");
    sync(&site, &json!({ "a": "One", "b": "Two" })).await;
    visitor.get(&own(&site, PUBLISH)).await.says("Not published yet").says("2 added, 0 changed, 0 removed").says("One");
    let first = publish(&site, &mut visitor, "First").await;
    visitor.get(&own(&site, PUBLISH)).await.says("No text differs.");
    sync(&site, &json!({ "a": "One", "b": "Two and a half", "c": "Three" })).await;
    let page = visitor.get(&own(&site, PUBLISH)).await;
    page.says("1 added, 1 changed, 0 removed").says("Two").says("Two and a half").says("Three");
    assert!(
        page.text().contains("Before:</span><div lang=\"en\">"),
        "the text is in its language, the word before it is not"
    );
    let second = publish(&site, &mut visitor, "Second").await;
    let shown = visitor.get(&first).await;
    shown.says("First").says("en.json").says("manager@example.com");
    let id = first.rsplit('/').next().unwrap();
    let compared = visitor.get(&format!("{second}?with={id}")).await;
    compared.says("Changes from version 1 to version 2").says("1 added, 1 changed, 0 removed");
    let restored = visitor.send(visitor.clone().get(&first).await.html().form("/restore")).await;
    restored.says("This version is live again.");
    assert!(!restored.html().has_form("/restore"), "what is live cannot be restored");
    let manifest = site.at(Method::GET, &format!("/v1/projects/{}/manifest", site.project.id)).send().await;
    assert_eq!(manifest.json()["versionId"], id);
    visitor.get(&own(&site, VERSIONS)).await.says("#2 Second").says("#1 FirstLive");
}

/// LIM-DAY-6
async fn what_a_person_publishes_counts_against_no_budget_and_bears_their_name(store: TestStore) {
    let site = Site::with(&store, |settings| {
        settings.limits.publishes_per_day = 2;
        settings.limits.restores_per_day = 1;
    })
    .await;
    sync(&site, &json!({ "a": "One" })).await;
    let mut visitor = site.as_role(Role::Manager).await;
    let mut paths = Vec::new();
    for number in 0..4 {
        paths.push(publish(&site, &mut visitor, &format!("By hand {number}")).await);
    }
    for path in &paths[..3] {
        let page = visitor.get(path).await;
        visitor.send(page.html().form("/restore")).await.says("This version is live again.");
    }
    let meta = site.get("/meta").send().await.json();
    assert_eq!((&meta["remaining"]["publishes"], &meta["remaining"]["restores"]), (&json!(2), &json!(1)));
    for status in [201, 201, 429] {
        assert_eq!(site.post("/publish").json(&json!({})).send().await.status, status);
    }
    visitor.get(&own(&site, VERSIONS)).await.says("manager@example.com").says("An API key");
    publish(&site, &mut visitor, "When the API may not").await;
    let filter = AuditFilter { action: Some(AuditAction::Published), ..AuditFilter::default() };
    let page = audit::list(site.service.people(), &site.project.workspace, &filter, 100).await.unwrap();
    let by_hand = page.entries.iter().filter(|entry| entry.actor == "manager@example.com").count();
    assert_eq!((page.entries.len(), by_hand), (7, 5), "{:?}", page.entries);
    let filter = AuditFilter { action: Some(AuditAction::Restored), ..AuditFilter::default() };
    let page = audit::list(site.service.people(), &site.project.workspace, &filter, 100).await.unwrap();
    assert_eq!(page.entries.len(), 3);
    assert_eq!(page.entries[0].detail.as_deref(), Some("By hand 2"));
}

async fn a_form_that_is_sent_twice_or_late_publishes_once_and_says_so(store: TestStore) {
    let site = Site::on(&store).await;
    sync(&site, &json!({ "a": "One" })).await;
    let mut visitor = site.as_role(Role::Owner).await;
    let form = visitor.get(&own(&site, PUBLISH)).await.html().form("/publish").set("label", "Once");
    visitor.send(form.clone()).await.says("The version is live now.");
    let again = visitor.send(form).await;
    assert_eq!(again.status, 409);
    again.says("Another version has become live since this page was loaded.");
    let shown = again.html().form("/publish");
    assert_eq!(shown.value("label"), Some("Once"), "what was typed is kept");
    let second = visitor.send(shown.set("label", "Twice")).await;
    second.says("The version is live now.");
    let path = second.path.split('?').next().unwrap().to_owned();
    let first = visitor.get(&own(&site, VERSIONS)).await;
    let first = first.html().links.into_iter().find(|link| link.contains("/versions/") && *link != path).unwrap();
    let form = visitor.get(&first).await.html().form("/restore");
    visitor.send(form.clone()).await.says("This version is live again.");
    let late = visitor.send(form).await;
    assert_eq!(late.status, 409);
    late.says("Another version has become live");
    let long = visitor.get(&own(&site, PUBLISH)).await.html().form("/publish").set("label", &"x".repeat(201));
    let refused = visitor.send(long).await;
    assert_eq!(refused.status, 422);
    refused.says("Enter at most 200 characters.");
    let page = visitor.get(&own(&site, VERSIONS)).await;
    assert_eq!(page.html().links.iter().filter(|link| link.contains("/versions/")).count(), 2);
}

async fn what_a_check_holds_back_is_shown_with_its_reason(store: TestStore) {
    let site = Site::on(&store).await;
    sync(&site, &json!({ "greeting": "Hello {name}", "bye": "Bye" })).await;
    let content = json!({ "greeting": "Hallo <b>du</b>", "bye": "Tschüss" }).to_string();
    let file = json!({ "path": "de.json", "content": content, "encoding": "utf8", "format": "json" });
    let answer = site.post("/sync").json(&json!({ "file": file, "language": "de" })).send().await;
    assert!(answer.status < 300, "{answer:?}");
    let mut visitor = site.as_role(Role::Manager).await;
    let page = visitor.get(&own(&site, PUBLISH)).await;
    page.says("Held back").says("greeting").says("Hallo <b>du</b>").says("name");
    assert!(!page.text().contains("<b>du"), "shown, never interpreted");
    visitor.get(&format!("{}?language=de", own(&site, PUBLISH))).await.says("Only de is shown.").says("Tschüss");
}

async fn texts_of_others_are_shown_and_never_interpreted(store: TestStore) {
    let site = Site::on(&store).await;
    let mut visitor = site.as_role(Role::Manager).await;
    let hostile =
        ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "a\u{202e}b", "{{7*7}}", "${x}", "'); --"];
    for (number, text) in hostile.iter().enumerate() {
        sync(&site, &json!({ "key": text, (format!("<i>{number}</i>")): text })).await;
        let page = visitor.get(&own(&site, PUBLISH)).await;
        assert_eq!(page.status, 200);
        let form = page.html().form("/publish").set("label", text);
        let done = visitor.send(form).await;
        done.says("The version is live now.");
        let path = done.path.split('?').next().unwrap().to_owned();
        for path in [path, own(&site, VERSIONS), own(&site, PUBLISH)] {
            let page = visitor.get(&path).await;
            for forbidden in ["<script>alert", "<img", "<i>", "\u{202e}"] {
                assert!(!page.text().contains(forbidden), "{path}: {forbidden}");
            }
        }
    }
}

/// More than 200 keys, of which the first says `first`.
fn many(first: &str) -> Value {
    let rest = (1..=200).map(|number| (format!("key{number}"), json!(format!("Text {number}"))));
    Value::Object([("a".to_owned(), json!(first))].into_iter().chain(rest).collect())
}

async fn a_large_project_is_compared_after_the_page_is_there(store: TestStore) {
    let site = Site::on(&store).await;
    let mut visitor = site.as_role(Role::Manager).await;
    sync(&site, &many("Before")).await;
    let first = publish(&site, &mut visitor, "First").await;
    sync(&site, &many("After")).await;
    let part = [("sec-fetch-site", "same-origin"), ("l10n-fragment", "comparison")];

    let page = visitor.get(&own(&site, PUBLISH)).await;
    page.says("Show the differences");
    assert!(!page.text().contains("After"), "{}", page.text());
    assert!(page.html().has_form("/publish"));
    let loaded = visitor.once(Method::GET, &own(&site, PUBLISH), None, &part).await;
    assert!(loaded.text().contains("After") && !loaded.text().contains("<form"), "{}", loaded.text());
    visitor.get(&format!("{}?comparison=shown", own(&site, PUBLISH))).await.says("Before").says("After");

    let second = publish(&site, &mut visitor, "Second").await;
    let compared = format!("{second}?with={}", first.rsplit('/').next().unwrap());
    visitor.get(&compared).await.says("Changes from version 1 to version 2").says("Show the differences");
    let loaded = visitor.once(Method::GET, &compared, None, &part).await;
    assert!(loaded.text().contains("Before") && loaded.text().contains("After"), "{}", loaded.text());
    assert_eq!(visitor.once(Method::GET, &second, None, &part).await.status, 404, "nothing to compare with");
    visitor.get(&format!("{compared}&comparison=shown")).await.says("Before").says("After");
}

async fn a_role_that_may_not_publish_is_not_offered_it(store: TestStore) {
    let site = Site::on(&store).await;
    sync(&site, &json!({ "a": "One" })).await;
    for label in ["one", "two"] {
        assert_eq!(site.post("/publish").json(&json!({ "label": label })).send().await.status, 201);
    }
    for role in Role::ALL {
        let mut visitor = site.as_role(role).await;
        let list = visitor.get(&own(&site, VERSIONS)).await;
        assert_eq!(list.html().links.iter().any(|link| link.ends_with("/publish")), role >= Role::Manager);
        let first = list.html().links.into_iter().rfind(|link| link.contains("/versions/")).unwrap();
        assert_eq!(visitor.get(&first).await.html().has_form("/restore"), role >= Role::Manager, "{}", role.as_str());
    }
}

async fn versions_of_another_project_lead_nowhere(store: TestStore) {
    let site = Site::on(&store).await;
    sync(&site, &json!({ "a": "One" })).await;
    let mut visitor = site.as_role(Role::Owner).await;
    let own_version = publish(&site, &mut visitor, "Own").await;
    let other = site.project_beside("beside").await;
    let id = own_version.rsplit('/').next().unwrap();
    let beside = format!("/dashboard/@{}/{}/versions/{id}", other.handle, other.slug);
    assert_eq!(visitor.get(&beside).await.status, 404);
    assert_eq!(visitor.post(&format!("{beside}/restore"), &[("live", id)]).await.status, 404);
    assert_eq!(visitor.get(&format!("{own_version}?with=ver_none")).await.status, 404);
    assert_eq!(visitor.get(&format!("{own_version}?with=%3Cb%3E")).await.status, 200, "what is no id is no version");
}

/// A version may have 20,000 files.
async fn files_of_a_version_come_in_pages_and_those_that_differ_are_bounded(store: TestStore) {
    let site = Site::on(&store).await;
    let mut visitor = site.as_role(Role::Manager).await;
    sync(&site, &json!({ "a": "One" })).await;
    let first = publish(&site, &mut visitor, "First").await;
    let second = publish(&site, &mut visitor, "Second").await;
    let id = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    let many: String = (0..260)
        .map(|n| {
            format!(
                "INSERT INTO version_files (version_id, position, path, language, namespace, format, holds_all_languages, \
                 sha256, bytes) SELECT version_id, {}, 'more/{n:03}.json', language, namespace, format, holds_all_languages, \
                 sha256, bytes FROM version_files WHERE version_id = '{}' AND path = 'en.json';",
                1_000 + n,
                id(&second),
            )
        })
        .collect();
    sql::run(&site.service.store, &many).await;

    // Every file stands on one page of 50 at most, in the order of paths.
    let (mut seen, mut next) = (Vec::new(), Some(second.clone()));
    while let Some(path) = next {
        let page = visitor.get(&path).await;
        assert_eq!(page.status, 200);
        let html = page.html();
        let urls = html.tags.iter().filter(|(name, _)| name == "button").flat_map(|(_, attributes)| attributes);
        let urls = urls.filter(|(name, _)| name == "data-copy").map(|(_, url)| url.clone());
        let urls: Vec<String> = urls.collect();
        assert!(urls.len() <= 50, "{}", urls.len());
        seen.extend(urls);
        next = html.links.into_iter().find(|link| link.starts_with(&second) && link.contains("after="));
    }
    let files = sql::count(&site.service.store, &format!("version_files WHERE version_id = '{}'", id(&second))).await;
    assert_eq!(i64::try_from(seen.len()).unwrap(), files);
    assert!(seen.is_sorted() && seen.len() >= 263);

    // A form that comes late shows the page at another path, which leads on all the same.
    let restore = visitor.get(&first).await.html().form("/restore");
    let late = visitor.post(&format!("{second}/restore"), &[("live", restore.value("live").unwrap())]).await;
    assert_eq!(late.status, 409);
    let next = late.html().links.into_iter().find(|link| link.contains("after=")).unwrap();
    assert_eq!(visitor.get(&next).await.status, 200, "{next}");

    let compared = visitor.get(&format!("{second}?with={}", id(&first))).await;
    compared.says("260 files differ").says("and 60 more");
    assert_eq!(compared.text().matches("<bdi>more/").count(), 200);
}
