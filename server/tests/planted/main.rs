//! Deviations that are planted before the server and before the receiver are found, and what is not planted is not.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[path = "../conformance/deployment.rs"]
mod deployment;

use std::net::TcpListener;

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use l10n_testkit::checks;
use l10n_testkit::mutants::{self, Plant, Proxy, Work};
use l10n_testkit::outcome::Status;
use l10n_testkit::runner::{Options, run_checks};

use url::Url;

use deployment::Deployment;

both_engines!(deviations_of_answers_and_deliveries_are_found);

async fn deviations_of_answers_and_deliveries_are_found(store: TestStore) {
    for id in ["version_id_integer", "schema_version_2"] {
        let mutant = mutants::all().into_iter().find(|mutant| mutant.id == id).unwrap();
        assert_eq!(ended(&store, mutant, None).await, vec![Status::Pass], "{id}, not planted");
        assert_eq!(ended(&store, mutant, Some(mutant.plant)).await, vec![Status::Fail], "{id}");
    }
}

/// How the checks of a mutant end through the proxies, with this planted in them.
async fn ended(store: &TestStore, mutant: &mutants::Mutant, plant: Option<Plant>) -> Vec<Status> {
    let deployment = Deployment::on(store).await;
    let door = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let mut profile = deployment.profile.clone();
    let relays = matches!(mutant.plant, Plant::Delivery(_));
    let upstream = Url::parse(&profile.base_url).unwrap().socket_addrs(|| None).unwrap();
    let work = Work { upstreams: upstream, profile: &deployment.profile, plant, relays };
    profile.base_url = format!("http://{}/v1", door.local_addr().unwrap());
    let _proxy = Proxy::start(door, &work).unwrap();
    let checks = checks::all().into_iter().filter(|check| mutant.killed_by.contains(&check.id)).collect();
    let run = run_checks(checks, profile, Options::default()).await.unwrap();
    deployment.end().await;
    run.checks.iter().map(|record| record.status).collect()
}
