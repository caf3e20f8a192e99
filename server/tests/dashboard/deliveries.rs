//! Deliveries in the dashboard, without script.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use http::StatusCode;
use l10n_api_types::WebhookId;
use l10n_api_types::deliveries::DeliveryStatus;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::audit::{self, AuditAction, AuditFilter};
use l10n_server::testing::{TestStore, on_postgres, sql};
use l10n_testkit::receiver::{Answer, Gate};

use crate::support::{Hooks, Visitor, WEBHOOKS};

both_engines!(
    a_delivery_shows_what_was_sent_and_what_came_back,
    an_answer_is_cut_shown_and_never_interpreted,
    what_was_never_sent_says_so,
    a_delivery_is_sent_again_unless_an_attempt_is_in_flight,
    what_has_failed_is_sent_again_and_the_result_is_told,
    deliveries_are_filtered_by_status_and_event,
    the_last_twenty_attempts_are_kept,
    deliveries_of_another_project_lead_nowhere,
);

fn list_of(id: &WebhookId) -> String {
    format!("{WEBHOOKS}/{id}/deliveries")
}

/// Resends in the audit log, newest first: who, and of which delivery.
async fn resends(hooks: &Hooks) -> Vec<(String, String)> {
    let filter = AuditFilter { action: Some(AuditAction::DeliveryResent), ..AuditFilter::default() };
    let log = audit::list(hooks.service.people(), &hooks.project.workspace, &filter, 50).await.unwrap();
    log.entries.into_iter().map(|entry| (entry.actor, entry.subject.unwrap())).collect()
}

/// The page of the newest delivery.
async fn newest_page(manager: &mut Visitor<'_>, id: &WebhookId) -> String {
    let links = manager.get(&list_of(id)).await.html().links;
    links.into_iter().find(|link| link.contains("/deliveries/dlv_")).unwrap()
}

/// SIG-1, SIG-5: the page has the very lines that the receiver got.
async fn a_delivery_shows_what_was_sent_and_what_came_back(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    hooks.receiver.answer("/hook", Answer::ok().body("thanks a lot"));
    let (id, made) = hooks.make(&mut manager, "/hook").await;
    let secret = crate::support::secret(&made);
    manager.get(&list_of(&id)).await.says("No deliveries yet");
    hooks.publish().await;
    hooks.newest(&id, |delivery| delivery.status == DeliveryStatus::Delivered).await;
    let list = manager.get(&list_of(&id)).await;
    list.says("strings.published").says("Delivered").says("200").says("millisecond");
    let path = newest_page(&mut manager, &id).await;
    let page = manager.get(&path).await;
    let sent = hooks.receiver.deliveries().pop().unwrap();
    let text = page.html().text;
    for name in sent.headers.keys() {
        let value = sent.headers[name].to_str().unwrap();
        assert!(text.contains(&format!("{name}: {value}")), "{name}: {value} is not in: {text}");
    }
    let time = sent.header("x-service-signature").unwrap()[2..].split(',').next().unwrap();
    // A body may be longer than what is shown at once: the rest stands behind "more".
    let body = std::str::from_utf8(&sent.body).unwrap();
    page.says(&format!("{time}.…")).says("thanks a lot").says("Attempt 1").says(&hooks.receiver.url("/hook"));
    assert!(text.replace("Show more", "").contains(body), "{body} is not in: {text}");
    assert!(!page.text().contains(&secret));
}

async fn an_answer_is_cut_shown_and_never_interpreted(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    let mut hostile = b"<script>alert(1)</script>\"><img src=x onerror=alert(1)>\xff\x00\xe2\x80\xae".to_vec();
    hostile.resize(4_000, b'x');
    hostile.extend_from_slice(b"LAST BYTES");
    hooks.receiver.answer("/hook", Answer::status(StatusCode::IM_A_TEAPOT).body(hostile));
    let (id, _) = hooks.make(&mut manager, "/hook").await;
    hooks.publish().await;
    hooks.newest(&id, |delivery| delivery.attempts == 1 && delivery.status == DeliveryStatus::Pending).await;
    let path = newest_page(&mut manager, &id).await;
    let page = manager.get(&path).await;
    page.says("<script>alert(1)</script>").says("418").says("Any 2xx status counts as delivered.");
    page.says("The rest of the answer was not kept.").says("U+202E").says("␀");
    assert!(!page.text().contains("LAST BYTES"));
    let html = page.html();
    assert!(html.tags.iter().all(|(tag, _)| tag != "img"));
    assert_eq!(html.tags.iter().filter(|(tag, _)| tag == "script").count(), 1);
    let shown = html.text.matches('x').count();
    assert!((1_900..2_300).contains(&shown), "{shown}");
}

