//! Each exit status once, with what is said.

use crate::support::{World, l10n};

#[tokio::test(flavor = "multi_thread")]
async fn exit_0_when_all_is_well() {
    let world = World::new().await;
    assert_eq!(world.l10n(&["whoami"]).run().await.status, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_1_when_something_unexpected_happens() {
    let world = World::new().await;
    world.write("file", "");
    let output = world.l10n(&["init", "--config", "file/l10n.toml", "--base-language", "en"]).run().await;
    // A file stands where a folder is needed: there is nothing to find in it.
    assert_eq!(output.status, 2, "{}", output.stderr);
    world.write("sub/locales/en.json", r#"{"a":"A"}"#);
    std::fs::create_dir(world.path("sub/l10n.toml")).unwrap();
    let output = world.l10n(&["init", "--force", "--config", "sub/l10n.toml"]).run().await;
    insta::assert_snapshot!(output.failure(&world), @r"
    exit 1
    error: FOLDER/sub/l10n.toml could not be written: Is a directory (os error 21)
      hint: check that the folder is there to write in and that the disk has room
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_2_for_a_wrong_configuration() {
    let world = World::new().await;
    world.write("l10n.toml", "project = \"acme/app\"\n\n[[files]]\nsorce = \"x\"\n");
    insta::assert_snapshot!(world.l10n(&["status"]).run().await.failure(&world), @r"
    exit 2
    error: FOLDER/l10n.toml:4: unknown setting `sorce` in [[files]]
      hint: did you mean `source`?
    ");
    world.write("l10n.toml", &world.config("api_key = \"eik_x\"\n"));
    insta::assert_snapshot!(world.l10n(&["status"]).run().await.failure(&world), @r"
    exit 2
    error: FOLDER/l10n.toml:4: an API key does not belong in this file, which is meant to be committed
      hint: remove the line, revoke the key if the file was shared, and set L10N_API_KEY or use --api-key-file
    ");
}

/// A pattern that matches nothing once counted as success elsewhere.
#[tokio::test(flavor = "multi_thread")]
async fn exit_2_for_a_pattern_without_a_match() {
    let world = World::new().await;
    world.write("l10n.toml", &world.config("[[files]]\nsource = \"i18n/{language}.json\"\n"));
    let first = world.l10n(&["sync"]).run().await.failure(&world);
    insta::assert_snapshot!(first, @r"
    exit 2
    error: `i18n/{language}.json` matches no file in the base language `en`
      hint: patterns are relative to FOLDER; run `l10n init --dry-run` to see what is there
    ");
    for command in [&["check"][..], &["import"], &["sync", "--dry-run"]] {
        assert_eq!(world.l10n(command).run().await.failure(&world), first);
    }
    let output = world.l10n(&["sync", "locales/none.json"]).run().await;
    assert_eq!(output.status, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_2_for_a_project_that_does_not_exist() {
    let world = World::new().await;
    let output = world.l10n(&["status", "--project", "acme/nothing"]).run().await;
    insta::assert_snapshot!(output.failure(&world), @r"
    exit 2
    error: no project `acme/nothing` that this key belongs to
      hint: check the spelling `workspace/project` and that the key was made for this project
      correlation id: ID
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_4_without_a_key_with_a_wrong_one_and_without_the_scope() {
    let world = World::new().await;
    insta::assert_snapshot!(l10n(world.folder.path(), &["status"]).run().await.failure(&world), @r"
    exit 4
    error: no API key
      hint: create one in the dashboard (Settings, API keys), then set L10N_API_KEY or use --api-key-file PATH
    ");
    insta::assert_snapshot!(world.l10n(&["status"]).key("sesame").run().await.failure(&world), @r"
    exit 4
    error: L10N_API_KEY holds no API key: it does not start with `eik_`
      hint: a key starts with `eik_` and is shown once, when it is created
    ");
    let revoked = world.app.project.keys.revoked.clone();
    insta::assert_snapshot!(world.l10n(&["status"]).key(&revoked).run().await.failure(&world), @r"
    exit 4
    error: finding the project acme/app: the key is not one of this project: check it and the project id (unauthorized)
      hint: check L10N_API_KEY: it may be mistyped, revoked, or made for another project than the one named
      correlation id: ID
    ");
    let none = world.app.project.keys.none.clone();
    insta::assert_snapshot!(world.l10n(&["status"]).key(&none).run().await.failure(&world), @r"
    exit 4
    error: reading the project: this needs a key with the scope `read` (forbidden)
      hint: use a key with the scope that the message names; `l10n whoami` shows what this one holds
      correlation id: ID
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_6_when_the_request_budget_is_used_up() {
    let world = World::with(|settings| settings.limits.requests_per_minute = 1).await;
    let output = world.l10n(&["doctor", "--retries", "0"]).run().await;
    assert_eq!(output.status, 6, "{}{}", output.stdout, output.stderr);
    insta::assert_snapshot!(world.l10n(&["status", "--retries", "0"]).run().await.failure(&world), @r"
    exit 6
    error: reading the project: the project takes 1 requests in 60 seconds: wait 60 seconds (rate_limited)
      hint: wait 60 s and run it again
      correlation id: ID
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_8_when_nothing_answers() {
    let world = World::new().await;
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{free}/v1");
    let output = world.l10n(&["status", "--retries", "0", "--base-url", &url]).run().await;
    assert_eq!(output.status, 8);
    assert!(output.stderr.contains("no connection"), "{}", output.stderr);
    let output = world.l10n(&["doctor", "--retries", "0", "--base-url", &url]).run().await;
    assert_eq!(output.status, 8, "{}", output.stdout);
}
