//! `l10n check` with a key that may read and nothing else, as forks of a repository have it.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::changes::{change, says};
use crate::support::{Output, World, snapshot};

both_engines!(
    a_tree_in_sync_passes_and_each_change_of_a_key_is_found,
    everything_is_new_to_an_empty_project,
    removed_keys_count_where_a_sync_would_archive_them,
    what_people_changed_is_no_difference_of_the_code,
    keys_of_a_namespace_are_known_by_their_whole_names,
    texts_that_the_version_lacks_are_told,
    a_language_that_is_not_published_yet_is_a_difference,
    a_sync_still_needs_the_scope_translate,
    a_file_and_a_language_that_make_no_sense_are_wrong_usage,
);

/// Runs the check with a key that may only read, which has to say what it says with one that may translate.
async fn checked(world: &World, arguments: &[&str]) -> Output {
    let call = |arguments: &[&str], key: &str| world.l10n(&[&["check"], arguments].concat()).key(key).run();
    let keys = &world.app.project.keys;
    let whole = call(arguments, &keys.admin).await;
    let read = call(arguments, &keys.read).await;
    assert_eq!(
        (read.status, &read.stdout, &read.stderr),
        (whole.status, &whole.stdout, &whole.stderr),
        "{arguments:?}"
    );
    read
}

/// A project that is synced, published and pulled.
async fn in_sync(store: &TestStore) -> World {
    let world = World::on(store).await;
    for command in ["sync", "publish", "pull"] {
        world.ok(&[command]).await;
    }
    world
}

