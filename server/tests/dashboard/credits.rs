//! Credits and their ledger, without script.

use l10n_api_types::{Millicredits, RequestId, TrackingToken};
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::access::Role;
use l10n_server::ids::{HoldId, IdKind, new_id};
use l10n_server::store::jobs::{self, NewJob};
use l10n_server::store::ledger::{self, EntryKind, NewLedgerEntry};
use l10n_server::store::{holds, workspaces};
use l10n_server::testing::{TestProject, TestStore};

use crate::support::Site;

both_engines!(
    the_funds_are_shown_with_the_cap_and_the_price,
    the_ledger_is_filtered_and_comes_in_pages,
    a_file_has_all_that_matches_with_exact_amounts,
    an_entry_names_its_project_and_its_run,
    a_filter_that_is_none_is_refused_beside_its_field,
    every_member_sees_the_credits_of_their_own_workspace_alone,
);

const CREDITS: &str = "/dashboard/@acme/-/credits";

/// Charges a job of a project with these amounts; returns its token.
async fn charge(site: &Site, project: &TestProject, amounts: &[i64]) -> TrackingToken {
    let now = site.clock.now();
    let token = TrackingToken::new(new_id(IdKind::TrackingToken, now));
    let mut tx = site.service.store.begin_write().await.unwrap();
    let job = NewJob {
        tracking_token: &token,
        project_id: &project.id,
        workspace_id: &project.workspace,
        document_id: None,
        retranslate: false,
        engine: "pseudo",
        request_id: &RequestId::from("req_1"),
        total: 1,
        estimated: Millicredits(0),
        is_staged: true,
        created_at: now,
    };
    jobs::insert(&mut tx, job).await.unwrap();
    for amount in amounts {
        let entry = NewLedgerEntry {
            id: &new_id(IdKind::LedgerEntry, now),
            workspace_id: &project.workspace,
            kind: EntryKind::Charge,
            amount: Millicredits(-amount),
            job_id: Some(&token),
            note: None,
            created_at: now,
        };
        ledger::append(&mut tx, entry).await.unwrap();
    }
    tx.commit().await.unwrap();
    token
}

/// The number behind a figure, with what its tooltip says.
fn figure(page: &crate::support::Visited, name: &str) -> String {
    let text = page.html().text;
    let at = text.find(name).unwrap_or_else(|| panic!("no {name} in: {text}")) + name.len();
    text[at..].chars().take_while(|c| c.is_ascii_digit() || matches!(c, ',' | '.')).collect()
}

async fn the_funds_are_shown_with_the_cap_and_the_price(store: TestStore) {
    let site = Site::on(&store).await;
    let mut viewer = site.as_role(Role::Viewer).await;
    let page = viewer.get(CREDITS).await;
    let figures = ["Balance", "Held", "Available", "Spent this month", "Price per character"];
    assert_eq!(figures.map(|name| figure(&page, name)), ["1,000,000", "0", "1,000,000", "0", "0.001"]);
    page.says("Monthly capNone");
    let token = charge(&site, &site.project, &[1_250]).await;
    let workspace = &site.project.workspace;
    let mut tx = site.service.store.begin_write().await.unwrap();
    let (now, held) = (site.clock.now(), Millicredits(10_500));
    holds::insert(&mut tx, &HoldId::fresh(now), workspace, &token, held, now.plus_millis(1_000)).await.unwrap();
    workspaces::update_terms(&mut tx, workspace, "unlimited", Some(Millicredits(20_000))).await.unwrap();
    tx.commit().await.unwrap();
    let page = viewer.get(CREDITS).await;
    let figures = ["Balance", "Held", "Available", "Spent this month", "Monthly cap", "Left under the cap"];
    let expected = ["999,998.75", "10.5", "999,988.25", "1.25", "20", "8.25"];
    assert_eq!(figures.map(|name| figure(&page, name)), expected);
    assert!(page.text().contains("title=\"1,250 thousandths of a credit\""), "{}", page.text());
}

