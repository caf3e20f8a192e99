//! Output: pipes, colour, JSON, quiet.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::World;

/// There are no escape sequences in pipes.
#[tokio::test(flavor = "multi_thread")]
async fn there_are_no_escapes_in_pipes_unless_asked_for() {
    let world = World::new().await;
    for arguments in [&["status"][..], &["languages"], &["doctor"], &["sync", "nowhere.json"], &["--help"]] {
        let output = world.l10n(arguments).run().await;
        assert!(!output.stdout.contains('\u{1b}') && !output.stderr.contains('\u{1b}'), "{arguments:?}");
    }
    let always = world.l10n(&["status", "--color", "always"]).run().await;
    assert!(always.stdout.contains("\u{1b}[1mLANGUAGE"), "{:?}", always.stdout);
    let never = world.l10n(&["status", "--color", "never"]).variable("TERM", "xterm").run().await;
    assert!(!never.stdout.contains('\u{1b}'));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_is_an_object_where_json_was_asked_for() {
    let world = World::new().await;
    let output = world.l10n(&["status", "--json"]).key(&world.app.project.keys.none).run().await;
    assert_eq!(output.status, 4);
    let mut error = output.json();
    assert!(error["error"]["correlationId"].as_str().is_some_and(|id| !id.is_empty()));
    error["error"]["correlationId"] = "ID".into();
    insta::assert_json_snapshot!(error, @r#"
    {
      "error": {
        "code": "forbidden",
        "correlationId": "ID",
        "exitCode": 4,
        "hint": "use a key with the scope that the message names; `l10n whoami` lists this key's scopes",
        "message": "reading the project: this needs a key with the scope `read` (forbidden)"
      }
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn quiet_prints_results_alone() {
    let world = World::new().await;
    let output = world.ok(&["languages", "add", "it", "--quiet"]).await;
    assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("", ""));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_goes_away_is_no_failure() {
    let world = World::new().await;
    let mut command = Command::new(env!("CARGO_BIN_EXE_l10n"));
    command.current_dir(world.folder.path()).arg("status").env("L10N_API_KEY", &world.app.project.keys.admin);
    let run = move || {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        child.wait_with_output().unwrap()
    };
    let output = tokio::task::spawn_blocking(run).await.unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn verbose_names_requests_and_never_the_key() {
    let world = World::new().await;
    for flags in ["-v", "-vv", "-vvv"] {
        let output = world.ok(&["status", flags]).await;
        assert!(!output.stderr.contains("eik_"), "{flags}");
        assert!(!output.stderr.is_empty(), "{flags}");
    }
}

/// Scripts rely on these names.
#[tokio::test(flavor = "multi_thread")]
async fn objects_have_the_documented_shape() {
    let world = World::new().await;
    let sync = world.json(&["sync"]).await;
    insta::assert_snapshot!(names(&sync), @r"
    dryRun
    files: path run
    jobs: balance creditsCharged failures progress status trackingToken
    outputFormats: missing set
    totals: balance classification estimatedCredits kept perLanguage
    ");
    world.ok(&["publish"]).await;
    insta::assert_snapshot!(names(&world.json(&["pull"]).await), @r"
    counts: source unchanged written
    dryRun
    files: bytes format kept language path replaced sha256 state
    folder
    label
    unpublished
    versionId
    ");
    insta::assert_snapshot!(names(&world.json(&["versions"]).await), @"versions: keyCount label live number publishedAt versionId");
    insta::assert_snapshot!(names(&world.json(&["check"]).await), @r"
    differences
    kept
    upToDate
    ");
    insta::assert_snapshot!(names(&world.json(&["whoami"]).await), @r"
    baseUrl
    project
    projectId
    requiresOperationApproval
    scopes
    ");
    insta::assert_snapshot!(names(&world.json(&["doctor"]).await), @r"
    checks: message name verdict
    healthy
    ");
}

/// The members of an object and of the objects in it, two levels deep.
fn names(value: &Value) -> String {
    let members = |value: &Value| -> Vec<String> {
        let object = value.as_object().or_else(|| value.get(0)?.as_object());
        object.map_or_else(Vec::new, |object| object.keys().cloned().collect())
    };
    let inner = |name: &String| match members(&value[name]) {
        none if none.is_empty() => name.clone(),
        some => format!("{name}: {}", some.join(" ")),
    };
    members(value).iter().map(inner).collect::<Vec<_>>().join("\n")
}
