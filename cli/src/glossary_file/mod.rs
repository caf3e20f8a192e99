//! A glossary as a CSV file: its terms with their places, and its text.

mod csv;
mod fault;

use std::collections::{BTreeMap, BTreeSet};

use l10n_client::api::LanguageCode;
use l10n_client::api::glossary::{GlossaryRule, GlossaryTerm, NewGlossaryTerm};
use l10n_formats::locales::{canonicalize, is_tag_like};

use self::csv::{Record, quoted, records};
use self::fault::GlossaryFileError;

/// The columns beside those of languages.
const COLUMNS: [&str; 5] = ["term", "language", "rule", "case_sensitive", "note"];

/// A term of a file, and the places of its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlacedTerm {
    pub(crate) term: NewGlossaryTerm,
    /// Line and column of each field, by the name of its column.
    places: BTreeMap<String, (u64, u64)>,
}

impl PlacedTerm {
    /// The place of a field, by its name in the API: `rule`, `translations.de`. That of the term for any other.
    pub(crate) fn place(&self, field: &str) -> (u64, u64) {
        let column = match field {
            "caseSensitive" => "case_sensitive",
            field => field.strip_prefix("translations.").unwrap_or(field),
        };
        self.places.get(column).or_else(|| self.places.get("term")).copied().unwrap_or((1, 1))
    }
}

/// Reads a file.
///
/// # Errors
///
/// The first fault.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<PlacedTerm>, GlossaryFileError> {
    let mut records = records(bytes)?.into_iter();
    let Some(head) = records.next() else {
        return Err(GlossaryFileError {
            line: 1,
            column: 1,
            message: "the file is empty: its first line names the columns".into(),
        });
    };
    let columns = columns(&head)?;
    let mut seen = BTreeMap::new();
    let mut terms = Vec::new();
    for record in records {
        let placed = term(&columns, &record)?;
        let name = (placed.term.language.clone(), placed.term.term.clone());
        let place = placed.place("term");
        if let Some((line, _)) = seen.insert(name, place) {
            let message = format!("`{}` is the term of line {line} in the same language", placed.term.term);
            return Err(GlossaryFileError { line: place.0, column: place.1, message });
        }
        terms.push(placed);
    }
    Ok(terms)
}

/// The names of the columns: ours, or canonical language tags.
fn columns(head: &Record) -> Result<Vec<String>, GlossaryFileError> {
    let mut columns: Vec<String> = Vec::new();
    for field in head {
        let name = field.text.trim();
        let lower = name.to_ascii_lowercase();
        let column = match COLUMNS.iter().find(|column| **column == lower) {
            Some(column) => (*column).to_owned(),
            None if is_tag_like(name) => canonicalize(name).map_err(|error| field.fault(error.to_string()))?,
            None => {
                let known = COLUMNS.join(", ");
                let message = format!("unknown column `{name}`: columns are {known}, and language tags such as de");
                return Err(field.fault(message));
            }
        };
        if columns.contains(&column) {
            return Err(field.fault(format!("the column `{column}` is there twice")));
        }
        columns.push(column);
    }
    if !columns.iter().any(|column| column == "term") {
        return Err(GlossaryFileError { line: 1, column: 1, message: "there is no column `term`".into() });
    }
    Ok(columns)
}

fn term(columns: &[String], record: &Record) -> Result<PlacedTerm, GlossaryFileError> {
    let Some(first) = record.first() else {
        return Err(GlossaryFileError { line: 1, column: 1, message: "a line without fields".into() });
    };
    if record.len() != columns.len() {
        let message = format!("{} fields, where the first line has {}", record.len(), columns.len());
        return Err(record.get(columns.len()).unwrap_or(first).fault(message));
    }
    let mut term = NewGlossaryTerm {
        term: String::new(),
        language: None,
        translations: BTreeMap::new(),
        rule: None,
        case_sensitive: None,
        note: None,
    };
    let mut places = BTreeMap::new();
    for (column, field) in columns.iter().zip(record) {
        places.insert(column.clone(), (field.line, field.column));
        let text = field.text.as_str();
        match column.as_str() {
            "term" if text.is_empty() => return Err(field.fault("a term is missing")),
            "term" => text.clone_into(&mut term.term),
            _ if text.is_empty() => {}
            "language" => {
                let code = canonicalize(text).map_err(|error| field.fault(error.to_string()))?;
                term.language = Some(LanguageCode::new(code));
            }
            "rule" => {
                let rule: GlossaryRule = text
                    .parse()
                    .map_err(|_| field.fault(format!("`{text}` is no rule: translate, keep and forbidden are")))?;
                term.rule = Some(rule);
            }
            "case_sensitive" => {
                let is_it = match text.to_ascii_lowercase().as_str() {
                    "true" => true,
                    "false" => false,
                    _ => return Err(field.fault(format!("`{text}` is neither true nor false"))),
                };
                term.case_sensitive = Some(is_it);
            }
            "note" => term.note = Some(text.to_owned()),
            code => {
                term.translations.insert(LanguageCode::new(code), text.to_owned());
            }
        }
    }
    Ok(PlacedTerm { term, places })
}

