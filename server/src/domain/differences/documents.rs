//! Paragraphs of documents, compared as they are written.

use std::collections::HashMap;

use l10n_api_types::Content;
use l10n_api_types::content::DocumentFormat;
use l10n_formats::documents;
use tokio::task::spawn_blocking;

use super::{Differences, DisplayedTexts, LanguageChanges, TextChange, TextChanges};
use crate::domain::ServiceError;
use crate::domain::content::{ChangedDocument, ChangedFile};

/// A paragraph that differs: its place, and its text before and after.
type Paragraph = (usize, Option<String>, Option<String>);

/// The place of a paragraph that only one side has: the paragraph of both sides before it, told by its text and by how often that
/// stood before, and the distance from there.
type ParagraphKey<'a> = (Option<(&'a str, usize)>, usize);

/// The differences of documents, language by language. A text stands in the namespace of its document, under the number of its
/// paragraph. It takes as long as the documents are.
///
/// # Errors
///
/// Returns an error if the comparison is broken off.
pub(crate) async fn of_documents(
    changed: Vec<ChangedDocument>,
    shown: DisplayedTexts<'_>,
) -> Result<Differences, ServiceError> {
    let (only, most) = (shown.language.map(str::to_owned), shown.most);
    let work = spawn_blocking(move || {
        let mut languages: Vec<LanguageChanges> = Vec::new();
        for ChangedDocument { name, format, files } in changed {
            for file in files {
                if only.as_ref().is_none_or(|only| *only == file.language) {
                    add(&mut languages, &name, format, file, most);
                }
            }
        }
        languages.sort_by(|one, other| one.language.cmp(&other.language));
        Differences { files: Vec::new(), languages }
    });
    work.await.map_err(ServiceError::internal)
}

fn add(languages: &mut Vec<LanguageChanges>, name: &str, format: DocumentFormat, file: ChangedFile, most: usize) {
    let ChangedFile { language, before, after } = file;
    let texts = match languages.iter_mut().find(|known| known.language == language) {
        Some(known) => &mut known.texts,
        None => {
            languages.push(LanguageChanges { language, texts: Some(TextChanges::default()) });
            let Some(last) = languages.last_mut() else { return };
            &mut last.texts
        }
    };
    let (before, after) = (paragraphs(format, before), paragraphs(format, after));
    // The page says of a language that it cannot be compared, rather than show a part of it as all.
    let (Some(found), Some(before), Some(after)) = (texts.as_mut(), before, after) else {
        *texts = None;
        return;
    };
    for (at, before, after) in compared(&before, &after) {
        *match (&before, &after) {
            (None, _) => &mut found.added,
            (Some(_), Some(_)) => &mut found.changed,
            (Some(_), None) => &mut found.removed,
        } += 1;
        if found.shown.len() < most {
            found.shown.push(TextChange {
                namespace: Some(name.to_owned()),
                key: (at + 1).to_string(),
                before: before.map(Content::Text),
                after: after.map(Content::Text),
            });
        }
    }
}

/// The paragraphs of a text as it is written, none of one that is not there; `None` where it cannot be read.
fn paragraphs(format: DocumentFormat, text: Option<Vec<u8>>) -> Option<Vec<String>> {
    let Some(text) = text else { return Some(Vec::new()) };
    let text = String::from_utf8(text).ok()?;
    let document = documents::parse(format, &text).ok()?;
    Some(split(&text, document.segments().iter().map(|segment| segment.range.start)))
}

/// Splits a text into paragraphs. One begins after a blank line, with the line in which a segment begins, and with each further
/// segment of a line; `segments` are their beginnings, in order. So all that is written is in one of them, also code and the
/// targets of links, which no segment has.
fn split(text: &str, segments: impl Iterator<Item = usize>) -> Vec<String> {
    let (mut cuts, mut segments) = (Vec::new(), segments.peekable());
    let (mut begin, mut is_after_blank) = (0, true);
    for line in text.split_inclusive('\n') {
        let end = begin + line.len();
        let mut is_first = true;
        if is_after_blank {
            cuts.push(begin);
        }
        while let Some(segment) = segments.next_if(|segment| *segment < end) {
            cuts.push(if is_first { begin } else { segment });
            is_first = false;
        }
        is_after_blank = line.trim().is_empty();
        begin = end;
    }
    cuts.push(text.len());
    let pieces = cuts.iter().zip(cuts.iter().skip(1)).filter_map(|(from, to)| text.get(*from..*to));
    pieces.map(str::trim).filter(|piece| !piece.is_empty()).map(str::to_owned).collect()
}

