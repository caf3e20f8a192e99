//! Deviations that are planted before the server and before the receiver are found, and what is not planted is not.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[path = "../conformance/deployment.rs"]
mod deployment;
mod tls;

use std::net::TcpListener;

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use l10n_testkit::check::Claim;
use l10n_testkit::checks;
use l10n_testkit::mutants::{self, Plant, Proxy, ProxyConfig};
use l10n_testkit::outcome::Status;
use l10n_testkit::runner::{Options, run_checks};

use url::Url;

use deployment::Deployment;
use tls::Tls;

/// Projects of the few checks that find a deviation.
const LANES: u16 = 4;

both_engines!(
    deviations_of_answers_and_deliveries_are_found,
    deviations_over_http_2_are_found,
    what_the_specification_allows_is_not_blamed,
    a_log_that_is_read_after_a_retry_is_not_blamed
);

async fn deviations_of_answers_and_deliveries_are_found(store: TestStore) {
    for id in ["version_id_integer", "schema_version_2"] {
        let mutant = mutants::all().into_iter().find(|mutant| mutant.id == id).unwrap();
        assert_eq!(ended(&store, mutant, None).await, vec![Status::Pass], "{id}, not planted");
        assert_eq!(ended(&store, mutant, Some(mutant.plant)).await, vec![Status::Fail], "{id}");
    }
}

/// CONV-9, behind TLS on which HTTP/2 is agreed.
async fn deviations_over_http_2_are_found(store: TestStore) {
    for id in ["http_2_skips_authentication", "http_2_knows_no_scopes"] {
        let mutant = mutants::all().into_iter().find(|mutant| mutant.id == id).unwrap();
        assert_eq!(ended(&store, mutant, None).await, vec![Status::Pass], "{id}, not planted");
        assert_eq!(ended(&store, mutant, Some(mutant.plant)).await, vec![Status::Fail], "{id}");
    }
}

/// DLV-8: §2 says no more of `nextAttemptAt` than that it is a timestamp.
async fn what_the_specification_allows_is_not_blamed(store: TestStore) {
    let whole_seconds = mutants::Mutant {
        id: "next_attempt_in_whole_seconds",
        breaks: "DLV-8",
        says: "nextAttemptAt has no fraction of a second, and another offset",
        killed_by: &["DLV-6"],
        plant: Plant::Answer(|request, answer, _| {
            if request.under("/webhooks/*/deliveries") && answer.ok() {
                answer.edit(|body| {
                    for entry in body["deliveries"].as_array_mut().into_iter().flatten() {
                        if let Some((seconds, _)) = entry["nextAttemptAt"].as_str().and_then(|at| at.split_once('.')) {
                            entry["nextAttemptAt"] = format!("{seconds}+00:00").into();
                        }
                    }
                });
            }
        }),
    };
    assert_eq!(ended(&store, &whole_seconds, Some(whole_seconds.plant)).await, vec![Status::Pass]);
}

/// DEL-2, DEL-3: after other runs the budget of requests is used up, and a log is read when the retry was made already.
async fn a_log_that_is_read_after_a_retry_is_not_blamed(store: TestStore) {
    let late = mutants::Mutant {
        id: "log_read_late",
        breaks: "DEL-3",
        says: "a failed delivery shows two attempts",
        killed_by: &["DEL-2", "DEL-3"],
        plant: Plant::Answer(|request, answer, _| {
            if request.under("/webhooks/*/deliveries") && answer.ok() {
                answer.edit(|body| {
                    for entry in body["deliveries"].as_array_mut().into_iter().flatten() {
                        if entry["status"] == "pending" && entry["attempts"].as_u64() > Some(0) {
                            entry["attempts"] = (entry["attempts"].as_u64().unwrap_or_default() + 1).into();
                        }
                    }
                });
            }
        }),
    };
    assert_eq!(ended(&store, &late, Some(late.plant)).await, vec![Status::Pass, Status::Pass]);
}

/// The results of a mutant's checks through the proxies, with this deviation planted in them.
async fn ended(store: &TestStore, mutant: &mutants::Mutant, plant: Option<Plant>) -> Vec<Status> {
    let deployment = Deployment::on(store, LANES).await;
    let door = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let mut profile = deployment.profile.clone();
    let relays = matches!(mutant.plant, Plant::Delivery(_));
    let upstream = Url::parse(&profile.base_url).unwrap().socket_addrs(|| None).unwrap();
    let work = ProxyConfig { upstreams: upstream, profile: &deployment.profile, plant, relays };
    let folder = tempfile::tempdir().unwrap();
    let tls = Tls::before(door.local_addr().unwrap(), folder.path()).await;
    profile.base_url.clone_from(&tls.base_url);
    profile.api_ca = Some(tls.ca.clone());
    profile.claims.insert(Claim::Http2);
    let _proxy = Proxy::start(door, &work).unwrap();
    let checks: Vec<_> = checks::all().into_iter().filter(|check| mutant.killed_by.contains(&check.id)).collect();
    let asks_for_http2 = checks.iter().any(|check| check.needs.contains(&Claim::Http2));
    let run = run_checks(checks, profile, Options::default()).await.unwrap();
    assert_eq!(tls.spoke_http2(), asks_for_http2);
    deployment.end().await;
    run.checks.iter().map(|record| record.status).collect()
}
