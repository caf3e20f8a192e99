//! API keys in the dashboard, without script.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use http::Method;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::audit::{self, AuditFilter};
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::support::{Form, Site, Visited};

both_engines!(
    a_key_is_made_shown_once_used_and_listed,
    a_key_for_an_app_that_may_do_more_is_made_after_a_warning,
    what_no_key_has_is_refused_beside_its_field,
    revoking_a_key_names_what_it_cancels_and_cancels_it,
    a_replaced_key_goes_on_for_the_chosen_time,
    only_managers_see_keys_and_only_their_own_projects,
    labels_are_shown_and_never_interpreted,
);

const KEYS: &str = "/dashboard/@acme/app/settings/keys";

/// The key on the page after it was made.
fn shown(page: &Visited) -> String {
    let text = page.html().text;
    let at = text.find("eik_").unwrap_or_else(|| panic!("no key in: {text}"));
    // Its parts are `eik_`, 43 characters and a checksum of 6.
    text[at..at + 53].to_owned()
}

fn filled(page: &Visited, label: &str, scopes: &[&str]) -> Form {
    let form = page.html().form("/settings/keys/new").set("label", label);
    scopes.iter().fold(form, |form, scope| form.check("scope", scope))
}

async fn works(site: &Site, key: &str) -> bool {
    site.get("/meta").key(key).send().await.status == 200
}

/// RES-11, AUTH-5
async fn a_key_is_made_shown_once_used_and_listed(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let form = manager.get(&format!("{KEYS}/new")).await;
    let page = manager.send(filled(&form, "Pipeline", &["read", "publish"])).await;
    assert_eq!(page.status, 200);
    page.says("It is shown only once.").says("export L10N_API_KEY=");
    let key = shown(&page);
    let base = format!("http://{}/v1", site.address);
    // Without one of the three, the command line asks for it.
    page.says(&format!("L10N_API_KEY={key} L10N_BASE_URL={base} L10N_PROJECT=acme/app l10n whoami"));
    for line in [format!("L10N_API_KEY={key}"), format!("L10N_BASE_URL={base}"), "L10N_PROJECT=acme/app".to_owned()] {
        page.says(&format!("export {line}"));
    }
    assert!(works(&site, &key).await);
    let refused = site.post("/languages").key(&key).json(&json!({"languages": [{"code": "es"}]})).send().await;
    assert_eq!(refused.outcome(), "403 forbidden", "it has the scopes that were chosen");
    let list = manager.get(KEYS).await;
    list.says("Pipeline").says("read, publish").says("CI / scripts").says("manager@example.com").says("Never");
    list.says(&format!("eik_…{}", &key[key.len() - 4..]));
    assert!(!list.text().contains(&key));
    site.service.key_uses.write(&site.service.store).await.unwrap();
    assert!(!manager.get(KEYS).await.html().text.is_empty());
    // The form once more, as a browser sends it when a page is loaded again.
    let again = manager.send(filled(&form, "Pipeline", &["read", "publish"])).await;
    assert_eq!(again.status, 422);
    again.says("Another key has this label.");
    let log = audit::list(site.service.people(), &site.project.workspace, &AuditFilter::default(), 50).await.unwrap();
    let made = log.entries.iter().filter(|entry| entry.action.as_str() == "key_created").collect::<Vec<_>>();
    assert_eq!((made.len(), made[0].actor.as_str()), (1, "manager@example.com"));
    assert!(!format!("{log:?}").contains(&key), "the log has no secret");
}

async fn a_key_for_an_app_that_may_do_more_is_made_after_a_warning(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let form = manager.get(&format!("{KEYS}/new")).await;
    let page = manager.send(filled(&form, "App", &["capture", "read"])).await;
    assert_eq!(page.status, 422);
    page.says("Anybody can read a key that is in an app");
    let form = page.html().form("/settings/keys/new").check("anyway", "yes");
    assert_eq!((form.value("label"), form.value("scope")), (Some("App"), Some("read")));
    assert!(works(&site, &shown(&manager.send(form).await)).await);
    let form = manager.get(&format!("{KEYS}/new")).await;
    shown(&manager.send(filled(&form, "App alone", &["capture"])).await);
}

async fn what_no_key_has_is_refused_beside_its_field(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let before = manager.get(KEYS).await.html().links.len();
    let path = format!("{KEYS}/new");
    let long = "x".repeat(101);
    for (fields, words) in [
        (vec![("label", ""), ("scope", "read"), ("kind", "ci")], "Fill in this field."),
        (vec![("label", long.as_str()), ("scope", "read"), ("kind", "ci")], "Enter at most 100 characters."),
        (vec![("label", "a\u{7}b"), ("scope", "read"), ("kind", "ci")], "Remove control characters"),
        (vec![("label", "a"), ("kind", "ci")], "Choose at least one scope."),
        (vec![("label", "a"), ("scope", "root"), ("scope", "read"), ("kind", "ci")], "Choose at least one scope."),
        (vec![("label", "a"), ("scope", "read"), ("kind", "root")], "Choose who uses the key."),
        (vec![("label", "a"), ("scope", "read"), ("kind", "ci"), ("ends", "-1")], "Choose one of these times."),
    ] {
        let page = manager.post(&path, &fields).await;
        assert_eq!(page.status, 422, "{fields:?}");
        page.says(words);
    }
    assert_eq!(manager.get(KEYS).await.html().links.len(), before, "nothing was written");
}

