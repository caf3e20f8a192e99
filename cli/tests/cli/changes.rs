//! `l10n capture` and `l10n pull-changes`.

use l10n_client::api::Content;
use l10n_server::both_engines;
use l10n_server::domain::code_changes::edit::Edit;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::support::{World, snapshot};

both_engines!(
    an_app_reports_what_it_misses,
    what_exceeds_the_day_is_told_beside_what_was_reported,
    what_people_changed_comes_into_the_files_and_settles,
    what_cannot_be_written_is_told_with_all_that_is_needed,
    a_text_that_was_changed_in_the_file_stays_although_its_key_is_archived,
);

async fn an_app_reports_what_it_misses(store: TestStore) {
    let world = World::on(&store).await;
    world.ok(&["sync", "--no-wait"]).await;
    let key = world.app.project.keys.capture.clone();
    let id = world.app.project.id.to_string();
    let capture = |arguments: &[&str]| world.l10n(&[&["capture", "--project", &id], arguments].concat()).key(&key);
    let output = capture(&["cart.empty", "--text", "Your cart is empty"]).run().await;
    assert_eq!(output.status, 0, "{}", output.stderr);
    snapshot!(output.stdout, @r"
    + cart.empty
    ✓ 1 new, 0 known, 0 known with another text; 4999 left today
    ");
    let log = (0..501).map(|n| format!("{{\"ref\":\"k{n}\",\"level\":\"warn\"}}\n")).collect::<String>();
    let log = format!("{log}\n{{\"ref\":\"bye\",\"text\":\"So long\",\"context\":{{\"file\":\"a.ts\",\"line\":3}}}}\n");
    let reported = capture(&["--from-file", "-", "cart.empty", "--json"]).stdin(&log).run().await.json();
    assert_eq!(reported["counts"], json!({"new": 501, "known": 1, "conflicting": 1}), "in two requests");
    assert_eq!((reported["captured"].as_array().unwrap().len(), &reported["remainingToday"]), (501, &json!(4_498)));
    world.write("broken.jsonl", "{\"ref\":\"a\"}\nnonsense\n");
    let broken = capture(&["--from-file", "broken.jsonl"]).run().await;
    assert_eq!(broken.status, 2);
    assert!(broken.stderr.contains("broken.jsonl:2:"), "{}", broken.stderr);
    assert_eq!(capture(&[]).run().await.status, 2);
    let other_scope = world.l10n(&["capture", "a", "--project", &id]).key(&world.app.project.keys.read).run().await;
    assert_eq!(other_scope.status, 4);
}

async fn what_exceeds_the_day_is_told_beside_what_was_reported(store: TestStore) {
    let world = World::with(&store, |settings| settings.limits.captures_per_day = 500).await;
    let log = (0..501).map(|n| format!("{{\"ref\":\"k{n}\"}}\n")).collect::<String>();
    let output = world.l10n(&["capture", "--from-file", "-", "--json"]).stdin(&log).run().await;
    let reported = output.json();
    assert_eq!((output.status, &reported["counts"]["new"]), (6, &json!(500)));
    assert_eq!(reported["error"]["code"], "capture_quota_exceeded");
    let again = world.l10n(&["capture", "one.more", "--json"]).run().await;
    assert_eq!((again.status, &again.json()["error"]["code"]), (6, &json!("capture_quota_exceeded")));
}

/// A person changes keys on the server.
pub(crate) async fn change(world: &World, edit: impl AsyncFnOnce(&Edit<'_>, &mut l10n_server::store::Tx)) {
    let (service, project) = (&world.app.service, &world.app.project.id);
    let mut tx = service.store.begin_write().await.unwrap();
    edit(&Edit { clock: service.clock.as_ref(), settings: &service.settings, project, by: "ann" }, &mut tx).await;
    tx.commit().await.unwrap();
}

pub(crate) fn says(text: &str) -> Content {
    Content::Text(text.to_owned())
}

async fn what_people_changed_comes_into_the_files_and_settles(store: TestStore) {
    let world = World::on(&store).await;
    let nothing = world.ok(&["pull-changes"]).await;
    assert_eq!(nothing.stdout, "The code has all of people's changes.\n");
    let file =
        "{\n  \"hello\":   \"Hello, {name}!\",\n  \"bye\": \"Bye\",\n  \"old\": \"Old\",\n  \"gone\": \"Gone\"\n}\n";
    world.write("locales/en.json", file);
    world.ok(&["sync", "--no-wait"]).await;
    change(&world, async |edit, tx| {
        edit.text(tx, "hello", &says("Hi, \"{name}\"!")).await.unwrap();
        edit.rename(tx, "old", "new").await.unwrap();
        edit.text(tx, "new", &says("Newer")).await.unwrap();
        edit.archive(tx, "gone").await.unwrap();
        edit.add(tx, "added", &says("Added"), Some("locales/en.json")).await.unwrap();
    })
    .await;
    let preview = world.ok(&["pull-changes", "--dry-run"]).await;
    assert_eq!(world.read("locales/en.json"), file);
    snapshot!(preview.stdout, @r#"
    ~ locales/en.json: `hello` is now "Hi, \"{name}\"!" instead of "Hello, {name}!"
    ~ locales/en.json: `old` is now "Newer" instead of "Old"
    ~ locales/en.json: `gone` is removed; it was "Gone"
    ~ locales/en.json: `added` is new: "Added"
    ~ locales/en.json: `old` is renamed to "new"
    5 would be written into 1 file, 0 present already, 0 to do by hand
    "#);
    let pulled = world.json(&["pull-changes"]).await;
    assert_eq!(pulled["counts"], json!({"written": 5, "there": 0, "byHand": 0}));
    assert_eq!(pulled["files"], json!(["locales/en.json"]));
    let written = world.read("locales/en.json");
    snapshot!(&written, @r#"
    {
      "hello":   "Hi, \"{name}\"!",
      "bye": "Bye",
      "new": "Newer",
      "added": "Added"
    }
    "#);
    let again = world.json(&["pull-changes"]).await;
    assert_eq!(again["counts"], json!({"written": 0, "there": 5, "byHand": 0}));
    assert_eq!(world.read("locales/en.json"), written);
    world.ok(&["sync", "--no-wait"]).await;
    assert_eq!(world.json(&["pull-changes"]).await["changes"], json!([]));
}

async fn what_cannot_be_written_is_told_with_all_that_is_needed(store: TestStore) {
    let world = World::on(&store).await;
    world.write("locales/more/en.json", "{\"c\":\"C\"}\n");
    let files = "[[files]]\nsource = \"locales/{language}.json\"\nformat = \"json\"\n\
        [[files]]\nsource = \"locales/more/{language}.json\"\nformat = \"json\"\n";
    world.write("l10n.toml", &world.config(files));
    world.ok(&["sync", "--no-wait"]).await;
    change(&world, async |edit, tx| {
        edit.text(tx, "hello", &says("Hi")).await.unwrap();
        edit.text(tx, "c", &says("See")).await.unwrap();
        edit.add(tx, "somewhere", &says("S"), None).await.unwrap();
    })
    .await;
    let text = world.read("locales/en.json").replace("Hello", "Welcome");
    world.write("locales/en.json", &text);
    let output = world.l10n(&["pull-changes"]).run().await;
    assert_eq!(output.status, 10, "{}", output.stderr);
    snapshot!(output.stdout, @r#"
    ! locales/en.json: `hello` is now "Hi" instead of "Hello, {name}!"
      by hand: the file says “Welcome, {name}!”, which is neither
    ~ locales/more/en.json: `c` is now "See" instead of "C"
    ! `somewhere` is new: "S"
      by hand: cannot tell which source file this key belongs to
    1 written into 1 file, 0 present already, 2 to do by hand
    "#);
    assert_eq!(
        (world.read("locales/en.json"), world.read("locales/more/en.json").as_str()),
        (text, "{\"c\":\"See\"}\n")
    );
    world.write("locales/more/en.json", "{ no JSON");
    let broken: Value = world.l10n(&["pull-changes", "--json"]).run().await.json();
    assert_eq!(broken["counts"]["byHand"], 3);
    let read_only = world.l10n(&["pull-changes"]).key(&world.app.project.keys.capture).run().await;
    assert_eq!(read_only.status, 4);
}

async fn a_text_that_was_changed_in_the_file_stays_although_its_key_is_archived(store: TestStore) {
    let world = World::on(&store).await;
    world.ok(&["sync", "--no-wait"]).await;
    change(&world, async |edit, tx| {
        edit.archive(tx, "hello").await.unwrap();
        edit.archive(tx, "bye").await.unwrap();
    })
    .await;
    let file = world.read("locales/en.json").replace("Hello", "Welcome");
    world.write("locales/en.json", &file);
    let output = world.l10n(&["pull-changes"]).run().await;
    assert_eq!(output.status, 10, "{}", output.stderr);
    snapshot!(output.stdout, @r#"
    ! locales/en.json: `hello` is removed; it was "Hello, {name}!"
      by hand: the file says “Welcome, {name}!” by now: remove the key there, or keep it and run `l10n sync`
    ~ locales/en.json: `bye` is removed; it was "Bye"
    1 written into 1 file, 0 present already, 1 to do by hand
    "#);
    assert_eq!(world.read("locales/en.json"), "{\n  \"hello\": \"Welcome, {name}!\"\n}\n");
    world.ok(&["sync", "--no-wait"]).await;
    assert_eq!(world.json(&["pull-changes"]).await["changes"], json!([]), "the code has brought it back");
}
