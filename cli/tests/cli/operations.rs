//! `l10n operations`.

use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::Value;

use crate::person::decide_all;
use crate::support::{World, snapshot};

both_engines!(what_is_asked_for_is_shown_and_waited_for);

fn id(operation: &Value) -> String {
    operation["operationId"].as_str().unwrap().to_owned()
}

/// OPS-1, OPS-2
async fn what_is_asked_for_is_shown_and_waited_for(store: TestStore) {
    let world = World::on(&store).await;
    let arguments = [
        "operations",
        "request",
        "--kind",
        "translation",
        "--max-credits",
        "4.2",
        "--languages",
        "de,fr",
        "--note",
        "New texts",
        "--json",
    ];
    let asked = world.l10n(&arguments).key(&world.app.project.keys.agent).run().await.json();
    assert_eq!((asked["status"].as_str(), asked["max_credits"].as_u64()), (Some("pending"), Some(5)));
    let id = id(&asked);
    let clean = |text: &str| {
        let url = asked["approvalUrl"].as_str().unwrap();
        let text = text.replace(url, "URL").replace(&id, "op_ID");
        // Times come from the test's clock.
        let is_time = |word: &&str| word.starts_with("20") || word.matches(':').count() == 2;
        let line = |line: &str| line.split(' ').filter(|word| !is_time(word)).collect::<Vec<_>>().join(" ");
        text.lines().map(line).collect::<Vec<_>>().join("\n")
    };
    snapshot!(clean(&world.ok(&["operations", "show", &id]).await.stdout), @r"
    op_ID  pending  translation of strings, languages de,fr, at most 5 credits
    Note      New texts
    Asked by  test, UTC
    Ends      UTC, undecided
    Decide    URL
          or  l10n-server operations approve op_ID   (or: deny), beside the server
    ");
    decide_all(&world.app.service, true).await;
    let waited = world.ok(&["operations", "wait", &id]).await;
    snapshot!(clean(&(waited.stdout + &waited.stderr)), @r"
    op_ID  approved  translation of strings, languages de,fr, at most 5 credits
    Note      New texts
    Asked by  test, UTC
    Decided   by ada, UTC
    Ends      UTC, unused
    Use it: l10n sync PATH --operation-id op_ID (or: l10n translate)
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_exit_status_tells_the_decision() {
    let world = &World::new().await;
    let ask = || async { id(&world.json(&["operations", "request", "--kind", "publish"]).await) };
    let wait = |id: String| async move {
        world.l10n(&["operations", "wait", &id, "--approval-timeout", "1", "--json"]).run().await
    };

    let (pending, denied) = (ask().await, ask().await);
    let output = wait(pending.clone()).await;
    assert_eq!((output.status, output.json()["status"].as_str()), (9, Some("pending")));
    assert_eq!(output.json()["error"]["exitCode"], 9);
    decide_all(&world.app.service, false).await;
    assert_eq!(wait(denied).await.status, 11);
    let expired = ask().await;
    world.app.clock.advance(Duration::from_secs(24 * 3_600));
    let output = wait(expired).await;
    assert_eq!(output.status, 12, "{}", output.stderr);
    assert!(output.stderr.contains("undecided"), "{}", output.stderr);
    let approved = ask().await;
    decide_all(&world.app.service, true).await;
    assert_eq!(wait(approved.clone()).await.status, 0);
    world.app.clock.advance(Duration::from_secs(3_600));
    let output = wait(approved).await;
    assert_eq!(output.status, 12, "{}", output.stderr);
    assert!(output.stderr.contains("was approved and not used before"), "{}", output.stderr);
}

/// OPS-4: the messages of the API name routes; whoever sits at a terminal reads commands.
#[tokio::test(flavor = "multi_thread")]
async fn a_refused_agent_reads_commands_and_no_routes() {
    let world = &World::new().await;
    world.ok(&["sync"]).await;
    let agent = |arguments: Vec<String>| async move {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        world.l10n(&arguments).key(&world.app.project.keys.agent).run().await
    };
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let ask = || async { id(&agent(words("operations request --kind publish --json")).await.json()) };
    let publish = |id: &str| words(&format!("publish --operation-id {id} --json"));

    let unasked = agent(words("publish --json")).await;
    let denied = ask().await;
    decide_all(&world.app.service, false).await;
    let (denied, pending) = (agent(publish(&denied)).await, agent(publish(&ask().await)).await);
    for (output, command) in [(unasked, "request`"), (denied, "show op_"), (pending, "wait op_")] {
        assert_eq!(output.json()["error"]["code"], "authorization_required", "{}", output.stderr);
        for text in [&output.stdout, &output.stderr] {
            assert!(text.contains(&format!("`l10n operations {command}")), "{text}");
            assert!(!["GET /", "POST /"].iter().any(|method| text.contains(method)), "{text}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_asked_for_is_told() {
    let world = World::new().await;
    for (arguments, status) in [
        (&["operations", "request", "--kind", "translation"][..], 2),
        (&["operations", "request", "--kind", "rollback"], 2),
        (&["operations", "request", "--kind", "party"], 2),
        (&["operations", "request", "--kind", "publish", "--max-credits", "5"], 2),
        (&["operations", "request", "--kind", "rollback", "--version", "v9"], 2),
        (&["operations", "show", "op_none"], 2),
        (&["operations", "wait", "op_none"], 2),
        (&["operations"], 2),
    ] {
        let output = world.l10n(arguments).run().await;
        assert_eq!(output.status, status, "{arguments:?} {}", output.stderr);
    }
}
