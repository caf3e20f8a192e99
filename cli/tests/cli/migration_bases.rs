//! Repositories move in whose sources name no language: `values/strings.xml`, `messages.properties`, a template of gettext. No byte
//! of what was there changes, and no second file of the base language comes.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;

use crate::migration::{Repository, contents, empty, init, moves_in};

both_engines!(
    an_app_of_android_keeps_every_byte,
    an_app_of_xcode_keeps_every_byte,
    a_service_in_java_keeps_every_byte,
    a_library_of_net_keeps_every_byte,
    a_template_of_gettext_without_catalogues_gets_them,
    a_template_of_gettext_beside_its_catalogues_keeps_every_byte,
    texts_of_the_base_language_go_into_the_file_without_a_language,
);

/// Two files, folders that name no language, a language with a region, and quotes, CDATA and tags.
async fn an_app_of_android_keeps_every_byte(store: TestStore) {
    const ENGLISH: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<resources>\n    <!-- First page -->\n    <string name=\"hello\">Hello, %1$s!</string>\n    <string name=\"quoted\">\"It's here\"</string>\n    <string name=\"bold\">A <b>bold</b> word</string>\n    <string name=\"brand\" translatable=\"false\">ACME</string>\n    <plurals name=\"files\">\n        <item quantity=\"one\">One file</item>\n        <item quantity=\"other\">%d files</item>\n    </plurals>\n</resources>\n";
    const BRAZILIAN: &str = "<resources>\r\n  <plurals name=\"files\"><item quantity=\"one\">Um arquivo</item><item quantity=\"many\">%d de arquivos</item><item quantity=\"other\">%d arquivos</item></plurals>\r\n  <string name=\"bold\">Uma palavra <b>forte</b></string>\r\n  <!-- nosso -->\r\n  <string name=\"quoted\"><![CDATA[Est\\u00e1 \\'aqui\\']]></string>\r\n\t<string name=\"hello\" >Ol\\u00e1, %1$s!</string>\r\n</resources>";
    let repository = Repository {
        files: &[
            ("app/build.gradle.kts", "plugins { id(\"com.android.application\") }\n"),
            ("app/src/main/res/values/strings.xml", ENGLISH),
            ("app/src/main/res/values/colors.xml", "<resources><color name=\"a\">#fff</color></resources>\n"),
            ("app/src/main/res/values-night/colors.xml", "<resources><color name=\"a\">#000</color></resources>\n"),
            ("app/src/main/res/values-pt-rBR/strings.xml", BRAZILIAN),
            ("lib/src/main/res/values/errors.xml", "<resources><string name=\"oops\">Oops</string></resources>\n"),
            (
                "lib/src/main/res/values-pt-rBR/errors.xml",
                "<resources><string name=\"oops\">Opa</string></resources>\n",
            ),
        ],
        found: &[("app/src/main/res/values/strings.xml", "android"), ("lib/src/main/res/values/errors.xml", "android")],
        language: "pt-BR",
    };
    moves_in(&store, &repository).await;
}

async fn an_app_of_xcode_keeps_every_byte(store: TestStore) {
    let repository = Repository {
        files: &[
            ("App.xcodeproj/project.pbxproj", "\t\t\tdevelopmentRegion = en;\n"),
            ("App/Base.lproj/Localizable.strings", "/* A button */\n\"save\" = \"Save\";\n\"hi\" = \"Hi, %@!\";\n"),
            ("App/pt-BR.lproj/Localizable.strings", "\"hi\"=\"Oi, %@!\";\r\n// nosso\r\nsave = 'Salvar';"),
        ],
        found: &[("App/Base.lproj/Localizable.strings", "apple-strings")],
        language: "pt-BR",
    };
    moves_in(&store, &repository).await;
}

async fn a_service_in_java_keeps_every_byte(store: TestStore) {
    let repository = Repository {
        files: &[
            ("pom.xml", "<project/>\n"),
            ("src/main/resources/application.properties", "server.port=8080\n"),
            (
                "src/main/resources/messages.properties",
                "# First page\nhello=Hello, {0}!\nit=It''s {0}\nlong=First \\\n    second\n",
            ),
            (
                "src/main/resources/messages_pt_BR.properties",
                "long : Primeiro \\\r\n\tsegundo\r\n! nosso\r\nhello = Ol\\u00E1, {0}!\r\nit=\\u00C9 {0}",
            ),
        ],
        found: &[("src/main/resources/messages.properties", "properties")],
        language: "pt-BR",
    };
    moves_in(&store, &repository).await;
}

async fn a_library_of_net_keeps_every_byte(store: TestStore) {
    let repository = Repository {
        files: &[
            (
                "src/App/App.csproj",
                "<Project><PropertyGroup>\n<NeutralLanguage>en</NeutralLanguage>\n</PropertyGroup></Project>\n",
            ),
            (
                "src/App/Properties/Resources.resx",
                "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<root>\n  <data name=\"Hello\" xml:space=\"preserve\">\n    <value>Hello, {0:N2}!</value>\n    <comment>First page</comment>\n  </data>\n  <data name=\"Bye\" xml:space=\"preserve\">\n    <value>Bye</value>\n  </data>\n</root>\n",
            ),
            (
                "src/App/Properties/Resources.de.resx",
                "\u{feff}<root>\r\n<data name='Bye'><value>Tsch&#252;ss</value></data>\r\n<data name=\"Hello\" xml:space=\"preserve\" ><value>Hallo, {0:N2}!</value></data>\r\n</root>",
            ),
        ],
        found: &[("src/App/Properties/Resources.resx", "resx")],
        language: "de",
    };
    moves_in(&store, &repository).await;
}

