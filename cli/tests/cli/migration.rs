//! A team's repository moves in: `init`, `sync`, `import`, `publish` and `pull` change no byte of what was there.

use std::collections::BTreeMap;
use std::path::Path;

use l10n_server::both_engines;
use l10n_server::domain::review::review;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::support::World;

both_engines!(
    a_browser_extension_keeps_every_byte,
    a_django_project_changes_in_its_new_translations_alone,
    a_documentation_site_keeps_every_byte,
    an_app_with_extracted_messages_keeps_every_byte,
    a_shop_with_tables_keeps_every_byte,
    an_app_with_a_string_catalogue_keeps_every_byte_but_for_new_translations,
    a_web_shop_in_php_keeps_every_byte,
    a_project_of_symfony_keeps_every_byte,
    an_app_with_xliff_2_keeps_every_byte,
    a_site_with_fluent_keeps_every_byte,
    two_apps_in_one_repository_keep_every_byte,
);

/// The files of a repository, and what `init` has to find in it.
pub(crate) struct Repository {
    pub(crate) files: &'static [(&'static str, &'static str)],
    /// Patterns and formats.
    pub(crate) found: &'static [(&'static str, &'static str)],
    /// The language that its translations are in.
    pub(crate) language: &'static str,
}

/// Descriptions, placeholders, comments, a layout of its own, and names in another case.
async fn a_browser_extension_keeps_every_byte(store: TestStore) {
    const ENGLISH: &str = "{\n  // The name in the store\n  \"extName\": {\n    \"message\": \"Notes\",\n    \"description\": \"Name of the extension\"\n  },\n  \"greeting\": {\n    \"message\": \"Hello, $USER$!\",\n    \"placeholders\": {\n      \"user\": { \"content\": \"$1\" }\n    }\n  }\n}\n";
    const BRAZILIAN: &str = "{\r\n\t\"greeting\": {\"message\": \"Ol\\u00e1, $USER$!\", \"placeholders\": {\"USER\": {\"content\": \"$1\"}}},\r\n\t// loja\r\n\t\"extName\": {\"message\": \"Notas\"}\r\n}";
    let repository = Repository {
        files: &[("src/_locales/en/messages.json", ENGLISH), ("src/_locales/pt_BR/messages.json", BRAZILIAN)],
        found: &[("src/_locales/{languageUnderscore}/messages.json", "chrome")],
        language: "pt-BR",
    };
    moves_in(&store, &repository).await;
}

/// Tables without names, as Magento has them: quotes here and there, a text of its own language that is worded anew.
async fn a_shop_with_tables_keeps_every_byte(store: TestStore) {
    const ENGLISH: &str =
        "\"Add to Cart\",\"Add to Cart\"\nSearch,Search\n\"%1 item(s), \"\"new\"\"\",\"%1 items, \"\"new\"\"\"\n";
    const DUTCH: &str = "Search,Zoeken\r\n\"Add to Cart\",\"In winkelwagen\"";
    let repository = Repository {
        files: &[("app/i18n/en.csv", ENGLISH), ("app/i18n/nl.csv", DUTCH)],
        found: &[("app/i18n/{language}.csv", "csv")],
        language: "nl",
    };
    moves_in(&store, &repository).await;
}

/// All languages in one file, in which drafts, keys of the code and the texts of other languages stay.
async fn an_app_with_a_string_catalogue_keeps_every_byte_but_for_new_translations(store: TestStore) {
    const CATALOGUE: &str = "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n    \"Save\" : {\n      \"localizations\" : {\n        \"nl\" : {\n          \"stringUnit\" : {\n            \"state\" : \"translated\",\n            \"value\" : \"Bewaar\"\n          }\n        },\n        \"pl\" : {\n          \"stringUnit\" : {\n            \"state\" : \"needs_review\",\n            \"value\" : \"Zapisz\"\n          }\n        }\n      }\n    },\n    \"Open\" : {\n      \"comment\" : \"A button\"\n    },\n    \"©\" : {\n      \"shouldTranslate\" : false\n    }\n  },\n  \"version\" : \"1.0\"\n}";
    let repository = Repository {
        files: &[("App/Localizable.xcstrings", CATALOGUE)],
        found: &[("App/Localizable.xcstrings", "xcstrings")],
        language: "nl",
    };
    let world = moves_in(&store, &repository).await;
    // What is translated comes into the file, and nothing else changes in it.
    world.ok(&["sync"]).await;
    world.ok(&["publish"]).await;
    world.ok(&["pull"]).await;
    let after = world.read("App/Localizable.xcstrings");
    for added in
        ["        \"fr\" : {\n          \"stringUnit\" : {", "        \"nl\" : {\n          \"stringUnit\" : {"]
    {
        assert!(after.contains(added), "{after}");
    }
    let rest: Vec<&str> = CATALOGUE.lines().filter(|line| line.len() > 12).collect();
    assert!(rest.iter().all(|line| after.contains(line.trim_end_matches(','))), "{after}");
    assert!(world.json(&["pull"]).await["files"][0]["state"] == "unchanged");
}

