//! Lost answers: the program asks for the receipt before it does anything else.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::cut::{Cut, CuttingProxy};
use crate::support::{Output, World};

both_engines!(
    a_publish_whose_answer_is_lost_has_landed,
    a_sync_whose_answer_is_lost_is_not_done_again,
    a_translate_whose_answer_is_lost_is_waited_for,
    what_a_publish_of_documents_held_back_is_told_without_its_answer,
);

async fn through(world: &World, proxy: &CuttingProxy, arguments: &[&str]) -> Output {
    let base_url = proxy.base_url();
    let arguments: Vec<&str> = arguments.iter().copied().chain(["--base-url", &base_url]).collect();
    world.l10n(&arguments).run().await
}

async fn labels(world: &World) -> Vec<Value> {
    let versions = world.json(&["versions"]).await;
    versions["versions"].as_array().unwrap().iter().map(|version| version["label"].clone()).collect()
}

/// §7: a write may have landed, and here both a publish and a restore have.
async fn a_publish_whose_answer_is_lost_has_landed(store: TestStore) {
    let world = World::on(&store).await;
    world.ok(&["sync"]).await;
    let proxy = CuttingProxy::to(world.app.address, Cut::Answer, "/publish", 2).await;
    let output = through(&world, &proxy, &["publish"]).await;
    assert_eq!((output.status, proxy.seen()), (0, 1), "{}", output.stderr);
    assert!(output.stderr.contains("the answer was lost, but it succeeded"), "{}", output.stderr);
    assert!(output.stdout.contains("✓ Published ver_"), "{}", output.stdout);

    let output = through(&world, &proxy, &["publish", "--json"]).await;
    assert_eq!((output.status, proxy.seen()), (0, 2), "{}", output.stderr);
    let result = output.json();
    assert_eq!(
        (&result["receipt"]["status"], &result["receipt"]["kind"]),
        (&json!("succeeded"), &json!("publishVersion"))
    );
    assert_eq!(labels(&world).await, ["v2", "v1"]);
    let live = world.json(&["status"]).await["live"]["versionId"].clone();
    assert_eq!(result["versionId"], live);

    let proxy = CuttingProxy::to(world.app.address, Cut::Answer, "/restore", 1).await;
    let output = through(&world, &proxy, &["restore", "v1"]).await;
    assert_eq!((output.status, proxy.seen()), (0, 1), "{}", output.stderr);
    assert_eq!(world.json(&["status"]).await["live"]["label"], "v1");

    // The receipt gives the same outcome later.
    let request = result["receipt"]["requestId"].as_str().unwrap().to_owned();
    let shown = world.json(&["requests", "show", &request]).await;
    assert_eq!((&shown["outcome"], &shown["receipt"]), (&json!("landed"), &result["receipt"]));
}

/// The program waits for the job of the request whose answer was lost.
async fn a_sync_whose_answer_is_lost_is_not_done_again(store: TestStore) {
    let world = World::on(&store).await;
    let proxy = CuttingProxy::to(world.app.address, Cut::Answer, "/sync", 1).await;
    let output = through(&world, &proxy, &["sync", "--json"]).await;
    assert_eq!((output.status, proxy.seen()), (0, 1), "{}", output.stderr);
    let result = output.json();
    assert_eq!(result["files"][0]["receipt"]["status"], "succeeded");
    assert_eq!(result["files"][0]["receipt"]["resource"]["id"], result["jobs"][0]["trackingToken"]);
    assert_eq!(result["jobs"][0]["progress"]["done"], 4);
    let again = world.json(&["sync"]).await;
    assert_eq!((&again["jobs"], &again["totals"]["classification"]["unchanged"]), (&json!([]), &json!(2)));
}

async fn a_translate_whose_answer_is_lost_is_waited_for(store: TestStore) {
    let world = World::on(&store).await;
    let proxy = CuttingProxy::to(world.app.address, Cut::Answer, "/translate", 1).await;
    let output = through(&world, &proxy, &["translate", "--key", "a", "--text", "A text"]).await;
    assert_eq!((output.status, proxy.seen()), (0, 1), "{}", output.stderr);
    assert!(output.stdout.contains("✓ Translated 2 of 2"), "{}", output.stdout);
    assert!(output.stdout.contains("de        translated"), "{}", output.stdout);
}

