//! Tables with a column for each language: `pull --prune`, `lint`, and those that do not say their language.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::lint;
use crate::migration::{Repository, moves_in};
use crate::support::folder;

both_engines!(
    a_pull_prunes_translations_alone,
    a_table_in_one_language_is_refused_where_its_path_has_none,
    a_language_that_the_version_lacks_is_told,
);

const TABLE: &str = "key,en,nl,pl\nopen,Open,,\nsave,Save %d,Bewaar %d,Zapisz\n";

/// Texts that the version lacks go in the languages that are pulled: rows, the source and other languages stay.
async fn a_pull_prunes_translations_alone(store: TestStore) {
    let repository =
        Repository { files: &[("game/text.csv", TABLE)], found: &[("game/text.csv", "csv")], language: "nl" };
    let world = moves_in(&store, &repository).await;
    let own = TABLE.replace("open,Open,,", "open,Open now,Openen,Otw\u{f3}rz");
    world.write("game/text.csv", &own);
    let kept = world.json(&["pull", "--languages", "nl"]).await;
    assert_eq!(kept["files"][0]["kept"], json!(["open"]), "{kept}");
    assert_eq!(world.read("game/text.csv"), own);
    let pruned = world.json(&["pull", "--prune", "--languages", "nl"]).await;
    assert_eq!(pruned["files"][0]["removed"], json!(["open"]), "{pruned}");
    assert_eq!(world.read("game/text.csv"), own.replace("Openen", ""));
    let again = world.json(&["pull", "--prune", "--languages", "nl"]).await;
    assert_eq!(again["counts"]["written"], 0, "{again}");
}

async fn a_table_in_one_language_is_refused_where_its_path_has_none(store: TestStore) {
    let repository =
        Repository { files: &[("game/text.csv", TABLE)], found: &[("game/text.csv", "csv")], language: "nl" };
    let world = moves_in(&store, &repository).await;
    world.write("game/text.csv", "key,text\nopen,Open\n");
    let refused = world.l10n(&["sync"]).run().await;
    assert_eq!(refused.status, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("game/text.csv does not say its language"), "{}", refused.stderr);
    // One whose column names it gets the others at the next pull.
    world.write("game/text.csv", "key,en\nopen,Open\nsave,Save %d\n");
    world.ok(&["sync"]).await;
    world.ok(&["publish", "--languages", "nl"]).await;
    world.ok(&["pull", "--languages", "nl"]).await;
    let after = world.read("game/text.csv");
    assert!(after.starts_with("key,en,nl\nopen,Open,") && after.contains("\nsave,Save %d,Bewaar %d\n"), "{after}");
}

/// The project does not translate into Polish, of which the table has a text.
async fn a_language_that_the_version_lacks_is_told(store: TestStore) {
    let repository =
        Repository { files: &[("game/text.csv", TABLE)], found: &[("game/text.csv", "csv")], language: "nl" };
    let world = moves_in(&store, &repository).await;
    let unpublished = |object: &Value| -> Vec<Value> {
        let all = object["differences"].as_array().unwrap().iter();
        all.filter(|difference| difference["kind"] == "unpublished").cloned().collect()
    };
    let checked = world.l10n(&["check", "--json"]).run().await;
    assert_eq!(checked.status, 3, "{}", checked.stderr);
    let lacks = json!({"kind": "unpublished", "path": "game/text.csv", "language": "pl", "keys": ["save"]});
    assert_eq!(unpublished(&checked.json()), [lacks]);
    let dutch = world.l10n(&["check", "--languages", "nl", "--json"]).run().await;
    assert_eq!(unpublished(&dutch.json()), [Value::Null; 0]);
    let pulled = world.ok(&["pull"]).await.stderr;
    assert!(pulled.contains("warning: game/text.csv (pl): v1 has no such language; it stays, with 1 text"), "{pulled}");
    let pulled = world.json(&["pull"]).await;
    assert_eq!(pulled["unpublished"], json!([{"path": "game/text.csv", "language": "pl", "keys": ["save"]}]));
    assert_eq!(world.read("game/text.csv"), TABLE);
}

/// By `l10n.toml` and by name, in each language, with the lines of the keys.
#[tokio::test]
async fn each_language_of_a_table_is_checked() {
    let config = "base_language = \"en\"\n\n[[files]]\nsource = \"text.csv\"\nformat = \"csv\"\n";
    let folder = folder(&[("l10n.toml", config), ("text.csv", TABLE), ("other.csv", TABLE)]);
    for (arguments, path) in [(&["lint", "--json"][..], "text.csv"), (&["lint", "--json", "other.csv"], "other.csv")] {
        let (_, brief) = lint::errors(folder.path(), arguments).await;
        assert_eq!(brief, [json!([path, 3, "save", "pl", "placeholders", "error"])]);
    }
}
