//! Format `xliff-1.2`: XLIFF 1.0 to 1.2, as Angular, Symfony, Xcode, .NET and translators' tools write it.
//!
//! - **Keys** are the `resname` of a unit, or its `id` where it has none or resnames do not tell units apart; in a file with
//!   several `<file>` elements `original␄id`.
//! - **Translations** of the state `new` are missing, as are empty ones; those of `needs-…` are drafts; `final`, `signed-off` and
//!   `approved="yes"` say that they are reviewed. Units with `translate="no"` are not offered.
//! - **Elements** within a text are tags; of `<ph>`, `<bpt>`, `<ept>` and `<it>` the code inside belongs to the tag. A
//!   `<seg-source>` is read in place of the `<source>`, so that a translation keeps its segments.
//! - **Plurals** are a unit for each form, as Xcode (`key|==|plural.few`) and others export them; none is added.
//! - **Rendering** replaces the inside of `<target>`; a new one comes after the source. `state` is written where files have it.
//!   What `approved` and `state-qualifier` say of a text goes with it.

mod scan;
#[cfg(test)]
mod tests;

use l10n_api_types::FormatId;

use crate::files::bilingual::{Dialect, IndentedLines, NewUnit, Scan, UnitLanguages, attribute};
use crate::files::gettext::PluralForms;
use crate::files::spliced::ScanError;
use crate::files::xml::{Escapes, Tree};
use crate::files::{Fit, Habits};

/// The first character of the versions.
const MAJOR: char = '1';

/// Format `xliff-1.2`.
pub(in crate::files) struct Xliff1;

impl Dialect for Xliff1 {
    fn id(&self) -> FormatId {
        FormatId::Xliff1
    }

    fn name(&self) -> &'static str {
        "XLIFF 1.2"
    }

    fn habits(&self) -> Habits {
        super::HABITS
    }

    fn extensions(&self) -> &'static [&'static str] {
        &super::EXTENSIONS
    }

    fn placeholders(&self) -> &'static str {
        "tags"
    }

    fn fit(&self, bytes: &[u8]) -> Fit {
        super::fit(bytes, MAJOR)
    }

    fn scan(&self, tree: &Tree<'_>) -> Result<Scan, ScanError> {
        scan::scan(tree)
    }

    fn forms(&self, language: &str) -> PluralForms {
        PluralForms::of_count(1, language)
    }

    fn fresh(&self, new: &NewUnit<'_>) -> Option<(String, IndentedLines)> {
        let (original, id) = super::file_and_name(new.key)?;
        let (original, id) = (original.as_str(), id.as_str());
        // An id that was cut is not known any more; in a file that is there, the key must be read again as it is.
        if scan::key(original, id).ok()? != new.key || (new.is_there && new.by_id != original.is_empty()) {
            return None;
        }
        let text = new.texts.last().filter(|_| new.is_translated());
        let source = new.source.unwrap_or(id);
        let space = super::space_for(source, text);
        let mut lines = vec![(0, format!("<trans-unit id=\"{}\"{space}>", attribute(id)))];
        let mut line = |name: &str, text: &str| lines.push((1, format!("<{name}>{}</{name}>", new.encoded(text))));
        line("source", source);
        text.iter().for_each(|text| line("target", text));
        new.description.iter().for_each(|text| line("note", text));
        lines.push((0, "</trans-unit>".to_owned()));
        Some((original.to_owned(), lines))
    }

    fn around(&self, group: &str, languages: &UnitLanguages<'_>) -> (IndentedLines, IndentedLines, usize) {
        let source = attribute(languages.source.unwrap_or(super::UNKNOWN));
        let target = languages.target.map(|target| format!(" target-language=\"{}\"", attribute(target)));
        let original = attribute(if group.is_empty() { languages.original.unwrap_or_default() } else { group });
        let file = format!(
            "<file original=\"{original}\" source-language=\"{source}\"{} datatype=\"plaintext\">",
            target.unwrap_or_default()
        );
        let line = |depth, text: &str| (depth, text.to_owned());
        (vec![line(1, &file), line(2, "<body>")], vec![line(2, "</body>"), line(1, "</file>")], 3)
    }

    fn joins_groups(&self) -> bool {
        true
    }

    fn blank(&self, _languages: &UnitLanguages<'_>, groups: &str) -> String {
        let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        format!("{head}<xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\n{groups}</xliff>\n")
    }

    fn escapes(&self) -> Escapes {
        super::USUAL
    }

    fn indent(&self) -> &'static str {
        "  "
    }
}