async fn a_documentation_site_keeps_every_byte(store: TestStore) {
    const ENGLISH: &str = "{\n  \"theme.blog.title\": {\n    \"message\": \"Blog\",\n    \"description\": \"The title of the blog\"\n  },\n  \"theme.blog.count\": {\n    \"message\": \"One post|{count} posts\"\n  }\n}\n";
    const DUTCH: &str = "{\n  \"theme.blog.count\": {\n    \"message\": \"Eén bericht|{count} berichten\"\n  },\n  \"theme.blog.title\": {\n    \"message\": \"Weblog\",\n    \"description\": \"De titel\"\n  }\n}";
    const FOOTER: &str = "{\n  \"link.item.label.Docs\": {\n    \"message\": \"Docs\",\n    \"description\": \"A link in the footer\"\n  }\n}\n";
    const DUTCH_FOOTER: &str = "{\n  \"link.item.label.Docs\": {\n    \"message\": \"Documentatie\"\n  }\n}\n";
    let repository = Repository {
        files: &[
            ("i18n/en/code.json", ENGLISH),
            ("i18n/en/docusaurus-theme-classic/footer.json", FOOTER),
            ("i18n/nl/code.json", DUTCH),
            ("i18n/nl/docusaurus-theme-classic/footer.json", DUTCH_FOOTER),
        ],
        found: &[
            ("i18n/{language}/code.json", "docusaurus"),
            ("i18n/{language}/docusaurus-theme-classic/footer.json", "docusaurus"),
        ],
        language: "nl",
    };
    moves_in(&store, &repository).await;
}

/// Messages are extracted into objects, and translators have flat files.
async fn an_app_with_extracted_messages_keeps_every_byte(store: TestStore) {
    let repository = Repository {
        files: &[
            (
                "lang/en.json",
                "{\n  \"cart.items\": {\n    \"defaultMessage\": \"{n, plural, one {# item} other {# items}}\",\n    \"description\": \"Items\"\n  },\n  \"cart.empty\": {\n    \"defaultMessage\": \"<b>Nothing</b> here\"\n  }\n}\n",
            ),
            (
                "lang/it.json",
                "{\"cart.empty\": \"<b>Niente</b> qui\",\n \"cart.items\": \"{n, plural, one {# cosa} many {# cose} other {# cose}}\"}\n",
            ),
        ],
        found: &[("lang/{language}.json", "formatjs")],
        language: "it",
    };
    moves_in(&store, &repository).await;
}

async fn a_web_shop_in_php_keeps_every_byte(store: TestStore) {
    let repository = Repository {
        files: &[
            (
                "lang/en.json",
                "{\n    \"Hello, :name! Nice to see you.\": \"Hello, :name! Nice to see you.\",\n    \"All rights reserved.\": \"All rights reserved.\",\n    \"First line.\\nSecond line.\": \"First line.\\nSecond line.\"\n}\n",
            ),
            (
                "lang/pt_BR.json",
                "{\n    \"All rights reserved.\": \"Todos os direitos reservados.\",\n    \"First line.\\nSecond line.\": \"Primeira linha.\\nSegunda linha.\",\n    \"Hello, :name! Nice to see you.\": \"Ol\\u00e1, :name! \\u00c9 bom ver voc\\u00ea.\"\n}\n",
            ),
        ],
        found: &[("lang/{languageUnderscore}.json", "laravel-json")],
        language: "pt-BR",
    };
    moves_in(&store, &repository).await;
}

