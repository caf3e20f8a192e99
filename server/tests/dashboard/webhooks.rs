//! Webhooks in the dashboard, without script.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use http::StatusCode;
use l10n_api_types::WebhookId;
use l10n_api_types::deliveries::DeliveryStatus;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::audit::{self, AuditFilter};
use l10n_server::testing::TestStore;
use l10n_testkit::receiver::Answer;
use l10n_webhook_verify::Verifier;
use serde_json::json;

use crate::support::{Form, Hooks, Visited, Visitor, WEBHOOKS, secret};

both_engines!(
    a_webhook_is_made_its_secret_is_shown_once_and_signs,
    what_no_webhook_has_is_refused_beside_its_field_and_nothing_is_written,
    people_make_more_than_the_api_and_both_count_all,
    a_second_webhook_with_the_same_url_is_made_after_a_question,
    a_replaced_secret_is_shown_once_and_both_sign_until_the_time_that_is_said,
    three_failures_disable_a_webhook_and_a_person_enables_it,
    a_webhook_is_changed_if_nobody_else_has_changed_it,
    a_deleted_webhook_is_gone_for_every_form,
    webhooks_of_another_project_lead_nowhere,
    who_may_not_manage_webhooks_sees_none,
);

/// The form to make a webhook, filled in.
async fn filled(manager: &mut Visitor<'_>, url: &str, events: &[&str]) -> Form {
    let form = manager.get(&format!("{WEBHOOKS}/new")).await.html().form("/webhooks/new").set("url", url);
    events.iter().fold(form, |form, event| form.check("event", event))
}

fn page_of(id: &WebhookId, rest: &str) -> String {
    format!("{WEBHOOKS}/{id}{rest}")
}

/// Actions about webhooks in the audit log with those who did them, the oldest first.
async fn told(hooks: &Hooks) -> Vec<(String, String)> {
    let filter = AuditFilter::default();
    let log = audit::list(hooks.service.people(), &hooks.project.workspace, &filter, 50).await.unwrap();
    let about = log.entries.into_iter().filter(|entry| entry.action.as_str().starts_with("webhook_"));
    let mut told: Vec<_> = about.map(|entry| (entry.action.as_str().to_owned(), entry.actor)).collect();
    told.reverse();
    told
}

async fn count(hooks: &Hooks) -> usize {
    hooks.get("/webhooks").send().await.json()["webhooks"].as_array().unwrap().len()
}

/// WH-F-5, WH-F-6, SIG-5
async fn a_webhook_is_made_its_secret_is_shown_once_and_signs(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    manager.get(WEBHOOKS).await.says("No webhooks yet");
    let (id, made) = hooks.make(&mut manager, "/hook").await;
    made.says("It is shown only once.").says("export L10N_WEBHOOK_SECRET=").says("timingSafeEqual");
    let secret = secret(&made);
    hooks.publish().await;
    hooks.newest(&id, |delivery| delivery.status == DeliveryStatus::Delivered).await;
    let sent = hooks.receiver.deliveries().pop().unwrap();
    let signature = sent.header("x-service-signature").unwrap();
    let at = hooks.clock.now().as_millis() / 1_000;
    assert!(Verifier::new(&secret).unwrap().verify_at(signature, &sent.body, at).is_ok());
    let list = manager.get(WEBHOOKS).await;
    list.says(&hooks.receiver.url("/hook")).says("strings.published").says("Enabled").says("1 of 1").says("just now");
    let detail = manager.get(&page_of(&id, "")).await;
    detail.says(&format!("whsec_…{}", &secret[secret.len() - 4..])).says("1 of 1");
    for page in [&list, &detail] {
        assert!(!page.text().contains(&secret), "{}", page.path);
    }
    assert_eq!(told(&hooks).await, [("webhook_created".to_owned(), "manager@example.com".to_owned())]);
    let log = audit::list(hooks.service.people(), &hooks.project.workspace, &AuditFilter::default(), 50).await.unwrap();
    assert!(
        !format!("{log:?}").contains(&secret) && !format!("{log:?}").contains("/hook"),
        "nor what the URL may hide"
    );
}

