//! Each exit status once, with its output.

use l10n_server::testing::TestStore;

use crate::support::{World, l10n};

/// The advice in the output of a failed command.
fn hint(stderr: &str) -> &str {
    stderr.lines().find_map(|line| line.trim_start().strip_prefix("hint: ")).unwrap_or_default()
}

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
    // A file is in the place of a folder, so nothing can be found in it.
    assert_eq!(output.status, 2, "{}", output.stderr);
    world.write("sub/locales/en.json", r#"{"a":"A"}"#);
    std::fs::create_dir(world.path("sub/l10n.toml")).unwrap();
    let output = world.l10n(&["init", "--force", "--config", "sub/l10n.toml"]).run().await;
    insta::assert_snapshot!(output.failure(&world), @r"
    exit 1
    error: FOLDER/sub/l10n.toml could not be written: Is a directory (os error 21)
      hint: check that the folder is writable and that the disk is not full
    ");
}

/// A disk that is full.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn exit_1_when_a_result_cannot_be_written() {
    let world = World::new().await;
    for (arguments, status) in [
        (&["versions", "--json"][..], 1),
        (&["status"], 1),
        (&["languages", "add", "it"], 1),
        (&["webhooks", "create", "https://93.184.215.14/l10n", "--json"], 1),
        (&["completions", "bash"], 1),
        (&["--help"], 1),
        (&["check"], 3),
    ] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_l10n"));
        command.current_dir(world.folder.path()).args(arguments).env("L10N_API_KEY", &world.app.project.keys.admin);
        command.stdout(std::fs::File::options().write(true).open("/dev/full").unwrap());
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {stderr}");
        let told = "error: stdout could not be written: No space left on device (os error 28)\n  hint: ";
        assert!(stderr.contains(told), "{arguments:?}: {stderr}");
    }
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
    error: FOLDER/l10n.toml:4: an API key must not be in this file, because the file is committed
      hint: remove the line, revoke the key if the file was shared, and set L10N_API_KEY or use --api-key-file
    ");
}

