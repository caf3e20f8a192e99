//! `credits`: what an operator does with a workspace's money beside a server.

use std::path::Path;

use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::process::{complaint, feed, run, stdout};

fn provision(folder: &Path, store: &TestStore) -> String {
    let tree = json!({"workspaces": [{"handle": "acme", "credits": 10, "projects": []}]});
    let output = feed(folder, &["provision", "-", "--database-url", store.url()], &tree.to_string());
    let made: Value = serde_json::from_str(&stdout(&output)).unwrap();
    made["workspaces"][0]["workspaceId"].as_str().unwrap().to_owned()
}

/// §2: amounts are thousandths of a credit wherever a program reads them, and credits where people do.
async fn credits_are_granted_and_the_ledger_says_so(store: TestStore) {
    let folder = tempfile::tempdir().unwrap();
    let id = provision(folder.path(), &store);
    let credits =
        |arguments: &[&str]| run(folder.path(), &[&["credits"], arguments, &["--database-url", store.url()]].concat());
    let said = stdout(&credits(&["grant", "acme", "2.5", "--note", "invoice 7"]));
    assert_eq!(said, "acme has 12.500 credits after a grant of 2.500\n");
    let terms: Value = serde_json::from_str(&stdout(&credits(&["grant", &id, "0.001", "--json"]))).unwrap();
    assert_eq!(
        terms,
        json!({"workspaceId": id, "handle": "acme", "plan": "unlimited", "balance": 12_501, "spendingCap": null})
    );
    let ledger: Value = serde_json::from_str(&stdout(&credits(&["ledger", "acme", "--json"]))).unwrap();
    assert_eq!((&ledger["balance"], &ledger["held"]), (&json!(12_501), &json!(0)));
    let entries: Vec<_> =
        ledger["entries"].as_array().unwrap().iter().map(|entry| (&entry["amount"], &entry["note"])).collect();
    let expected =
        [(json!(1), json!("granted")), (json!(2_500), json!("invoice 7")), (json!(10_000), json!("provisioned"))];
    assert_eq!(entries, expected.iter().map(|(amount, note)| (amount, note)).collect::<Vec<_>>());
    let said = stdout(&credits(&["ledger", "acme", "--limit", "2"]));
    assert!(said.starts_with("acme: balance 12.501, of which running jobs hold 0.000\n"), "{said}");
    assert!(said.contains("invoice 7") && !said.contains("provisioned"), "{said}");
}

async fn cap_and_plan_are_set_and_leave_each_other_alone(store: TestStore) {
    let folder = tempfile::tempdir().unwrap();
    let id = provision(folder.path(), &store);
    let credits =
        |arguments: &[&str]| run(folder.path(), &[&["credits"], arguments, &["--database-url", store.url()]].concat());
    assert_eq!(stdout(&credits(&["cap", "acme", "7.25"])), "acme may spend 7.250 credits in a month (UTC)\n");
    assert_eq!(stdout(&credits(&["plan", "acme", "free"])), "acme has the plan free\n");
    let mut tx = store.begin_read().await.unwrap();
    let workspace = l10n_server::store::workspaces::find(&mut tx, &id.as_str().into()).await.unwrap().unwrap();
    drop(tx);
    assert_eq!((workspace.spending_cap.map(|cap| cap.0), workspace.plan.as_str()), (Some(7_250), "free"));
    let terms: Value = serde_json::from_str(&stdout(&credits(&["cap", "acme", "none", "--json"]))).unwrap();
    assert_eq!((&terms["spendingCap"], &terms["plan"]), (&Value::Null, &json!("free")));
}

async fn what_cannot_be_is_named_and_changes_nothing(store: TestStore) {
    let folder = tempfile::tempdir().unwrap();
    let id = provision(folder.path(), &store);
    let cases: [(&[&str], &str); 9] = [
        (&["grant", "acme", "0"], "a grant is above zero"),
        (&["grant", "acme", "-1"], "`-1` is not an amount of credits such as 100 or 2.5"),
        (&["grant", "acme", "1.2345"], "three decimals at most"),
        (&["grant", "acme", "1", "--note", "a\nb"], "none of them a control character"),
        (&["grant", "nobody", "1"], "there is no workspace `nobody`"),
        (&["cap", "acme", "some"], "`some` is not an amount of credits"),
        (&["plan", "acme", "gold"], "there is no plan `gold`, only free, unlimited"),
        (&["ledger", "nobody"], "there is no workspace `nobody`"),
        (&["ledger", "acme", "--limit", "0"], "0 is not in 1..=10000"),
    ];
    for (arguments, expected) in cases {
        let arguments = [&["credits"], arguments, &["--database-url", store.url()]].concat();
        let said = complaint(&run(folder.path(), &arguments));
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
    let mut tx = store.begin_read().await.unwrap();
    let workspace = l10n_server::store::workspaces::find(&mut tx, &id.as_str().into()).await.unwrap().unwrap();
    assert_eq!((workspace.balance.0, workspace.spending_cap, workspace.plan.as_str()), (10_000, None, "unlimited"));
}

l10n_server::both_engines!(
    credits_are_granted_and_the_ledger_says_so,
    cap_and_plan_are_set_and_leave_each_other_alone,
    what_cannot_be_is_named_and_changes_nothing,
);
