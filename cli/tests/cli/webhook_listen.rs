//! `l10n webhooks listen` with a real server, and the output of `l10n deliveries`.

use std::process::Command;
use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use l10n_webhook_verify::{SIGNATURE_HEADER, Verifier};
use serde_json::{Value, json};

use crate::receivers::{Plain, Running, authority, server_program, world_with, world_with_authority};
use crate::signals::hangup;
use crate::support::{World, l10n};

both_engines!(
    a_publish_is_seen_and_the_webhook_goes_with_the_listener,
    a_delivery_that_failed_is_explained_and_sent_again,
    an_answer_that_comes_too_late_is_a_timeout,
    two_listeners_at_a_time_each_see_the_event,
    a_resend_that_fails_says_so,
    a_delivery_is_passed_on_as_it_came,
    a_target_that_is_not_there_is_a_502,
    a_listener_takes_over_from_one_that_is_gone,
    a_server_that_does_not_deliver_here_is_told_what_to_set,
    a_certificate_that_is_not_trusted_is_told,
    a_call_that_makes_no_sense_registers_nothing,
);

/// A world with a key to publish, and the arguments of a listener.
async fn ready(store: &TestStore) -> (World, tempfile::TempDir, Vec<String>) {
    listening(world_with_authority(store).await).await
}

async fn listening((world, authority): (World, tempfile::TempDir)) -> (World, tempfile::TempDir, Vec<String>) {
    world.ok(&["sync"]).await;
    let folder = authority.path().display().to_string();
    (world, authority, ["webhooks", "listen", "--ca-dir", &folder].map(str::to_owned).to_vec())
}

fn listen(world: &World, arguments: &[String], more: &[&str]) -> Running {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).chain(more.iter().copied()).collect();
    Running::start(world, &arguments)
}

async fn webhooks(world: &World) -> Vec<Value> {
    world.json(&["webhooks"]).await["webhooks"].as_array().unwrap().clone()
}

/// EV-1, SIG-1: a publish is received, verified and printed; the webhook is deleted when the listener ends, by any
/// signal.
async fn a_publish_is_seen_and_the_webhook_goes_with_the_listener(store: TestStore) {
    let (world, _authority, arguments) = ready(&store).await;
    for (signal, label) in [("INT", "first"), ("TERM", "second"), (hangup(), "third")] {
        let mut listener = listen(&world, &arguments, &[]);
        listener.says("Ctrl-C ends it and deletes the webhook", 1).await;
        world.ok(&["publish", "--label", label]).await;
        let said = listener.says("signature verified; answered 200", 1).await;
        assert!(said.contains(&format!("strings.published of acme/app: {label} (ver_")), "{said}");
        assert!(said.contains("2 keys in en (base), de, fr"), "{said}");
        let id = webhooks(&world).await[0]["webhookId"].as_str().unwrap().to_owned();
        listener.signal(signal);
        assert_eq!(listener.ended().await, Some(0), "{signal}");
        assert!(listener.stderr().contains(&format!("Deleted {id}.")), "{}", listener.stderr());
        assert_eq!(webhooks(&world).await, Vec::<Value>::new());
    }
}

/// DEL-2, DEL-14: with `--json` each delivery is a line; a refused one waits for its retry, and a resend delivers it.
async fn a_delivery_that_failed_is_explained_and_sent_again(store: TestStore) {
    let (world, _authority, arguments) = ready(&store).await;
    let mut listener = listen(&world, &arguments, &["--answer", "503,ok", "--json"]);
    listener.says("listening", 1).await;
    world.ok(&["publish"]).await;
    listener.says("evt_", 1).await;

    let failing = wait_for(&world, |delivery| delivery["lastStatusCode"] == 503).await;
    assert_eq!((&failing["status"], &failing["attempts"]), (&json!("pending"), &json!(1)));
    let told = world.ok(&["deliveries", "list", "--failing"]).await.stdout;
    assert!(told.contains("Attempt 2 of 6 is planned for") && told.contains("503"), "{told}");
    let id = failing["deliveryId"].as_str().unwrap();
    assert_eq!(world.ok(&["deliveries", "resend", id]).await.stdout, format!("✓ Delivered {id} (200)\n"));
    listener.says("\"delivery\"", 2).await;
    listener.signal("TERM");
    assert_eq!(listener.ended().await, Some(0));

    let lines: Vec<Value> = listener.stdout().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["type"], lines[0].get("secret")), (&json!("listening"), None));
    let seen = |line: &Value| json!([line["times"], line["answer"], line["eventId"], line["event"]["type"]]);
    let event = &failing["eventId"];
    assert_eq!(seen(&lines[1]), json!([1, 503, event, "strings.published"]));
    assert_eq!(seen(&lines[2]), json!([2, 200, event, "strings.published"]));
}

