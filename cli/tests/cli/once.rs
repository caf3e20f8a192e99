//! `--idempotency-key`: a script that runs again does its work once.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::cut::{Cut, CuttingProxy};
use crate::support::World;

both_engines!(a_publish_with_a_key_is_done_once, a_lost_answer_is_asked_for_again_with_the_key);

async fn a_publish_with_a_key_is_done_once(store: TestStore) {
    let world = World::on(&store).await;
    world.ok(&["sync"]).await;
    let first = world.json(&["publish", "--idempotency-key", "job-7"]).await;
    let again = world.ok(&["publish", "--idempotency-key", "job-7"]).await;
    assert!(again.stdout.contains("Published v1"), "{}", again.stdout);
    assert!(again.stderr.contains("This was done before"), "{}", again.stderr);
    assert_eq!(world.json(&["publish", "--idempotency-key", "job-7"]).await, first);
    assert_eq!(world.json(&["versions"]).await["versions"].as_array().unwrap().len(), 1);

    let other = world.l10n(&["publish", "--label", "other", "--idempotency-key", "job-7"]).run().await;
    assert_eq!(other.status, 7, "{}", other.stderr);
    assert!(other.stderr.contains("use a separate key"), "{}", other.stderr);

    world.ok(&["publish"]).await;
    let restored = world.json(&["restore", "v1", "--idempotency-key", "back"]).await;
    assert_eq!(world.json(&["restore", "v1", "--idempotency-key", "back"]).await, restored);
    let no_key = world.l10n(&["publish", "--idempotency-key", "two words"]).run().await;
    assert_eq!(no_key.status, 2);
}

/// With a key the request itself is repeated, which returns the whole answer.
async fn a_lost_answer_is_asked_for_again_with_the_key(store: TestStore) {
    let world = World::on(&store).await;
    world.ok(&["sync"]).await;
    let proxy = CuttingProxy::to(world.app.address, Cut::Answer, "/publish", 1).await;
    let base_url = proxy.base_url();
    let output = world.l10n(&["publish", "--idempotency-key", "job-8", "--json", "--base-url", &base_url]).run().await;
    assert_eq!((output.status, proxy.seen()), (0, 2), "{}", output.stderr);
    assert_eq!(output.json()["label"], json!("v1"));
    assert_eq!(world.json(&["versions"]).await["versions"].as_array().unwrap().len(), 1);
}