/// WH-URL-1, WH-URL-3, WH-CR-2
async fn what_no_webhook_has_is_refused_beside_its_field_and_nothing_is_written(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    let long = format!("https://127.0.0.1/{}", "x".repeat(2_048));
    let (url, event) = (hooks.receiver.url("/hook"), "strings.published");
    for (fields, words) in [
        (vec![("url", ""), ("event", event)], "Fill in this field."),
        (vec![("url", long.as_str()), ("event", event)], "Enter at most 2,048 characters."),
        (vec![("url", "https://example.com/\u{7}"), ("event", event)], "Remove control characters"),
        (vec![("url", "https://example.com/\nx"), ("event", event)], "Remove control characters"),
        (vec![("url", "http://example.com/"), ("event", event)], "https"),
        (vec![("url", "https://u:p@example.com/"), ("event", event)], "password"),
        (vec![("url", "https://10.0.0.1/"), ("event", event)], "not public"),
        (vec![("url", "https://169.254.169.254/latest"), ("event", event)], "not public"),
        (vec![("url", "<script>alert(1)</script>"), ("event", event)], "Nothing was saved."),
        (vec![("url", url.as_str())], "Choose at least one event."),
        (vec![("url", url.as_str()), ("event", event), ("event", "root")], "Choose at least one event."),
        (vec![("url", "")], "Choose at least one event."),
    ] {
        let page = manager.post(&format!("{WEBHOOKS}/new"), &fields).await;
        assert_eq!(page.status, 422, "{fields:?}");
        page.says(words);
        let scripts = page.html().tags.iter().filter(|(tag, _)| tag == "script").count();
        assert_eq!(scripts, 1, "what was typed is shown as text");
    }
    assert_eq!((count(&hooks).await, told(&hooks).await), (0, Vec::new()));
    let form = filled(&mut manager, "http://example.com/kept", &[event]).await;
    let again = manager.send(form).await.html().form("/webhooks/new");
    assert_eq!((again.value("url"), again.value("event")), (Some("http://example.com/kept"), Some(event)));
}

/// AMB-28, WH-LIM-1
async fn people_make_more_than_the_api_and_both_count_all(store: TestStore) {
    let hooks = Hooks::with(&store, |settings| settings.webhooks.most_per_project = 7).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    let body =
        |number: usize| json!({"url": hooks.receiver.url(&format!("/api-{number}")), "events": ["strings.published"]});
    for number in 0..4 {
        assert_eq!(hooks.post("/webhooks").json(&body(number)).send().await.status, 201);
    }
    for number in 0..3 {
        hooks.make(&mut manager, &format!("/person-{number}")).await;
        assert_eq!(hooks.post("/webhooks").json(&body(9)).send().await.outcome(), "409 webhook_limit");
    }
    let list = manager.get(WEBHOOKS).await;
    list.says("The project has 7 webhooks, which is the limit.");
    assert!(!list.html().links.iter().any(|link| link.ends_with("/new")), "what cannot be done is not offered");
    let form = filled(&mut manager, &hooks.receiver.url("/late"), &["strings.published"]).await;
    assert_eq!(manager.send(form).await.status, 422);
    assert_eq!(count(&hooks).await, 7, "the API lists all of them");
}

async fn a_second_webhook_with_the_same_url_is_made_after_a_question(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    let form = filled(&mut manager, &hooks.receiver.url("/hook"), &["content.published"]).await;
    assert_eq!(manager.send(form.clone()).await.status, 200);
    // A form that is sent twice, as by loading the page with the secret again.
    let asked = manager.send(form).await;
    assert_eq!(asked.status, 422);
    asked.says("Another webhook has this URL.");
    assert_eq!(count(&hooks).await, 1);
    let sure = asked.html().form("/webhooks/new").check("anyway", "yes");
    assert_eq!(manager.send(sure).await.status, 200);
    assert_eq!(count(&hooks).await, 2);
}

