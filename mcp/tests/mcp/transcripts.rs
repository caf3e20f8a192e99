//! A call of each tool with its result, kept in `docs/agents/transcripts.md`. `L10N_KEEP_TRANSCRIPTS=1` writes the file anew.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use crate::person::decide_only;
use crate::support::{Agent, Revision};

both_engines!(the_documented_transcripts_are_what_happens);

const FILE: &str = "../docs/agents/transcripts.md";

const BEGIN: &str = "\
# Transcripts

A call of each tool with its result, recorded by a test (`mcp/tests/mcp/transcripts.rs`), which fails when they differ. Ids are
numbered and the address is replaced. A result has two texts, the sentence and the same JSON, and that JSON as structured content.
The engine makes pseudo-translations.
";

/// The transcripts of one conversation.
struct Recorder<'a> {
    app: &'a TestApp,
    agent: Agent,
    text: String,
    tools: BTreeSet<&'static str>,
    ids: BTreeMap<String, String>,
}

impl Recorder<'_> {
    /// Calls a tool and records it under words of ours.
    async fn call(&mut self, words: &str, tool: &'static str, arguments: Value) -> Value {
        let result = self.agent.call(tool, arguments.clone()).await.unwrap();
        let raw = serde_json::to_string(&result).unwrap();
        // The key never comes back, and neither does any other secret.
        assert!(!raw.contains("eik_") && !raw.contains("whsec_"), "{raw}");
        let mut facts = result.structured_content.unwrap();
        // How many requests a call takes is no promise.
        if let Some(left) = facts.pointer_mut("/remaining/requests_this_minute") {
            *left = 99_990.into();
        }
        let sentence = &result.content[0].as_text().unwrap().text;
        if self.tools.insert(tool) {
            self.text.push_str(&format!("\n## {tool}\n"));
        }
        let failed = if result.is_error == Some(true) { " (`isError`)" } else { "" };
        let shown = |value: &Value| serde_json::to_string_pretty(value).unwrap();
        self.text.push_str(&format!(
            "\n{words}\n\n```json\n{}\n```\n\nResult{failed}: {}\n\n```json\n{}\n```\n",
            shown(&arguments),
            sentence.trim(),
            shown(&facts)
        ));
        facts
    }

    /// The text with ids by number and without addresses.
    fn finish(mut self) -> String {
        let text = self.text.replace(&format!("http://{}", self.app.address), "https://l10n.example.com");
        let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
        let mut stable = String::new();
        for word in text.split_inclusive(|letter: char| !(letter.is_ascii_alphanumeric() || "_-".contains(letter))) {
            let end = word.trim_end_matches(|letter: char| !(letter.is_ascii_alphanumeric() || "_-".contains(letter)));
            let kind = end.split_once('_').filter(|(_, id)| id.len() == 26).map(|(kind, _)| format!("{kind}_"));
            let kind = kind.or_else(|| (end.len() == 36 && end.starts_with("cli-")).then(|| "cli-".to_owned()));
            let Some(kind) = kind else {
                stable.push_str(word);
                continue;
            };
            let name = self.ids.entry(end.to_owned()).or_insert_with(|| {
                let number = numbers.entry(kind.clone()).and_modify(|number| *number += 1).or_insert(1);
                format!("{kind}{number}")
            });
            stable.push_str(name);
            stable.push_str(&word[end.len()..]);
        }
        stable
    }
}

async fn the_documented_transcripts_are_what_happens(store: TestStore) {
    let app = TestApp::on(&store).await;
    let agent = Agent::with(&app, &app.project.keys.agent, Revision::New).await;
    let tools = agent.client.list_all_tools().await.unwrap();
    let mut recorder =
        Recorder { app: &app, agent, text: BEGIN.to_owned(), tools: BTreeSet::new(), ids: BTreeMap::new() };
    conversation(&mut recorder).await;
    for tool in &tools {
        assert!(recorder.tools.contains(&*tool.name), "{} has no transcript", tool.name);
    }
    let text = recorder.finish();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if std::env::var_os("L10N_KEEP_TRANSCRIPTS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    for (number, (kept, text)) in kept.lines().zip(text.lines()).enumerate() {
        assert_eq!(kept, text, "docs/agents/transcripts.md:{}; L10N_KEEP_TRANSCRIPTS=1 writes it", number + 1);
    }
    assert_eq!(kept.len(), text.len(), "docs/agents/transcripts.md; L10N_KEEP_TRANSCRIPTS=1 writes it");
}