/// Source and translation side by side, in another order: notes, states, CDATA, elements, units in groups, and line ends of
/// their own.
async fn a_project_of_symfony_keeps_every_byte(store: TestStore) {
    const ENGLISH: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<xliff xmlns=\"urn:oasis:names:tc:xliff:document:1.2\" version=\"1.2\">\n  <file source-language=\"en\" target-language=\"en\" datatype=\"plaintext\" original=\"file.ext\">\n    <body>\n      <trans-unit id=\"ea75LoN\" resname=\"cart.empty\">\n        <source>Nothing here &amp; <g id=\"1\" ctype=\"bold\">nowhere</g></source>\n        <note>Shown first</note>\n      </trans-unit>\n      <trans-unit id=\"x2\" resname=\"cart.full\">\n        <source>{{ limit }} items</source>\n      </trans-unit>\n      <trans-unit id=\"x3\" resname=\"brand\" translate=\"no\">\n        <source>ACME</source>\n      </trans-unit>\n      <trans-unit id=\"x4\" resname=\"cart.html\">\n        <source><![CDATA[<b>Sold out</b>]]></source>\n      </trans-unit>\n    </body>\n  </file>\n</xliff>\n";
    const GERMAN: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\r\n\t<file original=\"app\" source-language=\"en\" target-language=\"de\" datatype=\"plaintext\">\r\n\t\t<header><tool tool-id=\"symfony\" tool-name=\"Symfony\"/></header>\r\n\t\t<body>\r\n\t\t\t<group id=\"g\">\r\n\t\t\t\t<trans-unit id=\"x2\" resname=\"cart.full\" approved=\"yes\"><source>{{ limit }} items</source><target state='final'>{{ limit }} Artikel</target></trans-unit>\r\n\t\t\t</group>\r\n\t\t\t<trans-unit id=\"x4\" resname=\"cart.html\">\r\n\t\t\t\t<source><![CDATA[<b>Sold out</b>]]></source>\r\n\t\t\t\t<target><![CDATA[<b>Ausverkauft</b>]]></target>\r\n\t\t\t\t<alt-trans><target>Alles weg</target></alt-trans>\r\n\t\t\t</trans-unit>\r\n\t\t\t<!-- ours -->\r\n\t\t\t<trans-unit id=\"ea75LoN\" resname=\"cart.empty\">\r\n\t\t\t\t<source>Nothing here &amp; <g id=\"1\" ctype=\"bold\">nowhere</g></source>\r\n\t\t\t\t<target>Nichts hier &#38; <g id='1' ctype='bold'>nirgends</g></target>\r\n\t\t\t</trans-unit>\r\n\t\t\t<trans-unit id=\"old\" resname=\"gone\"><source>Gone</source><target state=\"new\">Weg</target></trans-unit>\r\n\t\t</body>\r\n\t</file>\r\n</xliff>";
    let repository = Repository {
        files: &[("translations/messages.en.xlf", ENGLISH), ("translations/messages.de.xlf", GERMAN)],
        found: &[("translations/messages.{language}.xlf", "xliff-1.2")],
        language: "de",
    };
    moves_in(&store, &repository).await;
}

/// A unit with two segments, codes, notes, states, and a layout of its own.
async fn an_app_with_xliff_2_keeps_every_byte(store: TestStore) {
    const ENGLISH: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<xliff xmlns=\"urn:oasis:names:tc:xliff:document:2.0\" version=\"2.0\" srcLang=\"en\">\n  <file id=\"f1\">\n    <unit id=\"u1\" name=\"cart.empty\">\n      <notes>\n        <note>Shown first</note>\n      </notes>\n      <segment>\n        <source>Nothing here &amp; <pc id=\"1\">nowhere</pc></source>\n      </segment>\n    </unit>\n    <unit id=\"u2\">\n      <segment id=\"s1\">\n        <source>First.</source>\n      </segment>\n      <ignorable>\n        <source> </source>\n      </ignorable>\n      <segment id=\"s2\">\n        <source>Second <ph id=\"1\" disp=\"n\"/>.</source>\n      </segment>\n    </unit>\n    <unit id=\"brand\" translate=\"no\">\n      <segment>\n        <source>ACME</source>\n      </segment>\n    </unit>\n  </file>\n</xliff>\n";
    const DUTCH: &str = "<xliff version=\"2.1\" xmlns=\"urn:oasis:names:tc:xliff:document:2.0\" srcLang=\"en\" trgLang=\"nl\"><file id=\"app\">\n\t<unit id=\"u2\"><segment id=\"s1\" state=\"final\" subState=\"x:y\"><source>First.</source><target>Eerste.</target></segment> <segment id='s2' state='initial'><source>Second <ph id=\"1\" disp=\"n\"/>.</source><target>Tweede?</target></segment></unit>\n\t<!-- van ons -->\n\t<group id=\"g\">\n\t\t<unit id=\"u1\" name=\"cart.empty\"><segment><source>Nothing here &amp; <pc id=\"1\">nowhere</pc></source><target>Hier niets &#38; <pc id='1'>nergens</pc></target></segment></unit>\n\t</group>\n</file></xliff>";
    let repository = Repository {
        files: &[("src/locale/messages.en.xlf", ENGLISH), ("src/locale/messages.nl.xlf", DUTCH)],
        found: &[("src/locale/messages.{language}.xlf", "xliff-2")],
        language: "nl",
    };
    moves_in(&store, &repository).await;
}

