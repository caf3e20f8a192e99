//! A chat model behind the API of OpenAI, that was told to translate.

use serde_json::{Value, json};

use super::asked::EngineRequest;
use super::behaviour::Behaviour;
use super::hints;
use super::reply::EngineReply;
use super::texts::{MarkupForm, translated};

const FIELDS: &[&str] = &["model", "messages", "temperature", "max_tokens", "max_completion_tokens", "response_format"];

pub(super) fn answer(asked: &mut EngineRequest, key: &str, behaviour: &Behaviour) -> (usize, EngineReply) {
    asked.query(&[]);
    asked.fields(FIELDS);
    let model = asked.text("model").to_owned();
    asked.require(!model.is_empty(), "there is no model");
    let form = asked.body.get("response_format").cloned().unwrap_or(Value::Null);
    let schema = &form["json_schema"];
    match form["type"].as_str() {
        Some("json_schema") => {
            asked.require(schema["strict"] == json!(true) && is_strict(&schema["schema"]), "the schema is not strict");
        }
        Some("json_object") | None => {}
        Some(_) => asked.complain("the form of the answer is not known"),
    }
    let question = question(asked);
    let strings = question["strings"].as_array().cloned().unwrap_or_default();
    asked.require(!strings.is_empty() && strings.len() <= 25, "there are no strings, or too many");
    hints::check(
        asked,
        question.get("style"),
        &strings,
        &["id", "text", "marks", "context", "max_length", "complaint"],
    );
    only_data(asked, &question);
    let field = |string: &Value, name: &str| string[name].as_str().unwrap_or_default().to_owned();
    let (ids, texts): (Vec<_>, Vec<_>) =
        strings.iter().map(|string| (field(string, "id"), field(string, "text"))).unzip();
    let count = texts.len();
    let error = |status: u16, code: &str| EngineReply::json(status, &json!({"error": {"message": code, "code": code}}));
    let refuses = |name: &str| error(400, &format!("Invalid parameter: response_format {name}"));
    let reply = match behaviour {
        _ if asked.header("authorization") != format!("Bearer {key}") => error(401, "invalid_api_key"),
        Behaviour::Status(status) => error(*status, "no"),
        Behaviour::RateLimited(_) | Behaviour::RateLimitedUntil(_) => error(429, "rate_limit_exceeded"),
        Behaviour::QuotaExhausted => error(429, "insufficient_quota"),
        Behaviour::Revoked => error(401, "invalid_api_key"),
        Behaviour::AtMost(most) if count > *most => error(413, "too large"),
        Behaviour::NotWith(word) if texts.iter().any(|text| text.contains(word)) => error(400, "no"),
        Behaviour::SchemaRefused if form["type"] == "json_schema" => refuses("json_schema"),
        Behaviour::FormRefused if !form.is_null() => refuses("of this type"),
        Behaviour::Length if count > 1 => completion(&json!({"content": "{\"transl"}), "length"),
        Behaviour::ContentFilter => completion(&json!({"content": null}), "content_filter"),
        Behaviour::Refusal => completion(&json!({"content": null, "refusal": "I cannot."}), "stop"),
        _ => match translated(&texts, MarkupForm::Plain, behaviour) {
            Ok(texts) => completion(&json!({"content": content(ids, texts, behaviour)}), "stop"),
            Err(complaint) => {
                asked.complain(&complaint);
                error(400, "no")
            }
        },
    };
    (count, reply)
}

/// The JSON in the last message, which is the user's.
fn question(asked: &mut EngineRequest) -> Value {
    let messages = asked.body.get("messages").and_then(Value::as_array).cloned().unwrap_or_default();
    let roles: Vec<_> = messages.iter().map(|message| message["role"].as_str().unwrap_or_default()).collect();
    asked.require(roles.first() == Some(&"system") && roles.last() == Some(&"user"), "the roles are wrong");
    let content = messages.last().and_then(|message| message["content"].as_str()).unwrap_or_default();
    let question = serde_json::from_str(content);
    asked.require(question.is_ok(), "the user's message is no JSON");
    question.unwrap_or(Value::Null)
}

/// Complains of a message before the last one that has words of the style note or of a text's hints: they are data, and stand in
/// the JSON alone.
fn only_data(asked: &mut EngineRequest, question: &Value) {
    let known = ["source", "target", "style", "strings"];
    let fields = question.as_object().into_iter().flat_map(|question| question.keys());
    let unknown: Vec<String> = fields.filter(|name| !known.contains(&name.as_str())).cloned().collect();
    asked.require(unknown.is_empty(), &format!("the question has the unknown {unknown:?}"));
    let mut words = Vec::new();
    question.get("style").into_iter().for_each(|style| collect(style, &mut words));
    for string in question["strings"].as_array().into_iter().flatten() {
        let hints = ["context", "neighbours", "memory"].iter().filter_map(|name| string.get(name));
        hints.for_each(|hint| collect(hint, &mut words));
    }
    let messages = asked.body["messages"].as_array().cloned().unwrap_or_default();
    let instructions = messages.split_last().map_or(&[][..], |(_, before)| before);
    let said = |word: &String| {
        instructions.iter().any(|message| message["content"].as_str().unwrap_or_default().contains(word))
    };
    // Short ones stand everywhere.
    let leaked = words.iter().filter(|word| word.chars().count() > 12).any(said);
    asked.require(!leaked, "a hint stands among the instructions");
}

/// The texts in a value.
fn collect(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| collect(value, into)),
        Value::Object(fields) => fields.values().for_each(|value| collect(value, into)),
        _ => {}
    }
}

/// Returns true if each object of a schema allows nothing else and requires all that it has.
fn is_strict(schema: &Value) -> bool {
    match schema["type"].as_str() {
        Some("object") => {
            let properties = schema["properties"].as_object().cloned().unwrap_or_default();
            let required: Vec<_> =
                schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            schema["additionalProperties"] == json!(false)
                && properties.keys().all(|name| required.contains(&name.as_str()))
                && properties.values().all(is_strict)
        }
        Some("array") => is_strict(&schema["items"]),
        Some(_) => true,
        None => false,
    }
}

fn content(mut ids: Vec<String>, texts: Vec<String>, behaviour: &Behaviour) -> String {
    match behaviour {
        Behaviour::ExtraId => {
            if let Some(id) = ids.last_mut() {
                *id = "99".to_owned();
            }
        }
        Behaviour::DoubledId => {
            if let [first, .., last] = &mut ids[..] {
                last.clone_from(first);
            }
        }
        Behaviour::MissingId => {
            ids.pop();
        }
        _ => {}
    }
    let made: Vec<_> = ids.iter().zip(texts).map(|(id, text)| json!({"id": id, "text": text})).collect();
    let answer = json!({"translations": made}).to_string();
    match behaviour {
        Behaviour::Fence => format!("```json\n{answer}\n```"),
        Behaviour::Prose => format!("Here are your translations:\n{answer}\nAnything else?"),
        Behaviour::SchemaIgnored => "I would rather talk about the weather.".to_owned(),
        _ => answer,
    }
}

fn completion(message: &Value, finish_reason: &str) -> EngineReply {
    let mut message = message.clone();
    message["role"] = json!("assistant");
    let choice = json!({"index": 0, "message": message, "finish_reason": finish_reason});
    let usage = json!({"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2});
    EngineReply::json(
        200,
        &json!({"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "choices": [choice], "usage": usage}),
    )
}