/// WH-URL-12: what the host of a URL has become is judged anew with each attempt.
async fn what_was_never_sent_says_so(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    let (id, _) = hooks.make(&mut manager, "/hook").await;
    let mut tx = hooks.service.store.begin_write().await.unwrap();
    let webhook = l10n_server::store::webhooks::find(&mut tx, &hooks.project.id, &id).await.unwrap().unwrap();
    let moved = l10n_server::store::webhooks::Webhook { url: "https://10.0.0.1/moved".into(), ..webhook };
    l10n_server::store::webhooks::update(&mut tx, &moved).await.unwrap();
    tx.commit().await.unwrap();
    hooks.publish().await;
    hooks.newest(&id, |delivery| delivery.attempts == 1 && delivery.status == DeliveryStatus::Pending).await;
    manager.get(&list_of(&id)).await.says("Address not public");
    let path = newest_page(&mut manager, &id).await;
    let page = manager.get(&path).await;
    page.says("Nothing was sent: there was no connection.").says("There was no answer.").says("https://10.0.0.1/moved");
    page.says("Deliveries go to public addresses alone");
}

/// WH-RS-1, WH-RS-3
async fn a_delivery_is_sent_again_unless_an_attempt_is_in_flight(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    let (id, _) = hooks.make(&mut manager, "/hook").await;
    hooks.publish().await;
    hooks.newest(&id, |delivery| delivery.status == DeliveryStatus::Delivered).await;
    let gate = Gate::closed();
    hooks.receiver.answer("/hook", Answer::ok().held(&gate));
    let path = newest_page(&mut manager, &id).await;
    let form = manager.get(&path).await.html().form("/resend");
    manager.send(form.clone()).await.says("The delivery will be sent again now.");
    hooks.newest(&id, |delivery| delivery.status == DeliveryStatus::Delivering).await;
    let again = manager.send(form.clone()).await;
    assert_eq!(again.status, 409);
    again.says("An attempt is in flight.");
    manager.get(&path).await.says("In flight");
    gate.open();
    hooks.newest(&id, |delivery| delivery.attempts == 2 && delivery.status == DeliveryStatus::Delivered).await;
    manager.get(&path).await.says("Attempt 2").says("Sent again on request").says("Attempt 1");
    let events: Vec<_> =
        hooks.receiver.deliveries().iter().map(|sent| sent.header("x-service-event-id").map(str::to_owned)).collect();
    assert!(events.len() == 2 && events[0] == events[1], "the same event");
    let delivery = path.rsplit('/').next().unwrap();
    assert_eq!(resends(&hooks).await, [("manager@example.com".to_owned(), delivery.to_owned())]);
    // A key's resend is told of as well.
    let resend = format!("/webhooks/{id}/deliveries/{delivery}/resend");
    assert_eq!(hooks.post(&resend).send().await.status, 202);
    assert_eq!(resends(&hooks).await[0], ("test".to_owned(), delivery.to_owned()));
}

async fn what_has_failed_is_sent_again_and_the_result_is_told(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    hooks.receiver.answer("/hook", Answer::status(StatusCode::INTERNAL_SERVER_ERROR));
    let (id, _) = hooks.make(&mut manager, "/hook").await;
    let form = manager.get(&list_of(&id)).await.html().form("/deliveries/resend");
    manager.send(form.clone()).await.says("No delivery had failed in that time.");
    for _ in 0..2 {
        hooks.fail(&id).await;
    }
    hooks.receiver.answer("/hook", Answer::ok());
    // The first of them failed more than seven hours before the second.
    let page = manager.send(form.clone().set("since", "1")).await;
    page.says("1 delivery will be sent again now.");
    hooks.newest(&id, |delivery| delivery.status == DeliveryStatus::Delivered).await;
    manager.send(form.clone().set("since", "0")).await.says("1 delivery will be sent again now.");
    while manager
        .get(&format!("{}?status=failed", list_of(&id)))
        .await
        .html()
        .links
        .iter()
        .any(|link| link.contains("/dlv_"))
    {
        tokio::task::yield_now().await;
    }
    manager.send(form.set("since", "0")).await.says("No delivery had failed in that time.");
    assert_eq!(resends(&hooks).await.len(), 2);
    for wrong in ["", "2", "-1", "x"] {
        let answer = manager.post(&format!("{}/resend", list_of(&id)), &[("since", wrong)]).await;
        assert_eq!(answer.status, 422, "{wrong}");
        answer.says("Choose one of these times.");
    }
}