/// Attributes, terms, texts of several lines, plurals with other categories, comments and junk.
async fn a_site_with_fluent_keeps_every_byte(store: TestStore) {
    let repository = Repository {
        files: &[
            (
                "locales/en/app.ftl",
                "### About\n\n-brand = Notes\n\n# Says hello\nhello = Hello, { $name }!\n    .title = Greets\nfiles =\n    { $count ->\n        [one] One file\n       *[other] { $count } files\n    }\nlong =\n    First line\n    second line\n",
            ),
            (
                "locales/pl/app.ftl",
                "# Nasze\r\nlong = Pierwsza\r\n  druga\r\nfiles = { $count ->\r\n  [one] Jeden plik\r\n  [few] { $count } pliki\r\n *[many] { $count } plik\u{f3}w\r\n}\r\n\r\n-brand = Notatki\r\n    .gender = feminine\r\nhello = {\"Cze\\u015B\\u0107\"}, { $name }!\r\n  .title = Wita\r\n\u{15b}mieci",
            ),
        ],
        found: &[("locales/{language}/app.ftl", "fluent")],
        language: "pl",
    };
    moves_in(&store, &repository).await;
}

/// Two files of one format, each with keys of its own, and one key that both have.
async fn two_apps_in_one_repository_keep_every_byte(store: TestStore) {
    let repository = Repository {
        files: &[
            ("mobile/l10n/de.json", "{\n\t\"back\": \"Zurück\",\n\t\"save\": \"Speichern\"\n}\n"),
            ("mobile/l10n/en.json", "{\n\t\"save\": \"Save\",\n\t\"back\": \"Back\"\n}\n"),
            ("web/locales/de.json", "{ \"save\": \"Speichern\", \"home\": { \"title\": \"Willkommen\" } }"),
            ("web/locales/en.json", "{ \"home\": { \"title\": \"Welcome\" }, \"save\": \"Save\" }"),
        ],
        found: &[("mobile/l10n/{language}.json", "json"), ("web/locales/{language}.json", "json")],
        language: "de",
    };
    moves_in(&store, &repository).await;
}

