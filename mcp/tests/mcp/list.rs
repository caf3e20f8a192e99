//! The list of tools: what a model reads in every conversation.

use l10n_mcp::{Options, Server, ToolChoice};
use l10n_server::testing::{TestApp, TestStore};
use rmcp::model::CacheScope;
use serde_json::Value;

use crate::support::{Agent, Host, REVISIONS, Revision, account};

/// Largest list, in characters.
const LARGEST: usize = 12_000;

async fn names(app: &TestApp, key: &str, options: Options) -> Vec<String> {
    let agent = Agent::of(Server::new(account(app, key), options), Revision::New, Host::plain()).await;
    let tools = agent.client.list_all_tools().await.unwrap();
    tools.into_iter().map(|tool| tool.name.into_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_usual_list_is_short_and_every_change_of_it_is_seen() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    for revision in REVISIONS {
        let server = Server::new(account(&app, &app.project.keys.admin), Options::default());
        let agent = Agent::of(server, revision, Host::plain()).await;
        let list = agent.client.list_tools(None).await.unwrap();
        let tools = serde_json::to_value(&list.tools).unwrap();
        assert_eq!(list.tools.len(), 14);
        if revision == Revision::New {
            assert_eq!((list.ttl_ms, list.cache_scope), (Some(300_000), Some(CacheScope::Private)));
            insta::assert_json_snapshot!("tools", tools);
        }
        let size = tools.to_string().chars().count();
        assert!(size <= LARGEST, "{size} characters");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tool_says_what_it_takes_gives_and_does() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let all = Options { tools: ToolChoice::All, ..Options::default() };
    let server = Server::new(account(&app, &app.project.keys.admin), all);
    let agent = Agent::of(server, Revision::New, Host::plain()).await;
    for tool in agent.client.list_all_tools().await.unwrap() {
        let name = &tool.name;
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
        assert!(tool.title.is_some());
        let description = tool.description.as_deref().unwrap();
        assert!((40..=350).contains(&description.chars().count()), "{name}: {} characters", description.len());
        let effect = serde_json::to_value(tool.annotations.as_ref().unwrap()).unwrap();
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(effect[hint].is_boolean(), "{name} {hint}");
        }
        let is_open = matches!(&**name, "translate" | "translate_document");
        assert_eq!(effect["openWorldHint"], is_open, "{name}");
        let takes_away = matches!(&**name, "publish" | "restore_version" | "set_output_formats");
        assert_eq!(effect["destructiveHint"], takes_away, "{name}");
        assert_eq!(effect["idempotentHint"], name != "publish", "{name}");
        let input = Value::Object((*tool.input_schema).clone());
        closed(name, &input);
        assert!(!input.to_string().contains("\"format\":\"uint"), "{name}: some clients refuse formats of Rust");
        let output = tool.output_schema.unwrap();
        assert_eq!(output["type"], "object", "{name}");
        let fields = output["properties"].as_object().unwrap();
        assert!(!fields.is_empty() && fields.values().all(|field| field["type"].is_string()), "{name}: {fields:?}");
    }
}

/// Every object of a schema is closed, but a map, whose values have a type.
fn closed(name: &str, schema: &Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("type") == Some(&"object".into()) {
                let more = &fields["additionalProperties"];
                assert!(*more == Value::Bool(false) || more.get("type").is_some(), "{name}: {schema}");
            }
            fields.values().for_each(|schema| closed(name, schema));
        }
        Value::Array(schemas) => schemas.iter().for_each(|schema| closed(name, schema)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn options_and_scopes_leave_tools_out() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let keys = &app.project.keys;
    let all = Options { tools: ToolChoice::All, ..Options::default() };
    assert_eq!(names(&app, &keys.admin, all.clone()).await.len(), 16);
    let readers = names(&app, &keys.admin, Options { read_only: true, ..Options::default() }).await;
    for writer in
        ["translate", "publish", "restore_version", "add_languages", "report_missing_keys", "translate_document"]
    {
        assert!(!readers.contains(&writer.to_owned()), "{readers:?}");
    }
    assert!(readers.contains(&"preview_translation".to_owned()));
    let two = Options { tools: "publish,get_key".parse().unwrap(), ..Options::default() };
    assert_eq!(names(&app, &keys.admin, two).await, ["get_key", "publish"]);
    assert_eq!(names(&app, &keys.capture, all.clone()).await, ["get_project", "report_missing_keys", "get_receipt"]);
    // A document cannot be pushed without `write`, nor found without `read`.
    let translators = names(&app, &keys.translate, all.clone()).await;
    assert!(translators.contains(&"translate".to_owned()), "{translators:?}");
    assert!(!translators.contains(&"translate_document".to_owned()), "{translators:?}");
    // A key that the service does not know is told so by the first call, not by an empty list.
    assert_eq!(names(&app, &keys.revoked, all).await.len(), 16);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_is_not_offered_cannot_be_called() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let server = Server::new(account(&app, &app.project.keys.admin), Options { read_only: true, ..Options::default() });
    let agent = Agent::of(server, Revision::New, Host::plain()).await;
    assert_eq!(
        agent.refused("get_keys", serde_json::json!({})).await,
        "there is no tool `get_keys`; did you mean `get_key`?"
    );
    let message = agent.refused("publish", serde_json::json!({"reason": "r"})).await;
    assert!(message.starts_with("there is no tool `publish`"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_introduces_itself_in_both_revisions() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    for revision in REVISIONS {
        let agent = Agent::admin(&app, revision).await;
        let server = agent.client.peer_info().unwrap();
        let instructions = server.instructions.as_deref().unwrap();
        assert!(instructions.chars().count() <= 1_200, "{}", instructions.chars().count());
        for tool in ["get_project", "preview_translation", "translate", "check_translations", "publish"] {
            assert!(instructions.contains(tool), "{tool}");
        }
        let name = server.server_info.as_ref().unwrap();
        assert_eq!((name.name.as_str(), name.version.as_str()), ("l10n", env!("CARGO_PKG_VERSION")));
    }
}