/// SIG-11, AMB-17
async fn a_replaced_secret_is_shown_once_and_both_sign_until_the_time_that_is_said(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    let (id, made) = hooks.make(&mut manager, "/hook").await;
    let old = secret(&made);
    let form = manager.get(&page_of(&id, "/rotate")).await.html().form("/rotate");
    let page = manager.send(form.clone()).await;
    assert_eq!(page.status, 200);
    let new = secret(&page);
    assert_ne!(old, new);
    let until = hooks.clock.now().plus_millis(24 * 60 * 60 * 1_000);
    page.says(&until.to_string());
    // The form once more: it would end the first secret at once.
    let again = manager.send(form).await;
    assert_eq!(again.status, 409);
    again.says("The secret has been replaced meanwhile.").says(&format!("whsec_…{}", &new[new.len() - 4..]));
    hooks.publish().await;
    hooks.newest(&id, |delivery| delivery.status == DeliveryStatus::Delivered).await;
    let sent = hooks.receiver.deliveries().pop().unwrap();
    let (signature, at) = (sent.header("x-service-signature").unwrap(), hooks.clock.now().as_millis() / 1_000);
    for secret in [&old, &new] {
        assert!(Verifier::new(secret).unwrap().verify_at(signature, &sent.body, at).is_ok());
    }
    manager.get(&page_of(&id, "")).await.says(&until.to_string());
    manager.get(&page_of(&id, "/rotate")).await.says("the older one stops at once");
    hooks.clock.advance(Duration::from_secs(24 * 60 * 60));
    let after = manager.get(&page_of(&id, "")).await;
    assert!(!after.text().contains(&until.to_string()));
    let form = manager.get(&page_of(&id, "/rotate")).await.html().form("/rotate");
    assert_eq!(manager.send(form).await.status, 403, "a day later the person has to show that it is them");
    let secrets = told(&hooks).await.into_iter().filter(|(action, _)| action == "webhook_secret_rotated").count();
    assert_eq!(secrets, 1);
}

/// DEL-11, WH-F-8
async fn three_failures_disable_a_webhook_and_a_person_enables_it(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    hooks.receiver.answer("/hook", Answer::status(StatusCode::INTERNAL_SERVER_ERROR));
    let (id, _) = hooks.make(&mut manager, "/hook").await;
    for failed in 1..=3 {
        hooks.fail(&id).await;
        manager.get(WEBHOOKS).await.says(if failed < 3 { "Failing" } else { "Disabled" });
    }
    let page = manager.get(&page_of(&id, "")).await;
    page.says("three deliveries in a row failed").says("Disabled: just now").says("0 of 3");
    hooks.receiver.answer("/hook", Answer::ok());
    let enable = page.html().form("/enable");
    manager.send(enable.clone()).await.says("The webhook is enabled.");
    manager.send(enable).await.says("The webhook is enabled.");
    hooks.publish().await;
    hooks.newest(&id, |delivery| delivery.status == DeliveryStatus::Delivered).await;
    let page = manager.get(&page_of(&id, "")).await;
    page.says("1 of 4");
    manager.send(page.html().form("/disable")).await.says("Somebody disabled this webhook").says("Disabled: just now");
    let changes = told(&hooks).await;
    assert_eq!(changes.len(), 3, "made, enabled once, disabled: {changes:?}");
    assert!(changes.iter().all(|(_, actor)| actor == "manager@example.com"));
    let path = format!("/webhooks/{id}");
    assert_eq!(hooks.call(http::Method::PATCH, &path).json(&json!({"enabled": true})).send().await.status, 200);
    let by = told(&hooks).await.pop().unwrap();
    assert_eq!(by.0, "webhook_changed");
    assert_ne!(by.1, "manager@example.com", "a key is told by its label");
}