/// Waits until the newest delivery in the log has the expected state.
async fn wait_for(world: &World, is_it: impl Fn(&Value) -> bool) -> Value {
    loop {
        let delivery = world.json(&["deliveries"]).await["deliveries"][0].clone();
        if is_it(&delivery) {
            return delivery;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// DEL-4: with `slow` the service gives up before the answer comes, and both sides report it.
async fn an_answer_that_comes_too_late_is_a_timeout(store: TestStore) {
    // The listener answers after 12 seconds; the service's time limit is shortened, so that the test need not wait for
    // it.
    let world = world_with(&store, |egress| egress.timeouts.answer = Duration::from_secs(3)).await;
    let (world, _authority, arguments) = listening(world).await;
    let mut listener = listen(&world, &arguments, &["--answer", "slow,ok"]);
    listener.says("Listening", 1).await;
    world.ok(&["publish"]).await;
    listener.says("signature verified; answers 200 in 12 s, which is too late", 1).await;
    let late = wait_for(&world, |delivery| delivery["attempts"] == 1).await;
    assert_eq!((&late["lastErrorKind"], &late["lastStatusCode"]), (&json!("response_timeout"), &Value::Null), "{late}");
    let id = late["deliveryId"].as_str().unwrap();
    assert_eq!(world.ok(&["deliveries", "resend", id]).await.stdout, format!("✓ Delivered {id} (200)\n"));
    listener.says("for the 2nd time, signature verified; answered 200", 1).await;
    // A pending answer does not delay the end of the listener.
    listener.signal("INT");
    assert_eq!(listener.ended().await, Some(0));
    assert_eq!(webhooks(&world).await, Vec::<Value>::new());
}

/// EV-1, ENV-1: two listeners are two webhooks, each with a secret of its own; one event reaches both.
async fn two_listeners_at_a_time_each_see_the_event(store: TestStore) {
    let (world, _authority, arguments) = ready(&store).await;
    let (mut first, mut second) = (listen(&world, &arguments, &["--json"]), listen(&world, &arguments, &["--json"]));
    for listener in [&first, &second] {
        listener.says("\"listening\"", 1).await;
    }
    assert_eq!(webhooks(&world).await.len(), 2);
    world.ok(&["publish"]).await;
    let mut seen = Vec::new();
    for listener in [&first, &second] {
        let said = listener.says("\"delivery\"", 1).await;
        let lines: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((&lines[1]["answer"], &lines[1]["times"]), (&json!(200), &json!(1)), "{said}");
        seen.push((lines[1]["eventId"].clone(), lines[0]["webhookId"].clone()));
    }
    assert_eq!(seen[0].0, seen[1].0);
    assert_ne!(seen[0].1, seen[1].1);

    // One listener ends and deletes its webhook; the other one goes on.
    first.signal("INT");
    assert_eq!(first.ended().await, Some(0));
    let left = webhooks(&world).await;
    assert_eq!((left.len(), &left[0]["webhookId"]), (1, &seen[1].1));
    world.ok(&["publish"]).await;
    second.says("\"delivery\"", 2).await;
    second.signal("INT");
    assert_eq!(second.ended().await, Some(0));
    assert_eq!(webhooks(&world).await, Vec::<Value>::new());
}

/// DEL-3: a resend that fails again ends with 10 and shows the receiver's answer.
async fn a_resend_that_fails_says_so(store: TestStore) {
    let (world, _authority, arguments) = ready(&store).await;
    let listener = listen(&world, &arguments, &["--answer", "redirect"]);
    listener.says("Listening", 1).await;
    world.ok(&["publish"]).await;
    let failing = wait_for(&world, |delivery| delivery["attempts"] == 1).await;
    let id = failing["deliveryId"].as_str().unwrap();
    let output = world.l10n(&["deliveries", "resend", id]).run().await;
    assert_eq!(output.status, 10, "{}{}", output.stdout, output.stderr);
    assert!(output.stderr.contains(&format!("{id} was not delivered: ")), "{}", output.stderr);
    let later = world.ok(&["deliveries", "resend", id, "--no-wait"]).await.stdout;
    assert_eq!(later, format!("✓ {id} will be sent again\n"));
    listener.says("for the 3rd time, signature verified; answered 302", 1).await;
}

/// SIG-6: a forwarded delivery is byte for byte the service's, and verifies there; the answer is returned.
async fn a_delivery_is_passed_on_as_it_came(store: TestStore) {
    let (world, _authority, arguments) = ready(&store).await;
    let receiver = Plain::start(&["418 I'm a teapot", "200 OK"]);
    let more = ["--forward-to", &receiver.url, "--secret-file", "secret"];
    let listener = listen(&world, &arguments, &more);
    listener.says("Deliveries are forwarded to", 1).await;
    world.ok(&["publish"]).await;
    listener.says("forwarded, answered 418", 1).await;
    wait_for(&world, |delivery| delivery["lastStatusCode"] == 418).await;

    let received = &receiver.received()[0];
    let verifier = Verifier::new(world.read("secret")).unwrap();
    verifier.verify(received.header(SIGNATURE_HEADER), &received.body).unwrap();
    assert!(received.header("user-agent").starts_with("l10n-server/"), "{received:?}");
}

/// An unreachable target is reported on both sides.
async fn a_target_that_is_not_there_is_a_502(store: TestStore) {
    let (world, _authority, arguments) = ready(&store).await;
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let listener = listen(&world, &arguments, &["--forward-to", &format!("http://{free}/")]);
    listener.says("Listening", 1).await;
    world.ok(&["publish"]).await;
    listener.says("could not be forwarded (", 1).await;
    wait_for(&world, |delivery| delivery["lastStatusCode"] == 502).await;
}

/// A listener that was killed, or kept its webhook, is succeeded by one that takes its place and gets the missed
/// deliveries.
async fn a_listener_takes_over_from_one_that_is_gone(store: TestStore) {
    let (world, _authority, arguments) = ready(&store).await;
    let mut first = listen(&world, &arguments, &["--answer", "close"]);
    first.says("Listening", 1).await;
    world.ok(&["publish"]).await;
    first.says("without an answer", 1).await;
    let before = wait_for(&world, |delivery| delivery["attempts"] == 1).await;
    first.signal("KILL");
    assert_eq!(first.ended().await, None);

    let mut second = listen(&world, &arguments, &["--keep", "--print-secret"]);
    // The two lines are on different streams, which are read separately.
    second.says("deliveries that it missed arrive now", 1).await;
    second.says("Secret: whsec_", 1).await;
    assert_eq!(webhooks(&world).await.len(), 1);
    world.ok(&["deliveries", "resend", before["deliveryId"].as_str().unwrap()]).await;
    second.says("signature verified; answered 200", 1).await;
    second.signal("INT");
    assert_eq!(second.ended().await, Some(0));
    assert_eq!(webhooks(&world).await[0]["enabled"], true);

    // A running listener keeps its own webhook.
    let third = listen(&world, &arguments, &[]);
    third.says("deliveries that it missed arrive now", 1).await;
    let fourth = listen(&world, &arguments, &[]);
    fourth.says("Ctrl-C", 1).await;
    assert!(!fourth.stderr().contains("missed"), "{}", fourth.stderr());
    assert_eq!(webhooks(&world).await.len(), 2);
}

/// WH-URL-4: if a server does not deliver to this machine, the error names the setting; no webhook is left behind.
async fn a_server_that_does_not_deliver_here_is_told_what_to_set(store: TestStore) {
    let world = World::on(&store).await;
    let output = world.l10n(&["webhooks", "listen"]).run().await;
    assert_eq!(output.status, 2, "{}", output.stderr);
    for words in
        ["registering the listener: ", "allow_targets = [\"127.0.0.1/32\"]", "l10n-data/dev-ca.pem", "l10n-server dev"]
    {
        assert!(output.stderr.contains(words), "`{words}` is not in {}", output.stderr);
    }
    assert!(world.path("l10n-data/.gitignore").exists());
}

/// DEL-20: a server that trusts another authority is distinguished from one that does not connect.
async fn a_certificate_that_is_not_trusted_is_told(store: TestStore) {
    let (world, _authority, _) = ready(&store).await;
    let other = authority();
    let listener = Running::start(&world, &["webhooks", "listen", "--ca-dir", other.path().to_str().unwrap()]);
    listener.says("Listening", 1).await;
    world.ok(&["publish"]).await;
    listener.says("the service does not trust this listener's certificate", 1).await;
    assert!(listener.stderr().contains("extra_ca = "), "{}", listener.stderr());
}

async fn a_call_that_makes_no_sense_registers_nothing(store: TestStore) {
    let (world, _authority, _) = ready(&store).await;
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (wrong, words) in [
        (["--port", &port], "cannot listen on 127.0.0.1"),
        (["--forward-to", "http://example.com/"], "http is only allowed for this machine"),
        (["--forward-to", "localhost:3000/x"], "http://localhost:3000/x"),
        (["--answer", "99"], "must be a status from 200 to 599"),
        (["--events", "strings.deleted"], "strings.published"),
        (["--host", "a b"], "is not a host"),
    ] {
        let output = world.l10n(&["webhooks", "listen", wrong[0], wrong[1]]).run().await;
        assert_eq!(output.status, 2, "{wrong:?} {}", output.stderr);
        assert!(output.stderr.contains(words), "{wrong:?} {}", output.stderr);
    }
    assert_eq!(webhooks(&world).await, Vec::<Value>::new());
}

/// With `l10n-server dev`, receiving a publish takes two commands; certificates are made automatically.
#[tokio::test(flavor = "multi_thread")]
async fn with_a_development_server_it_takes_two_commands() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(server_program());
    command.env_clear().env("L10N_SERVER_LISTEN", "127.0.0.1:0").args(["dev", "--json"]);
    let server = Running::spawn(&mut command, folder.path());
    let ready: Value = serde_json::from_str(server.says("apiKey", 1).await.trim()).unwrap();
    let text = |name: &str| ready[name].as_str().unwrap().to_owned();
    let environment =
        [("L10N_BASE_URL", text("baseUrl")), ("L10N_API_KEY", text("apiKey")), ("L10N_PROJECT", "demo/app".into())];
    std::fs::create_dir(folder.path().join("locales")).unwrap();
    std::fs::write(folder.path().join("locales/en.json"), r#"{"hello": "Hello"}"#).unwrap();
    let run = |arguments: &'static [&'static str]| {
        let program = environment
            .iter()
            .fold(l10n(folder.path(), arguments), |program, (name, value)| program.variable(name, value));
        async move {
            let output = program.run().await;
            assert_eq!(output.status, 0, "{arguments:?} {}", output.stderr);
        }
    };
    run(&["init"]).await;
    run(&["sync"]).await;

    let mut listening = Command::new(env!("CARGO_BIN_EXE_l10n"));
    listening.env_clear().envs(environment.clone()).args(["webhooks", "listen", "--count", "1"]);
    let mut listener = Running::spawn(&mut listening, folder.path());
    listener.says("Listening", 1).await;
    run(&["publish"]).await;
    assert_eq!(listener.ended().await, Some(0));
    assert!(listener.stdout().contains("1 key in en (base)\n"), "{}", listener.stdout());
}