async fn deliveries_are_filtered_by_status_and_event(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    let (id, _) = hooks.make(&mut manager, "/hook").await;
    hooks.publish().await;
    hooks.newest(&id, |delivery| delivery.status == DeliveryStatus::Delivered).await;
    let list = list_of(&id);
    for (query, found) in [
        ("", true),
        ("?status=delivered", true),
        ("?status=failed", false),
        ("?event=strings.published", true),
        ("?event=content.published&status=delivered", false),
        ("?status=none-of-them", true),
        ("?after=dlv_0", false),
        ("?after=%00", true),
    ] {
        let page = manager.get(&format!("{list}{query}")).await;
        assert_eq!(page.status, 200);
        assert_eq!(page.html().links.iter().any(|link| link.contains("/deliveries/dlv_")), found, "{query}");
    }
    manager.get(&format!("{list}?status=failed")).await.says("Choose another status or event.");
}

/// However often a delivery is sent again, its page stays as long as it is.
async fn the_last_twenty_attempts_are_kept(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    let (id, _) = hooks.make(&mut manager, "/hook").await;
    hooks.publish().await;
    hooks.newest(&id, |delivery| delivery.status == DeliveryStatus::Delivered).await;
    let path = newest_page(&mut manager, &id).await;
    let form = manager.get(&path).await.html().form("/resend");
    for attempts in 2..=23 {
        manager.send(form.clone()).await.says("The delivery will be sent again now.");
        let ended = |status| status == DeliveryStatus::Delivered;
        hooks.newest(&id, |delivery| delivery.attempts == attempts && ended(delivery.status)).await;
    }
    let page = manager.get(&path).await;
    page.says("Attempt 23").says("Attempt 4 ").says("are older than the last 20");
    assert!(!page.html().text.contains("Attempt 3 "));
}

/// WH-RS-4, WH-PA-8
async fn deliveries_of_another_project_lead_nowhere(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let mut manager = hooks.as_role(Role::Manager).await;
    let (id, _) = hooks.make(&mut manager, "/hook").await;
    let (other, _) = hooks.make(&mut manager, "/other").await;
    hooks.publish().await;
    hooks.newest(&id, |delivery| delivery.status == DeliveryStatus::Delivered).await;
    hooks.project_beside("beside").await;
    let path = newest_page(&mut manager, &id).await;
    for foreign in [path.replace("/app/", "/beside/"), path.replace(id.as_str(), other.as_str())] {
        assert_eq!(manager.get(&foreign).await.status, 404, "{foreign}");
        assert_eq!(manager.post(&format!("{foreign}/resend"), &[("seen", "delivered")]).await.status, 404);
    }
    let list = list_of(&id).replace("/app/", "/beside/");
    assert_eq!(manager.get(&list).await.status, 404);
    assert_eq!(manager.post(&format!("{list}/resend"), &[("since", "0")]).await.status, 404);
    let mut reviewer = hooks.as_role(Role::Reviewer).await;
    assert_eq!(reviewer.get(&path).await.status, 403);
}

/// A statement after which the database takes no resend more once so many are told in the audit log.
fn full_after(resends: i64) -> String {
    format!(
        "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger AS $$ BEGIN \
         IF (SELECT COUNT(*) FROM audit_log WHERE action = 'delivery_resent') >= {resends} THEN \
         RAISE EXCEPTION 'the disk is full' USING ERRCODE = '53100'; END IF; RETURN NEW; END $$ LANGUAGE plpgsql; \
         CREATE OR REPLACE TRIGGER refuses BEFORE INSERT ON audit_log FOR EACH ROW \
         WHEN (NEW.action = 'delivery_resent') EXECUTE FUNCTION refuse();"
    )
}

#[test]
fn what_was_sent_again_before_the_database_failed_is_told() {
    on_postgres(async |store: TestStore| {
        let hooks = Hooks::on(&store).await;
        let mut manager = hooks.as_role(Role::Manager).await;
        hooks.receiver.answer("/hook", Answer::status(StatusCode::INTERNAL_SERVER_ERROR));
        let (id, _) = hooks.make(&mut manager, "/hook").await;
        for _ in 0..2 {
            hooks.fail(&id).await;
        }
        let form = manager.get(&list_of(&id)).await.html().form("/deliveries/resend").set("since", "0");
        sql::run(&hooks.service.store, &full_after(0)).await;
        let failed = manager.send(form.clone()).await;
        assert_eq!(failed.status, 503);
        failed.says("Load the page again to see whether the change was made.");
        assert!(!failed.text().contains("Nothing was done"), "nobody can know that");
        sql::run(&hooks.service.store, &full_after(1)).await;
        let page = manager.send(form).await;
        assert_eq!(page.status, 200);
        page.says("1 delivery will be sent again now.").says("1 more has failed: send again to include it.");
        assert_eq!(resends(&hooks).await.len(), 1);
    });
}
