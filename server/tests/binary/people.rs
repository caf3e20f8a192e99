//! `users` and `dev`: links that sign people in.

use std::net::IpAddr;
use std::path::Path;

use l10n_server::clock::SystemClock;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::{PasswordHashing, PeopleParts, Person, SignInClient, memberships, sign_in};
use l10n_server::store::Store;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::process::{Running, complaint, feed, run, stdout};

/// The person whom a link signs in, with the role in a workspace. `None` for a link that is not good.
async fn follow(store: &Store, link: &str, handle: &str) -> Option<(Person, Option<Role>)> {
    let token = link.trim().rsplit_once("/dashboard/login/").unwrap_or_else(|| panic!("{link}")).1;
    let (clock, hashing) = (SystemClock, PasswordHashing::new());
    let parts = PeopleParts { store, clock: &clock, hashing: &hashing };
    let client = SignInClient { address: IpAddr::from([127, 0, 0, 1]), user_agent: String::new() };
    let session = sign_in::with_link(parts, token, &client).await.unwrap()?.session;
    let membership = memberships::in_workspace(parts, &session.person, handle).await.unwrap();
    Some((session.person, membership.map(|membership| membership.role)))
}

fn users(folder: &Path, url: &str, arguments: &[&str]) -> std::process::Output {
    run(folder, &[&["users"], arguments, &["--database-url", url]].concat())
}

#[tokio::test]
async fn every_start_of_dev_prints_a_link_that_signs_its_owner_in_until_it_is_used_or_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let first = Running::dev(folder.path()).say("dashboardUrl");
    let mut server = Running::dev(folder.path());
    let second = server.say("dashboardUrl");
    assert!(second.starts_with(server.say("baseUrl").strip_suffix("/v1").unwrap()), "{second}");
    let file = folder.path().join("l10n-data/dev.sqlite");
    let store = Store::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    assert_eq!(follow(&store, &first, "demo").await, None, "each start replaces the link");
    let (person, role) = follow(&store, &second, "demo").await.unwrap();
    assert_eq!((person.email.as_str(), role), ("dev@localhost", Some(Role::Owner)));
    assert_eq!(follow(&store, &second, "demo").await, None, "it signs in once");
    // The commands beside it find the same people.
    let listed = stdout(&run(folder.path(), &["users", "list"]));
    assert!(listed.contains("dev@localhost") && listed.contains("demo:owner"), "{listed}");
    store.close().await;
    assert!(server.terminate());
}

async fn an_operator_adds_people_disables_them_and_helps_them(store: TestStore) {
    let folder = tempfile::tempdir().unwrap();
    let description =
        json!({"workspaces": [{"handle": "acme", "members": [{"email": "Owner@example.com", "role": "owner"}]}]});
    let provision = || -> Value {
        let output = feed(folder.path(), &["provision", "-", "--database-url", store.url()], &description.to_string());
        serde_json::from_str(&stdout(&output)).unwrap()
    };
    let first = provision()["workspaces"][0]["members"][0].clone();
    assert_eq!((&first["email"], &first["role"]), (&json!("owner@example.com"), &json!("owner")));
    assert!(follow(&store, first["signInUrl"].as_str().unwrap(), "acme").await.is_some());
    let again = provision()["workspaces"][0]["members"][0].clone();
    assert_eq!((&again["userId"], &again["signInUrl"]), (&first["userId"], &Value::Null), "the account is there");

    let do_it = |arguments: &[&str]| stdout(&users(folder.path(), store.url(), arguments));
    let refuse = |arguments: &[&str]| complaint(&users(folder.path(), store.url(), arguments));
    let create = ["create", "ada@example.com", "--workspace", "acme", "--role", "translator", "--by", "root"];
    let link = do_it(&create);
    assert_eq!(link.lines().count(), 1, "the link alone, for scripts: {link}");
    let (ada, role) = follow(&store, &link, "acme").await.unwrap();
    assert_eq!((ada.email.as_str(), ada.name.as_str(), role), ("ada@example.com", "ada", Some(Role::Translator)));
    assert!(do_it(&["disable", "ada@example.com"]).contains("cannot sign in"));
    assert!(refuse(&["reset-link", "ada@example.com"]).contains("users enable"));
    let listed: Value = serde_json::from_str(&do_it(&["list", "--json"])).unwrap();
    assert_eq!(listed["users"].as_array().unwrap().len(), 2);
    assert_eq!(listed["users"][0]["memberships"], json!([{"workspace": "acme", "role": "translator"}]));
    assert!(listed["users"][0]["disabledAt"].is_string(), "{listed}");
    assert!(do_it(&["enable", "ada@example.com"]).contains("can sign in again"));
    assert!(follow(&store, &do_it(&["reset-link", "ADA@example.com"]), "acme").await.is_some());

    assert!(refuse(&["reset-link", "nobody@example.com"]).contains("nobody has the address"));
    assert!(refuse(&["create", "no address", "--workspace", "acme", "--role", "owner"]).contains("name@example.com"));
    assert!(
        refuse(&["create", "a@example.com", "--workspace", "none", "--role", "owner"]).contains("no workspace `none`")
    );
    assert!(refuse(&["create", "a@example.com", "--workspace", "acme", "--role", "king"]).contains("it takes viewer"));
    let wrong = json!({"workspaces": [{"handle": "acme", "members": [{"email": "a@example.com", "role": "king"}]}]});
    let output = feed(folder.path(), &["provision", "-", "--database-url", store.url()], &wrong.to_string());
    assert!(complaint(&output).contains("workspaces[0].members[0].role"));
    let listed: Value = serde_json::from_str(&do_it(&["list", "--json"])).unwrap();
    assert_eq!(listed["users"].as_array().unwrap().len(), 2, "what is refused makes nobody");
}

l10n_server::both_engines!(an_operator_adds_people_disables_them_and_helps_them);