async fn revoking_a_key_names_what_it_cancels_and_cancels_it(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let form = filled(&manager.get(&format!("{KEYS}/new")).await, "Agent", &["admin"]).set("kind", "agent");
    let key = shown(&manager.send(form).await);
    let body = json!({"kind": "translation", "max_credits": 7});
    let asked = site.post("/operations").key(&key).json(&body).send().await;
    assert_eq!(asked.status, 201, "{asked:?}");
    let asked: l10n_api_types::operations::Operation = asked.read();
    let list = manager.get(KEYS).await.html();
    let link = list.links.iter().find(|link| link.ends_with("/revoke")).unwrap().clone();
    let page = manager.get(&link).await;
    page.says("This cancels a request for approval:").says("for at most 7 credits").says("Agent");
    let form = page.html().form("/revoke");
    manager.send(form.clone()).await.says("The key is revoked.").says("Revoked");
    assert!(!works(&site, &key).await);
    let path = format!("/operations/{}", asked.operation_id);
    assert_eq!(site.get(&path).send().await.json()["status"], "canceled");
    let again = manager.send(form).await;
    assert_eq!(again.status, 409);
    again.says("This key no longer works.");
}

async fn a_replaced_key_goes_on_for_the_chosen_time(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let form = filled(&manager.get(&format!("{KEYS}/new")).await, "Pipeline", &["read"]).set("ends", "90");
    let old = shown(&manager.send(form).await);
    let link = manager.get(KEYS).await.html().links.into_iter().find(|link| link.ends_with("/replace")).unwrap();
    let form = manager.get(&link).await.html().form("/replace").set("delay", "24");
    let page = manager.send(form.clone()).await;
    let new = shown(&page);
    page.says("The old key stops workingin 1 day");
    assert!(works(&site, &old).await && works(&site, &new).await);
    let again = manager.send(form).await;
    assert_eq!(again.status, 409);
    again.says("Somebody has replaced this key meanwhile.");
    site.clock.advance(std::time::Duration::from_secs(24 * 60 * 60));
    assert!(!works(&site, &old).await && works(&site, &new).await);
    manager.get(KEYS).await.says("Expired");
    let gone = manager.get(&link).await;
    gone.says("This key no longer works.");
    assert!(!gone.html().has_form("/replace"));
}

async fn only_managers_see_keys_and_only_their_own_projects(store: TestStore) {
    let site = Site::on(&store).await;
    let mut reviewer = site.as_role(Role::Reviewer).await;
    for path in [KEYS.to_owned(), format!("{KEYS}/new")] {
        assert_eq!(reviewer.get(&path).await.status, 403);
    }
    let mut manager = site.as_role(Role::Manager).await;
    let beside = site.project_beside("beside").await;
    let link = manager.get("/dashboard/@acme/beside/settings/keys").await.html().links;
    let link = link.into_iter().find(|link| link.ends_with("/revoke")).unwrap();
    // The id of a key of another project, also of one of the same workspace.
    let foreign = link.replace("/@acme/beside/", "/@acme/app/");
    for (method, path) in [(Method::GET, &foreign), (Method::POST, &foreign)] {
        let form = (method == Method::POST).then(String::new);
        let answer = manager.once(method, path, form, &[("sec-fetch-site", "same-origin")]).await;
        assert_eq!(answer.status, 404);
    }
    let path = foreign.replace("/revoke", "/replace");
    let answer = manager.post(&path, &[("delay", "0"), ("known-end", "")]).await;
    assert_eq!(answer.status, 404);
    let meta = format!("/v1/projects/{}/meta", beside.id);
    assert_eq!(site.at(Method::GET, &meta).key(&beside.keys.read).send().await.status, 200);
    // An hour after the password was entered it is asked for again.
    site.clock.advance(std::time::Duration::from_secs(60 * 60 + 1));
    let page = manager.post(&format!("{KEYS}/new"), &[("label", "late"), ("scope", "read"), ("kind", "ci")]).await;
    assert_eq!(page.status, 403);
}

async fn labels_are_shown_and_never_interpreted(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    for hostile in
        ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>", "\u{202e}yek"]
    {
        let page = manager.send(filled(&manager.clone().get(&format!("{KEYS}/new")).await, hostile, &["read"])).await;
        assert_eq!(page.status, 200, "{hostile}");
        let links = manager.get(KEYS).await.html().links;
        let end = links.into_iter().filter(|link| link.ends_with("/revoke") || link.ends_with("/replace")).take(2);
        let mut pages = vec![page, manager.get(KEYS).await];
        for link in end {
            pages.push(manager.get(&link).await);
        }
        for page in pages {
            let html = page.html();
            assert!(html.tags.iter().all(|(tag, _)| tag != "img"), "{hostile}");
            assert_eq!(html.tags.iter().filter(|(tag, _)| tag == "script").count(), 1, "{hostile}");
            let mut names = html.tags.iter().flat_map(|(_, attributes)| attributes).map(|(name, _)| name.as_str());
            assert!(names.all(|name| !name.starts_with("on")), "{hostile}");
        }
    }
}
