//! Google Cloud Translation, as its references of versions 2 and 3 describe it.

use serde_json::{Value, json};

use super::asked::EngineRequest;
use super::behaviour::Behaviour;
use super::reply::EngineReply;
use super::texts::{MarkupForm, translated};

const LANGUAGES: &str = "af ar bg bn ca cs cy da de el en es et eu fa fi fr fr-CA ga gl gu hi hr hu hy id is it iw ja ka kk km kn ko lt lv mk ml mr ms my ne nl no pa pl pt pt-BR pt-PT ro ru sk sl sq sr sv sw ta te th tl tr uk ur uz vi yue zh-CN zh-TW zu";

/// Version 2: a key in the query.
pub(super) fn basic(asked: &mut EngineRequest, key: &str, behaviour: &Behaviour) -> (usize, EngineReply) {
    let knows = asked.query(&["key"]) == [key];
    asked.require(asked.header("authorization").is_empty(), "a key is no access token");
    asked.fields(&["q", "source", "target", "format", "model"]);
    asked.language("source", LANGUAGES);
    asked.language("target", LANGUAGES);
    let texts = asked.texts("q");
    asked.at_most(&texts, 128, 5_000);
    let form = form(asked, "format", ["html", "text"]);
    let revoked = || error(400, "API key not valid. Please pass a valid API key.", "badRequest", "API_KEY_INVALID");
    let answer = |made: Value| json!({"data": made});
    (texts.len(), reply(asked, &texts, form, behaviour, knows, revoked, answer))
}

/// Version 3: an access token in a header, and a project in the path.
pub(super) fn advanced(asked: &mut EngineRequest, key: &str, behaviour: &Behaviour) -> (usize, EngineReply) {
    let knows = asked.header("authorization") == format!("Bearer {key}");
    asked.query(&[]);
    asked.fields(&[
        "contents",
        "mimeType",
        "sourceLanguageCode",
        "targetLanguageCode",
        "model",
        "glossaryConfig",
        "labels",
    ]);
    asked.language("sourceLanguageCode", LANGUAGES);
    asked.language("targetLanguageCode", LANGUAGES);
    let texts = asked.texts("contents");
    asked.at_most(&texts, 1_024, 30_000);
    let form = form(asked, "mimeType", ["text/html", "text/plain"]);
    let revoked = || error(401, "Request had invalid authentication credentials.", "authError", "UNAUTHENTICATED");
    (texts.len(), reply(asked, &texts, form, behaviour, knows, revoked, |made| made))
}

fn form(asked: &mut EngineRequest, field: &str, [html, text]: [&str; 2]) -> MarkupForm {
    let stated = asked.text(field).to_owned();
    // It takes texts for HTML where nothing is said.
    asked.require(stated == html || stated == text, &format!("`{field}` is not {html} or {text}"));
    if stated == text { MarkupForm::Plain } else { MarkupForm::Span("translate=\"no\"") }
}

fn error(status: u16, message: &str, reason: &str, code: &str) -> EngineReply {
    let errors = json!([{"message": message, "domain": "global", "reason": reason}]);
    EngineReply::json(status, &json!({"error": {"code": status, "message": message, "errors": errors, "status": code}}))
}

fn reply(
    asked: &mut EngineRequest,
    texts: &[String],
    form: MarkupForm,
    behaviour: &Behaviour,
    knows: bool,
    revoked: impl Fn() -> EngineReply,
    answer: impl Fn(Value) -> Value,
) -> EngineReply {
    let quota = |message: &str, reason: &str| error(403, message, reason, "RESOURCE_EXHAUSTED");
    match behaviour {
        _ if !knows => revoked(),
        Behaviour::Revoked => revoked(),
        Behaviour::Status(status) => error(*status, "no", "backendError", "INTERNAL"),
        Behaviour::RateLimited(None) => quota("User Rate Limit Exceeded", "userRateLimitExceeded"),
        Behaviour::RateLimited(Some(_)) | Behaviour::RateLimitedUntil(_) => {
            error(429, "Resource has been exhausted (e.g. check quota).", "rateLimitExceeded", "RESOURCE_EXHAUSTED")
        }
        Behaviour::QuotaExhausted => quota("Daily Limit Exceeded", "dailyLimitExceeded"),
        Behaviour::AtMost(most) if texts.len() > *most => {
            error(400, "Too many text segments", "invalid", "INVALID_ARGUMENT")
        }
        Behaviour::NotWith(word) if texts.iter().any(|text| text.contains(word)) => {
            error(400, "Invalid Value", "invalid", "INVALID_ARGUMENT")
        }
        _ => match translated(texts, form, behaviour) {
            Ok(texts) => {
                let made: Vec<_> = texts.iter().map(|text| json!({"translatedText": text})).collect();
                EngineReply::json(200, &answer(json!({"translations": made})))
            }
            Err(complaint) => {
                asked.complain(&complaint);
                error(400, "no", "invalid", "INVALID_ARGUMENT")
            }
        },
    }
}
