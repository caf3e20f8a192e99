//! Resources and prompts, as the server itself offers them.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::support::{Program, app, two_keys};

both_engines!(resources_are_those_of_the_requests_key, prompts_are_those_whose_tools_the_key_may_use);

/// Names of the entries of a list.
fn names<'a>(result: &'a Value, list: &str, field: &str) -> Vec<&'a str> {
    result[list].as_array().unwrap().iter().map(|entry| entry[field].as_str().unwrap()).collect()
}

async fn resources_are_those_of_the_requests_key(store: TestStore) {
    let app = app(&store, |_| {}).await;
    let other = app.other_project("unlimited").await;
    let (program, keys) = (Program::of(&app), &app.project.keys);
    program.call(&keys.admin, "translate", two_keys()).await;
    let published = program.call(&keys.admin, "publish", json!({"label": "first", "reason": "r"})).await;
    let version = &published["structuredContent"]["version_id"];
    assert!(version.is_string(), "{published}");

    let listed = program.result(&keys.read, "resources/list", json!({})).await;
    assert_eq!(names(&listed, "resources", "uri"), ["l10n://project", "l10n://manifest", "l10n://glossary"]);
    let listed = program.result(&keys.read, "resources/templates/list", json!({})).await;
    let templates = ["l10n://languages/{code}", "l10n://keys/{ref}", "l10n://documents/{docId}"];
    assert_eq!(names(&listed, "resourceTemplates", "uriTemplate"), templates);

    let read = async |key: &str, uri: &str| {
        let answer = program.request(key, "resources/read", json!({"uri": uri})).header("mcp-name", uri);
        let answer: Value = answer.send().await.unwrap().json().await.unwrap();
        match answer["result"]["contents"][0]["text"].as_str() {
            Some(text) => Ok(serde_json::from_str::<Value>(text).unwrap()),
            None => Err(answer["error"].clone()),
        }
    };
    let project = read(&keys.read, "l10n://project").await.unwrap();
    assert_eq!((&project["keys"], &project["key"]["scopes"]), (&json!(2), &json!(["read"])), "{project}");
    assert_eq!(read(&keys.read, "l10n://keys/hello").await.unwrap()["text"], "Hello");
    assert_eq!(read(&keys.read, "l10n://languages/de").await.unwrap()["translated"], 2);
    assert_eq!(&read(&keys.read, "l10n://manifest").await.unwrap()["version_id"], version);
    assert_eq!(read(&keys.read, "l10n://glossary").await.unwrap()["project_terms"], json!([]));
    // The same address is another project's with another key.
    assert_eq!(read(&other.keys.read, "l10n://project").await.unwrap()["keys"], 0);
    let absent = read(&other.keys.read, "l10n://keys/hello").await.unwrap_err();
    assert!(absent["message"].as_str().unwrap().contains("find_keys"), "{absent}");
    let refused = read(&keys.capture, "l10n://keys/hello").await.unwrap_err();
    assert_eq!(refused["data"]["error"], "forbidden", "{refused}");
    let params = json!({"ref": {"type": "ref/resource", "uri": "l10n://keys/{ref}"}, "argument": {"name": "ref", "value": "he"}});
    let completed = program.result(&keys.read, "completion/complete", params).await;
    assert_eq!(completed["completion"]["values"], json!(["hello"]), "{completed}");
}

async fn prompts_are_those_whose_tools_the_key_may_use(store: TestStore) {
    let app = app(&store, |_| {}).await;
    let (program, keys) = (Program::of(&app), &app.project.keys);
    let all = ["localize_change", "review_language", "prepare_release"];
    for (key, offered) in [(&keys.admin, &all[..]), (&keys.read, &["review_language"]), (&keys.capture, &[])] {
        let listed = program.result(key, "prompts/list", json!({})).await;
        assert_eq!(names(&listed, "prompts", "name"), offered);
    }
    let params = json!({"name": "localize_change", "arguments": {"files": "src/cart.tsx", "language": "de"}});
    let prompt = program.result(&keys.admin, "prompts/get", params).await;
    let text = prompt["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("preview_translation") && text.contains("src/cart.tsx"), "{text}");
    assert!(text.contains("`content`"), "the server reads no files of its machine: {text}");
    let unknown = program.request(&keys.admin, "prompts/get", json!({"name": "review_langage", "arguments": {}}));
    let unknown: Value = unknown.send().await.unwrap().json().await.unwrap();
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert!(unknown["error"]["message"].as_str().unwrap().contains("review_language"), "{unknown}");
}
