//! DeepL, as its reference of the API describes it.

use serde_json::json;

use super::asked::EngineRequest;
use super::behaviour::Behaviour;
use super::deepl_glossaries::Glossary;
use super::reply::EngineReply;
use super::texts::{MarkupForm, translated};

const SOURCES: &str =
    "AR BG CS DA DE EL EN ES ET FI FR HE HU ID IT JA KO LT LV NB NL PL PT RO RU SK SL SV TH TR UK VI ZH";

const TARGETS: &str = "AR BG CS DA DE EL EN-GB EN-US ES ES-419 ET FI FR HE HU ID IT JA KO LT LV NB NL PL PT-BR PT-PT RO RU \
     SK SL SV TH TR UK VI ZH ZH-HANS ZH-HANT";

const FIELDS: &[&str] = &[
    "text",
    "source_lang",
    "target_lang",
    "context",
    "formality",
    "preserve_formatting",
    "split_sentences",
    "tag_handling",
    "tag_handling_version",
    "ignore_tags",
    "glossary_id",
    "show_billed_characters",
];

pub(super) fn answer(
    asked: &mut EngineRequest,
    key: &str,
    behaviour: &Behaviour,
    kept: &[Glossary],
) -> (usize, EngineReply) {
    asked.query(&[]);
    asked.fields(FIELDS);
    asked.language("source_lang", SOURCES);
    asked.language("target_lang", TARGETS);
    asked.require(asked.length <= 131_072, "the body has more than 131,072 bytes");
    let formality = asked.text("formality").to_owned();
    asked.require(matches!(&*formality, "" | "prefer_more" | "prefer_less"), "some languages have no such formality");
    let context = asked.body.get("context").cloned();
    let sound = context.as_ref().is_none_or(|context| context.as_str().is_some_and(|context| !context.is_empty()));
    asked.require(sound, "`context` is no text");
    let texts = asked.texts("text");
    asked.at_most(&texts, 50, usize::MAX);
    let form = match asked.text("tag_handling") {
        "" => MarkupForm::Plain,
        _ => {
            let sound = asked.text("tag_handling") == "xml" && asked.text("tag_handling_version") == "v2";
            asked.require(sound, "tags are not handled as XML, version 2");
            asked.require(asked.body.get("ignore_tags") == Some(&json!(["x"])), "the tags are not ignored");
            MarkupForm::Xml
        }
    };
    let count = texts.len();
    let asked_for = asked.text("glossary_id").to_owned();
    let glossary = kept.iter().find(|glossary| glossary.id == asked_for);
    let fits = glossary.is_none_or(|glossary| glossary.is_for(asked.text("source_lang"), asked.text("target_lang")));
    asked.require(fits, "the glossary is for other languages");
    let with_terms = |text: &String| glossary.map_or_else(|| text.clone(), |glossary| glossary.apply(text));
    let error = |status: u16| EngineReply::json(status, &json!({"message": "no"}));
    let reply = match behaviour {
        _ if asked.header("authorization") != format!("DeepL-Auth-Key {key}") => error(403),
        Behaviour::Status(status) => error(*status),
        Behaviour::RateLimited(_) | Behaviour::RateLimitedUntil(_) => error(429),
        Behaviour::QuotaExhausted => error(456),
        Behaviour::Revoked => error(403),
        Behaviour::AtMost(most) if count > *most => error(413),
        Behaviour::NotWith(word) if texts.iter().any(|text| text.contains(word)) => error(400),
        _ if !asked_for.is_empty() && glossary.is_none() => error(404),
        _ => match translated(&texts, form, behaviour) {
            Ok(texts) => {
                let made: Vec<_> = texts
                    .iter()
                    .map(|text| json!({"detected_source_language": "EN", "text": with_terms(text)}))
                    .collect();
                EngineReply::json(200, &json!({"translations": made}))
            }
            Err(complaint) => {
                asked.complain(&complaint);
                error(400)
            }
        },
    };
    (count, reply)
}
