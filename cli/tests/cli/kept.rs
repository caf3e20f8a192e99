//! A team's existing translations are not lost: importing, pulling and checking files in Flutter's style.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::support::{World, snapshot};

both_engines!(
    plurals_in_the_hand_of_flutter_are_imported_and_published,
    an_import_names_each_text_that_is_in_no_version,
    an_import_says_how_many_texts_are_drafts,
    a_pull_keeps_what_the_version_lacks_in_its_place,
    a_pull_prunes_when_it_is_told_to,
    a_check_tells_what_a_version_would_lack,
    what_is_held_back_is_listed_with_the_reason,
    nested_files_are_kept_and_merged,
    values_of_another_kind_take_no_text_without_a_word,
    the_flutter_gallery_comes_back_as_it_is,
);

/// The source in English, with metadata.
const ENGLISH: &str = r#"{
  "@@locale": "en",
  "title": "Settings",
  "@title": {
    "description": "Title of the settings page"
  },
  "results": "{n, plural, =0{No results} =1{1 result} other{{n} results}}",
  "@results": {
    "placeholders": {
      "n": {}
    }
  },
  "items": "{n, plural, =1{1 item} other{{n} items}}",
  "@items": {
    "placeholders": {
      "n": {}
    }
  },
  "bye": "Bye, {name}"
}
"#;

/// A translation in another order: a plural in Flutter's own style, one that lacks a category, a text without its
/// placeholder, and one that the source no longer has.
const RUSSIAN: &str = r#"{
  "@@locale": "ru",
  "bye": "Пока",
  "old": "Старое",
  "results": "{n, plural, =0{Ничего} =1{1 результат} few{{n} результата} many{{n} результатов} other{{n} результата}}",
  "@results": {
    "description": "Заметка переводчика"
  },
  "items": "{n, plural, =1{1 предмет} few{{n} предмета} other{{n} предмета}}",
  "title": "Настройки"
}
"#;

const FILES: &str = "[[files]]\nsource = \"lib/intl_{languageUnderscore}.arb\"\n";

/// A project with Flutter files, synced, and translated into Russian only by importing files.
async fn world(store: &TestStore) -> World {
    let world = World::on(store).await;
    world.write("l10n.toml", &world.config(FILES));
    world.write("lib/intl_en.arb", ENGLISH);
    world.ok(&["languages", "add", "ru"]).await;
    // No engine has run: the files contain all translations.
    world.ok(&["sync", "--languages", "de"]).await;
    world
}

async fn published(world: &World) {
    published_in(world, "ru").await;
}

async fn published_in(world: &World, language: &str) {
    world.ok(&["publish", "--languages", language]).await;
}

/// `=0`, `=1` and `=2` are `zero`, `one` and `two`.
async fn plurals_in_the_hand_of_flutter_are_imported_and_published(store: TestStore) {
    let world = world(&store).await;
    let russian = RUSSIAN
        .replace("\"Пока\"", "\"Пока, {name}\"")
        .replace("few{{n} предмета}", "few{{n} предмета} many{{n} предметов}");
    let russian = russian.replace("  \"old\": \"Старое\",\n", "");
    world.write("lib/intl_ru.arb", &russian);
    let imported = world.json(&["import"]).await;
    assert_eq!(imported["files"][0]["run"]["classification"]["new"], 4);
    assert_eq!(imported["files"][0]["run"].get("held"), None);
    published(&world).await;
    assert_eq!(world.json(&["pull"]).await["counts"], json!({ "written": 0, "unchanged": 1, "source": 1 }));
    assert_eq!(world.read("lib/intl_ru.arb"), russian, "order, metadata and layout are the file's own");
    assert_eq!(world.l10n(&["check", "--languages", "ru"]).run().await.status, 0);
}

async fn an_import_names_each_text_that_is_in_no_version(store: TestStore) {
    let world = world(&store).await;
    world.write("lib/intl_ru.arb", RUSSIAN);
    for arguments in [vec!["import", "--dry-run"], vec!["import"], vec!["import"]] {
        let output = world.l10n(&arguments).run().await;
        assert_eq!(output.status, 10, "{arguments:?}\n{}{}", output.stdout, output.stderr);
        let lines: Vec<&str> = output.stdout.lines().filter(|line| line.starts_with("  ")).collect();
        assert_eq!(
            lines,
            [
                "  bye held back: placeholders: missing `{name}`",
                "  old not imported: the project has no such key",
                "  items held back: the plural of `n` lacks `many`",
            ],
            "{arguments:?}"
        );
    }
    let output = world.l10n(&["import", "--json"]).run().await;
    let object = output.json();
    let reasons: Vec<&Value> =
        object["files"][0]["run"]["held"].as_array().unwrap().iter().map(|text| &text["reason"]).collect();
    assert_eq!(reasons, ["needs_review", "unknown_key", "needs_review"]);
    assert_eq!((&object["error"]["code"], &object["error"]["exitCode"]), (&json!("held_back"), &json!(10)));
    world.write("lib/intl_ru.arb", &RUSSIAN.replace("\"Настройки\"", "\"\"").replace("  \"old\": \"Старое\",\n", ""));
    let output = world.l10n(&["import"]).run().await;
    assert!(!output.stdout.contains("title"), "an empty text is what tools write for none: {}", output.stdout);
}