async fn what_a_publish_of_documents_held_back_is_told_without_its_answer(store: TestStore) {
    let world = World::on(&store).await;
    world.write("l10n.toml", &world.config("[[content]]\nsource = \"docs/*\"\noutput = \"{language}/{path}\"\n"));
    world.write("docs/intro.md", "# Start here\n");
    world.ok(&["content", "push"]).await;
    world.ok(&["content", "run"]).await;
    let proxy = CuttingProxy::to(world.app.address, Cut::Answer, "/publish", usize::MAX).await;
    let whole = through(&world, &proxy, &["content", "publish"]).await;
    assert_eq!((whole.status, proxy.seen()), (0, 1), "{}", whole.stderr);
    assert!(whole.stdout.starts_with("✓ Published documents (pub_"), "{}", whole.stdout);

    world.write("docs/intro.md", "# Start here\n\nThen go on.\n");
    world.ok(&["content", "push"]).await;
    let held = through(&world, &proxy, &["content", "publish", "--json"]).await;
    assert_eq!((held.status, proxy.seen()), (10, 2), "{}", held.stderr);
    assert!(held.json()["publishId"].is_string(), "{}", held.stdout);
    assert!(held.stderr.contains("docs/intro.md is held back: in de it is outdated"), "{}", held.stderr);
    let others = through(&world, &proxy, &["content", "publish", "--languages", "de"]).await;
    assert!(others.status == 10 && !others.stderr.contains("in fr"), "{}", others.stderr);

    // A key that may only publish cannot look.
    world.write("l10n.toml", &world.config(""));
    let base_url = proxy.base_url();
    let publish = ["content", "publish", "--base-url", &base_url];
    let unknown = world.l10n(&publish).key(&world.app.project.keys.publish).run().await;
    assert_eq!(unknown.status, 13, "{}", unknown.stderr);
    assert!(unknown.stderr.contains("whether documents were held back is unknown: "), "{}", unknown.stderr);
}

/// The request never arrived: the server has no receipt, which alone is no reason to repeat a publish.
#[tokio::test(flavor = "multi_thread")]
async fn exit_13_when_the_server_knows_nothing_of_a_publish() {
    let world = World::new().await;
    world.ok(&["sync"]).await;
    let proxy = CuttingProxy::to(world.app.address, Cut::Request, "/publish", usize::MAX).await;
    let output = through(&world, &proxy, &["publish"]).await;
    assert_eq!((output.status, proxy.seen()), (13, 1), "{}", output.stderr);
    let unknown =
        "the server has no record of it: it did not arrive, was refused before it began, or is more than 7 days old";
    assert!(output.stderr.contains(unknown), "{}", output.stderr);
    assert!(output.stderr.contains("`l10n versions` shows the live version"), "{}", output.stderr);
    let output = through(&world, &proxy, &["publish", "--json"]).await;
    let error = &output.json()["error"];
    assert_eq!(
        (&error["outcome"], &error["exitCode"], &error["code"]),
        (&json!("unknown"), &json!(13), &json!("unreachable"))
    );
    assert_eq!(labels(&world).await, Vec::<Value>::new());

    let id = error["correlationId"].as_str().unwrap();
    let shown = world.l10n(&["requests", "show", id]).run().await;
    assert_eq!(shown.status, 13);
    assert!(shown.stdout.starts_with("The server has no receipt: the request"), "{}", shown.stdout);
}

/// The request arrived and was refused: the receipt has the reason, which determines the exit status.
#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_whose_answer_is_lost_is_told_all_the_same() {
    let world = World::new().await;
    let proxy = CuttingProxy::to(world.app.address, Cut::Answer, "/publish", usize::MAX).await;
    let output = through(&world, &proxy, &["publish"]).await;
    assert_eq!((output.status, proxy.seen()), (7, 1), "{}", output.stderr);
    assert!(output.stderr.contains("nothing was written"), "{}", output.stderr);
    assert!(output.stderr.contains("(nothing_to_publish)"), "{}", output.stderr);
    assert!(output.stderr.contains("hint: run `l10n sync`, then `l10n publish`"), "{}", output.stderr);

    let id = through(&world, &proxy, &["publish", "--json"]).await.json()["error"]["correlationId"].clone();
    let shown = world.l10n(&["requests", "show", id.as_str().unwrap()]).run().await;
    assert_eq!(shown.status, 7);
    assert!(shown.stdout.starts_with("It failed: nothing was written."), "{}", shown.stdout);
}

/// ERR-503-2: a sync that has not arrived is made again from the file.
#[tokio::test(flavor = "multi_thread")]
async fn a_sync_that_has_not_arrived_is_run_again_from_its_file() {
    let world = World::new().await;
    let proxy = CuttingProxy::to(world.app.address, Cut::Request, "/sync", 1).await;
    let output = through(&world, &proxy, &["sync", "--json"]).await;
    assert_eq!((output.status, proxy.seen()), (0, 2), "{}", output.stderr);
    assert!(output.stderr.contains("reading locales/en.json again and starting over"), "{}", output.stderr);
    assert_eq!(output.json()["files"][0]["run"]["classification"]["new"], 2);
}
