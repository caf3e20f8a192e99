//! From source files to pulled translations.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::support::{World, snapshot};

both_engines!(
    sync_publish_pull_check,
    a_dry_run_changes_nothing,
    a_second_pull_rewrites_nothing,
    a_pull_leaves_source_files_alone,
    a_pull_needs_no_key,
    a_pull_does_not_follow_a_link_out_of_the_folder,
    an_earlier_version_is_restored_by_its_label,
    of_versions_with_one_label_one_is_restored_by_its_number,
    removed_keys_are_named_and_kept_unless_told_otherwise,
    texts_of_people_are_kept_and_counted_until_they_are_translated_anew,
    keys_are_translated_from_the_command_line_and_from_stdin,
    translations_that_exist_are_imported_free_of_charge,
    namespaces_keep_files_apart,
    namespaces_without_the_scope_to_set_them_up_are_refused_before_anything_is_written,
    a_translation_that_fails_is_a_partial_failure,
);

/// The main job, as a person does it.
async fn sync_publish_pull_check(store: TestStore) {
    let world = World::on(&store).await;
    assert_eq!(world.l10n(&["check"]).run().await.status, 3, "nothing is on the server yet");

    snapshot!(world.ok(&["sync", "--dry-run"]).await.stdout, @r"
    locales/en.json: 2 new
    LANGUAGE  KEYS  CHARACTERS  FROM MEMORY  CREDITS
    de           2          17            0    0.017
    fr           2          17            0    0.017
    total        4          34            0    0.034
    At most 0.034 credits; the balance is 1000000.000.
    Nothing was changed: this was a dry run.
    ");
    snapshot!(world.ok(&["sync"]).await.stdout, @r"
    locales/en.json: 2 new
    ✓ Translated 4 of 4, charged 0.034 credits, balance 999999.966
    ");
    snapshot!(world.ok(&["sync"]).await.stdout, @r"
    locales/en.json: 2 unchanged
    ✓ Nothing to translate
    ");
    let published = world.json(&["publish", "--label", "first"]).await;
    assert_eq!(published["label"], "first");
    let output = world.ok(&["pull"]).await;
    let id = published["versionId"].as_str().unwrap();
    snapshot!(output.stdout.replace(id, "VERSION") + &output.stderr, @r"
    + locales/de.json
    + locales/fr.json
    ✓ first (VERSION): 2 written, 0 unchanged
    1 source file was not changed; --include-base writes them, too.
    ");
    let german: Value = serde_json::from_str(&world.read("locales/de.json")).unwrap();
    assert!(german["hello"].as_str().unwrap().contains("{name}"), "{german}");
    snapshot!(world.ok(&["check"]).await.stdout, @"✓ Code and server agree");
}

/// Nothing is written by a dry run.
async fn a_dry_run_changes_nothing(store: TestStore) {
    let world = World::on(&store).await;
    let before = world.json(&["status"]).await;
    let dry = world.json(&["sync", "--dry-run"]).await;
    assert_eq!(dry["totals"]["estimatedCredits"], json!(2 * ("Hello, {name}!".len() + "Bye".len())));
    assert_eq!((&dry["dryRun"], &dry["jobs"]), (&json!(true), &json!([])));
    world.ok(&["translate", "--key", "a", "--text", "A", "--dry-run"]).await;
    let mut after = world.json(&["status"]).await;
    after["remaining"] = before["remaining"].clone();
    assert_eq!(after, before);
}

async fn a_second_pull_rewrites_nothing(store: TestStore) {
    let world = World::on(&store).await;
    world.ok(&["sync"]).await;
    world.ok(&["publish"]).await;
    world.ok(&["pull"]).await;
    let times = || {
        ["de", "fr"]
            .map(|code| std::fs::metadata(world.path(&format!("locales/{code}.json"))).unwrap().modified().unwrap())
    };
    let before = times();
    let second = world.json(&["pull"]).await;
    assert_eq!(second["counts"], json!({ "written": 0, "unchanged": 2, "source": 1 }));
    assert_eq!(times(), before);
    world.write("locales/de.json", "{}");
    let dry = world.json(&["pull", "--dry-run"]).await;
    assert_eq!((&dry["counts"]["written"], world.read("locales/de.json")), (&json!(1), "{}".to_owned()));
    assert_eq!(world.l10n(&["check"]).run().await.status, 3);
    assert_eq!(world.json(&["pull"]).await["counts"]["written"], 1);
    let names = std::fs::read_dir(world.path("locales")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().ends_with(".tmp")), "no temporary file is left");
}

/// A pull over source files would undo a developer's recent changes.
async fn a_pull_leaves_source_files_alone(store: TestStore) {
    let world = World::on(&store).await;
    world.ok(&["sync"]).await;
    world.ok(&["publish"]).await;
    let edited = "{\n  \"hello\": \"Hi, {name}!\"\n}\n";
    world.write("locales/en.json", edited);
    world.ok(&["pull"]).await;
    assert_eq!(world.read("locales/en.json"), edited);
    world.ok(&["pull", "--include-base"]).await;
    assert_ne!(world.read("locales/en.json"), edited);
}

/// Published files are public.
async fn a_pull_needs_no_key(store: TestStore) {
    let world = World::on(&store).await;
    world.ok(&["sync"]).await;
    world.ok(&["publish"]).await;
    for project in ["acme/app", world.app.project.id.as_str()] {
        let arguments = ["pull", "--project", project, "--dir", "out", "--languages", "de", "--json"];
        let output = world.l10n(&arguments).key("").run().await;
        assert_eq!(output.status, 0, "{}", output.stderr);
        assert_eq!(output.json()["files"].as_array().unwrap().len(), 1);
    }
    assert!(world.path("out/locales/de.json").exists() && !world.path("out/locales/fr.json").exists());
    let unknown = world.l10n(&["pull", "--languages", "it"]).run().await;
    assert_eq!(unknown.status, 2, "{}", unknown.stderr);
}

async fn a_pull_does_not_follow_a_link_out_of_the_folder(store: TestStore) {
    let world = World::on(&store).await;
    world.ok(&["sync"]).await;
    world.ok(&["publish"]).await;
    let outside = tempfile::tempdir().unwrap();
    std::fs::create_dir(world.path("out")).unwrap();
    std::os::unix::fs::symlink(outside.path(), world.path("out/locales")).unwrap();
    let output = world.l10n(&["pull", "--dir", "out"]).run().await;
    assert_eq!(output.status, 1, "{}", output.stderr);
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
}

async fn an_earlier_version_is_restored_by_its_label(store: TestStore) {
    let world = World::on(&store).await;
    world.ok(&["sync"]).await;
    world.ok(&["publish"]).await;
    world.write("locales/en.json", r#"{"hello":"Hello, {name}!","bye":"Bye","more":"More"}"#);
    world.ok(&["sync"]).await;
    world.ok(&["publish"]).await;
    let restored = world.json(&["restore", "v1"]).await;
    assert_eq!((&restored["label"], &restored["restored"]), (&json!("v1"), &json!(true)));
    let versions = world.json(&["versions"]).await;
    let live: Vec<_> = versions["versions"].as_array().unwrap().iter().map(|version| &version["live"]).collect();
    assert_eq!(live, [&json!(false), &json!(true)]);
    world.ok(&["pull", "--version", "v2", "--dir", "v2"]).await;
    world.ok(&["pull", "--dir", "live"]).await;
    assert!(world.read("v2/locales/de.json").contains("more"));
    assert!(!world.read("live/locales/de.json").contains("more"));
    assert_eq!(world.l10n(&["restore", "v9"]).run().await.status, 2);
    assert_eq!(world.l10n(&["restore", "v1"]).run().await.status, 7, "it is live already");
}

async fn of_versions_with_one_label_one_is_restored_by_its_number(store: TestStore) {
    let world = World::on(&store).await;
    world.ok(&["sync"]).await;
    for label in ["release", "release", "#1"] {
        world.ok(&["publish", "--label", label]).await;
    }
    let told = world.l10n(&["restore", "release"]).run().await;
    assert_eq!(told.status, 2, "{}", told.stderr);
    for said in ["2 versions have the label `release`", "#2  published ", "#1  published "] {
        assert!(told.stderr.contains(said), "{}", told.stderr);
    }
    let versions = world.json(&["versions"]).await["versions"].clone();
    let numbers: Vec<_> = versions.as_array().unwrap().iter().map(|version| version["number"].as_u64()).collect();
    assert_eq!(numbers, [Some(3), Some(2), Some(1)]);
    let restored = world.json(&["restore", "#1"]).await;
    assert_eq!(restored["versionId"], versions[2]["versionId"], "the number and not the label of another");
    assert_eq!(world.json(&["restore", "#2"]).await["versionId"], versions[1]["versionId"]);
    assert_eq!(world.l10n(&["restore", "#9"]).run().await.status, 2);
}

/// A sync never deletes unless told to, and lists the keys that a file lost.
async fn removed_keys_are_named_and_kept_unless_told_otherwise(store: TestStore) {
    let world = World::on(&store).await;
    world.ok(&["sync"]).await;
    world.write("locales/en.json", r#"{"hello":"Hello, {name}!"}"#);
    let kept = world.ok(&["sync"]).await;
    snapshot!(kept.stdout + &kept.stderr, @r"
    locales/en.json: 1 unchanged · 1 removed
    ✓ Nothing to translate
    locales/en.json: 1 key no longer in the file, kept (with --on-removed archive, the next version leaves them out):
      bye
    ");
    assert_eq!(world.json(&["status"]).await["keyCount"], 2);
    let archived = world.ok(&["sync", "--on-removed", "archive"]).await;
    assert!(archived.stderr.contains("archived (a sync"), "{}", archived.stderr);
    assert_eq!(world.json(&["status"]).await["keyCount"], 1);
}

/// Imported texts stay when their source changes, and preview, check and status report them, until a new translation is
/// requested.
async fn texts_of_people_are_kept_and_counted_until_they_are_translated_anew(store: TestStore) {
    let world = World::on(&store).await;
    world.ok(&["sync", "--languages", "fr"]).await;
    world.write("locales/de.json", r#"{"hello":"Hallo, {name}!","bye":"Tschüss"}"#);
    world.ok(&["import"]).await;
    world.write("locales/en.json", r#"{"hello":"Hello, {name}!","bye":"Goodbye"}"#);
    let preview = world.ok(&["sync", "--dry-run"]).await;
    assert!(preview.stderr.contains("1 translation of people stays"), "{}", preview.stderr);
    let synced = world.json(&["sync"]).await;
    assert_eq!((&synced["totals"]["kept"], &synced["files"][0]["run"]["kept"]), (&json!(1), &json!(1)));
    let checked = world.l10n(&["check", "--no-files", "--json"]).run().await;
    assert_eq!((checked.status, &checked.json()["kept"]), (0, &json!(1)), "{}", checked.stderr);
    assert!(world.ok(&["status"]).await.stderr.contains("1 translation of a source that has changed since"));
    // A translation that came after the job was queued would stay.
    world.app.clock.advance(std::time::Duration::from_secs(1));
    let anew = world.json(&["sync", "--retranslate", "--languages", "de"]).await;
    assert_eq!(anew["totals"]["kept"], 0);
    assert!(!world.ok(&["status"]).await.stderr.contains("has changed since"));
}

async fn keys_are_translated_from_the_command_line_and_from_stdin(store: TestStore) {
    let world = World::on(&store).await;
    let output = world.ok(&["translate", "--key", "save", "--text", "Save {n}", "--languages", "de"]).await;
    assert!(output.stdout.contains("LANGUAGE  STATE       BY      TEXT"), "{}", output.stdout);
    assert!(output.stdout.contains("de        translated  pseudo  "), "{}", output.stdout);
    let output = world.l10n(&["translate", "-", "--json"]).stdin(r#"{"a":"A text","b":"B text"}"#).run().await;
    assert_eq!((output.status, &output.json()["run"]["classification"]["new"]), (0, &json!(2)), "{}", output.stderr);
    let broken = world.l10n(&["translate", "-"]).stdin("{").run().await;
    assert_eq!(broken.status, 2);
}

async fn translations_that_exist_are_imported_free_of_charge(store: TestStore) {
    let world = World::on(&store).await;
    world.write("locales/de.json", r#"{"hello":"Hallo, {name}!"}"#);
    let early = world.l10n(&["import"]).run().await;
    assert_eq!(early.status, 3, "no key is known yet: {}", early.stderr);
    world.ok(&["sync", "--languages", "fr"]).await;
    let balance = world.json(&["status"]).await["balance"].clone();
    world.write("locales/de.json", r#"{"hello":"Hallo, {name}!","bye":"Tschüss"}"#);
    let imported = world.json(&["import"]).await;
    assert_eq!(imported["files"][0]["run"]["classification"]["new"], 2);
    let status = world.json(&["status"]).await;
    assert_eq!(status["balance"], balance);
    let german = status["languages"].as_array().unwrap().iter().find(|language| language["code"] == "de").unwrap();
    assert_eq!(german["missing"], 0);
    assert_eq!(world.l10n(&["import", "--languages", "it"]).run().await.status, 2);
}

/// Keys of `locales/en/NAME.json` belong to the namespace NAME.
async fn namespaces_keep_files_apart(store: TestStore) {
    let world = World::on(&store).await;
    world.write(
        "l10n.toml",
        &world.config("[[files]]\nsource = \"l/{language}/{namespace}.json\"\nformat = \"json\"\n"),
    );
    world.write("l/en/a.json", r#"{"title":"One"}"#);
    world.write("l/en/b.json", r#"{"title":"Two"}"#);
    let synced = world.json(&["sync"]).await;
    assert_eq!(synced["outputFormats"]["set"], json!(["l/{language}/{namespace}.json"]));
    assert_eq!(synced["totals"]["classification"]["new"], 2);
    world.ok(&["publish"]).await;
    world.ok(&["pull"]).await;
    assert!(world.read("l/de/a.json").contains("title") && world.read("l/de/b.json").contains("title"));
    assert_ne!(world.read("l/de/a.json"), world.read("l/de/b.json"));
    world.ok(&["check"]).await;
}

/// Without the output formats, keys would be registered under wrong refs.
async fn namespaces_without_the_scope_to_set_them_up_are_refused_before_anything_is_written(store: TestStore) {
    let world = World::on(&store).await;
    world.write("l10n.toml", &world.config("[[files]]\nsource = \"l/{language}/{namespace}.json\"\n"));
    world.write("l/en/a.json", r#"{"title":"One"}"#);
    let key = world
        .app
        .key(
            &world.app.project,
            &[l10n_client::api::Scope::Read, l10n_client::api::Scope::Translate],
            l10n_client::api::KeyKind::Ci,
        )
        .await;
    let output = world.l10n(&["sync"]).key(&key).run().await;
    assert_eq!(output.status, 4, "{}", output.stderr);
    assert_eq!(world.json(&["status"]).await["keyCount"], 0);
}

/// ERR-503-2: after a 503 the request is made from the file's current content.
#[tokio::test(flavor = "multi_thread")]
async fn after_a_503_the_source_file_is_read_again() {
    let world = World::new().await;
    let path = world.path("locales/en.json");
    // On SQLite, a writer keeps the server from writing until it gives up.
    let writing = world.app.service.store.begin_write().await.unwrap();
    let runtime = tokio::runtime::Handle::current();
    let after = move || {
        let _entered = runtime.enter();
        std::fs::write(path, r#"{"later":"Later"}"#).unwrap();
        drop(writing);
    };
    let output = world.l10n(&["sync", "--json"]).run_until("starting over", after).await;
    assert_eq!(output.status, 0, "{}", output.stderr);
    assert!(output.stderr.contains("reading locales/en.json again and starting over"), "{}", output.stderr);
    let result = output.json();
    assert_eq!(result["files"][0]["run"]["items"][0]["ref"], "later");
    assert_eq!(world.json(&["status"]).await["keyCount"], 1);
}

/// A failed translation is reported, not charged, and no success.
async fn a_translation_that_fails_is_a_partial_failure(store: TestStore) {
    let world = World::on(&store).await;
    world.write("locales/en.json", r#"{"good":"Good","bad":"{count, plural, one {x} other {y"}"#);
    let output = world.l10n(&["sync", "--json"]).run().await;
    assert_eq!(output.status, 10, "{}", output.stderr);
    assert_eq!(output.json()["error"]["code"], "partial_failure");
    snapshot!(output.stderr, @r"
    warning: `bad` was not translated into de: the source is not an ICU message: a branch that is never closed at character 32 (source_invalid)
    warning: `bad` was not translated into fr: the source is not an ICU message: a branch that is never closed at character 32 (source_invalid)
    error: 2 of 4 translations failed
      hint: run it again: finished work is kept and free, failed work was not charged
    ");
}
