//! Azure Translator, as the reference of its version 3.0 describes it. Its key is of a region.

use serde_json::{Value, json};

use super::asked::EngineRequest;
use super::behaviour::Behaviour;
use super::reply::EngineReply;
use super::texts::{MarkupForm, translated};

const LANGUAGES: &str = "af ar bg bn ca cs cy da de el en es et eu fa fi fil fr fr-ca ga gl gu he hi hr hu hy id is it ja ka kk km kn ko lt lv mk ml mn-Cyrl mr ms my nb ne nl pa pl pt pt-pt ro ru sk sl sq sr-Cyrl sr-Latn sv sw ta te th tr uk ur uz vi yue zh-Hans zh-Hant zu";

/// The region of the key.
const REGION: &str = "westeurope";

pub(super) fn answer(asked: &mut EngineRequest, key: &str, behaviour: &Behaviour) -> (usize, EngineReply) {
    let query = asked.query(&["api-version", "from", "to", "textType"]);
    asked.require(query[0] == "3.0", "the version is not 3.0");
    asked.code("from", &query[1], LANGUAGES);
    asked.code("to", &query[2], LANGUAGES);
    let form = if query[3] == "plain" { MarkupForm::Plain } else { MarkupForm::Span("class=\"notranslate\"") };
    asked.require(matches!(&*query[3], "html" | "plain"), "`textType` is not html or plain");
    let texts = texts(asked);
    asked.at_most(&texts, 1_000, 50_000);
    let error = |code: u32, message: &str| {
        let status = u16::try_from(code / 1_000).unwrap_or_default();
        EngineReply::json(status, &json!({"error": {"code": code, "message": message}}))
    };
    let knows =
        asked.header("ocp-apim-subscription-key") == key && asked.header("ocp-apim-subscription-region") == REGION;
    let count = texts.len();
    let reply = match behaviour {
        _ if !knows => error(401_000, "The request is not authorized."),
        Behaviour::Revoked => error(401_000, "The request is not authorized."),
        Behaviour::Status(status) => error(u32::from(*status) * 1_000, "no"),
        Behaviour::RateLimited(_) | Behaviour::RateLimitedUntil(_) => {
            error(429_000, "The client has exceeded request limits.")
        }
        Behaviour::QuotaExhausted => error(403_001, "The subscription has exceeded its free quota."),
        Behaviour::AtMost(most) if count > *most => error(400_072, "The array of input text has too many elements."),
        Behaviour::NotWith(word) if texts.iter().any(|text| text.contains(word)) => error(400_000, "no"),
        _ => match translated(&texts, form, behaviour) {
            Ok(texts) => {
                let made = |text: String| json!({"translations": [{"text": text, "to": query[2]}]});
                EngineReply::json(200, &texts.into_iter().map(made).collect())
            }
            Err(complaint) => {
                asked.complain(&complaint);
                error(400_000, "no")
            }
        },
    };
    (count, reply)
}

/// The texts of a list of objects with nothing else.
fn texts(asked: &mut EngineRequest) -> Vec<String> {
    let items = asked.body.as_array().cloned().unwrap_or_default();
    asked.require(!items.is_empty(), "the body is no list of texts");
    let text = |item: &Value| {
        let fields = item.as_object().filter(|fields| fields.len() == 1)?;
        Some(fields.get("Text")?.as_str()?.to_owned())
    };
    let texts: Option<Vec<_>> = items.iter().map(text).collect();
    asked.require(texts.is_some(), "an item is not `Text` alone");
    texts.unwrap_or_default()
}
