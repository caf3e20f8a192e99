//! Repositories of further platforms move in: no byte of what was there changes.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;

use crate::migration::{Repository, moves_in};

both_engines!(
    a_shop_of_laravel_keeps_every_byte,
    a_program_of_qt_keeps_every_byte,
    a_site_of_hugo_keeps_every_byte,
    a_shop_of_rails_keeps_every_byte,
    a_game_of_godot_keeps_every_byte_but_for_new_translations,
);

/// Two files of one folder, with nested arrays, comments, both kinds of quotes, and texts that are computed.
async fn a_shop_of_laravel_keeps_every_byte(store: TestStore) {
    const ENGLISH: &str = "<?php\n\nreturn [\n    // Shown on the first page\n    'welcome' => 'Welcome, :name!',\n    'cart' => [\n        'empty' => \"Nothing here\",\n        'items' => '{0} No items|{1} One item|[2,*] :count items',\n    ],\n];\n";
    const DUTCH: &str = "<?php\r\n\r\n# Van ons\r\nreturn array(\r\n\t'cart' => array(\r\n\t\t'items' => '{0} Geen dingen|{1} Eén ding|[2,*] :count dingen',\r\n\t\t\"empty\" => 'Hier is \\'niets\\'',\r\n\t),\r\n\t'welcome' => \"Welkom, :name!\",\r\n);";
    let repository = Repository {
        files: &[
            ("composer.json", "{\"require\": {\"laravel/framework\": \"^11.0\"}}\n"),
            ("config/app.php", "<?php\n\nreturn [\n    'locale' => env('APP_LOCALE', 'en'),\n];\n"),
            ("lang/en/pages.php", ENGLISH),
            ("lang/en/auth.php", "<?php\n\nreturn [\n    'failed' => 'Wrong password.',\n];\n"),
            ("lang/nl/pages.php", DUTCH),
            ("lang/nl/auth.php", "<?php\n\nreturn [\n  'failed'   => 'Verkeerd wachtwoord.', /* kort */\n];\n"),
        ],
        found: &[("lang/{languageUnderscore}/{namespace}.php", "php")],
        language: "nl",
    };
    moves_in(&store, &repository).await;
}

/// Catalogues with locations, comments, numbers, drafts and vanished texts; the language has forms that the source lacks.
async fn a_program_of_qt_keeps_every_byte(store: TestStore) {
    const ENGLISH: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE TS>\n<TS version=\"2.1\" language=\"en_US\">\n<context>\n    <name>Main</name>\n    <message>\n        <location filename=\"../main.cpp\" line=\"3\"/>\n        <source>Don&apos;t save &quot;%1&quot;</source>\n        <extracomment>A button</extracomment>\n        <translation type=\"unfinished\"></translation>\n    </message>\n    <message>\n        <location filename=\"../main.cpp\" line=\"8\"/>\n        <source>Open</source>\n        <comment>verb</comment>\n        <translation type=\"unfinished\"></translation>\n    </message>\n    <message numerus=\"yes\">\n        <source>%n file(s)</source>\n        <translation type=\"unfinished\">\n            <numerusform></numerusform>\n            <numerusform></numerusform>\n        </translation>\n    </message>\n</context>\n</TS>\n";
    const POLISH: &str = "<!DOCTYPE TS><TS version=\"2.0\" language=\"pl\" sourcelanguage=\"en\">\r\n<context>\r\n  <name>Main</name>\r\n  <message numerus=\"yes\">\r\n    <source>%n file(s)</source>\r\n    <translation><numerusform>%n plik</numerusform><numerusform>%n pliki</numerusform><numerusform>%n plików</numerusform></translation>\r\n  </message>\r\n  <!-- nasze -->\r\n  <message>\r\n    <source>Don't save \"%1\"</source>\r\n    <translation>Nie zapisuj „%1”</translation>\r\n    <translatorcomment>krótko</translatorcomment>\r\n  </message>\r\n  <message>\r\n    <source>Open</source>\r\n    <comment>verb</comment>\r\n    <translation>Otwórz</translation>\r\n  </message>\r\n  <message>\r\n    <source>Gone</source>\r\n    <translation type=\"vanished\">Nie ma</translation>\r\n  </message>\r\n</context>\r\n</TS>";
    let repository = Repository {
        files: &[
            ("CMakeLists.txt", "find_package(Qt6 COMPONENTS LinguistTools)\n"),
            ("translations/app_en.ts", ENGLISH),
            ("translations/app_pl.ts", POLISH),
        ],
        found: &[("translations/app_{languageUnderscore}.ts", "qt-ts")],
        language: "pl",
    };
    moves_in(&store, &repository).await;
}