async fn conversation(to: &mut Recorder<'_>) {
    let service = &to.app.service;
    to.call("The key is of kind `AI agent`: it asks a person before it spends or publishes.", "get_project", json!({}))
        .await;
    let keys = json!([
        {"ref": "cart.title", "text": "Your cart", "description": "Heading of the cart"},
        {"ref": "cart.greeting", "text": "Hello, {name}!"},
    ]);
    to.call("Free, and nothing is written.", "preview_translation", json!({"keys": keys})).await;

    let mut call = json!({"keys": keys, "languages": ["de"], "reason": "The cart page is new."});
    let words = "A client that shows no links tells the model to show one.";
    let asked = to.call(words, "translate", call.clone()).await;
    decide_only(service, true).await;
    call["operation_id"] = asked["operation_id"].clone();
    let words = "A person has approved it at the link. The same call goes through, once.";
    let run = to.call(words, "translate", call.clone()).await;
    to.call("The approval was for one run.", "translate", call).await;
    let token = json!({"tracking_token": run["tracking_token"], "wait_seconds": 0});
    to.call("The state of a run; after `running` it waits up to 50 seconds.", "get_run", token).await;

    to.app.indexed().await;
    let find = json!({"query": "greet", "language": "de", "limit": 1});
    to.call("A part of the ref, the source or a translation.", "find_keys", find).await;
    to.call("All languages of one key.", "get_key", json!({"ref": "cart.title"})).await;
    to.call("A ref that nobody knows.", "get_key", json!({"ref": "cart.titel"})).await;
    to.call("Nothing is wrong; French is missing.", "check_translations", json!({})).await;

    let mut publish = json!({"label": "cart", "languages": ["de"], "reason": "The cart page goes live."});
    let asked = to.call("Publishing needs a person, too.", "publish", publish.clone()).await;
    decide_only(service, false).await;
    publish["operation_id"] = asked["operation_id"].clone();
    to.call("This time the person says no.", "publish", publish.clone()).await;
    publish.as_object_mut().unwrap().remove("operation_id");
    let asked = to.agent.ok("publish", publish.clone()).await;
    decide_only(service, true).await;
    publish["operation_id"] = asked["operation_id"].clone();
    let published = to.call("Asked anew, and approved.", "publish", publish).await;
    let again = json!({"label": "cart", "languages": ["de"], "reason": "Once more."});
    to.call("The same again: nothing changed since.", "publish", again).await;

    to.call("Without a version it lists them.", "restore_version", json!({})).await;
    let restore = json!({"version_id": published["version_id"], "reason": "Go back."});
    to.call("It is live already.", "restore_version", restore).await;
    to.call("Languages that are there already are said.", "add_languages", json!({"codes": ["ja", "de"]})).await;
    let missing = json!({"keys": [{"ref": "cart.empty", "text": "Nothing here", "file": "src/cart.rs", "line": 12}]});
    to.call("Texts that code shows and the project lacks; people decide about them.", "report_missing_keys", missing)
        .await;
    to.call("What people changed on the server and the code lacks.", "list_code_changes", json!({})).await;

    let document = json!({
        "external_id": "docs/cart.md", "content": "# The cart\n\nIt holds what you buy.\n", "languages": ["de"],
        "dry_run": true, "reason": "The manual."
    });
    to.call(
        "The price of a document; with `dry_run` it is registered and not translated.",
        "translate_document",
        document,
    )
    .await;
    to.call("A document's source, in parts.", "get_document", json!({"external_id": "docs/cart.md"})).await;
    let formats = json!({"output_formats": [{"format": "json", "path": "locales/{language}.json"}]});
    to.call("Offered with `--tools all`.", "set_output_formats", formats).await;
    let failed = to.agent.fails("get_key", json!({"ref": "none"})).await;
    let words = "Offered with `--tools all`. A read has no receipt.";
    to.call(words, "get_receipt", json!({"request_id": failed["request_id"]})).await;
}