/// A draft stays in its file, since no version has it.
async fn an_import_says_how_many_texts_are_drafts(store: TestStore) {
    const TEMPLATE: &str = "msgid \"Save\"\nmsgstr \"\"\n\nmsgid \"Open\"\nmsgstr \"\"\n";
    const RUSSIAN: &str = "msgid \"Save\"\nmsgstr \"Сохранить\"\n\n#, fuzzy\nmsgid \"Open\"\nmsgstr \"Открытый\"\n";
    let world = World::on(&store).await;
    world.write("l10n.toml", &world.config("[[files]]\nsource = \"po/{languageUnderscore}.po\"\n"));
    world.write("po/en.po", TEMPLATE);
    world.write("po/ru.po", RUSSIAN);
    world.ok(&["languages", "add", "ru"]).await;
    world.ok(&["sync", "--languages", "de"]).await;
    for arguments in [vec!["import", "--dry-run"], vec!["import"], vec!["import"]] {
        let output = world.l10n(&arguments).run().await;
        assert_eq!(output.status, 10, "{arguments:?}\n{}{}", output.stdout, output.stderr);
        let said = [output.stdout.as_str(), output.stderr.as_str()].concat();
        assert!(said.contains("drafts of the file, which no version has until a person reviews them: 1 translation"));
        assert!(said.contains("  Open held back: the file calls it a draft\n"), "{said}");
    }
    let listed = world.ok(&["review"]).await.stdout;
    assert_eq!(listed.lines().collect::<Vec<_>>(), ["ru Open", "  Открытый", "  waits for a person's review"]);
    published(&world).await;
    world.ok(&["pull"]).await;
    assert_eq!(world.read("po/ru.po"), RUSSIAN);
}

async fn a_pull_keeps_what_the_version_lacks_in_its_place(store: TestStore) {
    let world = world(&store).await;
    world.write("lib/intl_ru.arb", RUSSIAN);
    assert_eq!(world.l10n(&["import"]).run().await.status, 10);
    published(&world).await;
    for _ in 0..2 {
        let output = world.ok(&["pull"]).await;
        assert_eq!(world.read("lib/intl_ru.arb"), RUSSIAN);
        snapshot!(output.stderr, @r"
        1 source file was not changed; --include-base writes them, too.
        warning: lib/intl_ru.arb: kept texts that v1 lacks, 3 texts: `bye`, `old`, `items`
        `l10n review list` lists texts that are held back; `l10n pull --prune` removes texts that the version lacks.
        ");
    }
    let pulled = world.json(&["pull", "--dry-run"]).await;
    let russian = pulled["files"].as_array().unwrap().iter().find(|file| file["language"] == "ru").unwrap();
    assert_eq!((&russian["state"], &russian["kept"]), (&json!("unchanged"), &json!(["bye", "old", "items"])));
    // New texts of the version are added after their predecessor there.
    let with_bom = format!(
        "\u{feff}{}",
        RUSSIAN
            .replace("\n  \"title\": \"Настройки\"", "")
            .replace("предмета}}\",", "предмета}}\"")
            .replace('\n', "\r\n")
    );
    world.write("lib/intl_ru.arb", &with_bom);
    world.ok(&["pull"]).await;
    let expected = with_bom.replace("\"ru\",\r\n", "\"ru\",\r\n  \"title\": \"Настройки\",\r\n");
    assert_eq!(world.read("lib/intl_ru.arb"), expected);
    // A file that cannot be read must not be replaced.
    world.write("lib/intl_ru.arb", "<<<<<<< HEAD\n{}");
    let output = world.l10n(&["pull"]).run().await;
    assert_eq!((output.status, world.read("lib/intl_ru.arb").as_str()), (2, "<<<<<<< HEAD\n{}"), "{}", output.stderr);
    std::fs::remove_file(world.path("lib/intl_ru.arb")).unwrap();
    assert_eq!(world.json(&["pull"]).await["counts"]["written"], 1, "a file that is absent is the published one");
}

async fn a_pull_prunes_when_it_is_told_to(store: TestStore) {
    let world = world(&store).await;
    world.write("lib/intl_ru.arb", RUSSIAN);
    assert_eq!(world.l10n(&["import"]).run().await.status, 10);
    published(&world).await;
    let pulled = world.json(&["pull", "--prune"]).await;
    let russian = pulled["files"].as_array().unwrap().iter().find(|file| file["language"] == "ru").unwrap();
    assert_eq!(russian["removed"], json!(["bye", "old", "items"]));
    let file: Value = serde_json::from_str(&world.read("lib/intl_ru.arb")).unwrap();
    let keys: Vec<&String> = file.as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 3, "{keys:?}");
    assert_eq!(world.json(&["pull"]).await["counts"]["written"], 0);
}

