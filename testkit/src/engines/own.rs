//! A service with the JSON that `docs/engines.md` of the server describes for one's own engines.

use serde_json::{Value, json};

use super::asked::EngineRequest;
use super::behaviour::Behaviour;
use super::hints;
use super::reply::EngineReply;
use super::texts::{MarkupForm, translated};

pub(super) fn answer(asked: &mut EngineRequest, key: &str, behaviour: &Behaviour) -> (usize, EngineReply) {
    asked.query(&[]);
    asked.fields(&["version", "source", "target", "style", "items"]);
    asked.require(asked.body.get("version") == Some(&json!(1)), "the version is not 1");
    let items = asked.body.get("items").and_then(Value::as_array).cloned().unwrap_or_default();
    asked.require(!items.is_empty() && items.len() <= 100, "there are no items, or too many");
    let texts: Vec<String> = items.iter().map(|item| item["text"].as_str().unwrap_or_default().to_owned()).collect();
    asked.require(items.iter().enumerate().all(|(at, item)| item["id"] == json!(at)), "ids are not in order");
    let style = asked.body.get("style").cloned();
    hints::check(
        asked,
        style.as_ref(),
        &items,
        &["id", "text", "placeholders", "description", "maxLength", "complaint"],
    );
    let count = texts.len();
    let error = |status: u16| EngineReply::json(status, &json!({"error": "no"}));
    let reply = match behaviour {
        _ if asked.header("authorization") != format!("Bearer {key}") => error(401),
        Behaviour::Status(status) => error(*status),
        Behaviour::RateLimited(None) | Behaviour::RateLimitedUntil(_) => error(429),
        Behaviour::RateLimited(Some(seconds)) => EngineReply::json(200, &json!({"retryAfterSeconds": seconds})),
        Behaviour::QuotaExhausted => EngineReply::json(200, &json!({"quotaExhausted": true})),
        Behaviour::Revoked => error(401),
        Behaviour::AtMost(most) if count > *most => error(413),
        Behaviour::NotWith(word) if texts.iter().any(|text| text.contains(word)) => error(400),
        _ => match translated(&texts, MarkupForm::Plain, behaviour) {
            Ok(texts) => {
                let made = texts.iter().enumerate().map(|(id, text)| json!({"id": id, "text": text}));
                EngineReply::json(200, &json!({"items": made.collect::<Vec<_>>()}))
            }
            Err(complaint) => {
                asked.complain(&complaint);
                error(400)
            }
        },
    };
    (count, reply)
}
