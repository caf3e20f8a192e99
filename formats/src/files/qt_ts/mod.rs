//! Format `qt-ts`: translation sources of Qt (`.ts`).
//!
//! - **Keys** are the context, the source text and, where the message has one, its comment, joined by `␄`; or the `id` of the
//!   message. Messages of the types `vanished` and `obsolete`, and those with length variants, are not offered.
//! - **Translations** of the type `unfinished` are drafts. Writing one takes the type out, and a message without one gets it.
//! - **Plurals** have as many `numerusform` as the file's other translations, or as Qt has for the language.
//! - **Rendering** writes `&apos;`, `&quot;` and `&gt;` as most texts of the file have them. Locations, old sources and comments
//!   stay.

mod rules;
mod scan;
#[cfg(test)]
mod tests;

use l10n_api_types::FormatId;

use super::bilingual::{Dialect, NewUnit, Scan, UnitLanguages, attribute};
use super::gettext::PluralForms;
use super::spliced::ScanError;
use super::xml::{self, Escapes, Tree};
use super::{Fit, Habits, refs};

/// Format `qt-ts`.
pub(super) struct QtTs;

impl Dialect for QtTs {
    fn id(&self) -> FormatId {
        FormatId::QtTs
    }

    fn name(&self) -> &'static str {
        "Qt Linguist (TS)"
    }

    fn habits(&self) -> Habits {
        Habits::UNIX
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ts"]
    }

    fn plurals(&self) -> &'static str {
        "element"
    }

    fn placeholders(&self) -> &'static str {
        "qt"
    }

    fn fit(&self, bytes: &[u8]) -> Fit {
        if xml::root_name(bytes) == scan::ROOT { Fit::Signs } else { Fit::No }
    }

    fn scan(&self, tree: &Tree<'_>) -> Result<Scan, ScanError> {
        scan::scan(tree)
    }

    fn language(&self, tag: &str) -> String {
        tag.replace('-', "_")
    }

    fn forms(&self, language: &str) -> PluralForms {
        rules::forms(language)
    }

    fn fresh(&self, new: &NewUnit<'_>) -> Option<(String, Vec<(usize, String)>)> {
        let parts = refs::texts_of(new.key);
        let (context, name, comment) = match parts.as_slice() {
            [name] => ("", name, None),
            [context, name] => (context.as_str(), name, None),
            [context, name, comment] => (context.as_str(), name, Some(comment.as_str())),
            _ => return None,
        };
        let by_id = new.by_id && parts.len() == 1;
        // Of a key that was cut, the text is known if it is that of the source.
        let is = |source: &str| scan::key(context, source, comment).is_ok_and(|own| own == new.key);
        let source = match new.source {
            Some(source) if by_id || is(source) => source,
            _ => Some(name.as_str()).filter(|name| by_id || is(name))?,
        };
        let mut attributes = String::new();
        if by_id {
            attributes.push_str(&format!(" id=\"{}\"", attribute(name)));
        }
        if new.is_plural {
            attributes.push_str(" numerus=\"yes\"");
        }
        let mut lines = vec![(0, format!("<message{attributes}>"))];
        let mut line = |name: &str, text: &str| lines.push((1, format!("<{name}>{}</{name}>", new.encoded(text))));
        line("source", source);
        comment.iter().for_each(|comment| line("comment", comment));
        new.description.filter(|text| Some(*text) != comment).iter().for_each(|text| line("extracomment", text));
        let kind = if new.is_translated() { "" } else { " type=\"unfinished\"" };
        if new.is_plural {
            lines.push((1, format!("<translation{kind}>")));
            let form = |text: &String| (2, format!("<numerusform>{}</numerusform>", new.encoded(text)));
            lines.extend(new.texts.iter().map(form));
            lines.push((1, "</translation>".to_owned()));
        } else {
            let text = new.texts.first().map(|text| new.encoded(text)).unwrap_or_default();
            lines.push((1, format!("<translation{kind}>{text}</translation>")));
        }
        lines.push((0, "</message>".to_owned()));
        Some((context.to_owned(), lines))
    }

    fn around(
        &self,
        group: &str,
        _languages: &UnitLanguages<'_>,
    ) -> (Vec<(usize, String)>, Vec<(usize, String)>, usize) {
        let name = xml::Entities::default().encoded(group, self.escapes());
        let before = vec![(0, "<context>".to_owned()), (1, format!("<name>{name}</name>"))];
        (before, vec![(0, "</context>".to_owned())], 1)
    }

    fn blank(&self, languages: &UnitLanguages<'_>, groups: &str) -> String {
        let head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE TS>\n";
        let said = |name: &str, language: Option<&str>| {
            language.map(|language| format!(" {name}=\"{}\"", attribute(language))).unwrap_or_default()
        };
        let (target, source) = (said("language", languages.target), said("sourcelanguage", languages.source));
        format!("{head}<TS version=\"2.1\"{target}{source}>\n{groups}</TS>\n")
    }

    fn escapes(&self) -> Escapes {
        scan::USUAL
    }

    fn indent(&self) -> &'static str {
        "    "
    }
}
