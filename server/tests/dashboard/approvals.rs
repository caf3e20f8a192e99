//! Decisions about what agents ask for, in the dashboard, without script.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use http::Method;
use l10n_api_types::operations::{Operation, OperationStatus};
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::audit::{self, AuditFilter};
use l10n_server::testing::{Answer, TestStore};
use serde_json::{Value, json};

use crate::support::{PASSWORD, Site, Visitor};

both_engines!(
    an_agent_asks_a_person_signs_in_approves_and_the_agent_goes_on,
    what_is_denied_says_why_and_is_not_done,
    what_was_decided_meanwhile_is_a_conflict_that_says_what_happened,
    what_has_expired_is_not_decided,
    only_who_may_decide_sees_what_agents_ask_for,
    words_of_agents_are_shown_and_never_interpreted,
    a_decision_that_is_none_writes_nothing,
    many_requests_are_listed_page_by_page,
    a_request_is_shown_with_what_it_would_change_and_cost,
    a_publish_of_some_languages_shows_those_that_it_takes_out_of_what_is_live,
    the_navigation_and_the_title_count_what_waits,
    a_part_that_waits_is_answered_when_somebody_decides_and_bounded,
    a_part_that_waits_ends_with_the_session_and_with_the_server,
);

async fn post(site: &Site, path: &str, body: &Value) -> Answer {
    site.post(path).key(&site.project.keys.agent).json(body).send().await
}