/// A pattern without a match must not count as success.
#[tokio::test(flavor = "multi_thread")]
async fn exit_2_for_a_pattern_without_a_match() {
    let world = World::new().await;
    world.write("l10n.toml", &world.config("[[files]]\nsource = \"i18n/{language}.json\"\n"));
    let first = world.l10n(&["sync"]).run().await.failure(&world);
    insta::assert_snapshot!(first, @r"
    exit 2
    error: `i18n/{language}.json` matches no file in the base language `en`
      hint: patterns are relative to FOLDER; run `l10n init --dry-run` to list the files
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
    error: this key has no project `acme/nothing`
      hint: check the spelling of `workspace/project` and that the key belongs to this project
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
    error: L10N_API_KEY does not contain a valid API key: it does not start with `eik_`
      hint: a key starts with `eik_` and is shown once, when it is created
    ");
    let revoked = world.app.project.keys.revoked.clone();
    insta::assert_snapshot!(world.l10n(&["status"]).key(&revoked).run().await.failure(&world), @r"
    exit 4
    error: finding the project acme/app: the key is not one of this project: check it and the project id (unauthorized)
      hint: check L10N_API_KEY: it may be mistyped, revoked, or it may belong to another project
      correlation id: ID
    ");
    let none = world.app.project.keys.none.clone();
    insta::assert_snapshot!(world.l10n(&["status"]).key(&none).run().await.failure(&world), @r"
    exit 4
    error: reading the project: this needs a key with the scope `read` (forbidden)
      hint: use a key with the scope that the message names; `l10n whoami` lists this key's scopes
      correlation id: ID
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_6_when_the_request_budget_is_used_up() {
    let world = World::with(&TestStore::sqlite().await, |settings| settings.limits.requests_per_minute = 1).await;
    let output = world.l10n(&["doctor", "--retries", "0"]).run().await;
    assert_eq!(output.status, 6, "{}{}", output.stdout, output.stderr);
    insta::assert_snapshot!(world.l10n(&["status", "--retries", "0"]).run().await.failure(&world), @r"
    exit 6
    error: reading the project: the project's limit of 1 requests in 60 seconds is reached: wait 60 seconds (rate_limited)
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

#[tokio::test(flavor = "multi_thread")]
async fn exit_2_for_a_file_that_cannot_be_read_with_its_place() {
    let world = World::new().await;
    world.write("locales/en.json", "{\n  \"hello\": \"Hello\",,\n}\n");
    insta::assert_snapshot!(world.l10n(&["sync"]).run().await.failure(&world), @r"
    exit 2
    error: locales/en.json:2:20: `locales/en.json` is not a readable json file: key must be a string (line 2, column 20)
      hint: fix the file there; nothing of it was used
      correlation id: ID
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_3_when_code_and_server_differ() {
    let world = World::new().await;
    let output = world.l10n(&["check"]).run().await;
    insta::assert_snapshot!(output.stdout.clone() + &output.failure(&world), @r"
    locales/en.json: `hello` is new
    locales/en.json: `bye` is new
    de: 2 keys without a current translation
    fr: 2 keys without a current translation
    nothing has been published yet
    exit 3
    error: code and server differ: 5 differences
      hint: run `l10n sync`, `l10n publish`, then `l10n pull`
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_5_when_credits_do_not_suffice() {
    let world =
        World::with(&TestStore::sqlite().await, |settings| settings.pricing.millicredits_per_character = 1_000_000_000)
            .await;
    for arguments in [&["sync"][..], &["sync", "--dry-run"], &["translate", "--key", "a", "--text", "A"]] {
        assert_eq!(world.l10n(arguments).run().await.status, 5, "{arguments:?}");
    }
    insta::assert_snapshot!(world.l10n(&["sync"]).run().await.failure(&world), @r"
    exit 5
    error: syncing locales/en.json: the work may cost 34000000.000 credits and the workspace has 1000000.000: add credits or translate less (insufficient_credits)
      hint: add credits to the workspace, or name fewer --languages
      correlation id: ID
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_5_when_it_would_cost_more_than_allowed_and_nothing_was_changed() {
    let world = World::new().await;
    insta::assert_snapshot!(world.l10n(&["sync", "--max-credits", "0.033"]).run().await.failure(&world), @r"
    exit 5
    error: this would cost up to 0.034 credits, more than --max-credits 0.033; nothing was changed
      hint: raise --max-credits, or name fewer --languages
    ");
    assert_eq!(world.json(&["status"]).await["keyCount"], 0);
    world.ok(&["sync", "--max-credits", "0.034"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_7_when_the_state_does_not_allow_it() {
    let world = World::new().await;
    insta::assert_snapshot!(world.l10n(&["publish"]).run().await.failure(&world), @r"
    exit 7
    error: publishing: there is no key to publish: sync a file or translate some keys first (nothing_to_publish)
      hint: run `l10n sync`, then `l10n publish`
      correlation id: ID
    ");
    assert_eq!(world.l10n(&["pull"]).run().await.status, 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_9_when_a_person_must_approve_it() {
    let world = World::new().await;
    let agent = &world.app.project.keys.agent;

    let sync = world.l10n(&["sync"]).key(agent).run().await;
    assert_eq!(sync.status, 9, "{}", sync.stderr);
    insta::assert_snapshot!(hint(&sync.stderr), @"this is an AI agent's key: run it again with --request-approval, or ask with `l10n operations request --kind translation --max-credits CREDITS`, or use a `CI / scripts` key; --dry-run needs no approval");

    let publish = world.l10n(&["publish"]).key(agent).run().await;
    assert_eq!(publish.status, 9, "{}", publish.stderr);
    insta::assert_snapshot!(hint(&publish.stderr), @"this is an AI agent's key: run it again with --request-approval, or ask with `l10n operations request --kind publish`, or use a `CI / scripts` key");

    world.ok(&["sync"]).await;
    world.ok(&["publish"]).await;
    world.ok(&["translate", "--key", "new", "--text", "A new text"]).await;
    world.ok(&["publish"]).await;
    let rollback = world.l10n(&["restore", "#1"]).key(agent).run().await;
    assert_eq!(rollback.status, 9, "{}", rollback.stderr);
    insta::assert_snapshot!(hint(&rollback.stderr), @"this is an AI agent's key: run it again with --request-approval, or ask with `l10n operations request --kind rollback --version VERSION`, or use a `CI / scripts` key");

    assert_eq!(world.l10n(&["sync", "--dry-run"]).key(agent).run().await.status, 0);
}

/// A preview keeps nothing that would be a part of a success.
#[tokio::test(flavor = "multi_thread")]
async fn exit_2_when_the_preview_of_one_file_fails() {
    let world = World::new().await;
    world.write("l10n.toml", &world.config("[[files]]\nsource = \"l/{language}/*.json\"\nformat = \"json\"\n"));
    world.write("l/en/bad.json", "{");
    world.write("l/en/good.json", r#"{"a":"A text"}"#);
    world.write("l/de/good.json", r#"{"a":"Ein Text"}"#);
    let commands: [(&[&str], &str); 4] = [
        (&["sync", "--max-credits", "5"], "; nothing was changed\n"),
        (&["sync", "--dry-run", "--ignore-local"], "; nothing was changed\n"),
        (&["import"], "; nothing was imported\n"),
        (&["check"], ")\n"),
    ];
    for (command, ends) in commands {
        let failed = world.l10n(command).run().await.failure(&world);
        assert!(failed.starts_with("exit 2\n"), "{command:?}: {failed}");
        // A dry run of a sync tells the output formats before.
        let mut lines = failed.split_inclusive('\n').skip_while(|line| !line.starts_with("error: "));
        let error = lines.next().unwrap();
        assert!(error.starts_with("error: l/en/bad.json:1:2: ") && error.ends_with(ends), "{command:?}: {failed}");
        assert_eq!(lines.next(), Some("  hint: fix the file there; nothing of it was used\n"), "{command:?}");
    }
    assert_eq!(world.json(&["status"]).await["keyCount"], 0);
    let read = world.l10n(&["check"]).key(&world.app.project.keys.read).run().await;
    assert_eq!(read.status, 2, "{}", read.stderr);

    world.write("l/en/bad.json", r#"{"b":"Better"}"#);
    world.ok(&["sync", "--ignore-local"]).await;
    world.write("l/de/bad.json", "{");
    let import = world.l10n(&["import", "--dry-run", "--json"]).run().await;
    assert_eq!((import.status, &import.json()["error"]["code"]), (2, &"file_unparseable".into()), "{}", import.stderr);
    assert!(import.stderr.contains("l/de/bad.json:1:2: ") && import.stderr.contains("; nothing was changed\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_4_for_a_key_that_is_none() {
    let world = World::new().await;
    let output = world.l10n(&["status", "--json"]).key("eik_").run().await;
    assert_eq!((output.status, &output.json()["error"]["code"]), (4, &"no_api_key".into()), "{}", output.stderr);
    assert!(output.stderr.contains("the API key cannot be used: nothing follows `eik_`"), "{}", output.stderr);
}

/// A partial failure must not end with 0.
#[tokio::test(flavor = "multi_thread")]
async fn exit_10_when_some_files_failed() {
    let world = World::new().await;
    world.write("l10n.toml", &world.config("[[files]]\nsource = \"l/{language}/*.json\"\nformat = \"json\"\n"));
    world.write("l/en/bad.json", "{");
    world.write("l/en/good.json", r#"{"a":"A text"}"#);
    let output = world.l10n(&["sync", "--json"]).run().await;
    assert_eq!(output.status, 10, "{}", output.stderr);
    let result = output.json();
    assert_eq!(result["files"][0]["error"]["code"], "file_unparseable");
    assert_eq!(result["files"][1]["run"]["classification"]["new"], 1);
    assert_eq!(result["error"]["exitCode"], 10);
}
