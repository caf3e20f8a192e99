//! Format `resx`: resources of .NET (`.resx`) and of Windows apps (`.resw`).
//!
//! - **Keys** are the names of `<data>` elements, **texts** their `<value>`, with every blank and line end that it has.
//!   `<comment>` describes. `{0:N2}` is a placeholder, and `{{` is a brace.
//! - **Not offered**: data with a `type` or a `mimetype`, which is no text, and names that begin with `>>`, which the designer
//!   of forms writes. Headers, the schema, attributes and the style of each tag stay.
//! - **Rendering** writes `&amp;`, `&lt;` and, as .NET does, `&gt;`, unless the value has a bare `>`; CDATA stays CDATA.

mod scan;
#[cfg(test)]
mod tests;

use l10n_api_types::FormatId;

use super::plural::one_text;
use super::spliced::{AddedEntry, FileStyle, Grammar, ReplacedValue, Scan, ScanError};
use super::xml::{self, ElementLayout, Entities, Escapes};
use super::{Fit, Habits};

/// Format `resx`.
pub(super) struct Resx;

const ESCAPES: Escapes = Escapes { greater: true, quotes: false };

impl Grammar for Resx {
    fn id(&self) -> FormatId {
        FormatId::Resx
    }

    fn name(&self) -> &'static str {
        "Resources (.NET)"
    }

    fn media_type(&self) -> &'static str {
        xml::MEDIA_TYPE
    }

    fn habits(&self) -> Habits {
        Habits { mark: Some('.'), ..Habits::PLAIN }
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["resx", "resw"]
    }

    fn placeholders(&self) -> &'static str {
        "brace"
    }

    fn fit(&self, bytes: &[u8]) -> Fit {
        if xml::root_name(bytes) == scan::ROOT { Fit::Signs } else { Fit::No }
    }

    fn scan(&self, text: &str) -> Result<Scan, ScanError> {
        scan::scan(text)
    }

    fn spell(&self, text: &str, written: &ReplacedValue<'_>) -> String {
        xml::plain_spelled(text, (written.raw, written.spelling), written.file.newline, ESCAPES, "value")
    }

    fn spell_name(&self, name: &str, _written: &ReplacedValue<'_>) -> Option<String> {
        (!name.is_empty() && !name.starts_with(">>")).then(|| attribute(name))
    }

    fn fresh(&self, new: &AddedEntry<'_>, file: &FileStyle) -> Option<String> {
        if new.name.starts_with(">>") {
            return None;
        }
        let layout = ElementLayout::beside(new.neighbour.as_ref(), "  ", file.newline);
        let encoded = |text: &str| Entities::default().encoded(text, ESCAPES).replace('\n', file.newline);
        let text = encoded(&one_text(new.content.clone()));
        let mut lines = vec![
            (0, format!("<data name=\"{}\" xml:space=\"preserve\">", attribute(new.name))),
            (1, format!("<value>{text}</value>")),
        ];
        if let Some(description) = new.description {
            lines.push((1, format!("<comment>{}</comment>", encoded(description))));
        }
        lines.push((0, "</data>".to_owned()));
        Some(layout.write(&lines))
    }

    fn copied(&self, whole: &str, describes: bool) -> Option<String> {
        Some(xml::copied(whole, describes))
    }

    fn blank(&self, _language: &str) -> String {
        let header = |name: &str, value: &str| {
            format!("  <resheader name=\"{name}\">\n    <value>{value}</value>\n  </resheader>\n")
        };
        let kind = |kind: &str| {
            format!(
                "System.Resources.{kind}, System.Windows.Forms, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089"
            )
        };
        let headers = [
            header("resmimetype", "text/microsoft-resx"),
            header("version", "2.0"),
            header("reader", &kind("ResXResourceReader")),
            header("writer", &kind("ResXResourceWriter")),
        ];
        format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<root>\n{}</root>\n", headers.concat())
    }
}

fn attribute(text: &str) -> String {
    Entities::default().encoded(text, Escapes { greater: true, quotes: true })
}
