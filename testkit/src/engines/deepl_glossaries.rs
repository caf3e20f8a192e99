//! Glossaries that DeepL keeps, as its reference of the API describes them (version 2).

use serde_json::json;

use super::asked::EngineRequest;
use super::behaviour::Behaviour;
use super::reply::EngineReply;

/// The languages that glossaries are in, without regions.
const LANGUAGES: &str =
    "ar bg cs da de el en es et fi fr he hu id it ja ko lt lv nb nl pl pt ro ru sk sl sv th tr uk vi zh";

const FIELDS: &[&str] = &["name", "source_lang", "target_lang", "entries", "entries_format"];

/// The path of all glossaries, behind the folder of the service.
pub(super) const PATH: &str = "/v2/glossaries";

/// A glossary that DeepL keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glossary {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The language of texts.
    pub source: String,
    /// The language of translations.
    pub target: String,
    /// Terms and their translations.
    pub entries: Vec<(String, String)>,
}

impl Glossary {
    /// Translates its terms in a text that is in capital letters.
    pub(super) fn apply(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (term, translation) in &self.entries {
            text = text.replace(&term.to_uppercase(), translation);
        }
        text
    }

    /// Returns whether it may be used for these languages, which may have regions.
    pub(super) fn is_for(&self, source: &str, target: &str) -> bool {
        let base = |code: &str| code.split('-').next().unwrap_or_default().to_ascii_lowercase();
        base(source) == self.source && base(target) == self.target
    }
}

/// Answers a call of glossaries: `POST` makes one, `DELETE` removes one.
pub(super) fn answer(
    asked: &mut EngineRequest,
    key: &str,
    behaviour: &Behaviour,
    kept: &mut Vec<Glossary>,
) -> EngineReply {
    asked.query(&[]);
    let error = |status: u16| EngineReply::json(status, &json!({"message": "no"}));
    let refused = match behaviour {
        _ if asked.header("authorization") != format!("DeepL-Auth-Key {key}") => Some(403),
        Behaviour::Status(status) => Some(*status),
        Behaviour::RateLimited(_) | Behaviour::RateLimitedUntil(_) => Some(429),
        Behaviour::QuotaExhausted => Some(456),
        Behaviour::Revoked => Some(403),
        _ => None,
    };
    if asked.head.method == http::Method::DELETE {
        let id = asked.head.uri.path().rsplit('/').next().unwrap_or_default().to_owned();
        let at = kept.iter().position(|glossary| glossary.id == id);
        return match (refused, at) {
            (Some(status), _) => error(status),
            (None, None) => error(404),
            (None, Some(at)) => {
                kept.remove(at);
                EngineReply::empty(204)
            }
        };
    }
    let made = read(asked, kept.len());
    if let Some(status) = refused {
        return error(status);
    }
    let reply = json!({"glossary_id": made.id, "name": made.name, "ready": true, "source_lang": made.source,
        "target_lang": made.target, "creation_time": "2026-11-21T08:00:00.000Z", "entry_count": made.entries.len()});
    kept.push(made);
    EngineReply::json(201, &reply)
}

/// Reads the glossary to make, and complains of what DeepL would not take.
fn read(asked: &mut EngineRequest, number: usize) -> Glossary {
    asked.fields(FIELDS);
    for name in FIELDS {
        asked.require(!asked.text(name).is_empty(), &format!("`{name}` is empty"));
    }
    asked.language("source_lang", LANGUAGES);
    asked.language("target_lang", LANGUAGES);
    let text = |name: &str| asked.text(name).to_owned();
    let (name, source, target, lines) = (text("name"), text("source_lang"), text("target_lang"), text("entries"));
    asked.require(source != target, "the languages are the same");
    asked.require(name.len() <= 1_024, "the name has more than 1,024 bytes");
    asked.require(asked.text("entries_format") == "tsv", "the entries are not TSV");
    asked.require(lines.len() <= 10 * 1024 * 1024, "the entries have more than 10 MiB");
    let mut entries: Vec<(String, String)> = Vec::new();
    for line in lines.split('\n') {
        let Some((term, translation)) = line.split_once('\t') else {
            asked.complain(&format!("the entry `{line}` has no tab"));
            continue;
        };
        let is_sound = |text: &str| {
            !text.is_empty() && text.len() <= 1_024 && text.trim() == text && !text.contains(char::is_control)
        };
        asked.require(is_sound(term) && is_sound(translation), &format!("the entry `{line}` cannot be one"));
        asked.require(entries.iter().all(|(other, _)| other != term), &format!("`{term}` is there twice"));
        entries.push((term.to_owned(), translation.to_owned()));
    }
    let id = format!("glossary-{}-{number}", name.replace(' ', "-"));
    Glossary { id, name, source, target, entries }
}