/// Catalogues side by side with their source: comments, wrapped texts, obsolete entries, another number of forms than CLDR has.
async fn a_django_project_changes_in_its_new_translations_alone(store: TestStore) {
    const ENGLISH: &str = "# Texts of the shop\nmsgid \"\"\nmsgstr \"\"\n\"Language: \\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\n#: views.py:3\n#, python-format\nmsgid \"Hello, %(name)s!\"\nmsgstr \"\"\n\nmsgctxt \"verb\"\nmsgid \"Open\"\nmsgstr \"\"\n\n#, python-format\nmsgid \"%(count)d item\"\nmsgid_plural \"%(count)d items\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n\nmsgid \"First line\\n\"\nmsgstr \"\"\n\nmsgid \"Close\"\nmsgstr \"\"\n";
    const RUSSIAN: &str = "# Русский\nmsgid \"\"\nmsgstr \"\"\n\"Language: ru\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Plural-Forms: nplurals=4; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 \"\n\"&& (n%100<12 || n%100>14) ? 1 : n%10==0 || (n%10>=5 && n%10<=9) || (n%100>=11 \"\n\"&& n%100<=14)? 2 : 3);\\n\"\n\nmsgctxt \"verb\"\nmsgid \"Open\"\nmsgstr \"\"\n\"От\"\n\"крыть\"\n\n#, python-format\nmsgid \"%(count)d item\"\nmsgid_plural \"%(count)d items\"\nmsgstr[0] \"%(count)d вещь\"\nmsgstr[1] \"%(count)d вещи\"\nmsgstr[2] \"%(count)d вещей\"\nmsgstr[3] \"%(count)d вещи\"\n\n#: views.py:2\n#, python-format, fuzzy\n#| msgid \"Hi, %(name)s!\"\nmsgid \"Hello, %(name)s!\"\nmsgstr \"Эй, %(name)s!\"\n\nmsgid \"First line\\n\"\nmsgstr \"Строка\\n\"\n\nmsgid \"Close\"\nmsgstr \"\"\n\n#~ msgid \"Gone\"\n#~ msgstr \"Нет\"\n";
    let german = ENGLISH
        .replace("Language: ", "Language: de\\n\"\n\"Plural-Forms: nplurals=2; plural=(n != 1);")
        .replace("\"Open\"\nmsgstr \"\"", "\"Open\"\nmsgstr \"Öffnen\"");
    let world = empty(&store).await;
    world.write("locale/en/LC_MESSAGES/django.po", ENGLISH);
    world.write("locale/de/LC_MESSAGES/django.po", &german);
    world.write("locale/ru/LC_MESSAGES/django.po", RUSSIAN);
    let init = init(&world, &["--base-language", "en"]).await;
    assert_eq!(init["files"][0]["source"], "locale/{languageUnderscore}/LC_MESSAGES/django.po");
    assert_eq!(init["files"][0]["format"], "gettext");
    let before = contents(world.folder.path());
    world.ok(&["sync", "--languages", "fr"]).await;
    world.ok(&["languages", "add", "ru"]).await;
    let import = world.l10n(&["import", "--languages", "ru", "--json"]).run().await;
    let run = &import.json()["files"][0]["run"];
    assert_eq!((import.status, &run["classification"]["new"]), (10, &json!(4)), "{run}");
    assert!(run["warnings"].to_string().contains("drafts of the file"), "{run}");
    world.ok(&["publish", "--languages", "ru"]).await;
    world.ok(&["pull", "--languages", "ru"]).await;
    assert_eq!(contents(world.folder.path()), before);
    // The draft waits for a person, so that no engine takes its place.
    world.ok(&["sync", "--languages", "ru"]).await;
    world.ok(&["publish", "--languages", "ru"]).await;
    world.ok(&["pull", "--languages", "ru"]).await;
    let pulled = world.read("locale/ru/LC_MESSAGES/django.po");
    assert!(pulled.contains("python-format, fuzzy\n#| msgid") && pulled.contains("\"Эй, %(name)s!\""), "{pulled}");
    let app = &world.app;
    let mut tx = app.service.store.begin_write().await.unwrap();
    review(&mut tx, &app.clock, &app.project.id, "ru", &["Hello, %(name)s!"]).await.unwrap();
    tx.commit().await.unwrap();
    world.ok(&["publish", "--languages", "ru"]).await;
    world.ok(&["pull", "--languages", "ru"]).await;
    let mut after = contents(world.folder.path());
    let russian = after.remove("locale/ru/LC_MESSAGES/django.po").unwrap();
    let said = |id: &str| {
        let (_, rest) = russian.split_once(&format!("msgid \"{id}\"\nmsgstr \"")).unwrap();
        rest.split_once("\"\n").unwrap().0.to_owned()
    };
    let close = said("Close");
    assert!(!close.is_empty(), "{russian}");
    let wanted = RUSSIAN
        .replace("python-format, fuzzy\n#| msgid \"Hi, %(name)s!\"\n", "python-format\n")
        .replace("\"Close\"\nmsgstr \"\"", &format!("\"Close\"\nmsgstr \"{close}\""));
    assert_eq!(russian, wanted);
    let mut before = before;
    before.remove("locale/ru/LC_MESSAGES/django.po");
    assert_eq!(after, before, "the source and other languages stay");
}

/// A project whose repository has no files yet.
pub(crate) async fn empty(store: &TestStore) -> World {
    let world = World::on(store).await;
    std::fs::remove_dir_all(world.path("locales")).unwrap();
    std::fs::remove_file(world.path("l10n.toml")).unwrap();
    world
}

/// The files that `init` finds in the repository.
pub(crate) async fn init(world: &World, flags: &[&str]) -> Value {
    let base_url = world.base_url();
    world.json(&[&["init", "--base-url", &base_url, "--project", "acme/app"], flags].concat()).await
}

/// Moves a repository in, and compares its files.
pub(crate) async fn moves_in(store: &TestStore, repository: &Repository) -> World {
    let Repository { files, found, language } = repository;
    let world = empty(store).await;
    files.iter().for_each(|(path, text)| world.write(path, text));
    let before = contents(world.folder.path());
    let init = init(&world, &["--base-language", "en"]).await;
    let groups: Vec<_> =
        init["files"].as_array().unwrap().iter().map(|group| (&group["source"], &group["format"])).collect();
    assert_eq!(json!(groups), json!(found));
    world.ok(&["sync", "--languages", "fr"]).await;
    world.ok(&["languages", "add", language]).await;
    world.ok(&["import", "--languages", language]).await;
    world.ok(&["publish", "--languages", language]).await;
    world.ok(&["pull", "--languages", language]).await;
    let mut after = contents(world.folder.path());
    after.remove("l10n.toml");
    assert_eq!(after, before);
    world
}

/// The files below a folder, by their paths.
pub(crate) fn contents(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            found.insert(name, std::fs::read_to_string(&path).unwrap());
        }
    }
    found
}
