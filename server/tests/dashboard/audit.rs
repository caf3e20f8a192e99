//! The audit log, without script.

use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::Actor;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::audit::{self, AuditAction, Record};
use l10n_server::testing::TestStore;

use crate::support::Site;

both_engines!(
    the_log_tells_who_did_what_and_is_filtered,
    the_log_comes_in_pages,
    a_file_has_all_that_matches_and_no_formula,
    a_file_that_would_be_too_large_is_not_made,
    a_filter_that_is_none_is_refused_beside_its_field,
    managers_see_the_log_of_their_own_workspace_alone,
);

const AUDIT: &str = "/dashboard/@acme/-/audit";

/// Adds entries of a person with these details.
async fn write(site: &Site, by: &Actor, details: impl Iterator<Item = String>) {
    let mut tx = site.service.store.begin_write().await.unwrap();
    for detail in details {
        let record = Record {
            project: Some(&site.project.id),
            action: AuditAction::Published,
            subject: Some("ver_1"),
            detail: Some(&detail),
        };
        audit::write(&mut tx, &site.project.workspace, by, site.clock.now(), record).await.unwrap();
    }
    tx.commit().await.unwrap();
}

async fn the_log_tells_who_did_what_and_is_filtered(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Manager).await;
    let mut manager = site.as_role(Role::Manager).await;
    write(&site, &ada.actor(), ["<b>Release</b>".to_owned()].into_iter()).await;
    let page = manager.get(AUDIT).await;
    page.says("Published")
        .says("<b>Release</b>")
        .says("ver_1")
        .says("in app")
        .says("Server operator")
        .says("Member added");
    let link = page.html().links.into_iter().find(|link| link.contains("by=ada")).unwrap();
    let hers = manager.get(&link).await;
    hers.says("<b>Release</b>");
    assert!(!hers.html().text.contains("manager@example.com Manager"), "{}", hers.text());
    assert_eq!(hers.html().form("/-/audit").value("by"), Some("ada@example.com"));
    let (day, since) = (site.clock.now().to_string()[..10].to_owned(), |page: &str| page.contains("ver_1"));
    for (query, has) in [
        (format!("by={}", ada.id), true),
        ("by=ADA@example.com&action=published".to_owned(), true),
        ("action=restored".to_owned(), false),
        ("by=nobody@example.com".to_owned(), false),
        ("by=key_none".to_owned(), false),
        ("by=no+id".to_owned(), false),
        (format!("from={day}&to={day}"), true),
        ("to=2000-01-01".to_owned(), false),
        ("from=9000-01-01".to_owned(), false),
    ] {
        let page = manager.get(&format!("{AUDIT}?{query}")).await;
        assert_eq!((page.status, since(&page.html().text)), (200, has), "{query}: {}", page.html().text);
        let file = manager.get(&format!("{AUDIT}/csv?{query}")).await;
        assert_eq!((file.status, since(file.text())), (200, has), "{query}");
    }
    manager.get(&format!("{AUDIT}?action=restored")).await.says("Nothing in the log matches.");
}

async fn the_log_comes_in_pages(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Manager).await;
    let mut manager = site.signed_in(&ada).await;
    write(&site, &ada.actor(), (0..60).map(|number| format!("detail {number:02}"))).await;
    let first = manager.get(&format!("{AUDIT}?by=ada@example.com&action=published")).await;
    first.says("detail 59").says("detail 10");
    assert!(!first.text().contains("detail 09"));
    let next = first.html().links.into_iter().find(|link| link.contains("after=")).unwrap();
    assert!(next.contains("action=published"), "{next}");
    let second = manager.get(&next).await;
    second.says("detail 09").says("detail 00");
    assert!(!second.text().contains("detail 10"));
    for wrong in ["x", "1-", "%00", "1-a+b"] {
        assert_eq!(manager.get(&format!("{AUDIT}?after={wrong}")).await.status, 400, "{wrong}");
    }
}