/// The paragraphs that differ, in the order of their places. One that only moved is no difference. One that stands where another
/// one stood, between the same neighbours, is a change of that.
fn compared(before: &[String], after: &[String]) -> Vec<Paragraph> {
    let (old, new) = (counted(before), counted(after));
    let both = |text: &str| old.get(text).copied().unwrap_or(0).min(new.get(text).copied().unwrap_or(0));
    let mut left: HashMap<ParagraphKey<'_>, usize> = places(before, both).into_iter().collect();
    let mut found: Vec<Paragraph> = Vec::new();
    for (place, at) in places(after, both) {
        let was = left.remove(&place).and_then(|at| before.get(at)).cloned();
        found.push((at, was, after.get(at).cloned()));
    }
    found.extend(left.into_values().map(|at| (at, before.get(at).cloned(), None)));
    // Of two at one number, the one that goes stands first.
    found.sort_by_key(|(at, _, after)| (*at, after.is_some()));
    found
}

fn counted(paragraphs: &[String]) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for text in paragraphs {
        *counts.entry(text.as_str()).or_default() += 1;
    }
    counts
}

/// The paragraphs beyond those that `both` sides have so many of, by their places.
fn places(paragraphs: &[String], both: impl Fn(&str) -> usize) -> Vec<(ParagraphKey<'_>, usize)> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let (mut anchor, mut distance) = (None, 0);
    let mut places = Vec::new();
    for (at, text) in paragraphs.iter().enumerate() {
        let number = seen.entry(text).or_default();
        *number += 1;
        if *number <= both(text) {
            (anchor, distance) = (Some((text.as_str(), *number)), 0);
        } else {
            places.push(((anchor, distance), at));
            distance += 1;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each letter is a paragraph; the result is one letter pair for each difference.
    fn between(before: &str, after: &str) -> Vec<String> {
        let split = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
        let found = compared(&split(before), &split(after)).into_iter();
        let one = |text: Option<String>| text.unwrap_or_else(|| "-".into());
        found.map(|(at, before, after)| format!("{at}{}{}", one(before), one(after))).collect()
    }

    #[test]
    fn a_paragraph_is_added_changed_or_removed_and_one_that_moved_is_the_same() {
        assert_eq!(between("abc", "abc"), [""; 0]);
        assert_eq!(between("abc", "cab"), [""; 0], "it moved");
        assert_eq!(between("abc", "axc"), ["1bx"]);
        assert_eq!(between("abc", "abxc"), ["2-x"]);
        assert_eq!(between("abc", "ac"), ["1b-"]);
        assert_eq!(between("abcd", "xabyd"), ["0-x", "3cy"], "those behind one that came keep their neighbours");
        assert_eq!(between("aba", "a"), ["1b-", "2a-"], "each is counted as often as it stands");
        assert_eq!(between("", "ab"), ["0-a", "1-b"]);
        assert_eq!(between("ab", ""), ["0a-", "1b-"]);
    }

    #[test]
    fn all_that_is_written_is_in_a_paragraph() {
        let of = |format, text: &str| paragraphs(format, Some(text.into())).unwrap();
        let markdown = "---\ntitle: One\n---\n# Two\n- [three](http://a)\n- four\n  lines\n\n```\ncode\n\nmore\n```\n| a | b |\n|---|---|\n";
        assert_eq!(
            of(DocumentFormat::Markdown, markdown),
            [
                "---",
                "title: One\n---",
                "# Two",
                "- [three](http://a)",
                "- four\n  lines",
                "```\ncode",
                "more\n```",
                "| a |",
                "b |\n|---|---|"
            ]
        );
        let html = "<p title=\"one\">two</p><p>three</p><script>x()</script>";
        assert_eq!(of(DocumentFormat::Html, html).concat(), html, "nothing is left out");
        assert_eq!(of(DocumentFormat::Text, "a\nb\n \nc"), ["a\nb", "c"]);
    }

    #[test]
    fn documents_are_told_apart_and_texts_beyond_the_most_are_counted() {
        let file = |before: &str, after: &str| ChangedFile {
            language: "de".into(),
            before: Some(before.into()),
            after: Some(after.into()),
        };
        let mut languages = Vec::new();
        for (name, before, after) in [("a.md", "Eins\n\nZwei", "Eins\n\nDrei"), ("b.md", "Eins", "Zwei\n\nDrei")] {
            add(&mut languages, name, DocumentFormat::Markdown, file(before, after), 2);
        }
        let texts = languages[0].texts.as_ref().unwrap();
        assert_eq!((texts.added, texts.changed, texts.removed, languages.len()), (1, 2, 0, 1));
        let shown: Vec<_> = texts.shown.iter().map(|one| (one.namespace.as_deref(), one.key.as_str())).collect();
        assert_eq!(shown, [(Some("a.md"), "2"), (Some("b.md"), "1")]);
        let broken = ChangedFile { language: "de".into(), before: Some(vec![0xff]), after: None };
        add(&mut languages, "c.md", DocumentFormat::Markdown, broken, 2);
        assert_eq!(languages[0].texts, None, "nothing is said of a part");
    }
}
