//! `provision`, `keys`, `migrate`, `openapi`: what an operator runs beside a server.

use std::path::Path;

use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::process::{complaint, feed, run, stdout};

fn description() -> Value {
    json!({"workspaces": [{"handle": "acme", "credits": 100, "spendingCap": 50, "plan": "free", "projects": [{
        "slug": "app", "name": "App", "baseLanguage": "en", "languages": ["de", "pt_br"],
        "keys": [{"label": "ci", "scopes": ["read", "members:read"], "kind": "ci"},
                 {"label": "bot", "scopes": ["translate"], "kind": "agent"}],
    }]}]})
}

fn provision(folder: &Path, url: &str, description: &Value) -> Value {
    let output = feed(folder, &["provision", "-", "--database-url", url], &description.to_string());
    serde_json::from_str(&stdout(&output)).unwrap()
}

/// RES-11: a key is shown once, by the call that made it.
async fn provisioning_twice_changes_nothing_and_shows_keys_once(store: TestStore) {
    let folder = tempfile::tempdir().unwrap();
    let first = provision(folder.path(), store.url(), &description());
    let workspace = &first["workspaces"][0];
    assert_eq!((&workspace["balance"], &workspace["spendingCap"]), (&100_000.into(), &50_000.into()));
    let project = &workspace["projects"][0];
    assert_eq!(project["languages"], json!(["de", "pt-BR"]));
    let keys = project["keys"].as_array().unwrap();
    assert!(keys.iter().all(|key| key["key"].as_str().unwrap().starts_with("eik_")));

    let again = provision(folder.path(), store.url(), &description());
    let mut expected = first.clone();
    for key in expected["workspaces"][0]["projects"][0]["keys"].as_array_mut().unwrap() {
        key.as_object_mut().unwrap().remove("key");
    }
    assert_eq!(again, expected);

    let mut more = description();
    more["workspaces"][0]["credits"] = 120.into();
    more["workspaces"][0]["projects"][0]["languages"] = json!(["fr"]);
    let more = provision(folder.path(), store.url(), &more);
    assert_eq!(more["workspaces"][0]["balance"], 120_000);
    assert_eq!(more["workspaces"][0]["projects"][0]["languages"], json!(["de", "pt-BR", "fr"]));
}

async fn a_wrong_description_is_named_by_its_place_and_makes_nothing(store: TestStore) {
    let folder = tempfile::tempdir().unwrap();
    let refuse = |change: fn(&mut Value)| {
        let mut description = description();
        change(&mut description);
        complaint(&feed(folder.path(), &["provision", "-", "--database-url", store.url()], &description.to_string()))
    };
    type Change = fn(&mut Value);
    let cases: [(Change, &str); 5] = [
        (|tree| tree["workspaces"][0]["handle"] = "A/b".into(), "workspaces[0].handle: `A/b` is not"),
        (|tree| tree["workspaces"][0]["plan"] = "gold".into(), "workspaces[0].plan: there is no plan `gold`"),
        (
            |tree| tree["workspaces"][0]["projects"][0]["languages"][1] = "english!".into(),
            "workspaces[0].projects[0].languages[1]: `english!` is not a BCP 47",
        ),
        (
            |tree| tree["workspaces"][0]["projects"][0]["keys"][0]["scopes"][0] = "reader".into(),
            "unknown variant `reader`",
        ),
        (|tree| tree["workspaces"][0]["credit"] = 1.into(), "unknown field `credit`"),
    ];
    for (change, expected) in cases {
        let said = refuse(change);
        assert!(said.contains(expected), "{said}");
    }
    let mut tx = store.begin_read().await.unwrap();
    assert_eq!(l10n_server::store::workspaces::list(&mut tx).await.unwrap(), []);
}

/// AUTH-5: a revoked key opens nothing, and its text is nowhere in a list.
async fn keys_are_made_listed_and_revoked(store: TestStore) {
    let folder = tempfile::tempdir().unwrap();
    provision(folder.path(), store.url(), &description());
    let keys =
        |arguments: &[&str]| run(folder.path(), &[&["keys"], arguments, &["--database-url", store.url()]].concat());
    let text = stdout(&keys(&["create", "acme/app", "--label", "new", "--scopes", "read,write"]));
    assert!(text.starts_with("eik_") && text.trim().len() == 53, "{text}");
    let list = stdout(&keys(&["list", "acme/app"]));
    assert!(list.contains("new") && list.contains("read,write") && !list.contains(text.trim()), "{list}");
    let listed: Value = serde_json::from_str(&stdout(&keys(&["list", "acme/app", "--json"]))).unwrap();
    let id = listed["keys"][2]["keyId"].as_str().unwrap();
    stdout(&keys(&["revoke", id]));
    assert!(complaint(&keys(&["revoke", id])).contains("no key"));
    let hash = l10n_server::ids::ApiKeyText::parse(text.trim()).unwrap().hash();
    let mut tx = store.begin_read().await.unwrap();
    assert!(l10n_server::store::api_keys::find_by_hash(&mut tx, &hash).await.unwrap().is_none());
    assert!(complaint(&keys(&["list", "acme/none"])).contains("there is no project `acme/none`"));
}

l10n_server::both_engines!(
    provisioning_twice_changes_nothing_and_shows_keys_once,
    a_wrong_description_is_named_by_its_place_and_makes_nothing,
    keys_are_made_listed_and_revoked,
);

/// `database_url` is a URL for commands, too, not only for the server.
#[test]
fn commands_find_a_database_whose_url_has_escapes() {
    let folder = tempfile::tempdir().unwrap();
    let escaped = "sqlite:some%20data/dev%2Esqlite";
    provision(folder.path(), escaped, &description());
    assert!(folder.path().join("some data/dev.sqlite").exists() && !folder.path().join("some%20data").exists());
    let listed = stdout(&run(folder.path(), &["keys", "list", "acme/app", "--database-url", escaped]));
    assert!(listed.contains("ci") && listed.contains("bot"), "{listed}");
    stdout(&run(folder.path(), &["backup", "kept", "--database-url", escaped]));
    stdout(&run(folder.path(), &["restore", "kept", "--overwrite", "--database-url", escaped]));
}

#[test]
fn openapi_prints_the_committed_document() {
    let folder = tempfile::tempdir().unwrap();
    let committed = include_str!("../../../api-types/openapi.json");
    assert!(
        stdout(&run(folder.path(), &["openapi"])) == committed,
        "openapi.json is not current: run `cargo xtask openapi`"
    );
}

#[test]
fn migrate_makes_the_database_and_may_be_repeated() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let said = stdout(&run(folder.path(), &["migrate", "--database-url", "sqlite:data/l10n.sqlite"]));
        assert_eq!(said, "sqlite:data/l10n.sqlite has this version's schema\n");
    }
    assert!(folder.path().join("data/l10n.sqlite").exists());
}
