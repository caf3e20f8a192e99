//! Arguments that are not known, or not of their type.

use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use crate::support::{Agent, Revision, two_keys};

/// The SDK does not hold arguments against the schema: a misspelt `dry_run` would run for real.
#[tokio::test(flavor = "multi_thread")]
async fn each_tool_refuses_an_unknown_argument_and_names_the_nearest_known_one() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let agent = Agent::admin(&app, Revision::New).await;
    for tool in agent.client.list_all_tools().await.unwrap() {
        let name: &'static str = String::leak(tool.name.into_owned());
        let message = agent.refused(name, json!({"zzz": 1})).await;
        assert!(message.starts_with(&format!("{name}: unknown argument `zzz`")), "{message}");
        let known = tool.input_schema["properties"].as_object().unwrap();
        for argument in known.keys() {
            let misspelt = format!("{argument}x");
            if known.contains_key(&misspelt) {
                continue;
            }
            let message = agent.refused(name, json!({misspelt: 1})).await;
            assert!(message.contains(&format!("did you mean `{argument}`?")), "{message}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_argument_of_a_wrong_type_is_refused_by_name() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let agent = Agent::admin(&app, Revision::Old).await;
    for tool in agent.client.list_all_tools().await.unwrap() {
        let name: &'static str = String::leak(tool.name.into_owned());
        for (argument, schema) in tool.input_schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let wrong = match schema["type"].as_str() {
                Some("string") => vec![json!(7), json!({}), json!(["a"])],
                Some("integer") => vec![json!("7"), json!(-1), json!(1.5), json!(1e30)],
                Some("boolean") => vec![json!("true"), json!(1)],
                Some("array") => vec![json!("a"), json!([[1]])],
                other => panic!("{name} {argument}: {other:?}"),
            };
            for value in wrong {
                let message = agent.refused(name, json!({argument: value})).await;
                assert!(message.starts_with(name) && message.contains(&format!("`{argument}")), "{message}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_that_do_not_go_together_are_refused_before_anything_is_sent() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let agent = Agent::admin(&app, Revision::New).await;
    for (tool, arguments, words) in [
        ("translate", json!({"keys": two_keys()}), "missing field `reason`"),
        ("translate", json!({"keys": two_keys(), "reason": "  "}), "`reason` is empty"),
        ("translate", json!({"keys": two_keys(), "reason": "a\u{7}"}), "control characters"),
        ("translate", json!({"keys": two_keys(), "reason": "r".repeat(501)}), "longer than 500"),
        ("translate", json!({"reason": "r"}), "give `keys`, or `file_path`"),
        ("translate", json!({"keys": [], "reason": "r"}), "`keys` is empty"),
        ("translate", json!({"keys": [{"ref": "a"}], "reason": "r"}), "one of `text` and `plural` is needed"),
        (
            "translate",
            json!({"keys": [{"ref": "a", "plural_arg": "n", "plural_forms": {"one": "1"}}], "reason": "r"}),
            "needs `other`",
        ),
        ("translate", json!({"keys": [{"ref": "a", "plural_forms": {"other": "1"}}], "reason": "r"}), "go together"),
        ("translate", json!({"keys": two_keys(), "languages": [], "reason": "r"}), "`languages` is empty"),
        ("translate", json!({"keys": two_keys(), "file_path": "a.json", "reason": "r"}), "not both"),
        ("translate", json!({"keys": two_keys(), "reason": "r", "operation_id": "a b"}), "`operation_id`"),
        ("preview_translation", json!({"file_path": "en.json"}), "reads no files"),
        ("preview_translation", json!({"file_path": "a", "content": "{}", "format": "jsn"}), "`jsn` is not one of"),
        ("publish", json!({"reason": "r", "document_ids": ["doc_1"]}), "needs target `content`"),
        ("restore_version", json!({"version_id": "ver_1"}), "`reason` is empty"),
        ("restore_version", json!({"version_id": "ver_1", "reason": "r", "limit": 3}), "belong to the list"),
        ("find_keys", json!({"limit": 0}), "between 1 and 100"),
        ("find_keys", json!({"limit": 101}), "between 1 and 100"),
        ("find_keys", json!({"state": "transalted"}), "did you mean `translated`?"),
        ("get_run", json!({"tracking_token": "trk_1", "wait_seconds": 51}), "at most 50"),
        ("report_missing_keys", json!({"keys": []}), "1 to 500"),
        ("add_languages", json!({"codes": []}), "`codes` is empty"),
        (
            "translate_document",
            json!({"external_id": "a", "content": "x", "file_path": "y", "reason": "r"}),
            "not both",
        ),
        ("get_document", json!({"external_id": "a", "document_id": "doc_1"}), "not both"),
    ] {
        let message = agent.refused(tool, arguments).await;
        assert!(message.contains(words), "{message}");
    }
    assert_eq!(agent.ok("get_project", json!({})).await["keys"], 0);
}
