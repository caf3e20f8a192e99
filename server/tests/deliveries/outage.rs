//! PostgreSQL crashes and comes back while deliveries are on their way.

use std::collections::BTreeSet;
use std::time::Duration;

use l10n_api_types::deliveries::DeliveryStatus;
use l10n_server::domain::deliveries::step::DELIVERY_LEASE_MILLIS;
use l10n_server::testing::postgres::DurableCluster;
use l10n_server::testing::{TEST_TIMEOUT, TestStore};
use l10n_testkit::receiver::{Answer, Delivery, Gate};

use crate::fixtures::World;

/// DEL-16, DEL-17: whatever was answered 2xx arrives and ends as delivered, although the database forgets the last moments
/// of what the worker wrote and every connection breaks. What arrives twice is the same event.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_the_database_crashes() {
    let Some(mut cluster) = DurableCluster::for_test() else { return };
    let store = TestStore::at(cluster.database().await).await;
    let world = World::on(&store).await;
    let (quick, slow) = (world.hook("/quick").await, world.hook("/slow").await);
    let gate = Gate::closed();
    world.receiver.answer("/slow", Answer::ok().held(&gate));
    let mut published = BTreeSet::new();
    for _ in 0..12 {
        published.insert(world.publish().await.publish_id);
    }
    // Some are delivered, others are under way, and more wait than there are slots.
    let some_of_both =
        |all: &[Delivery]| ["/quick", "/slow"].iter().all(|path| all.iter().any(|one| one.uri.path() == *path));
    world.receiver.wait_until("deliveries of both webhooks", some_of_both).await.unwrap();

    tokio::task::block_in_place(|| cluster.crash()).unwrap();
    gate.open();
    let slow_answer = |all: &[Delivery]| all.iter().any(|one| one.uri.path() == "/slow" && one.answered);
    world.receiver.wait_until("the end of an attempt", slow_answer).await.unwrap();
    tokio::task::block_in_place(|| cluster.run()).unwrap();

    published.insert(world.publish().await.publish_id);
    for (hook, path) in [(&quick, "/quick"), (&slow, "/slow")] {
        // What the database forgot to give to a worker is taken again; what it forgot to take back, when its lease ends.
        let ends = async {
            loop {
                let log = world.log(hook).await;
                if log.iter().all(|entry| entry.status == DeliveryStatus::Delivered) {
                    return log;
                }
                world.pass(Duration::from_millis(DELIVERY_LEASE_MILLIS.unsigned_abs()));
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let log = tokio::time::timeout(TEST_TIMEOUT, ends).await.unwrap();
        assert_eq!(log.iter().map(|entry| entry.publish_id.clone()).collect::<BTreeSet<_>>(), published);
        let arrived = world.arrived(path);
        for entry in log {
            let id = Some(entry.event_id.as_str());
            let contents = arrived.iter().filter(|one| one.header("x-service-event-id") == id).map(|one| &one.body);
            assert_eq!(
                contents.collect::<BTreeSet<_>>().len(),
                1,
                "{path}: an event that never came, or with two contents"
            );
        }
    }
    store.remove().await;
}
