//! LibreTranslate, as its source has it.

use serde_json::json;

use super::asked::EngineRequest;
use super::behaviour::Behaviour;
use super::reply::EngineReply;
use super::texts::{MarkupForm, translated};

const LANGUAGES: &str = "ar az bg bn ca cs da de el en eo es et eu fa fi fr ga gl he hi hu id it ja ko ky lt lv ms nb nl pl pt \
     ro ru sk sl sq sr sv th tl tr uk ur vi zh zt";

/// Most characters of a call; an operator sets it.
const MOST_CHARACTERS: usize = 10_000;

pub(super) fn answer(asked: &mut EngineRequest, key: &str, behaviour: &Behaviour) -> (usize, EngineReply) {
    asked.query(&[]);
    asked.fields(&["q", "source", "target", "format", "alternatives", "api_key"]);
    asked.language("source", LANGUAGES);
    asked.language("target", LANGUAGES);
    let texts = asked.texts("q");
    let form = match asked.text("format") {
        "html" => MarkupForm::Html,
        "text" => MarkupForm::Plain,
        _ => {
            asked.complain("`format` is not html or text");
            MarkupForm::Plain
        }
    };
    let count = texts.len();
    let error = |status: u16, message: &str| EngineReply::json(status, &json!({"error": message}));
    let characters: usize = texts.iter().map(|text| text.chars().count()).sum();
    let reply = match behaviour {
        _ if asked.text("api_key").is_empty() => error(400, "Please contact the server operator to get an API key"),
        _ if asked.text("api_key") != key => error(403, "Invalid API key"),
        _ if characters > MOST_CHARACTERS => error(400, "Invalid request: request exceeds text limit (10000)"),
        Behaviour::Status(status) => error(*status, "no"),
        Behaviour::RateLimited(_) | Behaviour::RateLimitedUntil(_) => error(429, "Slowdown: 30 per 1 minute"),
        Behaviour::QuotaExhausted => error(403, "Forbidden: monthly limit reached"),
        Behaviour::Revoked => error(403, "Invalid API key"),
        Behaviour::AtMost(most) if count > *most => error(400, "Invalid request: request exceeds batch limit (1)"),
        Behaviour::NotWith(word) if texts.iter().any(|text| text.contains(word)) => error(400, "no"),
        _ => match translated(&texts, form, behaviour) {
            Ok(texts) => EngineReply::json(200, &json!({"translatedText": texts})),
            Err(complaint) => {
                asked.complain(&complaint);
                error(400, "no")
            }
        },
    };
    (count, reply)
}