/// Tables of plurals and descriptions, bare texts, and every kind of quotes; the language has more categories.
async fn a_site_of_hugo_keeps_every_byte(store: TestStore) {
    const ENGLISH: &str = "# Texts of the theme\n[home]\nother = \"Home\"\n\n[posts]\ndescription = \"Number of posts\"\none = \"One post\"\nother = \"{{ .Count }} posts\"\n\n[about]\nother = '''About \"us\"'''\n";
    const POLISH: &str = "[posts]\r\none = 'Jeden wpis' # krótko\r\nfew = \"{{ .Count }} wpisy\"\r\nmany = \"{{ .Count }} wpis\\u00f3w\"\r\nother = \"{{ .Count }} wpisu\"\r\n\r\n[ about ]\r\nother   = \"O \\\"nas\\\"\"\r\n[home]\r\nother = \"\"\"\r\nStrona g\u{142}\u{f3}wna\"\"\"";
    let repository = Repository {
        files: &[
            ("hugo.toml", "defaultContentLanguage = \"en\"\n"),
            ("i18n/en.toml", ENGLISH),
            ("i18n/pl.toml", POLISH),
        ],
        found: &[("i18n/{language}.toml", "toml")],
        language: "pl",
    };
    moves_in(&store, &repository).await;
}

/// One root key for each language, plurals, and several styles of scalars, indented otherwise.
async fn a_shop_of_rails_keeps_every_byte(store: TestStore) {
    const ENGLISH: &str = "en:\n  # First page\n  welcome: \"Welcome, %{name}!\"\n  cart:\n    empty: Nothing here\n    items:\n      one: One item\n      other: \"%{count} items\"\n  about: >\n    We sell\n    things.\n";
    const DUTCH: &str = "# Van ons\nnl:\n    cart:\n      items:\n        other: \"%{count} dingen\"\n        one: \"E\\u00e9n ding\"\n      empty: 'Hier is niets'\n    about: |-\n      Wij verkopen\n      dingen.\n    welcome: ! 'Welkom, %{name}!'\n";
    let repository = Repository {
        files: &[
            ("Gemfile", "gem \"rails\"\n"),
            ("config/locales/shop.en.yml", ENGLISH),
            ("config/locales/shop.nl.yml", DUTCH),
        ],
        found: &[("config/locales/shop.{language}.yml", "yaml")],
        language: "nl",
    };
    moves_in(&store, &repository).await;
}

/// A column for each language in one table, beside notes, a row without a key, a short one, and tables of other data.
async fn a_game_of_godot_keeps_every_byte_but_for_new_translations(store: TestStore) {
    const TABLE: &str = "keys,en,_notes,nl,pl\r\nHELLO,\"Hello, %s!\",shown first,\"Hallo, %s!\",\r\nPUSH,Push Me!,,,Naciśnij\r\n,,,,\r\nQUIT,\"Quit\",,\"Stoppen\"\r\n";
    let repository = Repository {
        files: &[
            ("project.godot", "[application]\nconfig/name=\"Pong\"\n"),
            ("gui/text.csv", TABLE),
            ("data/points.csv", "id,x,y\n1,2,3\n"),
            ("data/ports.csv", "id,ip,ts\na,host,then\n"),
            ("data/rates.csv", "id,de,fr\n1,20,30\n2,21,31\n"),
        ],
        found: &[("gui/text.csv", "csv")],
        language: "nl",
    };
    let world = moves_in(&store, &repository).await;
    // What is translated comes into the table, and nothing else changes in it.
    world.ok(&["sync"]).await;
    world.ok(&["publish"]).await;
    world.ok(&["pull"]).await;
    let after = world.read("gui/text.csv");
    let rows: Vec<&str> = after.split("\r\n").collect();
    assert!(rows[0].starts_with("keys,en,_notes,nl,pl,") && rows[0].contains(",fr"), "{after}");
    assert!(rows[1].starts_with("HELLO,\"Hello, %s!\",shown first,\"Hallo, %s!\",,"), "{after}");
    assert!(rows[2].starts_with("PUSH,Push Me!,,") && rows[2].contains(",Naciśnij,"), "{after}");
    assert!(!rows[2].starts_with("PUSH,Push Me!,,,"), "Dutch is translated: {after}");
    assert!(rows[3].trim_matches(',').is_empty(), "{after}");
    assert!(rows[4].starts_with("QUIT,\"Quit\",,\"Stoppen\""), "{after}");
    assert_eq!((rows.len(), rows[5]), (6, ""), "{after}");
    assert!(world.json(&["pull"]).await["files"][0]["state"] == "unchanged");
    // The table that a pull has written is the source of the next sync.
    assert_eq!(world.json(&["sync", "--dry-run"]).await["files"][0]["run"]["classification"]["unchanged"], 3);
}
