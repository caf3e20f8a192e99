//! Translations that are in local files alone: a sync pays for no others, and a pull names each text that it replaces.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::support::World;

both_engines!(
    a_sync_pays_for_nothing_that_local_files_have,
    a_sync_translates_all_the_same_when_it_is_told_to,
    a_sync_says_which_new_keys_have_translations_already,
    columns_of_a_table_are_local_texts_too,
    a_key_without_the_scope_read_finds_them_too,
    keys_that_the_project_lacks_keep_no_sync_from_running,
);

const OWN: &str = "{\n  \"hello\": \"Moin, {name}!\",\n  \"old\": \"Alt\",\n  \"bye\": \"\"\n}\n";

/// Two keys, known to the project, one of which the team has translated into German.
async fn world(store: &TestStore) -> World {
    let world = World::on(store).await;
    world.ok(&["sync", "--languages", "fr"]).await;
    world.write("locales/de.json", OWN);
    world
}

async fn a_sync_pays_for_nothing_that_local_files_have(store: TestStore) {
    let world = world(&store).await;
    let preview = world.json(&["sync", "--dry-run"]).await;
    let found =
        json!([{ "path": "locales/de.json", "language": "de", "texts": 1, "keys": ["hello"], "newKeys": false }]);
    assert_eq!(preview["localTexts"], found, "{preview}");
    let credits = async || world.json(&["status"]).await["credits"].clone();
    let before = credits().await;
    let refused = world.l10n(&["sync", "--json"]).run().await;
    assert_eq!(refused.status, 3, "{}", refused.stderr);
    let object = refused.json();
    assert_eq!((&object["error"]["code"], &object["error"]["localTexts"]), (&json!("local_texts"), &found), "{object}");
    assert_eq!(credits().await, before);
    // Other languages are no concern of it.
    assert_eq!(world.json(&["sync", "--languages", "fr"]).await.get("localTexts"), None);
    // The file has a key that the project does not have, which the import says.
    assert_eq!(world.l10n(&["import"]).run().await.status, 10);
    let synced = world.json(&["sync"]).await;
    assert_eq!((synced.get("localTexts"), &synced["totals"]["perLanguage"][0]["keys"]), (None, &json!(1)), "{synced}");
    world.ok(&["publish"]).await;
    let pulled = world.json(&["pull"]).await;
    let german = pulled["files"].as_array().unwrap().iter().find(|file| file["language"] == "de").unwrap();
    assert_eq!((&german["replaced"], &german["kept"]), (&json!([]), &json!(["old"])), "{pulled}");
    assert!(world.read("locales/de.json").contains("Moin"));
}

async fn a_sync_translates_all_the_same_when_it_is_told_to(store: TestStore) {
    let world = world(&store).await;
    world.ok(&["sync", "--ignore-local"]).await;
    world.ok(&["publish"]).await;
    let pulled = world.ok(&["pull", "--dry-run"]).await;
    assert!(pulled.stderr.contains("locales/de.json: replaces 1 text: `hello`"), "{}", pulled.stderr);
    assert_eq!(world.read("locales/de.json"), OWN);
    let pulled = world.ok(&["pull"]).await;
    assert!(pulled.stderr.contains("locales/de.json: replaced 1 text: `hello`"), "{}", pulled.stderr);
    // A pull that prunes names them too.
    world.write("locales/de.json", OWN);
    let pruned = world.json(&["pull", "--prune"]).await;
    let german = pruned["files"].as_array().unwrap().iter().find(|file| file["language"] == "de").unwrap();
    assert_eq!((&german["replaced"], &german["removed"]), (&json!(["hello"]), &json!(["old"])), "{pruned}");
}

