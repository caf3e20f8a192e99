//! String catalogues of Xcode, which hold the source and all languages: `pull --prune`, `lint`.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::lint;
use crate::migration::{Repository, moves_in};
use crate::support::{folder, l10n};

both_engines!(a_pull_prunes_translations_alone);

const CATALOGUE: &str = "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n    \"Open\" : {\n      \"comment\" : \"A button\"\n    },\n    \"Save %lld\" : {\n      \"localizations\" : {\n        \"nl\" : {\n          \"stringUnit\" : {\n            \"state\" : \"translated\",\n            \"value\" : \"Bewaar %lld\"\n          }\n        },\n        \"pl\" : {\n          \"stringUnit\" : {\n            \"state\" : \"translated\",\n            \"value\" : \"Zapisz\"\n          }\n        }\n      }\n    }\n  },\n  \"version\" : \"1.0\"\n}";

/// Texts that the version lacks go in the languages that are pulled: keys, comments, the source and other languages stay.
async fn a_pull_prunes_translations_alone(store: TestStore) {
    let repository = Repository {
        files: &[("App/Localizable.xcstrings", CATALOGUE)],
        found: &[("App/Localizable.xcstrings", "xcstrings")],
        language: "nl",
    };
    let world = moves_in(&store, &repository).await;
    let own = CATALOGUE.replace(
        "\"comment\" : \"A button\"\n",
        "\"comment\" : \"A button\",\n      \"localizations\" : {\n        \"nl\" : {\n          \"stringUnit\" : {\n            \"state\" : \"translated\",\n            \"value\" : \"Openen\"\n          }\n        },\n        \"pl\" : {\n          \"stringUnit\" : {\n            \"state\" : \"translated\",\n            \"value\" : \"Otw\u{f3}rz\"\n          }\n        }\n      }\n",
    );
    world.write("App/Localizable.xcstrings", &own);
    let lacking = world.json(&["pull", "--dry-run"]).await["unpublished"].clone();
    let polish = json!({"path": "App/Localizable.xcstrings", "language": "pl", "keys": ["Open", "Save %lld"]});
    assert_eq!(lacking, json!([polish]), "the version has no Polish");
    let kept = world.json(&["pull", "--languages", "nl"]).await;
    assert_eq!(kept["files"][0]["kept"], json!(["Open"]), "{kept}");
    assert_eq!(world.read("App/Localizable.xcstrings"), own);
    let pruned = world.json(&["pull", "--prune", "--languages", "nl"]).await;
    assert_eq!(pruned["files"][0]["removed"], json!(["Open"]), "{pruned}");
    let after = world.read("App/Localizable.xcstrings");
    assert!(!after.contains("Openen"), "{after}");
    for stays in
        ["\"Bewaar %lld\"", "\"Zapisz\"", "\"Otw\u{f3}rz\"", "\"comment\" : \"A button\"", "\"version\" : \"1.0\"\n}"]
    {
        assert!(after.contains(stays), "{stays}: {after}");
    }
    let again = world.json(&["pull", "--prune", "--languages", "nl"]).await;
    assert_eq!(again["counts"]["written"], 0, "{again}");
}

/// By `l10n.toml` and by name, in each language, with the lines of the keys.
#[tokio::test]
async fn each_language_of_a_catalogue_is_checked() {
    let config =
        "base_language = \"en\"\n\n[[files]]\nsource = \"App/Localizable.xcstrings\"\nformat = \"xcstrings\"\n";
    let folder =
        folder(&[("l10n.toml", config), ("App/Localizable.xcstrings", CATALOGUE), ("Other.xcstrings", CATALOGUE)]);
    for (arguments, path) in [
        (&["lint", "--json"][..], "App/Localizable.xcstrings"),
        (&["lint", "--json", "Other.xcstrings"], "Other.xcstrings"),
    ] {
        let (found, brief) = lint::errors(folder.path(), arguments).await;
        assert_eq!(brief, [json!([path, 7, "Save %lld", "pl", "placeholders", "error"])]);
        assert_eq!((&found["files"], &found["texts"]), (&json!(2), &json!(2)));
    }
    let dutch = l10n(folder.path(), &["lint", "Other.xcstrings", "--language", "nl"]).run().await;
    assert_eq!(dutch.status, 0, "{}", dutch.stderr);
}
