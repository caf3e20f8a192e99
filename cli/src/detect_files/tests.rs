use super::{DetectedFiles, FileGroup, detect_files};

/// Files that say nothing but `{"a":"A"}`.
fn detect(files: &[&str]) -> DetectedFiles {
    let files: Vec<(&str, &str)> = files.iter().map(|path| (*path, r#"{"a":"A"}"#)).collect();
    detect_in(&files, None)
}

fn detect_in(files: &[(&str, &str)], base: Option<&str>) -> DetectedFiles {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    detect_files(folder.path(), base)
}

fn sources(found: &DetectedFiles) -> Vec<&str> {
    found.groups.iter().map(|group| group.source.as_str()).collect()
}

fn base(found: &DetectedFiles) -> Option<&str> {
    found.base.as_ref().map(|base| base.tag.as_str())
}

fn left_out(found: &DetectedFiles) -> Vec<String> {
    found.left_out.iter().map(|file| format!("{}: {}", file.path, file.why)).collect()
}

#[test]
fn usual_layouts_are_recognised() {
    let patterns = |files: &[&str]| detect(files).groups.into_iter().map(|group| group.source).collect::<Vec<_>>();
    assert_eq!(patterns(&["locales/en.json", "locales/de.json"]), ["locales/{language}.json"]);
    assert_eq!(patterns(&["public/locales/en/translation.json"]), ["public/locales/{language}/translation.json"]);
    assert_eq!(
        patterns(&["locales/en/a.json", "locales/en/b.json", "locales/de/a.json"]),
        ["locales/{language}/{namespace}.json"]
    );
    assert_eq!(patterns(&["lib/l10n/app_en.arb", "lib/l10n/app_pt_BR.arb"]), ["lib/l10n/app_{languageUnderscore}.arb"]);
    assert_eq!(patterns(&["src/messages.en.json", "src/messages.fr.json"]), ["src/messages.{language}.json"]);
    assert_eq!(patterns(&["i18n/en.json", "i18n/pt_BR.json"]), ["i18n/{languageUnderscore}.json"]);
}

#[test]
fn what_is_no_localization_file_is_left_alone() {
    let folders = ["node_modules/x", "vendor/x", "target/debug", "build/x", "dist", "ios/Pods/x", "app/obj"];
    let foreign: Vec<String> = folders.iter().map(|folder| format!("{folder}/locales/en.json")).collect();
    let mut files = vec!["src/lib/config.json", "package.json", "src/de/data.ts"];
    files.extend(foreign.iter().map(String::as_str));
    let found = detect(&files);
    assert_eq!((found.groups, found.left_out), (Vec::<FileGroup>::new(), Vec::new()));
}

#[test]
fn the_base_language_is_that_of_most_files() {
    assert_eq!(base(&detect(&["l/en/a.json", "l/de/a.json"])), Some("en"));
    assert_eq!(base(&detect(&["l/de/a.json", "l/de/b.json", "l/en/a.json"])), Some("de"));
    assert_eq!(base(&detect(&["i18n/de.json"])), Some("de"));
}

const XML: &str = "<resources>\n  <string name=\"a\">A</string>\n</resources>\n";
const STRINGS: &str = "\"a\" = \"A\";\n";
const PROPERTIES: &str = "a = A\n";
const RESX: &str = "<root><data name=\"a\"><value>A</value></data></root>";
const PO: &str = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\nmsgid \"Open\"\nmsgstr \"\"\n";
const TS: &str = "<!DOCTYPE TS>\n<TS version=\"2.1\"><context><name>A</name><message><source>Open</source><translation type=\"unfinished\"/></message></context></TS>\n";
const PHP: &str = "<?php\n\nreturn [\n    'a' => 'A',\n];\n";
const JSON: &str = "{\"a\": \"A\"}";
const XLIFF: &str = "<xliff version=\"1.2\"><file source-language=\"en\" original=\"a\" datatype=\"x\"><body><trans-unit id=\"a\"><source>A</source></trans-unit></body></file></xliff>";

/// The files of a framework, and what is found: source, output or `-`, format and base language or `-`.
type Habit = (&'static [(&'static str, &'static str)], (&'static str, &'static str, &'static str, &'static str));

const HABITS: &[Habit] = &[
    (
        &[("package.json", "{\"dependencies\":{\"i18next\":\"1\"}}"), ("web/text/en/a.json", JSON)],
        ("web/text/{language}/a.json", "-", "i18next", "en"),
    ),
    (
        &[("package.json", "{\"devDependencies\":{\"@formatjs/cli\":\"1\"}}"), ("src/lang/en.json", JSON)],
        ("src/lang/{language}.json", "-", "formatjs", "en"),
    ),
    (
        &[
            ("package.json", "{\"dependencies\":{\"next-intl\":\"1\"}}"),
            ("src/i18n/routing.ts", "export const routing = {\n  defaultLocale: 'de',\n};"),
            ("messages/de.json", JSON),
            ("messages/en.json", JSON),
        ],
        ("messages/{language}.json", "-", "json", "de"),
    ),
    (
        &[("package.json", "{\"dependencies\":{\"vue-i18n\":\"1\"}}"), ("src/texts/en.json", JSON)],
        ("src/texts/{language}.json", "-", "json", "en"),
    ),
    (
        &[
            ("app/build.gradle.kts", "plugins { alias(libs.plugins.android.application) }"),
            ("app/src/main/res/values/strings.xml", XML),
            ("app/src/main/res/values/styles.xml", "<resources><style name=\"a\"/></resources>"),
        ],
        (
            "app/src/main/res/values/strings.xml",
            "app/src/main/res/values-{androidLanguage}/strings.xml",
            "android",
            "-",
        ),
    ),
    (
        &[
            ("app/src/main/res/resources.properties", "unqualifiedResLocale=en-US"),
            ("app/src/main/res/values/strings.xml", XML),
            ("app/src/main/res/values-pt-rBR/strings.xml", XML),
            ("app/src/main/res/values-night/strings.xml", "<resources/>"),
        ],
        (
            "app/src/main/res/values/strings.xml",
            "app/src/main/res/values-{androidLanguage}/strings.xml",
            "android",
            "en-US",
        ),
    ),
    (
        &[
            ("l10n.yaml", "arb-dir: lib/text\ntemplate-arb-file: app_de.arb\n"),
            ("lib/text/app_de.arb", JSON),
            ("lib/text/app_en.arb", JSON),
        ],
        ("lib/text/app_{languageUnderscore}.arb", "-", "arb", "de"),
    ),
    (
        &[
            ("Gemfile", "gem \"rails\"\n"),
            ("config/application.rb", "config.i18n.default_locale = :nl\n"),
            ("config/locales/devise.en.yml", "en:\n  a: A\n"),
            ("config/locales/devise.nl.yml", "nl:\n  a: A\n"),
        ],
        ("config/locales/devise.{language}.yml", "-", "yaml", "nl"),
    ),
    (
        &[
            ("pom.xml", "<project/>"),
            ("src/main/resources/org/app/messages.properties", PROPERTIES),
            ("src/main/resources/application.properties", PROPERTIES),
        ],
        (
            "src/main/resources/org/app/messages.properties",
            "src/main/resources/org/app/messages_{languageUnderscore}.properties",
            "properties",
            "-",
        ),
    ),
    (
        &[("a/words.properties", PROPERTIES), ("a/words_pt_BR.properties", PROPERTIES)],
        ("a/words.properties", "a/words_{languageUnderscore}.properties", "properties", "-"),
    ),
    (
        &[
            ("App.xcodeproj/project.pbxproj", "\t\t\tdevelopmentRegion = de;\n"),
            ("App/Base.lproj/Localizable.strings", STRINGS),
            ("App/en.lproj/Localizable.strings", STRINGS),
        ],
        ("App/Base.lproj/Localizable.strings", "App/{appleLanguage}.lproj/Localizable.strings", "apple-strings", "de"),
    ),
    (
        &[
            ("App.xcodeproj/project.pbxproj", "\t\t\tdevelopmentRegion = en;\n"),
            ("App/Base.lproj/Localizable.strings", STRINGS),
            ("App/en.lproj/Localizable.strings", STRINGS),
        ],
        ("App/{appleLanguage}.lproj/Localizable.strings", "-", "apple-strings", "en"),
    ),
    (
        &[
            ("composer.json", "{\"require\":{\"laravel/framework\":\"11\"}}"),
            ("config/app.php", "<?php return [\n 'locale' => env('APP_LOCALE', 'en'),\n];"),
            ("lang/en/auth.php", PHP),
            ("lang/en/pages.php", PHP),
        ],
        ("lang/{languageUnderscore}/{namespace}.php", "-", "php", "en"),
    ),
    (
        &[
            ("composer.json", "{\"require\":{\"laravel/framework\":\"11\"}}"),
            ("lang/en.json", "{\"Hello, :name!\": \"Hello, :name!\"}"),
        ],
        ("lang/{languageUnderscore}.json", "-", "laravel-json", "en"),
    ),
    (
        &[
            (
                "src/App/App.csproj",
                "<Project><PropertyGroup>\n<NeutralLanguage>en-GB</NeutralLanguage>\n</PropertyGroup></Project>",
            ),
            ("src/App/Properties/Resources.resx", RESX),
        ],
        ("src/App/Properties/Resources.resx", "src/App/Properties/Resources.{language}.resx", "resx", "en-GB"),
    ),
    (
        &[("CMakeLists.txt", "find_package(Qt6)"), ("ts/app_en.ts", TS), ("ts/app_pt_BR.ts", TS)],
        ("ts/app_{languageUnderscore}.ts", "-", "qt-ts", "en"),
    ),
    (
        &[
            ("manage.py", "import django"),
            ("shop/settings.py", "LANGUAGE_CODE = 'en-us'"),
            ("locale/en/LC_MESSAGES/django.po", PO),
            ("locale/pt_BR/LC_MESSAGES/django.po", PO),
        ],
        ("locale/{languageUnderscore}/LC_MESSAGES/django.po", "-", "gettext", "en"),
    ),
    (&[("po/app.pot", PO)], ("po/app.pot", "po/{languageUnderscore}.po", "gettext", "-")),
    (
        &[("po/app.pot", PO), ("po/de.po", PO), ("po/pt_BR.po", PO)],
        ("po/app.pot", "po/{languageUnderscore}.po", "gettext", "-"),
    ),
    (
        &[("web/locale/app.pot", PO), ("web/locale/de/LC_MESSAGES/app.po", PO)],
        ("web/locale/app.pot", "web/locale/{languageUnderscore}/LC_MESSAGES/app.po", "gettext", "-"),
    ),
    (
        &[
            ("manifest.json", "{\"manifest_version\": 3, \"default_locale\": \"pt_BR\"}"),
            ("_locales/en/messages.json", "{\"a\": {\"message\": \"A\"}}"),
            ("_locales/pt_BR/messages.json", "{\"a\": {\"message\": \"A\"}}"),
        ],
        ("_locales/{languageUnderscore}/messages.json", "-", "chrome", "pt-BR"),
    ),
    (
        &[
            ("docusaurus.config.ts", "i18n: { defaultLocale: 'fr', locales: ['en', 'fr'] }"),
            ("i18n/fr/code.json", "{\"a.b\": {\"message\": \"A\", \"description\": \"B\"}}"),
            ("i18n/en/code.json", "{\"a.b\": {\"message\": \"A\", \"description\": \"B\"}}"),
        ],
        ("i18n/{language}/code.json", "-", "docusaurus", "fr"),
    ),
    (
        &[
            ("Cargo.toml", "[dependencies]\ni18n-embed-fl = \"1\"\nfluent = \"1\"\n"),
            ("i18n.toml", "fallback_language = \"en-US\"\n"),
            ("i18n/en-US/app.ftl", "a = A\n"),
            ("i18n/de/app.ftl", "a = A\n"),
        ],
        ("i18n/{language}/app.ftl", "-", "fluent", "en-US"),
    ),
    (
        &[("angular.json", "{\"i18n\": {\n\"sourceLocale\": \"en-US\"}}"), ("src/locale/messages.xlf", XLIFF)],
        ("src/locale/messages.xlf", "src/locale/messages.{language}.xlf", "xliff-1.2", "en-US"),
    ),
];

#[test]
fn each_framework_is_known_by_its_habits() {
    for (files, (source, output, format, language)) in HABITS {
        let found = detect_in(files, None);
        let shown: Vec<_> = found
            .groups
            .iter()
            .map(|group| (group.source.as_str(), group.output.as_deref().unwrap_or("-"), group.format.as_str()))
            .collect();
        assert_eq!(shown, [(*source, *output, *format)], "{files:?}: {:?}", found.left_out);
        assert_eq!(base(&found).unwrap_or("-"), *language, "{source}");
        assert!(found.groups.iter().all(|group| !group.why.is_empty()));
    }
}

/// The word of a framework counts before the number of files, and a flag before both.
#[test]
fn the_base_language_is_declared_or_named() {
    let files = [("l10n.yaml", "template-arb-file: app_de.arb\n"), ("lib/app_de.arb", JSON), ("lib/app_en.arb", JSON)];
    let found = detect_in(&files, None);
    assert_eq!(
        (base(&found), found.base.as_ref().map(|base| base.why.as_str())),
        (Some("de"), Some("l10n.yaml says so"))
    );
    assert_eq!(base(&detect_in(&files, Some("en"))), Some("en"));
}

/// The program falls back on `values`, so that it is the source even beside `values-en`.
#[test]
fn a_file_in_the_base_language_beside_its_source_is_left_alone() {
    let files =
        [("res/values/strings.xml", XML), ("res/values-en/strings.xml", XML), ("res/values-de/strings.xml", XML)];
    let found = detect_in(&files, Some("en"));
    assert_eq!(sources(&found), ["res/values/strings.xml"]);
    assert_eq!(
        left_out(&found),
        ["res/values-en/strings.xml: the texts of its language are in res/values/strings.xml; it stays as it is"]
    );
}

#[test]
fn no_file_has_two_sources() {
    let found = detect_in(&[("po/app.pot", PO), ("po/lib.pot", PO)], None);
    assert_eq!(sources(&found), ["po/app.pot"]);
    assert_eq!(left_out(&found), ["po/lib.pot: a file of it would belong to `po/app.pot` as well"]);
    // `app` could be a language.
    let files = [
        ("pom.xml", ""),
        ("r/messages.properties", PROPERTIES),
        ("r/messages_de.properties", PROPERTIES),
        ("r/messages_app.properties", PROPERTIES),
        ("r/messages_app_de.properties", PROPERTIES),
    ];
    let found = detect_in(&files, None);
    assert_eq!(sources(&found), ["r/messages.properties"]);
    assert_eq!(
        left_out(&found),
        ["r/messages_app.properties: a file of it would belong to `r/messages.properties` as well"]
    );
    // Two formats in one folder have a pattern each.
    let files =
        [("i18n/en/a.json", JSON), ("i18n/en/b.json", "{\"x.y\": {\"message\": \"A\", \"description\": \"B\"}}")];
    assert_eq!(sources(&detect_in(&files, None)), ["i18n/{language}/a.json", "i18n/{language}/b.json"]);
}

#[test]
fn what_cannot_be_taken_is_said() {
    let large = format!("{{\"a\": \"{}\"}}", "x".repeat(super::LARGEST_MARKER));
    let files = [
        ("locales/en.json", JSON),
        ("locales/de.json", "{\n  \"a\": \n}"),
        ("locales/fr.json", &large),
        ("ts/app_de.ts", TS),
        ("ts/main.ts", "export const a = 1;"),
        ("src/{odd}/i18n/en.json", JSON),
        ("data/it.json", JSON),
    ];
    let found = detect_in(&files, None);
    assert_eq!(sources(&found), ["locales/{language}.json"]);
    let said = left_out(&found);
    let expected = [
        "data/it.json: it is one file, in a folder",
        "locales/de.json: 3:1: ",
        "locales/fr.json: it has 16777",
        "src/{odd}/i18n/{language}.json: its path has a character",
        "ts/app_{languageUnderscore}.ts: it has no file in the base language `en`",
    ];
    assert_eq!(said.len(), expected.len(), "{said:#?}");
    for (said, expected) in said.iter().zip(expected) {
        assert!(said.starts_with(expected), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_said_and_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let place = |path: &str| folder.path().join(path);
    std::fs::create_dir_all(place("locales/deep")).unwrap();
    std::fs::write(place("locales/en.json"), JSON).unwrap();
    std::os::unix::fs::symlink(folder.path(), place("locales/deep/up")).unwrap();
    std::os::unix::fs::symlink("/nowhere/de.json", place("locales/de.json")).unwrap();
    let found = detect_files(folder.path(), None);
    assert_eq!(sources(&found), ["locales/{language}.json"]);
    assert_eq!(left_out(&found), ["locales/de.json: it is a link, and links are not followed"]);
}

#[test]
fn ten_thousand_files_are_looked_through() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..100 {
        let inside = folder.path().join(format!("packages/p{number}/i18n"));
        std::fs::create_dir_all(&inside).unwrap();
        for file in 0..98 {
            std::fs::write(inside.join(format!("data{file}.json")), JSON).unwrap();
        }
        std::fs::write(inside.join("en.json"), JSON).unwrap();
        std::fs::write(inside.join("de.json"), JSON).unwrap();
    }
    let found = detect_files(folder.path(), None);
    assert_eq!((found.groups.len(), found.left_out.len()), (100, 0));
}
