//! Texts of files, compared.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use l10n_api_types::{Content, FormatId};
use l10n_formats::files;
use tokio::task::spawn_blocking;

use super::Change;
use crate::domain::ServiceError;

/// A file to read texts from.
#[derive(Debug)]
pub(super) struct ComparedFile {
    pub(super) format: FormatId,
    pub(super) language: String,
    pub(super) namespace: Option<String>,
    pub(super) bytes: Vec<u8>,
}

/// The texts of a language that differ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextChanges {
    /// Texts that only the later side has.
    pub added: usize,
    /// Texts that differ.
    pub changed: usize,
    /// Texts that only the earlier side has.
    pub removed: usize,
    /// The first of them, in the order of their keys.
    pub shown: Vec<TextChange>,
}

impl TextChanges {
    /// The number of texts that differ.
    #[must_use]
    pub fn count(&self) -> usize {
        self.added + self.changed + self.removed
    }
}

/// A text that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextChange {
    /// The namespace of its file, if it has one.
    pub namespace: Option<String>,
    /// Its key in the file.
    pub key: String,
    /// The text of the earlier side.
    pub before: Option<Content>,
    /// The text of the later side.
    pub after: Option<Content>,
}

impl TextChange {
    /// Bytes of its texts.
    pub(crate) fn bytes(&self) -> i64 {
        let sides = self.before.iter().chain(&self.after).map(bytes);
        i64::try_from(sides.sum::<usize>()).unwrap_or(i64::MAX)
    }

    /// The kind of the change.
    #[must_use]
    pub fn change(&self) -> Change {
        match (&self.before, &self.after) {
            (None, _) => Change::Added,
            (Some(_), None) => Change::Removed,
            (Some(_), Some(_)) => Change::Changed,
        }
    }
}

type Texts = BTreeMap<(Option<String>, String), Content>;

/// Compares the texts of files, away from the threads that serve requests; `None` where a file cannot be read.
pub(super) async fn compared(
    before: Vec<ComparedFile>,
    after: Vec<ComparedFile>,
    most: usize,
) -> Result<Option<TextChanges>, ServiceError> {
    let work = spawn_blocking(move || Some(changes(texts(before)?, texts(after)?, most)));
    work.await.map_err(ServiceError::internal)
}

/// The texts of some files. Formats repeat each other: the first that has a text tells it.
fn texts(sources: Vec<ComparedFile>) -> Option<Texts> {
    let mut texts = Texts::new();
    for ComparedFile { format, language, namespace, bytes } in sources {
        let document = files::by_id(format).translations(&bytes, &language).ok()?;
        for entry in document.entries {
            if let Slot::Vacant(slot) = texts.entry((namespace.clone(), entry.key)) {
                slot.insert(entry.content);
            }
        }
    }
    Some(texts)
}

fn bytes(content: &Content) -> usize {
    match content {
        Content::Text(text) => text.len(),
        Content::Plural(plural) => plural.forms.values().map(String::len).sum(),
    }
}

/// A text as people read it: plural forms in lines.
#[must_use]
pub fn said(content: &Content) -> String {
    match content {
        Content::Text(text) => text.clone(),
        Content::Plural(plural) => {
            let forms = plural.forms.iter().map(|(key, form)| format!("{key}: {form}"));
            forms.collect::<Vec<_>>().join("\n")
        }
    }
}

fn changes(mut before: Texts, after: Texts, most: usize) -> TextChanges {
    let mut found = TextChanges::default();
    let mut all = Vec::new();
    for ((namespace, key), text) in after {
        let place = (namespace, key);
        let old = before.remove(&place);
        if old.as_ref() == Some(&text) {
            continue;
        }
        *(if old.is_some() { &mut found.changed } else { &mut found.added }) += 1;
        all.push((place, old, Some(text)));
    }
    found.removed = before.len();
    all.extend(before.into_iter().map(|(place, old)| (place, Some(old), None)));
    all.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    let shown = all.into_iter().take(most);
    found.shown = shown.map(|((namespace, key), before, after)| TextChange { namespace, key, before, after }).collect();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(namespace: Option<&str>, text: &str) -> ComparedFile {
        ComparedFile {
            format: FormatId::Json,
            language: "de".into(),
            namespace: namespace.map(str::to_owned),
            bytes: text.into(),
        }
    }

    fn between(before: Vec<ComparedFile>, after: Vec<ComparedFile>, most: usize) -> TextChanges {
        changes(texts(before).unwrap(), texts(after).unwrap(), most)
    }

    #[test]
    fn texts_are_told_by_namespace_and_key() {
        let before = vec![source(None, r#"{"a": "A", "b": "B", "c": "C"}"#), source(Some("shop"), r#"{"a": "S"}"#)];
        let after = vec![source(None, r#"{"a": "A", "b": "B2", "d": "D"}"#), source(Some("shop"), r#"{"a": "S2"}"#)];
        let found = between(before, after, 3);
        assert_eq!((found.added, found.changed, found.removed), (1, 2, 1));
        let shown: Vec<_> = found.shown.iter().map(|one| (one.key.as_str(), one.change())).collect();
        assert_eq!(shown, [("b", Change::Changed), ("c", Change::Removed), ("d", Change::Added)]);
        assert_eq!(found.shown[0].before, Some(Content::Text("B".into())));
    }

    #[test]
    fn what_only_moved_to_another_file_or_stands_in_two_is_no_difference() {
        let one = || source(None, r#"{"a": "A", "b": "B"}"#);
        let found = between(vec![one()], vec![source(None, r#"{"b": "B"}"#), one()], 10);
        assert_eq!(found, TextChanges::default());
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_compared() {
        assert!(texts(vec![source(None, "{")]).is_none());
    }
}
