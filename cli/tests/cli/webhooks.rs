//! Webhooks from the command line: the routes, samples and signatures.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use l10n_webhook_verify::{EVENT_ID_HEADER, SIGNATURE_HEADER, Verifier, WEBHOOK_ID_HEADER, sign};
use serde_json::{Value, json};

use crate::receivers::{Plain, world_with_authority};
use crate::support::{World, l10n, snapshot};

both_engines!(
    a_webhook_is_registered_changed_and_deleted,
    a_person_is_asked_before_a_webhook_goes,
    a_secret_may_go_to_a_file,
    refusals_have_their_exit_statuses,
    a_signature_is_explained,
);

const SECRET: &str = "whsec_5vhKqPbDCLWQWJLTWqkqTvAqZx1V5RkSBnHy8c4tSPo";
const VARIABLE: &str = "L10N_WEBHOOK_SECRET";

/// WH-CR-1, WH-LS-1, WH-PA-1, WH-RO-1, WH-DE-1: the life of a webhook from registration to deletion, by id and by URL.
async fn a_webhook_is_registered_changed_and_deleted(store: TestStore) {
    let (world, _authority) = world_with_authority(&store).await;
    let output = world.ok(&["webhooks"]).await;
    assert_eq!(output.stdout, "The project has no webhooks.\n");

    let url = "https://127.0.0.1:9/L10n?a=B";
    let created = world.json(&["webhooks", "create", url]).await;
    assert_eq!((&created["url"], &created["events"]), (&json!(url), &json!(["strings.published"])));
    let (id, secret) = (created["webhookId"].as_str().unwrap(), created["secret"].as_str().unwrap());
    assert!(secret.starts_with("whsec_"));

    let listed = &world.json(&["webhooks", "list"]).await["webhooks"];
    assert_eq!(listed[0]["secretHint"], secret[secret.len() - 4..]);
    assert!(!listed.to_string().contains(secret));

    let updated = world.json(&["webhooks", "update", url, "--disable", "--events", "content.published"]).await;
    assert_eq!((&updated["enabled"], &updated["events"]), (&json!(false), &json!(["content.published"])));
    let table = world.ok(&["webhooks", "update", id, "--enable", "--url", "https://127.0.0.1:9/new"]).await.stdout;
    assert!(table.contains("enabled") && table.contains("https://127.0.0.1:9/new"), "{table}");

    let rotated = world.ok(&["webhooks", "rotate-secret", id]).await;
    assert!(rotated.stdout.contains("Secret: whsec_") && !rotated.stdout.contains(secret), "{}", rotated.stdout);
    assert!(rotated.stdout.contains("The previous secret also signs until"), "{}", rotated.stdout);
    assert!(rotated.stderr.contains("warning: store the secret"), "{}", rotated.stderr);

    // There is no terminal to ask.
    snapshot!(world.l10n(&["webhooks", "delete", id]).run().await.failure(&world), @r"
    exit 2
    error: there is no terminal to ask for confirmation
      hint: confirm with --yes
    ");
    world.ok(&["webhooks", "delete", id, "--yes"]).await;
    assert_eq!(world.json(&["webhooks"]).await["webhooks"], json!([]));
    let failure = world.l10n(&["webhooks", "delete", id, "--yes"]).run().await.failure(&world);
    assert!(
        failure.starts_with("exit 2\nerror: deleting the webhook: ") && failure.contains("`l10n webhooks list`"),
        "{failure}"
    );
    let failure = world.l10n(&["webhooks", "update", "https://example.com", "--enable"]).run().await.failure(&world);
    assert!(failure.contains("no webhook has the id or URL `https://example.com`"), "{failure}");
}

/// WH-DE-1: on a terminal the question names what would be lost, and only a yes deletes it.
async fn a_person_is_asked_before_a_webhook_goes(store: TestStore) {
    const ASKED: &str = "with its delivery log? [y/N] ";
    let (world, _authority) = world_with_authority(&store).await;
    let url = "https://127.0.0.1:9/asked";
    let created = world.json(&["webhooks", "create", url]).await;
    let id = created["webhookId"].as_str().unwrap();
    for refusal in ["n\n", "\n", "yesterday\n", "\u{4}"] {
        let shown = world.on_terminal(&["webhooks", "delete", id], ASKED, refusal).await;
        assert_eq!(shown.screen.matches(&format!("Delete {id} ({url}) {ASKED}")).count(), 1, "{}", shown.screen);
        assert!(shown.status != 0 && !shown.screen.contains("Deleted"), "{refusal:?} {}", shown.screen);
        assert_eq!(world.json(&["webhooks"]).await["webhooks"][0]["webhookId"], id);
    }
    // With `--yes` there is no question.
    let other = world.json(&["webhooks", "create", "https://127.0.0.1:9/other"]).await["webhookId"].clone();
    let shown = world.on_terminal(&["webhooks", "delete", other.as_str().unwrap(), "--yes"], ASKED, "n\n").await;
    assert!(shown.status == 0 && !shown.screen.contains("[y/N]"), "{}", shown.screen);

    let shown = world.on_terminal(&["webhooks", "delete", url], ASKED, "Yes\n").await;
    assert_eq!(shown.status, 0, "{}", shown.screen);
    assert!(shown.screen.contains(&format!("Deleted {id}")), "{}", shown.screen);
    assert_eq!(world.json(&["webhooks"]).await["webhooks"], json!([]));
}

/// WH-F-6: with `--secret-file` the secret is only in a file that only its owner may read.
async fn a_secret_may_go_to_a_file(store: TestStore) {
    use std::os::unix::fs::PermissionsExt as _;
    let (world, _authority) = world_with_authority(&store).await;
    let place = ["--secret-file", "keys/webhook"];
    let created = world.ok(&["webhooks", "create", "https://127.0.0.1:9/a", place[0], place[1]]).await;
    let first = world.read("keys/webhook");
    assert!(first.starts_with("whsec_") && first.trim() == first, "{first:?}");
    let mode = std::fs::metadata(world.path("keys/webhook")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(!format!("{}{}", created.stdout, created.stderr).contains("whsec_"), "{}", created.stdout);

    let rotated = world.json(&["webhooks", "rotate-secret", "https://127.0.0.1:9/a", place[0], place[1]]).await;
    assert_ne!(world.read("keys/webhook"), first);
    assert_eq!((rotated.get("secret"), &rotated["secretFile"]), (None, &json!(world.path("keys/webhook"))));

    // A place that is not writable is reported before there is a secret to lose.
    world.write("file", "");
    for place in ["file/secret", "keys"] {
        let output = world.l10n(&["webhooks", "create", "https://127.0.0.1:9/b", "--secret-file", place]).run().await;
        assert_eq!(output.status, 1, "{}", output.stderr);
    }
    assert_eq!(world.json(&["webhooks"]).await["webhooks"].as_array().unwrap().len(), 1);
}

/// WH-LIM-1: the sixth webhook ends with 7, a refused URL with 2, a key without the scope with 4.
async fn refusals_have_their_exit_statuses(store: TestStore) {
    let (world, _authority) = world_with_authority(&store).await;
    for n in 0..5 {
        world.ok(&["webhooks", "create", &format!("https://127.0.0.1:9/{n}")]).await;
    }
    let failure = world.l10n(&["webhooks", "create", "https://127.0.0.1:9/6"]).run().await.failure(&world);
    assert!(failure.starts_with("exit 7\n") && failure.contains("`l10n webhooks delete` removes one"), "{failure}");
    let output = world.l10n(&["webhooks", "create", "http://127.0.0.1:9/6"]).run().await;
    assert_eq!(output.status, 2, "{}", output.stderr);
    let reader = world.app.project.keys.none.clone();
    assert_eq!(world.l10n(&["webhooks"]).key(&reader).run().await.status, 4);
    let output = world.l10n(&["deliveries", "resend", "dlv_none"]).run().await;
    assert_eq!(output.status, 2, "{}", output.stderr);
    assert!(output.stderr.contains("no webhook has the delivery `dlv_none`"), "{}", output.stderr);
}

/// SIG-1 to SIG-5: a sample is signed like the service's deliveries; a deliberate mistake makes it wrong.
#[tokio::test(flavor = "multi_thread")]
async fn a_sample_is_what_the_service_would_send() {
    let folder = tempfile::tempdir().unwrap();
    let receiver = Plain::start(&["204 No Content", "204 No Content", "400 Bad Request", "500 Oops", "302 Found"]);
    let trigger = |more: &[&str]| {
        let arguments = [&["webhooks", "trigger", &receiver.url], more].concat();
        l10n(folder.path(), &arguments).variable(VARIABLE, SECRET).run()
    };
    let output = trigger(&[]).await;
    assert_eq!(output.status, 0, "{}", output.stderr);
    assert!(output.stdout.contains("204 No Content after"), "{}", output.stdout);
    let verifier = Verifier::new(SECRET).unwrap();
    let first = &receiver.received()[0];
    verifier.verify(first.header(SIGNATURE_HEADER), &first.body).unwrap();
    let body: Value = serde_json::from_slice(&first.body).unwrap();
    assert_eq!(body["id"], first.header(EVENT_ID_HEADER));
    assert_eq!((first.header(WEBHOOK_ID_HEADER), first.header("content-type")), ("whk_sample", "application/json"));

    // A receiver that accepts an unsigned delivery fails; one that refuses it passes.
    let output = trigger(&["--wrong"]).await;
    assert_eq!(output.status, 10);
    assert!(output.stderr.contains("accepted a delivery that the service has not signed"), "{}", output.stderr);
    assert!(verifier.verify(receiver.received()[1].header(SIGNATURE_HEADER), &receiver.received()[1].body).is_err());
    assert_eq!(trigger(&["--wrong", "time"]).await.status, 0);
    let output = trigger(&["--event", "content.published", "--json"]).await;
    assert_eq!((output.status, &output.json()["answer"]["status"]), (10, &json!(500)));
    let output = trigger(&[]).await;
    assert!(output.status == 10 && output.stderr.contains("does not follow redirects"), "{}", output.stderr);
    assert!(receiver.received().iter().all(|received| !received.body.is_empty()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sample_may_hold_what_it_is_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let receiver = Plain::start(&["200 OK"]);
    std::fs::write(folder.path().join("data.json"), "{\"a\": 1}").unwrap();
    std::fs::write(folder.path().join("body.json"), "{ \"id\": \"evt_mine\" }\n").unwrap();
    std::fs::write(folder.path().join("secret"), format!("{SECRET}\n")).unwrap();
    for more in [&["--data", "data.json", "--event-id", "evt_7"][..], &["--body", "body.json"]] {
        let arguments = [&["webhooks", "trigger", &receiver.url, "--secret-file", "secret"], more].concat();
        let output = l10n(folder.path(), &arguments).run().await;
        assert_eq!(output.status, 0, "{}", output.stderr);
    }
    let received = receiver.received();
    let event: Value = serde_json::from_slice(&received[0].body).unwrap();
    assert_eq!((&event["id"], &event["data"]), (&json!("evt_7"), &json!({"a": 1})));
    assert_eq!(received[1].body, b"{ \"id\": \"evt_mine\" }\n");
    assert_eq!(received[1].header(EVENT_ID_HEADER), "evt_mine");
    Verifier::new(SECRET).unwrap().verify(received[1].header(SIGNATURE_HEADER), &received[1].body).unwrap();

    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{free}/");
    let trigger = ["webhooks", "trigger", &url];
    assert_eq!(l10n(folder.path(), &trigger).variable(VARIABLE, SECRET).run().await.status, 8);
    let output = l10n(folder.path(), &trigger).run().await;
    assert!(output.status == 2 && output.stderr.contains("set L10N_WEBHOOK_SECRET"), "{}", output.stderr);
}

/// SIG-5, SIG-10: each problem is named, and the exit status distinguishes valid from invalid.
async fn a_signature_is_explained(store: TestStore) {
    let world = World::on(&store).await;
    let body = r#"{"id":"evt_1"}"#;
    world.write("body.json", body);
    let header = sign::header(&[SECRET], 1_800_000_000, body.as_bytes());
    let verify = |more: &'static [&'static str], secret: &'static str| {
        let arguments = [&["webhooks", "verify", "--header", &header], more].concat();
        l10n(world.folder.path(), &arguments).variable(VARIABLE, secret)
    };
    let at = &["--body", "body.json", "--at", "2027-01-15T08:00:01Z"];
    let output = verify(at, SECRET).run().await;
    assert_eq!(output.status, 0, "{}{}", output.stdout, output.stderr);
    snapshot!(output.stdout, @"✓ The service sent this, signed 2027-01-15 08:00:00 UTC: format, time and signature are right");

    let output = verify(&["--body", "-", "--at", "1800000301"], SECRET).stdin("{\"id\": \"evt_1\"}\n").run().await;
    snapshot!(output.stdout.clone() + &output.failure(&world), @r"
    ✗ time: the delivery was signed 301 s ago and 300 s are allowed: it has been held up or replayed, or the clock of this machine is fast
        for a delivery that was received earlier, set its time with --at, such as --at 1800000000; otherwise correct the clock
    ✗ body: the body was parsed and serialized again, with other blanks
        keep the bytes as received, and verify them before parsing them
    exit 4
    error: a receiver must refuse this delivery: wrong time and body
    ");
    let output =
        verify(&["--body", "body.json", "--at", "1800000000", "--json"], "5vhKqPbDCLWQWJLTWqkqTvAqZx1V5RkSBnHy8c4tSPo")
            .run()
            .await;
    let object = output.json();
    assert_eq!((output.status, &object["valid"], &object["problems"][0]["part"]), (4, &json!(false), &json!("secret")));
    assert!(!output.stdout.contains("5vhKq") && !output.stderr.contains("5vhKq"), "{}", output.stdout);
}