/// The text of a file with these terms, in their order. The same terms always make the same text.
pub(crate) fn write(terms: &[GlossaryTerm]) -> String {
    let languages: BTreeSet<&LanguageCode> = terms.iter().flat_map(|term| term.translations.keys()).collect();
    let head = COLUMNS.iter().map(|column| (*column).to_owned());
    let mut text = line(head.chain(languages.iter().map(|code| code.to_string())));
    for term in terms {
        let own = [
            term.term.clone(),
            term.language.to_string(),
            term.rule.to_string(),
            term.case_sensitive.to_string(),
            term.note.clone().unwrap_or_default(),
        ];
        let translations = languages.iter().map(|code| term.translations.get(*code).cloned().unwrap_or_default());
        text.push_str(&line(own.into_iter().chain(translations)));
    }
    text
}

fn line(fields: impl Iterator<Item = String>) -> String {
    let fields: Vec<String> = fields.map(|field| quoted(&field)).collect();
    format!("{}\n", fields.join(","))
}

#[cfg(test)]
mod tests {
    use l10n_client::api::GlossaryTermId;
    use proptest::prelude::*;

    use super::*;

    fn fault(text: &str) -> String {
        let GlossaryFileError { line, column, message } = read(text.as_bytes()).unwrap_err();
        format!("{line}:{column}: {message}")
    }

    #[test]
    fn a_file_is_read_with_any_order_of_columns_line_ends_and_a_mark_of_byte_order() {
        let text =
            "\u{feff}Note,pt_br,term,RULE,language\r\n,carrinho,cart,,\r\n\r\n\"a \"\"b\"\",\nc\",,Kasse,forbidden,de";
        let read = read(text.as_bytes()).unwrap();
        let terms: Vec<_> = read.iter().map(|placed| serde_json::to_string(&placed.term).unwrap()).collect();
        assert_eq!(
            terms,
            [
                r#"{"term":"cart","translations":{"pt-BR":"carrinho"}}"#,
                r#"{"term":"Kasse","language":"de","rule":"forbidden","note":"a \"b\",\nc"}"#,
            ]
        );
        assert_eq!((read[0].place("translations.pt-BR"), read[1].place("rule")), ((2, 2), (5, 11)));
    }

    #[test]
    fn a_fault_is_named_with_line_and_column() {
        let faults = [
            "",
            "language,de\n",
            "term,term\n",
            "term,what is this\n",
            "term,de,de\n",
            "term,de\ncart\n",
            "term,de\ncart,Warenkorb,x\n",
            "term,de\n,Warenkorb\n",
            "term,rule\nä,keep\ncart,always\n",
            "term,case_sensitive\ncart,yes\n",
            "term,de\ncart,\"Waren\nkorb\n",
            "term,de\ncart,\"Waren\"korb\n",
            "term,de\ncart,Waren\"korb\n",
            "term,de\ncart,a\ncart,b\n",
        ];
        let faults: Vec<String> = faults.into_iter().map(fault).collect();
        insta::assert_snapshot!(faults.join("\n"), @r"
        1:1: the file is empty: its first line names the columns
        1:1: there is no column `term`
        1:6: the column `term` is there twice
        1:6: unknown column `what is this`: columns are term, language, rule, case_sensitive, note, and language tags such as de
        1:9: the column `de` is there twice
        2:1: 1 fields, where the first line has 2
        2:16: 3 fields, where the first line has 2
        2:1: a term is missing
        3:6: `always` is no rule: translate, keep and forbidden are
        2:6: `yes` is neither true nor false
        2:6: the quote that begins here has no end
        2:13: a comma or the end of the line must follow the quote
        2:11: a quote within a field: put the whole field in quotes, and this one twice
        3:1: `cart` is the term of line 2 in the same language
        ");
        let broken = read(b"term\ncart\nb\xff\n").unwrap_err();
        assert_eq!((broken.line, broken.column, broken.message.as_str()), (3, 2, "not valid UTF-8"));
    }

    fn a_text() -> impl Strategy<Value = String> {
        "[ -~äß€\n\"',;]{0,12}"
    }

    proptest! {
        /// A written file is read back, and written again with the same bytes.
        #[test]
        fn what_is_written_is_read_back(
            texts in proptest::collection::btree_map("[a-z]{1,4}", (a_text(), a_text(), any::<bool>()), 0..5)
        ) {
            let terms: Vec<GlossaryTerm> = texts.into_iter().map(|(term, (german, note, case_sensitive))| GlossaryTerm {
                term_id: GlossaryTermId::new("trm_1"),
                term,
                language: LanguageCode::new("en"),
                translations: [("de", german)].into_iter().filter(|(_, text)| !text.is_empty())
                    .map(|(code, text)| (LanguageCode::new(code), text)).collect(),
                rule: GlossaryRule::Translate,
                case_sensitive,
                note: Some(note).filter(|note| !note.is_empty()),
            }).collect();
            let text = write(&terms);
            let back: Vec<GlossaryTerm> = read(text.as_bytes()).unwrap().into_iter().map(|placed| {
                let NewGlossaryTerm { term, language, translations, rule, case_sensitive, note } = placed.term;
                GlossaryTerm {
                    term_id: GlossaryTermId::new("trm_1"),
                    term,
                    language: language.unwrap(),
                    translations,
                    rule: rule.unwrap(),
                    case_sensitive: case_sensitive.unwrap(),
                    note,
                }
            }).collect();
            prop_assert_eq!(&back, &terms);
            prop_assert_eq!(write(&back), text);
        }

        /// No bytes make the reader panic.
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = read(&bytes);
        }
    }
}
