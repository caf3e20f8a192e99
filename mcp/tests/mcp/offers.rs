//! The lists of resources, of resource templates and of prompts.

use l10n_mcp::{HttpOptions, Options, Server};
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use rmcp::model::CacheScope;
use serde_json::{Value, json};

use crate::http::Http;
use crate::support::{Agent, Host, REVISIONS, Revision, account};

both_engines!(a_key_is_offered_what_it_may_read);

async fn agent(app: &TestApp, key: &str, options: Options, revision: Revision) -> Agent {
    Agent::of(Server::new(account(app, key), options), revision, Host::plain()).await
}

/// The resources, templates and prompts, by name.
async fn names(agent: &Agent) -> [Vec<String>; 3] {
    let client = &agent.client;
    [
        client.list_all_resources().await.unwrap().into_iter().map(|resource| resource.uri).collect(),
        client.list_all_resource_templates().await.unwrap().into_iter().map(|template| template.uri_template).collect(),
        client.list_all_prompts().await.unwrap().into_iter().map(|prompt| prompt.name).collect(),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_of_a_list_is_seen() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    for revision in REVISIONS {
        let agent = agent(&app, &app.project.keys.admin, Options::default(), revision).await;
        let able = &agent.client.peer_info().unwrap().capabilities;
        assert!(
            able.resources.is_some() && able.prompts.is_some() && able.completions.is_some() && able.tools.is_some()
        );
        let resources = agent.client.list_resources(None).await.unwrap();
        let templates = agent.client.list_resource_templates(None).await.unwrap();
        let prompts = agent.client.list_prompts(None).await.unwrap();
        for (lifetime, scope) in [
            (resources.ttl_ms, resources.cache_scope),
            (templates.ttl_ms, templates.cache_scope),
            (prompts.ttl_ms, prompts.cache_scope),
        ] {
            assert_eq!((lifetime, scope), (Some(300_000), Some(CacheScope::Private)));
        }
        insta::assert_json_snapshot!("resources", resources.resources);
        insta::assert_json_snapshot!("resource_templates", templates.resource_templates);
        insta::assert_json_snapshot!("prompts", prompts.prompts);
    }
}

async fn a_key_is_offered_what_it_may_read(store: TestStore) {
    let app = TestApp::on(&store).await;
    let keys = &app.project.keys;
    let all = ["localize_change", "review_language", "prepare_release"];
    let resources = ["l10n://project", "l10n://manifest", "l10n://glossary"];
    for (key, own, templates, prompts) in [
        (&keys.admin, 3, 3, &all[..]),
        (&keys.agent, 3, 3, &all[..]),
        (&keys.read, 3, 3, &all[1..2]),
        (&keys.translate, 2, 1, &[]),
        (&keys.capture, 2, 0, &[]),
        // A key that the service does not know is told so by the first request, not by an empty list.
        (&keys.revoked, 3, 3, &all[..]),
    ] {
        let names = names(&agent(&app, key, Options::default(), Revision::New).await).await;
        assert_eq!(names[0], resources[..own]);
        assert_eq!(
            (names[1].len(), &names[2][..]),
            (templates, &prompts.iter().map(|name| name.to_string()).collect::<Vec<_>>()[..])
        );
    }
    // Over HTTP each request has a key of its own.
    let http = Http::of(&app, HttpOptions::default()).await;
    for revision in REVISIONS {
        for (key, templates, prompts) in [(&keys.admin, 3, 3), (&keys.capture, 0, 0), (&keys.read, 3, 1)] {
            let list = http.answer(revision, key, "resources/templates/list", json!({})).await;
            assert_eq!(list["result"]["resourceTemplates"].as_array().map(Vec::len), Some(templates), "{list}");
            let list = http.answer(revision, key, "prompts/list", json!({})).await;
            assert_eq!(list["result"]["prompts"].as_array().map(Vec::len), Some(prompts), "{list}");
        }
        let reference = json!({"type": "ref/prompt", "name": "review_language"});
        for (method, params) in [
            ("resources/list", json!({})),
            ("resources/templates/list", json!({})),
            ("resources/read", json!({"uri": "l10n://project"})),
            ("prompts/list", json!({})),
            ("prompts/get", json!({"name": "review_language", "arguments": {"language": "de"}})),
            ("completion/complete", json!({"ref": reference, "argument": {"name": "language", "value": ""}})),
        ] {
            for key in ["", "eik_a b"] {
                assert_eq!(http.send(revision, key, method, params.clone(), &[]).await.status(), 401, "{method}");
            }
            let answer = http.answer(revision, &keys.admin, method, params).await;
            assert!(answer["result"].is_object(), "{answer}");
        }
    }
}

/// A prompt names tools: without one of them it is not there.
#[tokio::test(flavor = "multi_thread")]
async fn prompts_without_their_tools_are_left_out() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let prompts = async |options: Options| {
        let agent = agent(&app, &app.project.keys.admin, options, Revision::New).await;
        let [resources, templates, prompts] = names(&agent).await;
        assert_eq!((resources.len(), templates.len()), (3, 3), "resources change nothing");
        prompts
    };
    assert_eq!(prompts(Options { read_only: true, ..Options::default() }).await, ["review_language"]);
    let chosen = |tools: &str| Options { tools: tools.parse().unwrap(), ..Options::default() };
    assert_eq!(prompts(chosen("publish")).await, Vec::<String>::new());
    let named = "get_project,find_keys,preview_translation,translate,get_run,translate_document,check_translations";
    assert_eq!(prompts(chosen(named)).await, ["localize_change"]);
    assert_eq!(prompts(chosen("all")).await.len(), 3);
    let server = Server::new(account(&app, &app.project.keys.admin), Options { read_only: true, ..Options::default() });
    let agent = Agent::of(server, Revision::New, Host::plain()).await;
    let message = agent.no_prompt("prepare_release", json!({})).await;
    assert_eq!(message, "there is no prompt `prepare_release`; known: review_language");
}

/// The lists are there while the service is not, for a moment.
#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_down_is_told_by_a_read() {
    let store = TestStore::sqlite().await;
    let mut app = TestApp::on(&store).await;
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    app.address = listener.local_addr().unwrap();
    drop(listener);
    let agent = agent(&app, &app.project.keys.admin, Options::default(), Revision::New).await;
    let resources = agent.client.list_resources(None).await.unwrap();
    assert_eq!((resources.resources.len(), resources.ttl_ms), (3, Some(0)));
    let (code, message, facts) = agent.unread("l10n://project").await;
    assert!(code == -32603 && message.starts_with("unreachable: "), "{code} {message}");
    assert_eq!(facts["error"], "unreachable");
    assert!(matches!(facts["what_to_do"], Value::String(_)), "{facts}");
}
