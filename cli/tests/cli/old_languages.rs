//! Repositories whose paths have the codes that languages had before 1989, as Android and Java wrote them for long: `iw`, `in`,
//! `ji`. Their files keep their names, and no second file of the language comes.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;

use crate::migration::{Repository, contents, moves_in};
use crate::support::World;

both_engines!(
    hebrew_of_android_stays_in_its_folder,
    indonesian_of_java_stays_in_its_file,
    yiddish_with_namespaces_stays_in_its_folder,
    the_file_of_todays_code_goes_first,
);

async fn hebrew_of_android_stays_in_its_folder(store: TestStore) {
    const HEBREW: &str = "<resources>\n\t<string name=\"bye\">להתראות</string>\n\t<plurals name=\"files\">\n\t\t<item quantity=\"one\">קובץ</item>\n\t\t<item quantity=\"two\">קבצים</item>\n\t\t<item quantity=\"other\">%d קבצים</item>\n\t</plurals>\n</resources>\n";
    let repository = Repository {
        files: &[
            ("app/build.gradle", "plugins { id 'com.android.application' }\n"),
            (
                "app/src/main/res/values/strings.xml",
                "<resources>\n    <string name=\"bye\">Bye</string>\n    <plurals name=\"files\">\n        <item quantity=\"one\">One file</item>\n        <item quantity=\"other\">%d files</item>\n    </plurals>\n    <string name=\"new\">New</string>\n</resources>\n",
            ),
            ("app/src/main/res/values-iw/strings.xml", HEBREW),
        ],
        found: &[("app/src/main/res/values/strings.xml", "android")],
        language: "he",
    };
    let world = moves_in(&store, &repository).await;
    fills_in(&world, "he", "app/src/main/res/values-iw/strings.xml", HEBREW, "name=\"new\">").await;
    // The checks of the files know the language, too.
    world.ok(&["lint"]).await;
}

async fn indonesian_of_java_stays_in_its_file(store: TestStore) {
    const INDONESIAN: &str = "hello = Halo, {0}!\n";
    let repository = Repository {
        files: &[
            ("pom.xml", "<project/>\n"),
            ("src/main/resources/messages.properties", "hello=Hello, {0}!\nbye=Bye\n"),
            ("src/main/resources/messages_in.properties", INDONESIAN),
        ],
        found: &[("src/main/resources/messages.properties", "properties")],
        language: "id",
    };
    let world = moves_in(&store, &repository).await;
    fills_in(&world, "id", "src/main/resources/messages_in.properties", INDONESIAN, "bye").await;
}

async fn yiddish_with_namespaces_stays_in_its_folder(store: TestStore) {
    const YIDDISH: &str = "{\n  \"a\": \"איינס\"\n}\n";
    let repository = Repository {
        files: &[
            ("locales/en/app.json", "{\n  \"a\": \"One\",\n  \"b\": \"Two\"\n}\n"),
            ("locales/en/shop.json", "{\n  \"a\": \"Buy\"\n}\n"),
            ("locales/ji/app.json", YIDDISH),
            ("locales/ji/shop.json", "{\n  \"a\": \"קויפן\"\n}\n"),
        ],
        found: &[("locales/{language}/{namespace}.json", "json")],
        language: "yi",
    };
    let world = moves_in(&store, &repository).await;
    fills_in(&world, "yi", "locales/ji/app.json", YIDDISH, "\"b\": \"").await;
}

/// A team that has begun to move has both.
async fn the_file_of_todays_code_goes_first(store: TestStore) {
    let world = World::on(&store).await;
    world.write("locales/he.json", "{\n  \"hello\": \"שלום, {name}!\"\n}\n");
    world.write("locales/iw.json", "{}\n");
    world.ok(&["sync", "--languages", "fr"]).await;
    world.ok(&["languages", "add", "he"]).await;
    world.ok(&["import"]).await;
    world.ok(&["sync"]).await;
    world.ok(&["publish"]).await;
    world.ok(&["pull"]).await;
    assert_eq!(world.read("locales/iw.json"), "{}\n");
    assert!(world.read("locales/he.json").contains("\"bye\""));
}

/// A missing text is translated into the file that is there, and nothing else changes.
async fn fills_in(world: &World, language: &str, path: &str, before: &str, added: &str) {
    let mut others = contents(world.folder.path());
    others.remove(path);
    world.ok(&["sync", "--languages", language]).await;
    world.ok(&["publish", "--languages", language]).await;
    let pulled = world.json(&["pull", "--languages", language]).await;
    let mut after = contents(world.folder.path());
    let own = after.remove(path).unwrap();
    assert_eq!(after, others, "{pulled}");
    assert!(own.contains(added) && before.lines().all(|line| own.contains(line.trim_end_matches(','))), "{own}");
    let files = pulled["files"].as_array().unwrap();
    assert!(files.iter().any(|file| file["path"] == path && file["state"] == "changed"), "{pulled}");
    let narrowed = world.json(&["check", "--languages", language]).await;
    assert_eq!(narrowed["upToDate"], true, "{narrowed}");
}