async fn the_ledger_is_filtered_and_comes_in_pages(store: TestStore) {
    let site = Site::on(&store).await;
    let beside = site.project_beside("beside").await;
    charge(&site, &beside, &[777]).await;
    let amounts: Vec<i64> = (1_001..=1_060).collect();
    charge(&site, &site.project, &amounts).await;
    let mut viewer = site.as_role(Role::Viewer).await;
    let first = viewer.get(&format!("{CREDITS}?kind=charge&project=app")).await;
    first.says("-1.06").says("-1.011");
    assert!(!first.html().text.contains("-1.01 ") && !first.html().text.contains("-0.777"));
    let next = first.html().links.into_iter().find(|link| link.contains("after=")).unwrap();
    let second = viewer.get(&next).await;
    second.says("-1.001");
    assert!(!second.html().text.contains("-1.06"));
    let day = site.clock.now().to_string()[..10].to_owned();
    for (query, beside, granted) in [
        (String::new(), true, true),
        ("kind=grant".to_owned(), false, true),
        ("kind=charge".to_owned(), true, false),
        ("project=beside".to_owned(), true, false),
        ("project=beside&kind=charge".to_owned(), true, false),
        ("project=beside&kind=grant".to_owned(), false, false),
        ("project=none".to_owned(), false, false),
        ("project=%27".to_owned(), false, false),
        (format!("from={day}&to={day}"), true, true),
        ("to=2000-01-01".to_owned(), false, false),
        ("from=9000-01-01".to_owned(), false, false),
    ] {
        let page = viewer.get(&format!("{CREDITS}/csv?{query}")).await;
        let (has, grants) = (page.text().contains("-0.777,-777,beside"), page.text().contains(",grant,"));
        assert_eq!((page.status, has, grants), (200, beside, granted), "{query}: {}", page.text());
        assert_eq!(viewer.get(&format!("{CREDITS}?{query}")).await.status, 200, "{query}");
    }
    viewer.get(&format!("{CREDITS}?project=none")).await.says("No entries");
    for wrong in ["x", "1-", "%00"] {
        assert_eq!(viewer.get(&format!("{CREDITS}?after={wrong}")).await.status, 400, "{wrong}");
    }
}

async fn a_file_has_all_that_matches_with_exact_amounts(store: TestStore) {
    let site = Site::on(&store).await;
    let mut tx = site.service.store.begin_write().await.unwrap();
    let entry = NewLedgerEntry {
        id: &new_id(IdKind::LedgerEntry, site.clock.now()),
        workspace_id: &site.project.workspace,
        kind: EntryKind::Grant,
        amount: Millicredits(5_005),
        job_id: None,
        note: Some("=cmd|' /C calc'!A0"),
        created_at: site.clock.now(),
    };
    ledger::append(&mut tx, entry).await.unwrap();
    tx.commit().await.unwrap();
    let token = charge(&site, &site.project, &[1; 600]).await;
    let mut viewer = site.as_role(Role::Viewer).await;
    let headers = [("sec-fetch-site", "same-origin")];
    let file = viewer.once(http::Method::GET, &format!("{CREDITS}/csv"), None, &headers).await;
    let name = format!("attachment; filename=\"credits-acme-{}.csv\"", &site.clock.now().to_string()[..10]);
    assert_eq!(file.header("content-disposition"), Some(name.as_str()));
    let lines: Vec<_> = file.text().split_terminator("\r\n").collect();
    assert_eq!((lines.len(), lines[0]), (603, "time,kind,credits,millicredits,project,run,note,entry_id"));
    let charge = format!(",charge,-0.001,-1,app,{token},,led_");
    assert_eq!(lines.iter().filter(|line| line.contains(&charge)).count(), 600);
    assert!(file.text().contains(",grant,5.005,5005,,,'=cmd|' /C calc'!A0,led_"), "{}", lines[602]);
}

async fn an_entry_names_its_project_and_its_run(store: TestStore) {
    let site = Site::on(&store).await;
    let token = charge(&site, &site.project, &[2_500]).await;
    let mut viewer = site.as_role(Role::Viewer).await;
    let page = viewer.get(CREDITS).await;
    page.says("-2.5").says(token.as_str()).says("app");
    let link = page.html().form("/-/credits").set("project", "app").body();
    viewer.get(&format!("{CREDITS}?{link}")).await.says("-2.5");
}

async fn a_filter_that_is_none_is_refused_beside_its_field(store: TestStore) {
    let site = Site::on(&store).await;
    let mut viewer = site.as_role(Role::Viewer).await;
    for (field, value, words) in [
        ("from", "yesterday", "Enter a day such as 2026-11-23."),
        ("to", "2026-02-30", "Enter a day such as 2026-11-23."),
        ("kind", "drop", "Choose one of these kinds."),
        ("project", &"x".repeat(65), "Enter at most 64 characters."),
        ("project", "%1B%5B", "Remove control characters"),
    ] {
        for path in [CREDITS.to_owned(), format!("{CREDITS}/csv")] {
            let page = viewer.get(&format!("{path}?{field}={value}")).await;
            assert_eq!(page.status, 422, "{field}");
            page.says(words).says("The filter cannot be used.").says("Balance");
        }
    }
}

async fn every_member_sees_the_credits_of_their_own_workspace_alone(store: TestStore) {
    let site = Site::on(&store).await;
    let other = site.other_project("unlimited").await;
    charge(&site, &other, &[3_333]).await;
    for role in Role::ALL {
        let mut visitor = site.as_role(role).await;
        assert_eq!(visitor.get(CREDITS).await.status, 200);
        assert!(!visitor.get(&format!("{CREDITS}/csv")).await.text().contains("3333"));
        for path in ["-/credits", "-/credits/csv"] {
            assert_eq!(visitor.get(&format!("/dashboard/@{}/{path}", other.handle)).await.status, 404);
        }
    }
    assert!(!site.as_role(Role::Viewer).await.get(&format!("{CREDITS}?project=app")).await.text().contains("3.333"));
}
