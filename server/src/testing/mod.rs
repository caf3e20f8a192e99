//! For tests: a store on each engine, a clock that stands still.
//!
//! ```text
//! async fn a_second_language_is_not_added_twice(store: TestStore) { … }
//!
//! l10n_server::both_engines!(a_second_language_is_not_added_twice);
//! ```

#![expect(clippy::panic, clippy::expect_used, reason = "this module serves tests alone, and a test fails by panicking")]

mod app;
mod call;
mod dashboard;
mod decide;
mod engines;
mod keys;
pub mod postgres;
mod project;
pub mod sql;
mod store;

pub use crate::clock::TestClock;
pub use app::TestApp;
pub use call::{Answer, Call};
pub use dashboard::{DashboardPage, dashboard_pages};
pub use decide::decide;
pub use engines::{configured_engines, deepl};
pub use keys::plain_key;
pub use project::{CREDITS, TestKeys, TestProject};
pub use store::{TestStore, on_postgres, on_sqlite};

/// The longest that a test waits for what is bound to happen: longer than a lease, which a killed server leaves behind, on a machine
/// that is busy.
pub const TEST_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(300);

/// Lets other tasks run so many times. A test that drops a future after it gives up at one of many moments.
pub async fn some_turns(turns: usize) {
    for _ in 0..turns {
        tokio::task::yield_now().await;
    }
}

/// Instantiates each named `async fn(TestStore)` as two tests, `NAME::on_sqlite` and `NAME::on_postgres`, each in a
/// database of its own that is migrated and empty.
#[macro_export]
macro_rules! both_engines {
    ($($test:ident),+ $(,)?) => {$(
        mod $test {
            #[test]
            fn on_sqlite() {
                $crate::testing::on_sqlite(super::$test);
            }

            #[test]
            fn on_postgres() {
                $crate::testing::on_postgres(super::$test);
            }
        }
    )+};
}