/// The app's agent asks for an operation.
pub(crate) async fn ask(site: &Site, body: &Value) -> Operation {
    let answer = post(site, "/operations", body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.read()
}

async fn read(site: &Site, operation: &Operation) -> Operation {
    let path = format!("/operations/{}", operation.operation_id);
    site.get(&path).key(&site.project.keys.agent).send().await.read()
}

pub(crate) fn path(operation: &Operation) -> String {
    operation.approval_url.split_once("/dashboard").map(|(_, rest)| format!("/dashboard{rest}")).unwrap()
}

async fn greet(site: &Site) {
    let answer = site.post("/translate").json(&json!({"keys": [{"ref": "greeting", "text": "Hello"}]})).send().await;
    assert!(answer.status < 300, "{answer:?}");
}

/// OPS-2, OPS-3, AUTH-12: from the refusal of the agent's key to what it publishes.
async fn an_agent_asks_a_person_signs_in_approves_and_the_agent_goes_on(store: TestStore) {
    let site = Site::on(&store).await;
    greet(&site).await;
    let ada = site.member("ada@example.com", Role::Manager).await;
    site.give_password(&ada).await;
    assert_eq!(post(&site, "/publish", &json!({})).await.outcome(), "403 authorization_required");
    let asked = ask(&site, &json!({"kind": "publish", "note": "The texts of the new checkout"})).await;

    let mut visitor = site.stranger();
    let login = visitor.get(&path(&asked)).await;
    assert!(login.path.starts_with("/dashboard/login?next="), "{}", login.path);
    let form = login.html().form("/login").set("frame-email", "ada@example.com").set("frame-password", PASSWORD);
    let page = visitor.send(form).await;
    assert_eq!((page.status, page.path.clone()), (200, path(&asked)), "she comes back to what was asked");
    page.says("Publish the strings of the project in all languages").says("The texts of the new checkout");
    page.says("changes since the last publish");

    let wait = format!("/operations/{}?waitSeconds=20", asked.operation_id);
    let waiting = tokio::spawn(site.get(&wait).key(&site.project.keys.agent).send());
    let form = page.html().form("/operations/").set("decision", "approve").set("reason", "looks right");
    let done = visitor.send(form).await;
    done.says("You approved the request.").says("It is approved, and has not been used yet.");
    let told: Operation = waiting.await.unwrap().read();
    assert_eq!((told.status, told.decided_by.as_deref()), (OperationStatus::Approved, Some("ada@example.com")));
    assert_eq!(told.reason.as_deref(), Some("looks right"));

    let published = post(&site, "/publish", &json!({"operationId": asked.operation_id})).await;
    assert_eq!(published.status, 201, "{published:?}");
    assert_eq!(read(&site, &asked).await.status, OperationStatus::Used);
    visitor.get(&path(&asked)).await.says("It was approved, and has been used.").says("ada@example.com");
    let log = audit::list(site.service.people(), &site.project.workspace, &AuditFilter::default(), 50).await.unwrap();
    let entry = log.entries.iter().find(|entry| entry.action.as_str() == "operation_approved").unwrap();
    assert_eq!(
        (entry.actor.as_str(), entry.subject.as_deref()),
        ("ada@example.com", Some(asked.operation_id.as_str()))
    );
}

async fn what_is_denied_says_why_and_is_not_done(store: TestStore) {
    let site = Site::on(&store).await;
    greet(&site).await;
    let mut manager = site.as_role(Role::Manager).await;
    let body = json!({"kind": "translation", "max_credits": 4, "maxArchivedKeys": 12, "languages": ["de", "fr"]});
    let asked = ask(&site, &body).await;
    let page = manager.get("/dashboard/@acme/app/approvals").await;
    let words = "Translate the strings of the project into de, fr for at most 4 credits, and archive at most 12 keys";
    page.says(words).says("Pending");
    assert!(page.html().links.contains(&path(&asked)));
    let page = manager.get(&path(&asked)).await;
    page.says(words).says("Available credits");
    let form = page.html().form("/operations/").set("decision", "deny").set("reason", "Not on a Friday");
    manager.send(form).await.says("You denied the request.").says("Not on a Friday");
    let denied = read(&site, &asked).await;
    assert_eq!((denied.status, denied.reason.as_deref()), (OperationStatus::Denied, Some("Not on a Friday")));
    assert_eq!(denied.decided_by.as_deref(), Some("manager@example.com"));
    manager.get("/dashboard/@acme/app/approvals").await.says("Nothing is waiting").says("Denied");
}

async fn what_was_decided_meanwhile_is_a_conflict_that_says_what_happened(store: TestStore) {
    let site = Site::on(&store).await;
    let (mut ada, mut bob) = (site.as_role(Role::Manager).await, site.as_role(Role::Owner).await);
    let asked = ask(&site, &json!({"kind": "publish"})).await;
    let (first, second) = (ada.get(&path(&asked)).await, bob.get(&path(&asked)).await);
    ada.send(first.html().form("/operations/").set("decision", "deny").set("reason", "no")).await.says("It is denied.");
    let page = bob.send(second.html().form("/operations/").set("decision", "approve")).await;
    assert_eq!(page.status, 409);
    page.says("Nothing was saved").says("It is denied.").says("manager@example.com");
    let now = read(&site, &asked).await;
    assert_eq!((now.status, now.decided_by.as_deref()), (OperationStatus::Denied, Some("manager@example.com")));
    // The key that asks is revoked meanwhile.
    let asked = ask(&site, &json!({"kind": "publish"})).await;
    let form = ada.get(&path(&asked)).await.html().form("/operations/").set("decision", "approve");
    let mut tx = site.service.store.begin_write().await.unwrap();
    let hash = l10n_server::ids::ApiKeyText::parse(&site.project.keys.agent).unwrap().hash();
    let key = l10n_server::store::api_keys::find_by_hash(&mut tx, &hash).await.unwrap().unwrap().id;
    assert!(l10n_server::domain::auth::revoke(&mut tx, &key, asked.created_at).await.unwrap());
    tx.commit().await.unwrap();
    let page = ada.send(form).await;
    assert_eq!(page.status, 409);
    page.says("It was canceled: the key that asked was revoked or has expired.");
}

async fn what_has_expired_is_not_decided(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let asked = ask(&site, &json!({"kind": "publish"})).await;
    let form = manager.get(&path(&asked)).await.html().form("/operations/").set("decision", "approve");
    site.clock.advance(std::time::Duration::from_secs(24 * 60 * 60));
    let page = manager.send(form).await;
    assert_eq!(page.status, 409);
    page.says("It has expired.");
    assert!(!manager.get(&path(&asked)).await.html().has_form("/operations/"));
    assert_eq!(read(&site, &asked).await.status, OperationStatus::Expired);
}

async fn only_who_may_decide_sees_what_agents_ask_for(store: TestStore) {
    let site = Site::on(&store).await;
    let asked = ask(&site, &json!({"kind": "publish"})).await;
    for role in [Role::Viewer, Role::Translator, Role::Reviewer] {
        let mut visitor = site.as_role(role).await;
        assert_eq!(visitor.get(&path(&asked)).await.status, 403, "{role:?}");
        assert_eq!(visitor.post(&path(&asked), &[("decision", "approve")]).await.status, 403, "{role:?}");
    }
    let other = site.other_project("unlimited").await;
    let body = json!({"kind": "publish"});
    let theirs = site.at(Method::POST, &format!("/v1/projects/{}/operations", other.id)).key(&other.keys.agent);
    let theirs: Operation = theirs.json(&body).send().await.read();
    let mut owner = site.as_role(Role::Owner).await;
    assert_eq!(owner.get(&path(&theirs)).await.status, 404, "it is of another workspace");
    assert_eq!(owner.post(&path(&theirs), &[("decision", "approve")]).await.status, 404);
    assert_eq!(read(&site, &asked).await.status, OperationStatus::Pending);
}

async fn words_of_agents_are_shown_and_never_interpreted(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    for hostile in
        ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>", "\u{202e}eunever"]
    {
        let asked = ask(&site, &json!({"kind": "publish", "note": hostile})).await;
        let form = manager.get(&path(&asked)).await.html().form("/operations/");
        let page = manager.send(form.set("decision", "deny").set("reason", hostile)).await;
        assert_eq!(page.status, 200, "{hostile}");
        for page in [page, manager.get("/dashboard/@acme/app/approvals").await] {
            let html = page.html();
            assert!(html.tags.iter().all(|(tag, _)| tag != "img"), "{hostile}");
            assert_eq!(html.tags.iter().filter(|(tag, _)| tag == "script").count(), 1, "{hostile}");
            let mut names = html.tags.iter().flat_map(|(_, attributes)| attributes).map(|(name, _)| name.as_str());
            assert!(names.all(|name| !name.starts_with("on")), "{hostile}");
            assert!(!page.text().contains('\u{202e}'), "it would turn what stands beside it");
        }
    }
}

async fn a_decision_that_is_none_writes_nothing(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let asked = ask(&site, &json!({"kind": "publish"})).await;
    let long = "x".repeat(1_001);
    for fields in [
        [("decision", ""), ("reason", "")],
        [("decision", "maybe"), ("reason", "")],
        [("decision", "approve"), ("reason", "a\u{1b}[2J")],
        [("decision", "deny"), ("reason", long.as_str())],
    ] {
        let page = manager.post(&path(&asked), &fields).await;
        assert_eq!(page.status, 422, "{fields:?}");
        assert_eq!(page.html().form("/operations/").value("reason"), Some(fields[1].1), "what was typed is kept");
    }
    assert_eq!(read(&site, &asked).await.status, OperationStatus::Pending);
}

/// The links to requests on a page of the list and on those that follow by links with this field, which the page has further on.
async fn walked(manager: &mut Visitor<'_>, first: &str, field: &str) -> Vec<String> {
    let (mut seen, mut next) = (Vec::new(), Some(first.to_owned()));
    while let Some(page) = next {
        let links = manager.get(&page).await.html().links;
        seen.extend(links.iter().filter(|link| link.starts_with("/dashboard/operations/")).cloned());
        next = links.into_iter().find(|link| link.contains(field) && *link != page);
    }
    seen
}

async fn many_requests_are_listed_page_by_page(store: TestStore) {
    const LIST: &str = "/dashboard/@acme/app/approvals";
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let asks = async |number: usize| {
        // The window of the project has 120 requests.
        if number.is_multiple_of(100) {
            site.clock.advance(std::time::Duration::from_secs(60));
        }
        path(&ask(&site, &json!({"kind": "publish", "note": format!("number {number}")})).await)
    };
    let (mut decided, mut pending) = (Vec::new(), Vec::new());
    for number in 0..60 {
        let asked = asks(number).await;
        manager.post(&asked, &[("decision", "deny")]).await;
        decided.push(asked);
    }
    let seen = walked(&mut manager, LIST, "after=").await;
    decided.reverse();
    assert_eq!(seen, decided, "newest first, each once");
    for number in 60..165 {
        pending.push(asks(number).await);
    }
    assert_eq!(walked(&mut manager, LIST, "waiting=").await[..50], pending[..50], "those that expire first");
    let links = manager.get(LIST).await.html().links;
    let more = links.iter().find(|link| link.contains("waiting=")).unwrap().clone();
    assert_eq!(walked(&mut manager, &more, "waiting=").await, pending[50..], "each that waits is on a page");
    let more = links.iter().find(|link| link.contains("after=")).unwrap().clone();
    let first = links.iter().filter(|link| decided.contains(link)).count();
    assert_eq!(walked(&mut manager, &more, "after=").await, decided[first..], "each that was decided, too");
    // The start page and the page of the key that asks count up to a bound.
    manager.get("/dashboard").await.says("More than 99 approvals are pending");
    let hash = l10n_server::ids::ApiKeyText::parse(&site.project.keys.agent).unwrap().hash();
    let mut tx = site.service.store.begin_read().await.unwrap();
    let key = l10n_server::store::api_keys::find_by_hash(&mut tx, &hash).await.unwrap().unwrap().id;
    tx.rollback().await.unwrap();
    let page = manager.get(&format!("/dashboard/@acme/app/settings/keys/{key}/revoke")).await;
    page.says("This cancels more than 50 requests for approval. The first of them:");
}

/// A translation shows what is missing and its price, a publish its changes, a rollback the version beside the live one.
async fn a_request_is_shown_with_what_it_would_change_and_cost(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    greet(&site).await;
    assert_eq!(site.post("/publish").json(&json!({"label": "First"})).send().await.status, 201);
    let more =
        json!({"keys": [{"ref": "greeting", "text": "Hello you"}, {"ref": "bye", "text": "Bye"}], "languages": ["de"]});
    assert!(site.post("/translate").json(&more).send().await.status < 300);

    let asked = ask(&site, &json!({"kind": "translation", "max_credits": 4})).await;
    let page = manager.get(&path(&asked)).await;
    page.says("Missing translations now")
        .says("Maximum price of translating them, in credits")
        .says("Available credits");
    let asked = ask(&site, &json!({"kind": "publish"})).await;
    manager.get(&path(&asked)).await.says("What would change").says("Hello you").says("bye");
    assert_eq!(site.post("/publish").json(&json!({"label": "Second"})).send().await.status, 201);
    let versions: Value = site.get("/versions").send().await.read();
    let first = versions["versions"].as_array().unwrap().last().unwrap()["versionId"].clone();
    let asked = ask(&site, &json!({"kind": "rollback", "versionId": first})).await;
    let page = manager.get(&path(&asked)).await;
    page.says("Version to restore").says("#1 First").says("#2 Second").says("What would change").says("Hello you");
    let form = page.html().form("/operations/").set("decision", "deny");
    let page = manager.send(form).await;
    assert!(!page.html().text.contains("What would change"), "it is decided");
}

/// A version has no other languages than its publish: what would go, and what changes in the base language, is shown.
async fn a_publish_of_some_languages_shows_those_that_it_takes_out_of_what_is_live(store: TestStore) {
    let site = Site::idle(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    site.sync(&json!({"greeting": "Hello"})).await;
    site.import("de", &json!({"greeting": "Hallo"})).await;
    site.import("fr", &json!({"greeting": "Bonjour"})).await;
    assert_eq!(site.post("/publish").send().await.status, 201);
    site.sync(&json!({"greeting": "Hello", "bye": "See you"})).await;
    let asked = ask(&site, &json!({"kind": "publish", "languages": ["de"]})).await;
    let page = manager.get(&path(&asked)).await;
    page.says("Publish the strings of the project in de");
    page.says("Other languages are then no longer live, except for the base language.");
    page.says("Removed greetingBefore:Bonjour").says("Added byeAfter:See you");
    assert!(!page.html().text.contains("Hallo"), "it stays");
    // The language is removed from the project meanwhile: a publish of what is left would still be allowed.
    let form = manager.get("/dashboard/@acme/app/settings/languages/de/remove").await.html().form("/remove");
    manager.send(form).await.says("The language was removed.");
    let page = manager.get(&path(&asked)).await;
    page.says("Removed greetingBefore:Hallo").says("Removed greetingBefore:Bonjour");
    let every = manager.get(&path(&ask(&site, &json!({"kind": "publish"})).await)).await;
    assert!(!every.html().text.contains("Other languages are then no longer live"));
}

async fn the_navigation_and_the_title_count_what_waits(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let list = "/dashboard/@acme/app/approvals";
    assert!(!manager.get(list).await.text().contains("<title>("));
    let asked = ask(&site, &json!({"kind": "publish"})).await;
    ask(&site, &json!({"kind": "publish"})).await;
    assert!(manager.get(list).await.text().contains("<title>(2) Approvals"));
    let count = |text: &str| text.contains("aria-label=\"2 waiting for a decision\"");
    assert!(count(manager.get("/dashboard/@acme/app/versions").await.text()));
    let mut viewer = site.as_role(Role::Viewer).await;
    assert!(!viewer.get("/dashboard/@acme/app/versions").await.text().contains("waiting for a decision"));
    let page = manager.post(&path(&asked), &[("decision", "deny")]).await;
    assert!(page.text().contains("aria-label=\"1 waiting for a decision\""), "the page after the decision counts anew");
}

/// The headers of the script: the part that it has, and its state.
fn poll<'a>(part: &'a str, state: &'a str) -> [(&'a str, &'a str); 2] {
    [("l10n-fragment", part), ("l10n-known", state)]
}

async fn a_part_that_waits_is_answered_when_somebody_decides_and_bounded(store: TestStore) {
    let site = Site::on(&store).await;
    let (mut ada, mut bob) = (site.as_role(Role::Manager).await, site.as_role(Role::Owner).await);
    let asked = ask(&site, &json!({"kind": "publish"})).await;
    // Who knows another state is answered at once.
    let answer = ada.once(Method::GET, &path(&asked), None, &poll("decision", "used")).await;
    assert_eq!((answer.status, answer.header("l10n-state")), (200, Some("pending")));
    // Of four, three wait, with the places and the connections free for others; one is answered at once.
    let headers = poll("decision", "pending");
    let asked_path = path(&asked);
    let waits = async |mut visitor: Visitor<'_>| visitor.once(Method::GET, &asked_path, None, &headers).await;
    let mut waiting: FuturesUnordered<_> = (0..4).map(|_| waits(ada.clone())).collect();
    let first = waiting.next().await.unwrap();
    assert_eq!(first.header("l10n-state"), Some("pending"), "there was no place for it");
    let decide = async {
        let form = bob.get(&asked_path).await.html().form("/operations/").set("decision", "approve");
        bob.send(form).await.says("You approved the request.");
    };
    let (answers, ()) = tokio::join!(waiting.collect::<Vec<_>>(), decide);
    assert_eq!(answers.len(), 3);
    for answer in answers {
        assert_eq!(answer.header("l10n-state"), Some("approved"));
        assert!(answer.text().contains("It is approved") && !answer.text().contains("<html"), "{answer:?}");
    }
    // The list says so as well, with the title and the number.
    let answer = ada.once(Method::GET, "/dashboard/@acme/app/approvals", None, &poll("list", "x")).await;
    let state = answer.header("l10n-state").unwrap().to_owned();
    assert!(answer.text().contains("data-title=\"Approvals"), "{}", answer.text());
    let known = poll("list", &state);
    let waiting = ada.once(Method::GET, "/dashboard/@acme/app/approvals", None, &known);
    let body = json!({"kind": "publish"});
    let (answer, _) = tokio::join!(waiting, ask(&site, &body));
    assert!(answer.text().contains("data-title=\"(1) Approvals") && answer.text().contains("data-count=\"1\""));
}

async fn a_part_that_waits_ends_with_the_session_and_with_the_server(store: TestStore) {
    let site = Site::on(&store).await;
    let (ada, asked) = (site.as_role(Role::Manager).await, ask(&site, &json!({"kind": "publish"})).await);
    let headers = poll("decision", "pending");
    let (mut waits, mut leaves) = (ada.clone(), ada.clone());
    let path = path(&asked);
    let waiting = waits.once(Method::GET, &path, None, &headers);
    let (answer, _) = tokio::join!(waiting, leaves.post("/dashboard/logout", &[]));
    assert_eq!(answer.status, 303, "who has signed out learns nothing more");
    // Of four, one finds no place: by then, the others wait.
    let ada = site.as_role(Role::Owner).await;
    let waits = async |mut visitor: Visitor<'_>| visitor.once(Method::GET, &path, None, &headers).await;
    let mut waiting: FuturesUnordered<_> = (0..4).map(|_| waits(ada.clone())).collect();
    waiting.next().await.unwrap();
    site.service.draining.cancel();
    let answers: Vec<_> = waiting.collect().await;
    assert_eq!(answers.len(), 3);
    assert!(answers.iter().all(|answer| answer.header("l10n-state") == Some("pending")), "{answers:?}");
}
