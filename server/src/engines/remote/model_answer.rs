//! Answers of a chat model, held against the texts that it was asked for: a model may say anything.

use serde::Deserialize;

use super::languages::has_script;
use super::service::BatchResults;
use crate::engines::marks::Marked;
use crate::engines::{TextSegment, UnitError};

/// From this many words on a translation has letters of its language's script. A shorter text may be a name.
const WORDS_WITH_SCRIPT: usize = 4;

#[derive(Deserialize)]
struct Translations {
    translations: Vec<Translation>,
}

#[derive(Deserialize)]
struct Translation {
    id: Id,
    text: String,
}

/// Models that are not held to the schema write numbers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(u64),
}

/// The results of the texts, from the words of the model.
pub(super) fn read(content: &str, target: &str, marked: &[Marked]) -> BatchResults {
    let all = |reason: &str| vec![Err(UnitError::Unusable(reason.to_owned())); marked.len()];
    let Some(answer) = object(content) else { return all("it was not the JSON that was asked for") };
    let mut texts: Vec<Vec<String>> = vec![Vec::new(); marked.len()];
    for Translation { id, text } in answer.translations {
        let id = match id {
            Id::Text(id) => id.parse().ok(),
            Id::Number(id) => usize::try_from(id).ok(),
        };
        match id.and_then(|id| texts.get_mut(id)) {
            Some(texts) => texts.push(text),
            // It may have counted wrong: whose the others are is not known either.
            None => return all("it had an id that was not asked for"),
        }
    }
    let result = |(marked, texts): (&Marked, Vec<String>)| match &texts[..] {
        [] => Err(UnitError::Unusable("it lacked this text's id".to_owned())),
        [text] => accepted(marked, text, target).map_err(|reason| UnitError::Unusable(reason.to_owned())),
        _ => Err(UnitError::Unusable("it had this text's id more than once".to_owned())),
    };
    marked.iter().zip(texts).map(result).collect()
}

/// The object in the words of the model, which may stand in prose or in a code fence.
fn object(content: &str) -> Option<Translations> {
    let (begin, end) = (content.find('{')?, content.rfind('}')?);
    serde_json::from_str(content.get(begin..=end)?).ok()
}

fn accepted(marked: &Marked, text: &str, target: &str) -> Result<Vec<TextSegment>, &'static str> {
    if text.contains("```") && !marked.text.contains("```") {
        return Err("it had a code fence in it");
    }
    if text.chars().count() > 3 * marked.text.chars().count() + 40 {
        return Err("it was more than three times as long as the text");
    }
    let words = marked.text.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count();
    if words >= WORDS_WITH_SCRIPT && !has_script(target, text) {
        return Err("it was not written in the script of the target language");
    }
    Ok(marked.read(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str) -> Marked {
        Marked::new(&[TextSegment::Text(text.to_owned())])
    }

    fn texts(content: &str, target: &str) -> Vec<Result<Vec<TextSegment>, String>> {
        let marked = [marked("Save all the files"), marked("Open")];
        read(content, target, &marked).into_iter().map(|result| result.map_err(|error| error.to_string())).collect()
    }

    fn made(text: &str) -> Result<Vec<TextSegment>, String> {
        Ok(vec![TextSegment::Text(text.to_owned())])
    }

    #[test]
    fn an_answer_is_taken_where_each_id_stands_once() {
        let plain = r#"{"translations":[{"id":"1","text":"Öffnen"},{"id":"0","text":"Alles sichern"}]}"#;
        for content in [plain.to_owned(), format!("Here:\n```json\n{plain}\n```\n"), plain.replace("\"1\"", "1")] {
            assert_eq!(texts(&content, "de"), [made("Alles sichern"), made("Öffnen")], "{content}");
        }
        let one = texts(r#"{"translations":[{"id":"1","text":"Öffnen"}]}"#, "de");
        assert!(one[0].as_ref().unwrap_err().contains("lacked this text's id"));
        assert_eq!(one[1], made("Öffnen"));
        let twice =
            texts(r#"{"translations":[{"id":"1","text":"a"},{"id":"1","text":"b"},{"id":"0","text":"c"}]}"#, "de");
        assert!(twice[0].is_ok() && twice[1].as_ref().unwrap_err().contains("more than once"));
        for wrong in [r#"{"translations":[{"id":"2","text":"a"},{"id":"1","text":"b"}]}"#, "no", "}{", "{}"] {
            assert!(texts(wrong, "de").iter().all(Result::is_err), "{wrong}");
        }
    }

    #[test]
    fn a_text_that_cannot_be_a_translation_is_not_taken() {
        let first = |text: &str, target: &str| {
            let content = serde_json::json!({"translations": [{"id": "0", "text": text}, {"id": "1", "text": "Go"}]});
            texts(&content.to_string(), target).remove(0).map(|_| ()).unwrap_err()
        };
        assert!(first(&"sehr ".repeat(40), "de").contains("three times as long"));
        assert!(first("```Alles```", "de").contains("code fence"));
        assert!(first("Save all the files", "ja").contains("script"));
    }
}