async fn a_check_tells_what_a_version_would_lack(store: TestStore) {
    let world = world(&store).await;
    world.write("lib/intl_ru.arb", RUSSIAN);
    assert_eq!(world.l10n(&["import"]).run().await.status, 10);
    published(&world).await;
    let output = world.l10n(&["check", "--languages", "ru", "--json"]).run().await;
    assert_eq!(output.status, 3, "{}", output.stderr);
    let unpublished = |object: &Value| -> Vec<Value> {
        let all = object["differences"].as_array().unwrap().iter();
        all.filter(|difference| difference["kind"] == "unpublished").cloned().collect()
    };
    assert_eq!(
        unpublished(&output.json()),
        [json!({"kind": "unpublished", "path": "lib/intl_ru.arb", "keys": ["bye", "old", "items"]})]
    );
    assert!(output.json()["error"]["hint"].as_str().unwrap().contains("l10n review list"));
    // A whole file that is in no version.
    world.write("lib/intl_pl.arb", "{\n  \"@@locale\": \"pl\",\n  \"title\": \"Ustawienia\"\n}\n");
    let output = world.l10n(&["check", "--json"]).run().await;
    assert!(
        unpublished(&output.json())
            .contains(&json!({"kind": "unpublished", "path": "lib/intl_pl.arb", "keys": ["title"]}))
    );
    let pull = world.ok(&["pull"]).await;
    assert!(
        pull.stderr.contains("warning: lib/intl_pl.arb: v1 has no such file; it stays, with 1 text"),
        "{}",
        pull.stderr
    );
    assert!(world.read("lib/intl_pl.arb").contains("Ustawienia"));
}