async fn a_webhook_is_changed_if_nobody_else_has_changed_it(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    let (id, _) = hooks.make(&mut manager, "/hook").await;
    let form = manager.get(&page_of(&id, "")).await.html().form_to(&page_of(&id, ""));
    let moved = form.clone().set("url", &hooks.receiver.url("/moved")).check("event", "content.published");
    manager.send(moved).await.says("The webhook was saved.").says("/moved").says("content.published");
    let late = manager.send(form.set("url", &hooks.receiver.url("/late"))).await;
    assert_eq!(late.status, 409);
    late.says("Somebody has changed this webhook meanwhile.");
    let kept = late.html().form_to(&page_of(&id, ""));
    assert_eq!(kept.value("url"), Some(hooks.receiver.url("/late").as_str()), "what was typed is kept");
    manager.send(kept).await.says("The webhook was saved.").says("/late");
    let stale = manager.get(&page_of(&id, "")).await.html().form_to(&page_of(&id, ""));
    manager.send(stale.clone().set("url", &hooks.receiver.url("/second"))).await.says("The webhook was saved.");
    let faulty = manager.send(stale.set("url", "")).await;
    assert_eq!(faulty.status, 422);
    let mended = faulty.html().form_to(&page_of(&id, "")).set("url", &hooks.receiver.url("/mended"));
    assert_eq!(manager.send(mended).await.status, 409, "what was saved before the fault was mended is not undone");
    let form = manager.get(&page_of(&id, "")).await.html().form_to(&page_of(&id, ""));
    let refused = manager.send(form.set("url", "https://192.168.0.1/")).await;
    assert_eq!(refused.status, 422);
    refused.says("not public").says("/second");
    assert_eq!(told(&hooks).await.len(), 4);
}

/// WH-DE-1
async fn a_deleted_webhook_is_gone_for_every_form(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    let (id, _) = hooks.make(&mut manager, "/hook").await;
    hooks.publish().await;
    let page = manager.get(&page_of(&id, "")).await;
    let rotate = manager.get(&page_of(&id, "/rotate")).await.html().form("/rotate");
    let asked = manager.get(&page_of(&id, "/delete")).await;
    asked.says("This cannot be undone.");
    let delete = asked.html().form("/delete");
    manager.send(delete.clone()).await.says("The webhook was deleted.").says("No webhooks yet");
    for form in [delete, rotate, page.html().form_to(&page_of(&id, "")), page.html().form("/disable")] {
        assert_eq!(manager.send(form.clone()).await.status, 404, "{}", form.action);
    }
    assert_eq!(manager.get(&page_of(&id, "")).await.status, 404);
    let last = told(&hooks).await.pop().unwrap();
    assert_eq!(last, ("webhook_deleted".to_owned(), "manager@example.com".to_owned()));
}

/// WH-PA-8: ids of webhooks of other projects, also of the same workspace.
async fn webhooks_of_another_project_lead_nowhere(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    let (id, _) = hooks.make(&mut manager, "/hook").await;
    hooks.project_beside("beside").await;
    let elsewhere = |rest: &str| page_of(&id, rest).replace("/@acme/app/", "/@acme/beside/");
    for rest in ["", "/rotate", "/delete"] {
        assert_eq!(manager.get(&elsewhere(rest)).await.status, 404, "{rest}");
    }
    let fields = [("url", "https://example.com/"), ("event", "strings.published"), ("known-hint", "")];
    for rest in ["", "/enable", "/disable", "/rotate", "/delete"] {
        let answer: Visited = manager.post(&elsewhere(rest), &fields).await;
        assert_eq!(answer.status, 404, "{rest}");
    }
    manager.get(WEBHOOKS.replace("/app/", "/beside/").as_str()).await.says("No webhooks yet");
    manager.get(WEBHOOKS).await.says(&hooks.receiver.url("/hook"));
}

async fn who_may_not_manage_webhooks_sees_none(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    let (id, _) = hooks.make(&mut manager, "/hook").await;
    let mut reviewer = hooks.as_role(Role::Reviewer).await;
    for path in [WEBHOOKS.to_owned(), page_of(&id, ""), page_of(&id, "/rotate")] {
        assert_eq!(reviewer.get(&path).await.status, 403, "{path}");
    }
    assert!(!reviewer.get("/dashboard/@acme/app/versions").await.html().links.iter().any(|link| link == WEBHOOKS));
}