/// Neither can be first: an import needs the key, and the sync that brings it translates it. So the file's text comes in
/// the place of the engine's.
async fn a_sync_says_which_new_keys_have_translations_already(store: TestStore) {
    let world = World::on(&store).await;
    world.ok(&["sync"]).await;
    world.ok(&["publish"]).await;
    world.ok(&["pull"]).await;
    for (path, text) in [("locales/en.json", "Save"), ("locales/de.json", "Sichern")] {
        let before = world.read(path);
        world.write(path, &before.replacen('{', &format!("{{\n  \"save\": \"{text}\","), 1));
    }
    let own = world.read("locales/de.json");
    let found = json!([{ "path": "locales/de.json", "language": "de", "texts": 1, "keys": ["save"], "newKeys": true }]);
    assert_eq!(world.json(&["sync", "--dry-run"]).await["localTexts"], found);
    let synced = world.ok(&["sync"]).await;
    assert!(synced.stderr.contains("locales/de.json: translations of new keys, 1 text: `save`"), "{}", synced.stderr);
    world.ok(&["import"]).await;
    assert_eq!(world.json(&["sync"]).await.get("localTexts"), None);
    world.ok(&["publish"]).await;
    world.ok(&["pull"]).await;
    assert_eq!(world.read("locales/de.json"), own);
}

async fn columns_of_a_table_are_local_texts_too(store: TestStore) {
    let world = World::on(&store).await;
    world.write("l10n.toml", &world.config("[[files]]\nsource = \"text.csv\"\nformat = \"csv\"\n"));
    world.write("text.csv", "key,en,de,pl\nopen,Open,,Otw\u{f3}rz\nsave,Save,Sichern,\n");
    world.ok(&["sync", "--languages", "fr"]).await;
    let refused = world.l10n(&["sync"]).run().await;
    assert_eq!(refused.status, 3, "{}", refused.stderr);
    assert!(
        refused.stderr.contains("text.csv (de): translations that the project lacks, 1 text: `save`"),
        "{}",
        refused.stderr
    );
    world.ok(&["import", "--languages", "de"]).await;
    world.ok(&["sync"]).await;
}

/// It cannot ask which languages lack something, so each file is compared.
async fn a_key_without_the_scope_read_finds_them_too(store: TestStore) {
    let world = world(&store).await;
    world.write("locales/pl.json", "{\n  \"hello\": \"Cześć, {name}!\"\n}\n");
    let refused = world.l10n(&["sync"]).key(&world.app.project.keys.translate).run().await;
    assert_eq!(refused.status, 3, "{}", refused.stderr);
    assert!(refused.stderr.contains("locales/de.json") && !refused.stderr.contains("pl.json"), "{}", refused.stderr);
}

/// A dry run of an import names 1,000 texts at most.
async fn keys_that_the_project_lacks_keep_no_sync_from_running(store: TestStore) {
    let world = world(&store).await;
    let unknown: Vec<String> = (0..1_200).map(|number| format!("  \"old.{number}\": \"Alt\"")).collect();
    let file = |texts: &[String]| format!("{{\n{}\n}}\n", texts.join(",\n"));
    world.write("locales/de.json", &file(&unknown));
    let preview = world.json(&["sync", "--dry-run"]).await;
    assert_eq!(preview.get("localTexts"), None, "{preview}");
    // One of the many is for a key that the project has.
    world.write("locales/de.json", &file(&[unknown, vec!["  \"hello\": \"Moin, {name}!\"".to_owned()]].concat()));
    for key in [&world.app.project.keys.admin, &world.app.project.keys.translate] {
        let refused = world.l10n(&["sync", "--json"]).key(key).run().await;
        assert_eq!(refused.status, 3, "{}", refused.stderr);
        let object = refused.json();
        let found = &object["error"]["localTexts"][0];
        assert_eq!((&found["texts"], &found["keys"]), (&json!(1), &json!(["hello"])), "{object}");
    }
    let imported = world.l10n(&["import"]).run().await;
    assert_eq!(imported.status, 10, "{}", imported.stderr);
    assert!(imported.stderr.contains("the files have at least 1000 texts that no version"), "{}", imported.stderr);
    assert!(imported.stdout.contains("and at least 900 more; --json lists the first 1000"), "{}", imported.stdout);
    world.ok(&["sync"]).await;
}