async fn what_is_held_back_is_listed_with_the_reason(store: TestStore) {
    let world = world(&store).await;
    snapshot!(world.ok(&["review"]).await.stdout, @"✓ No translation is held back");
    world.write("lib/intl_ru.arb", RUSSIAN);
    assert_eq!(world.l10n(&["import"]).run().await.status, 10);
    snapshot!(world.ok(&["review", "list"]).await.stdout, @r"
    ru bye
      Пока
      placeholders: placeholders: missing `{name}`
    ru items
      {n, plural, =1{1 предмет} few{{n} предмета} other{{n} предмета}}
      plural_categories: the plural of `n` lacks `many`
    ");
    let listed = world.json(&["review", "list", "--languages", "ru"]).await;
    let first = &listed["translations"][0];
    assert_eq!(
        (&first["ref"], &first["origin"], &first["source"]["text"]),
        (&json!("bye"), &json!("import"), &json!("Bye, {name}"))
    );
    assert_eq!(world.json(&["review", "list", "--languages", "de"]).await["translations"], json!([]));
    // After the file is fixed, the text is imported and no longer held back.
    world.write("lib/intl_ru.arb", &RUSSIAN.replace("\"Пока\"", "\"Пока, {name}\""));
    world.l10n(&["import"]).run().await;
    assert_eq!(world.json(&["review", "list"]).await["translations"].as_array().unwrap().len(), 1);
}

async fn nested_files_are_kept_and_merged(store: TestStore) {
    let world = World::on(&store).await;
    world.write("l10n.toml", &world.config("[[files]]\nsource = \"locales/{language}.json\"\nformat = \"i18next\"\n"));
    world.write("locales/en.json", "{\n  \"menu\": {\n    \"open\": \"Open\",\n    \"close\": \"Close\"\n  },\n  \"item_one\": \"{{count}} item\",\n  \"item_other\": \"{{count}} items\"\n}\n");
    world.ok(&["sync", "--languages", "fr"]).await;
    let german = "{\n\t\"own\": {\"deep\": [\"bleibt\"]},\n\t\"item_one\": \"{{count}} Ding\",\n\t\"item_other\": \"{{count}} Dinge\",\n\t\"menu\": {\n\t\t\"close\": \"Schließen\"\n\t}\n}";
    world.write("locales/de.json", german);
    assert_eq!(world.l10n(&["import"]).run().await.status, 10);
    world.ok(&["sync", "--languages", "de"]).await;
    world.ok(&["publish"]).await;
    let output = world.ok(&["pull"]).await;
    assert!(output.stderr.contains("kept texts that v1 lacks, 1 text: `own.deep.0`"), "{}", output.stderr);
    let text = world.read("locales/de.json");
    let file: Value = serde_json::from_str(&text).unwrap();
    let open = file["menu"]["open"].as_str().unwrap();
    assert_eq!(text, german.replace("\t\t\"close\"", &format!("\t\t\"open\": \"{open}\",\n\t\t\"close\"")));
}

/// The source has `null`, which no version translates, and a text in the place of the team's object.
async fn values_of_another_kind_take_no_text_without_a_word(store: TestStore) {
    let world = World::on(&store).await;
    world.write("locales/en.json", "{\n  \"title\": \"Title\",\n  \"sub\": null,\n  \"menu\": \"Menu\"\n}\n");
    let german =
        "{\n  \"title\": \"Titel\",\n  \"sub\": \"Untertitel\",\n  \"menu\": {\n    \"open\": \"Auf\"\n  }\n}\n";
    world.write("locales/de.json", german);
    world.ok(&["sync", "--languages", "fr"]).await;
    assert_eq!(world.l10n(&["import"]).run().await.status, 10);
    world.ok(&["sync"]).await;
    world.ok(&["publish"]).await;
    let checked = world.l10n(&["check", "--languages", "de", "--json"]).run().await;
    assert_eq!(checked.status, 3, "{}", checked.stderr);
    let lacks = json!({"kind": "unpublished", "path": "locales/de.json", "keys": ["sub", "menu.open"]});
    assert!(checked.json()["differences"].as_array().unwrap().contains(&lacks), "{}", checked.stdout);
    let dry = world.json(&["pull", "--dry-run", "--languages", "de"]).await;
    let file = dry["files"].as_array().unwrap().iter().find(|file| file["language"] == "de").unwrap();
    assert_eq!((&file["replaced"], &file["kept"]), (&json!(["menu.open"]), &json!(["sub"])), "{dry}");
    let pulled = world.ok(&["pull"]).await.stderr;
    assert!(pulled.contains("locales/de.json: replaced 1 text: `menu.open`"), "{pulled}");
    assert!(pulled.contains("locales/de.json: kept texts that v1 lacks, 1 text: `sub`"), "{pulled}");
    let after: Value = serde_json::from_str(&world.read("locales/de.json")).unwrap();
    assert!(after["sub"] == "Untertitel" && after["menu"].is_string(), "{after}");
}

/// A real file from the samples: 8 plurals, and 24 texts that the source no longer has.
async fn the_flutter_gallery_comes_back_as_it_is(store: TestStore) {
    let folder = std::env::var("L10N_SAMPLES")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/samples").to_owned());
    let sample = |name: &str| std::fs::read_to_string(std::path::Path::new(&folder).join(name));
    let (Ok(english), Ok(spanish)) = (sample("flutter-gallery.en.arb"), sample("flutter-gallery.es.arb")) else {
        eprintln!("SKIPPED: the files of flutter-gallery are not in {folder}");
        return;
    };
    let world = World::on(&store).await;
    world.write("l10n.toml", &world.config(FILES));
    world.write("lib/intl_en.arb", &english);
    world.write("lib/intl_es.arb", &spanish);
    world.ok(&["languages", "add", "es", "pt"]).await;
    world.ok(&["sync", "--languages", "pt", "--no-wait"]).await;
    let output = world.l10n(&["import", "--languages", "es", "--json"]).run().await;
    assert_eq!(output.status, 10, "{}", output.stderr);
    let object = output.json();
    let held = object["files"][0]["run"]["held"].as_array().unwrap();
    let unknown = held.iter().filter(|text| text["reason"] == "unknown_key").count();
    assert_eq!(unknown, 24);
    let others: Vec<&Value> = held.iter().filter(|text| text["reason"] != "unknown_key").collect();
    assert!(others.iter().all(|text| !text["message"].as_str().unwrap().contains("plural")), "{others:#?}");
    published_in(&world, "es").await;
    world.ok(&["pull", "--languages", "es"]).await;
    assert_eq!(world.read("lib/intl_es.arb"), spanish);
}
