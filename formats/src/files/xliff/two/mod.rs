//! Format `xliff-2`: XLIFF 2.0 to 2.2.
//!
//! - **Keys** are the `name` of a unit, or its `id` where it has none or names do not tell units apart. Each segment of a unit
//!   with several is an entry: `unit␄segment`, by its id or its number; in a file with several `<file>` elements
//!   `file␄unit`. What is `ignorable`, and units that `translate="no"` covers, are not offered.
//! - **Translations** of the state `initial` are missing, as are empty ones; `reviewed` and `final` say that they are reviewed.
//! - **Elements** within a text are tags. What a code stands for (`disp`, `equiv`, `originalData`) is in the description.
//! - **Plurals and genders** of version 2.2 (`pgs:case`) are a segment for each case; none is added.
//! - **Rendering** replaces the inside of `<target>`; a new one comes after the source. `state` is written where files have
//!   it, and a `subState` goes with the state that it belongs to.

mod scan;
#[cfg(test)]
mod tests;

use l10n_api_types::FormatId;
use sha2::{Digest as _, Sha256};

use crate::files::bilingual::{Dialect, IndentedLines, NewUnit, Scan, UnitLanguages, attribute};
use crate::files::gettext::PluralForms;
use crate::files::spliced::ScanError;
use crate::files::xml::{Escapes, Tree};
use crate::files::{Fit, Habits};

/// The first character of the versions.
const MAJOR: char = '2';

/// Format `xliff-2`.
pub(in crate::files) struct Xliff2;

impl Dialect for Xliff2 {
    fn id(&self) -> FormatId {
        FormatId::Xliff2
    }

    fn name(&self) -> &'static str {
        "XLIFF 2"
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
        let (file, name) = super::file_and_name(new.key)?;
        let (file, name) = (file.as_str(), name.as_str());
        // A name that was cut is not known any more; in a file that is there, the key must be read again as it is.
        if scan::key(&[file, name]).ok()? != new.key || (new.is_there && new.by_id != file.is_empty()) {
            return None;
        }
        let text = new.texts.last().filter(|_| new.is_translated());
        let source = new.source.unwrap_or(name);
        let space = super::space_for(source, text);
        let id = attribute(&id_of(name));
        let mut lines = vec![(0, format!("<unit id=\"{id}\" name=\"{}\"{space}>", attribute(name)))];
        if let Some(description) = new.description {
            lines.push((1, "<notes>".to_owned()));
            lines.push((2, format!("<note>{}</note>", new.encoded(description))));
            lines.push((1, "</notes>".to_owned()));
        }
        lines.push((1, "<segment>".to_owned()));
        lines.push((2, format!("<source>{}</source>", new.encoded(source))));
        text.iter().for_each(|text| lines.push((2, format!("<target>{}</target>", new.encoded(text)))));
        lines.push((1, "</segment>".to_owned()));
        lines.push((0, "</unit>".to_owned()));
        Some((file.to_owned(), lines))
    }

    fn around(&self, group: &str, languages: &UnitLanguages<'_>) -> (IndentedLines, IndentedLines, usize) {
        let id = if group.is_empty() { "f1" } else { group };
        let original = languages.original.map(|name| format!(" original=\"{}\"", attribute(name))).unwrap_or_default();
        (vec![(1, format!("<file id=\"{}\"{original}>", attribute(id)))], vec![(1, "</file>".to_owned())], 2)
    }

    fn joins_groups(&self) -> bool {
        true
    }

    fn blank(&self, languages: &UnitLanguages<'_>, groups: &str) -> String {
        let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        let names = "version=\"2.0\" xmlns=\"urn:oasis:names:tc:xliff:document:2.0\"";
        let source = attribute(languages.source.unwrap_or(super::UNKNOWN));
        let target = languages.target.map(|target| format!(" trgLang=\"{}\"", attribute(target))).unwrap_or_default();
        format!("{head}<xliff {names} srcLang=\"{source}\"{target}>\n{groups}</xliff>\n")
    }

    fn escapes(&self) -> Escapes {
        super::USUAL
    }

    fn indent(&self) -> &'static str {
        "  "
    }
}

/// The id of a unit with this name, which it is itself where it can be one.
fn id_of(name: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':');
    if !name.is_empty() && name.chars().all(is_part) {
        return name.to_owned();
    }
    let digits: String = Sha256::digest(name).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("u-{digits}")
}