async fn a_file_has_all_that_matches_and_no_formula(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Manager).await;
    let mut manager = site.signed_in(&ada).await;
    let details = (0..700).map(|number| match number {
        0 => "=HYPERLINK(\"https://evil.example\",\"x\")".to_owned(),
        1 => "@SUM(A1)".to_owned(),
        number => format!("detail {number}"),
    });
    write(&site, &ada.actor(), details).await;
    let headers = [("sec-fetch-site", "same-origin")];
    let path = format!("{AUDIT}/csv?action=published");
    let file = manager.once(http::Method::GET, &path, None, &headers).await;
    assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8"));
    let name = format!("attachment; filename=\"audit-acme-{}.csv\"", &site.clock.now().to_string()[..10]);
    assert_eq!(file.header("content-disposition"), Some(name.as_str()));
    let lines: Vec<_> = file.text().split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 701);
    assert_eq!(lines[0], "time,actor_kind,actor,actor_id,action,project,subject,detail,entry_id");
    assert!(
        lines[1].contains(",person,ada@example.com,usr_") && lines[1].contains(",published,app,ver_1,detail 699,aud_")
    );
    assert!(lines[700].contains(",\"'=HYPERLINK(\"\"https://evil.example\"\",\"\"x\"\")\",aud_"), "{}", lines[700]);
    assert!(lines[699].contains(",'@SUM(A1),aud_"), "{}", lines[699]);
}

async fn a_file_that_would_be_too_large_is_not_made(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Manager).await;
    let mut manager = site.signed_in(&ada).await;
    // Details of the longest kind: the file would be larger than 8 MiB.
    let long = "é".repeat(500);
    write(&site, &ada.actor(), (0..8_300).map(|_| long.clone())).await;
    let page = manager.get(&format!("{AUDIT}/csv")).await;
    assert_eq!(page.status, 422);
    page.says("and more match. Choose a shorter time");
    site.clock.advance(Duration::from_secs(24 * 60 * 60));
    let day = &site.clock.now().to_string()[..10];
    assert_eq!(manager.get(&format!("{AUDIT}/csv?from={day}")).await.status, 200);
}

async fn a_filter_that_is_none_is_refused_beside_its_field(store: TestStore) {
    let site = Site::on(&store).await;
    let mut manager = site.as_role(Role::Manager).await;
    let long = "x".repeat(300);
    for (field, value, words) in [
        ("from", "yesterday", "Enter a day such as 2026-11-23."),
        ("to", "2026-02-30", "Enter a day such as 2026-11-23."),
        ("action", "drop", "Choose one of these actions."),
        ("by", long.as_str(), "Enter at most 254 characters."),
        ("by", "%1B%5B", "Remove control characters"),
    ] {
        for path in [AUDIT.to_owned(), format!("{AUDIT}/csv")] {
            let page = manager.get(&format!("{path}?{field}={value}")).await;
            assert_eq!(page.status, 422, "{field}");
            page.says(words).says("The filter cannot be used.");
        }
    }
}

async fn managers_see_the_log_of_their_own_workspace_alone(store: TestStore) {
    let site = Site::on(&store).await;
    let other = site.other_project("unlimited").await;
    let eve = site.member_of(&other, "eve@example.com", Role::Owner).await;
    let mut reviewer = site.as_role(Role::Reviewer).await;
    for path in [AUDIT.to_owned(), format!("{AUDIT}/csv")] {
        assert_eq!(reviewer.get(&path).await.status, 403);
    }
    let mut manager = site.as_role(Role::Manager).await;
    for path in ["-/audit", "-/audit/csv"] {
        assert_eq!(manager.get(&format!("/dashboard/@{}/{path}", other.handle)).await.status, 404);
    }
    for by in ["eve@example.com", eve.id.as_str()] {
        let page = manager.get(&format!("{AUDIT}?by={by}")).await;
        page.says("Nothing in the log matches.");
    }
}
