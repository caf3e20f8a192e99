//! The checks that kill the deployment, before the binary: their hook kills it, and it is started again.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use l10n_testkit::check::Claim;
use l10n_testkit::checks;
use l10n_testkit::lab::{Lab, LabConfig};
use l10n_testkit::outcome::Status;
use l10n_testkit::runner::{Options, run_checks};

both_engines!(a_server_that_is_killed_passes_the_checks_that_kill_it);

/// DEL-16, DEL-17
async fn a_server_that_is_killed_passes_the_checks_that_kill_it(store: TestStore) {
    let plan = LabConfig {
        database_url: Some(store.url().to_owned()),
        lanes: 2,
        ..LabConfig::new(env!("CARGO_BIN_EXE_l10n-server"))
    };
    let lab = Lab::start(&plan).await.unwrap();
    let checks: Vec<_> = checks::all().into_iter().filter(|check| check.needs.contains(&Claim::Restart)).collect();
    assert!(!checks.is_empty());
    let run = run_checks(checks, lab.profile.clone(), Options::default()).await.unwrap();
    for record in run.checks {
        let id = record.check.id;
        assert_eq!(record.status, Status::Pass, "{id}: {:?} {:?} {:?}", record.failures, record.not_run, record.error);
    }
}
