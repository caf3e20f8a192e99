//! The request budget of a project whose requests fall on two server processes that share one PostgreSQL.

use std::time::Duration;

use futures_util::StreamExt as _;
use l10n_api_types::Timestamp;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::request_windows::{Budget, OverBudget, RequestWindows};
use l10n_server::store::request_windows::{WindowCount, merge};
use l10n_server::store::{Store, Tx};
use l10n_server::testing::{TestApp, TestStore, on_postgres};

const NOW: Timestamp = Timestamp::from_millis(1_795_248_000_000);

async fn two(store: &TestStore) -> [TestApp; 2] {
    let app =
        TestApp::with(store, |settings| settings.limits.requests_per_minute = 120, ConnectionTimeouts::default()).await;
    let beside = app.beside(store).await;
    [app, beside]
}

async fn passes(app: &TestApp) -> bool {
    let answer = app.get("/credential").send().await;
    assert!(answer.status == 200 || answer.outcome() == "429 rate_limited", "{answer:?}");
    answer.status == 200
}

/// LIM-REQ-1, LIM-REQ-3, LIM-REQ-7: a client that asks one process and the other in turn.
#[test]
fn two_processes_let_in_one_window_and_begin_the_next_together() {
    on_postgres(async |store: TestStore| {
        let apps = two(&store).await;
        for _ in 0..2 {
            let mut passed = 0;
            for number in 0..200 {
                passed += usize::from(passes(&apps[number % 2]).await);
            }
            assert!((120..=124).contains(&passed), "{passed}");
            for app in &apps {
                assert!(!passes(app).await, "both know that the window is used up");
            }
            apps[0].clock.advance(Duration::from_secs(60));
        }
    });
}

/// LIM-REQ-10
#[test]
fn two_processes_at_full_speed_let_in_a_quarter_too_many_at_most() {
    on_postgres(async |store: TestStore| {
        let apps = two(&store).await;
        let calls = futures_util::stream::iter((0..400).map(|number| passes(&apps[number % 2])));
        let passed = calls.buffer_unordered(64).filter(|passed| std::future::ready(*passed)).count().await;
        assert!((120..=150).contains(&passed), "{passed}");
    });
}

/// A window that one process has used up is none that the other begins.
#[test]
fn a_process_asks_before_it_lets_in_the_second_request_of_a_window() {
    on_postgres(async |store: TestStore| {
        let [one, other] = two(&store).await;
        let mut passed = 0;
        while passes(&one).await {
            passed += 1;
        }
        assert_eq!(passed, 120);
        let mut more = 0;
        while passes(&other).await {
            more += 1;
        }
        assert!(more <= 2, "{more}");
    });
}

fn budget() -> Budget {
    Budget::Project("prj_1".to_owned())
}

async fn count(windows: &RequestWindows) -> Result<u32, OverBudget> {
    windows.count(&budget(), NOW).await
}

/// Nobody is refused, or kept waiting for long, because the datastore does not answer; when it does, others learn what was
/// counted meanwhile.
#[test]
fn a_datastore_that_stands_still_refuses_nobody_and_is_told_later() {
    on_postgres(async |store: TestStore| {
        let windows = RequestWindows::with_timeout(&store, 120, Duration::from_millis(10));
        // Whoever merges the window waits for this transaction.
        let mut stands_still = store.begin_write().await.unwrap();
        let none = WindowCount { began: NOW, requests: 0 };
        merge(&mut stands_still, "project prj_1", none, NOW.plus_millis(-60_000), NOW, true).await.unwrap();
        for more in (100..120).rev() {
            assert_eq!(count(&windows).await, Ok(more));
        }
        stands_still.commit().await.unwrap();
        let other = RequestWindows::with_timeout(&store, 120, Duration::from_secs(60));
        let mut counted = 0;
        loop {
            windows.settle(NOW).await.unwrap();
            counted += 1;
            // What the first has let in, and these.
            if count(&other).await == Ok(120 - 20 - counted) {
                break;
            }
            other.settle(NOW).await.unwrap();
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
}

#[test]
fn without_a_datastore_each_process_counts_for_itself() {
    on_postgres(async |store: TestStore| {
        let gone = Store::connect(store.url()).await.unwrap();
        let windows = RequestWindows::new(&gone, 120);
        gone.close().await;
        for more in (0..120).rev() {
            assert_eq!(count(&windows).await, Ok(more));
        }
        assert_eq!(count(&windows).await, Err(OverBudget));
        windows.settle(NOW).await.unwrap_err();
        assert_eq!(windows.count(&budget(), NOW.plus_millis(60_000)).await, Ok(119));
    });
}

/// Clocks that differ by some seconds count one window; one that is wrong by an hour keeps nobody out.
#[test]
fn processes_whose_clocks_differ_a_little_count_together() {
    on_postgres(async |store: TestStore| {
        let patient = || RequestWindows::with_timeout(&store, 120, Duration::from_secs(60));
        let (ahead, behind) = (patient(), patient());
        for _ in 0..120 {
            ahead.count(&budget(), NOW.plus_millis(5_000)).await.unwrap();
        }
        ahead.settle(NOW.plus_millis(5_000)).await.unwrap();
        // Whoever knows nothing of a window lets one in before he asks.
        assert_eq!(behind.count(&budget(), NOW).await, Ok(119));
        assert_eq!(behind.count(&budget(), NOW).await, Err(OverBudget));
        let (wrong, right, future) = (patient(), patient(), NOW.plus_millis(3_600_000));
        assert_eq!([wrong.count(&budget(), future).await, wrong.count(&budget(), future).await], [Ok(119), Ok(118)]);
        assert_eq!([right.count(&budget(), NOW).await, right.count(&budget(), NOW).await], [Ok(119), Ok(118)]);
    });
}

#[test]
fn what_idle_windows_hold_is_merged_together() {
    on_postgres(async |store: TestStore| {
        let patient = || RequestWindows::with_timeout(&store, 120, Duration::from_secs(60));
        let (one, other) = (patient(), patient());
        let budget = |number: usize| Budget::Project(format!("prj_{number}"));
        for number in 0..10 {
            for request in 0..=number % 3 {
                assert_eq!(one.count(&budget(number), NOW).await, Ok(119 - request as u32));
            }
        }
        assert_eq!(one.settle(NOW).await.unwrap(), 10);
        assert_eq!(one.settle(NOW).await.unwrap(), 0);
        for number in 0..10 {
            assert_eq!(other.count(&budget(number), NOW).await, Ok(119), "nothing is known of it here");
            assert_eq!(other.count(&budget(number), NOW).await, Ok(117 - (number % 3) as u32));
        }
    });
}

/// Whoever asks for names that are not there fills no table with them.
#[test]
fn what_no_one_has_proven_to_exist_is_no_business_of_the_datastore() {
    on_postgres(async |store: TestStore| {
        let app =
            TestApp::with(&store, |settings| settings.limits.requests_per_minute = 120, ConnectionTimeouts::default())
                .await;
        for number in 0..3 {
            let path = format!("/v1/@made/up-{number}/manifest");
            for _ in 0..3 {
                assert_eq!(app.at(http::Method::GET, &path).send().await.status, 404);
            }
        }
        assert!(passes(&app).await);
        app.service.request_windows.settle(NOW).await.unwrap();
        let Tx::Postgres(mut tx) = store.begin_read().await.unwrap() else { unreachable!() };
        let known: Vec<(String,)> =
            sqlx::query_as("SELECT budget FROM request_windows").fetch_all(&mut *tx).await.unwrap();
        assert_eq!(known, [(format!("project {}", app.project.id),)]);
    });
}