const TEMPLATE: &str = "# Texts of the shop\nmsgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: shop\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\n#: a.c:3\n#, c-format\nmsgid \"Hello, %s!\"\nmsgstr \"\"\n\n#, c-format\nmsgid \"%d item\"\nmsgid_plural \"%d items\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n";

/// The first catalogues are made from the template, which stays.
async fn a_template_of_gettext_without_catalogues_gets_them(store: TestStore) {
    let world = empty(&store).await;
    world.write("po/app.pot", TEMPLATE);
    let init = init(&world, &[]).await;
    assert_eq!(
        (&init["files"][0]["source"], &init["files"][0]["output"]),
        (&"po/app.pot".into(), &"po/{languageUnderscore}.po".into())
    );
    assert_eq!(init["baseLanguage"], serde_json::Value::Null, "nothing says it");
    world.ok(&["languages", "add", "pl"]).await;
    world.ok(&["sync", "--languages", "pl"]).await;
    world.ok(&["publish", "--languages", "pl"]).await;
    world.ok(&["pull", "--languages", "pl"]).await;
    assert_eq!(world.read("po/app.pot"), TEMPLATE);
    let polish = world.read("po/pl.po");
    assert!(
        polish.contains("msgstr[2] \"") && polish.contains("nplurals=") && polish.contains("#: a.c:3\n"),
        "{polish}"
    );
    let mut files: Vec<_> = std::fs::read_dir(world.path("po"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ["app.pot", "pl.po"], "no catalogue of the base language");
    // It is read back as it is.
    world.ok(&["import", "--languages", "pl"]).await;
    world.ok(&["pull", "--languages", "pl"]).await;
    assert_eq!(world.read("po/pl.po"), polish);
}

async fn a_template_of_gettext_beside_its_catalogues_keeps_every_byte(store: TestStore) {
    const POLISH: &str = "msgid \"\"\r\nmsgstr \"\"\r\n\"Language: pl\\n\"\r\n\"Content-Type: text/plain; charset=UTF-8\\n\"\r\n\"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n\"\r\n\r\nmsgid \"%d item\"\r\nmsgid_plural \"%d items\"\r\nmsgstr[0] \"%d rzecz\"\r\nmsgstr[1] \"%d rzeczy\"\r\nmsgstr[2] \"%d rzeczy\"\r\n\r\n# nasze\r\nmsgid \"Hello, %s!\"\r\nmsgstr \"\"\r\n\"Witaj, \"\r\n\"%s!\"\r\n\r\n#~ msgid \"Gone\"\r\n#~ msgstr \"Nie ma\"";
    let repository = Repository {
        files: &[("po/app.pot", TEMPLATE), ("po/pl.po", POLISH)],
        found: &[("po/app.pot", "gettext")],
        language: "pl",
    };
    moves_in(&store, &repository).await;
}

/// `pull --include-base` writes into the file that the program falls back on, and makes none beside it.
async fn texts_of_the_base_language_go_into_the_file_without_a_language(store: TestStore) {
    let world = empty(&store).await;
    let strings = "<resources>\n    <string name=\"hello\">Hello</string>\n</resources>\n";
    let resx = "<root>\n  <data name=\"hello\" xml:space=\"preserve\"><value>Hello</value></data>\n</root>\n";
    let files = [
        ("app/src/main/res/values/strings.xml", strings),
        ("App.xcodeproj/project.pbxproj", "\t\t\tdevelopmentRegion = en;\n"),
        ("App/Base.lproj/Main.strings", "\"hello\" = \"Hello\";\n"),
        ("src/main/resources/messages.properties", "hello=Hello\n"),
        ("src/Resources.resx", resx),
        ("src/Resources.de.resx", &resx.replace("Hello<", "Hallo<")),
        ("po/app.pot", TEMPLATE),
        ("pom.xml", "<project/>\n"),
    ];
    files.iter().for_each(|(path, text)| world.write(path, text));
    init(&world, &["--base-language", "en"]).await;
    world.ok(&["sync", "--languages", "fr"]).await;
    world.ok(&["publish"]).await;
    // Texts that the code has changed since.
    for (path, text) in files {
        if path != "po/app.pot" && path != "src/Resources.de.resx" {
            world.write(path, &text.replace("Hello", "Hi"));
        }
    }
    let before = contents(world.folder.path());
    let output = world.ok(&["pull", "--languages", "en"]).await;
    assert_eq!(contents(world.folder.path()), before);
    assert!(
        output.stderr.contains("5 source files were not changed; --include-base writes them, too."),
        "{}",
        output.stderr
    );
    let output = world.ok(&["pull", "--languages", "en", "--include-base"]).await;
    assert!(
        output.stderr.contains("po/en.po is not written: po/app.pot has the texts of the base language."),
        "{}",
        output.stderr
    );
    let mut after = contents(world.folder.path());
    after.remove("l10n.toml");
    assert_eq!(after, files.map(|(path, text)| (path.to_owned(), text.to_owned())).into());
    // Another folder gets the same names.
    world.ok(&["pull", "--languages", "en", "--include-base", "--dir", "out"]).await;
    assert_eq!(world.read("out/app/src/main/res/values/strings.xml"), strings);
    assert!(!world.path("out/po").exists() && !world.path("out/app/src/main/res/values-en").exists());
}