async fn a_tree_in_sync_passes_and_each_change_of_a_key_is_found(store: TestStore) {
    let world = in_sync(&store).await;
    let same = checked(&world, &[]).await;
    assert_eq!((same.status, same.stdout.as_str()), (0, "✓ Code and server agree\n"));
    assert_eq!(checked(&world, &["--json"]).await.json()["upToDate"], true);

    let file = world.read("locales/en.json");
    world.write("locales/en.json", &file.replace("Bye", "So long").replace("{\n", "{\n  \"new\": \"New\",\n"));
    let changed = checked(&world, &[]).await;
    assert_eq!(changed.status, 3);
    snapshot!(changed.stdout, @r"
    locales/en.json: `new` is new
    locales/en.json: `bye` is changed
    de: 2 keys without a current translation
    fr: 2 keys without a current translation
    ");
    let german = checked(&world, &["--languages", "de", "--no-files", "--json"]).await.json();
    assert_eq!(german["differences"].as_array().unwrap().len(), 3, "{german}");

    // A rename takes its translations along.
    world.write("locales/en.json", &file.replace("\"bye\"", "\"farewell\""));
    let renamed = checked(&world, &[]).await;
    assert_eq!(renamed.status, 3);
    snapshot!(renamed.stdout, @"locales/en.json: `farewell` is new");
}

async fn everything_is_new_to_an_empty_project(store: TestStore) {
    let world = World::on(&store).await;
    let new = checked(&world, &[]).await;
    assert_eq!(new.status, 3, "{}", new.stderr);
    snapshot!(new.stdout, @r"
    locales/en.json: `hello` is new
    locales/en.json: `bye` is new
    de: 2 keys without a current translation
    fr: 2 keys without a current translation
    nothing has been published yet
    ");
}

async fn removed_keys_count_where_a_sync_would_archive_them(store: TestStore) {
    let world = in_sync(&store).await;
    world.write("locales/en.json", "{\n  \"hello\": \"Hello, {name}!\"\n}\n");
    assert_eq!(checked(&world, &["--no-files"]).await.status, 0, "a sync keeps it");
    let config = world.read("l10n.toml");
    world.write("l10n.toml", &format!("{config}\n[sync]\non_removed = \"archive\"\n"));
    let removed = checked(&world, &["--no-files"]).await;
    assert_eq!((removed.status, removed.stdout.as_str()), (3, "locales/en.json: `bye` is removed\n"));
}

async fn what_people_changed_is_no_difference_of_the_code(store: TestStore) {
    let world = World::on(&store).await;
    let file = "{\n  \"hello\": \"Hello\",\n  \"bye\": \"Bye\",\n  \"old\": \"Old\",\n  \"gone\": \"Gone\"\n}\n";
    world.write("locales/en.json", file);
    world.ok(&["sync"]).await;
    change(&world, async |edit, tx| {
        edit.text(tx, "hello", &says("Hi")).await.unwrap();
        edit.rename(tx, "old", "new").await.unwrap();
        edit.text(tx, "new", &says("Newer")).await.unwrap();
        edit.archive(tx, "gone").await.unwrap();
        edit.add(tx, "added", &says("Added"), Some("locales/en.json")).await.unwrap();
    })
    .await;
    let kinds = |output: &Output| {
        let json = output.json();
        let all = json["differences"].as_array().unwrap().iter();
        all.filter_map(|difference| difference["key"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    let before = checked(&world, &["--no-files", "--json"]).await;
    assert_eq!(kinds(&before), [""; 0], "{}", before.stdout);
    // The code says something else than either side did: that is a change.
    world.write("locales/en.json", &file.replace("\"Hello\"", "\"Welcome\"").replace("\"Old\"", "\"Older\""));
    let after = checked(&world, &["--no-files", "--json"]).await;
    assert_eq!((after.status, kinds(&after)), (3, vec!["hello".to_owned(), "new".to_owned()]));
    world.write("locales/en.json", &file.replace("\"Bye\"", "\"Ciao\""));
    assert_eq!(kinds(&checked(&world, &["--no-files", "--json"]).await), ["bye"]);
}

async fn keys_of_a_namespace_are_known_by_their_whole_names(store: TestStore) {
    let world = World::on(&store).await;
    let files = "[[files]]\nsource = \"i18n/{language}/{namespace}.json\"\n";
    world.write("l10n.toml", &world.config(files));
    world.write(
        "i18n/en/shop.json",
        "{\n  \"cart\": {\n    \"items_one\": \"{{count}} item\",\n    \"items_other\": \"{{count}} items\"\n  }\n}\n",
    );
    world.write("i18n/en/app.json", "{\n  \"title\": \"Shop of {{name}}\"\n}\n");
    for command in ["sync", "publish", "pull"] {
        world.ok(&[command]).await;
    }
    assert_eq!(checked(&world, &[]).await.status, 0);
    world.write("i18n/en/app.json", "{\n  \"title\": \"The shop of {{name}}\"\n}\n");
    let changed = checked(&world, &["--no-files"]).await;
    assert_eq!(changed.status, 3);
    snapshot!(changed.stdout, @r"
    i18n/en/app.json: `app:title` is changed
    de: 1 key without a current translation
    fr: 1 key without a current translation
    ");
}

async fn texts_that_the_version_lacks_are_told(store: TestStore) {
    let world = in_sync(&store).await;
    world.write("locales/de.json", &world.read("locales/de.json").replace("{\n", "{\n  \"extra\": \"Mehr\",\n"));
    world.write("locales/pl.json", "{\n  \"hello\": \"Cześć\"\n}\n");
    let lacks = checked(&world, &["--json"]).await;
    assert_eq!(lacks.status, 3, "{}", lacks.stderr);
    assert_eq!(
        lacks.json()["differences"],
        json!([
            {"kind": "unpublished", "path": "locales/de.json", "keys": ["extra"]},
            {"kind": "unpublished", "path": "locales/pl.json", "keys": ["hello"]},
        ])
    );
}

async fn a_language_that_is_not_published_yet_is_a_difference(store: TestStore) {
    let world = in_sync(&store).await;
    world.ok(&["languages", "add", "es", "pt-BR"]).await;
    world.ok(&["sync"]).await;
    let lacks = checked(&world, &["--languages", "ES,de", "--json"]).await;
    assert_eq!(lacks.status, 3, "{}", lacks.stderr);
    assert_eq!(lacks.json()["differences"], json!([{"kind": "language_not_published", "language": "es"}]));
    let told = checked(&world, &["--languages", "pt-BR"]).await;
    assert_eq!((told.status, told.stdout.as_str()), (3, "pt-BR: not in the published version\n"));
    world.ok(&["publish"]).await;
    world.ok(&["pull"]).await;
    assert_eq!(checked(&world, &["--languages", "es,pt-BR"]).await.status, 0);
}

async fn a_sync_still_needs_the_scope_translate(store: TestStore) {
    let world = in_sync(&store).await;
    let keys = &world.app.project.keys;
    for arguments in [&["sync"][..], &["sync", "--dry-run"]] {
        assert_eq!(world.l10n(arguments).key(&keys.read).run().await.status, 4, "{arguments:?}");
    }
    let nothing = world.l10n(&["check"]).key(&keys.none).run().await;
    assert_eq!(nothing.status, 4, "{}", nothing.stderr);
}

async fn a_file_and_a_language_that_make_no_sense_are_wrong_usage(store: TestStore) {
    let world = in_sync(&store).await;
    let key = &world.app.project.keys.read;
    let unknown = world.l10n(&["check", "--languages", "es"]).key(key).run().await;
    snapshot!(unknown.failure(&world), @r"
    exit 2
    error: the project does not translate into `es`; it has de, fr
      hint: `l10n languages` lists those of the project
    ");
    world.write("locales/en.json", "{\n  \"hello\": \"Hello\",,\n}\n");
    let broken = world.l10n(&["check"]).key(key).run().await;
    snapshot!(broken.failure(&world), @r"
    exit 2
    error: locales/en.json:2:20: `locales/en.json` is not a readable json file: key must be a string (line 2, column 20)
      hint: fix the file there; nothing of it was used
    ");
}
