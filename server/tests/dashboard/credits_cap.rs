//! The monthly cap, without script.

use l10n_api_types::Millicredits;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::audit::{self, AuditAction, AuditFilter};
use l10n_server::store::workspaces;
use l10n_server::testing::TestStore;

use crate::support::Site;

both_engines!(
    an_owner_sets_changes_and_lifts_the_cap,
    an_amount_that_is_none_changes_nothing_and_is_kept,
    a_cap_that_somebody_has_changed_meanwhile_is_not_undone,
    a_cap_that_was_changed_before_a_fault_was_mended_is_not_undone,
    who_is_no_owner_is_not_offered_it,
);

const CREDITS: &str = "/dashboard/@acme/-/credits";
const CAP: &str = "/dashboard/@acme/-/credits/cap";

async fn cap(site: &Site) -> Option<Millicredits> {
    let mut tx = site.service.store.begin_read().await.unwrap();
    let found = workspaces::find(&mut tx, &site.project.workspace).await.unwrap().unwrap().spending_cap;
    tx.rollback().await.unwrap();
    found
}

/// Changes of the cap in the audit log, oldest first.
async fn told(site: &Site) -> Vec<(String, String)> {
    let filter = AuditFilter { action: Some(AuditAction::SpendingCapChanged), ..AuditFilter::default() };
    let log = audit::list(site.service.people(), &site.project.workspace, &filter, 50).await.unwrap();
    log.entries.into_iter().rev().map(|entry| (entry.actor, entry.detail.unwrap())).collect()
}

async fn an_owner_sets_changes_and_lifts_the_cap(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    let credits = owner.get(CREDITS).await;
    assert!(credits.html().links.iter().any(|link| link == CAP));
    let form = owner.get(CAP).await.html().post_form(CAP);
    assert_eq!(form.value("cap"), Some(""));
    let saved = owner.send(form.set("cap", " 250.5 ")).await;
    saved.says("The monthly cap was saved.").says("250.5");
    assert_eq!(cap(&site).await, Some(Millicredits(250_500)));
    let form = owner.get(CAP).await.html().post_form(CAP);
    assert_eq!(form.value("cap"), Some("250.5"));
    let lifted = form.clone().set("cap", "");
    owner.send(form.set("cap", "0")).await.says("The monthly cap was saved.");
    assert_eq!(cap(&site).await, Some(Millicredits::ZERO));
    // It was made for another cap.
    assert_eq!(owner.send(lifted).await.status, 409);
    let form = owner.get(CAP).await.html().post_form(CAP).set("cap", "");
    owner.send(form.clone()).await.says("The monthly cap was saved.");
    assert_eq!(cap(&site).await, None);
    // Sent twice, it is done once.
    owner.send(form).await.says("The monthly cap was saved.");
    let by = |detail: &str| ("owner@example.com".to_owned(), detail.to_owned());
    assert_eq!(told(&site).await, [by("– → 250.500"), by("250.500 → 0.000"), by("0.000 → –")]);
}

async fn an_amount_that_is_none_changes_nothing_and_is_kept(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    let form = owner.get(CAP).await.html().post_form(CAP);
    for wrong in ["much", "-1", "1,5", "1.2345", ".5", "1e3", "٣", "<b>1</b>", "1000000000000", "9\u{7}9"] {
        let page = owner.send(form.clone().set("cap", wrong)).await;
        assert_eq!(page.status, 422, "{wrong}");
        page.says("Nothing was saved.");
        assert_eq!(page.html().post_form(CAP).value("cap"), Some(wrong));
    }
    assert_eq!(owner.send(form.set("cap", &"9".repeat(5_000))).await.status, 422);
    assert_eq!((cap(&site).await, told(&site).await.len()), (None, 0));
}

async fn a_cap_that_somebody_has_changed_meanwhile_is_not_undone(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    let form = owner.get(CAP).await.html().post_form(CAP);
    owner.send(form.clone().set("cap", "10")).await.says("The monthly cap was saved.");
    let page = owner.send(form.set("cap", "1000")).await;
    assert_eq!(page.status, 409);
    page.says("Somebody has changed the cap meanwhile.");
    assert!(page.text().contains(r#"<dt>Monthly cap</dt><dd><data class="money" value="10000""#), "{}", page.text());
    assert_eq!(cap(&site).await, Some(Millicredits(10_000)));
    // Who saves again has seen it.
    let form = page.html().post_form(CAP);
    assert_eq!(form.value("cap"), Some("1000"), "what was typed is kept");
    owner.send(form).await.says("The monthly cap was saved.");
    assert_eq!(cap(&site).await, Some(Millicredits(1_000_000)));
}

async fn a_cap_that_was_changed_before_a_fault_was_mended_is_not_undone(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    let form = owner.get(CAP).await.html().post_form(CAP);
    owner.send(form.clone().set("cap", "10")).await.says("The monthly cap was saved.");
    let faulty = owner.send(form.set("cap", "much")).await;
    assert_eq!(faulty.status, 422);
    let late = owner.send(faulty.html().post_form(CAP).set("cap", "1000")).await;
    assert_eq!(late.status, 409);
    assert_eq!(cap(&site).await, Some(Millicredits(10_000)));
}

async fn who_is_no_owner_is_not_offered_it(store: TestStore) {
    let site = Site::on(&store).await;
    for role in Role::ALL.into_iter().filter(|role| *role != Role::Owner) {
        let mut visitor = site.as_role(role).await;
        assert!(!visitor.get(CREDITS).await.html().links.iter().any(|link| link == CAP), "{}", role.as_str());
        assert_eq!(visitor.post(CAP, &[("cap", "1")]).await.status, 403, "{}", role.as_str());
    }
    assert_eq!(cap(&site).await, None);
}
