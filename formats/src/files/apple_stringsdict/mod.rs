//! Format `apple-stringsdict`: plurals of iOS and macOS, as a property list in XML.
//!
//! - An entry whose format is one variable alone (`%#@files@`) is a plural of that name: its **key** is the entry's. Otherwise
//!   the format is a text, and each variable is a plural with the key `entry.variable`; they come and go together.
//! - An entry that varies by width or device is several texts, whose keys are those of a string catalogue of Xcode:
//!   `entry|==|width.20`, `entry|==|device.mac`, `entry|==|device.mac.width.20`; a device may have a plural. They come and go
//!   together.
//! - **Texts** are those of the property list, with every blank. Types of rules and numbers stay.
//! - **Not offered**: entries that say anything else, such as a device with a format of several variables.

mod scan;
#[cfg(test)]
mod tests;

use l10n_api_types::{Content, FormatId};

use super::spliced::{AddedEntry, FileStyle, Grammar, ReplacedValue, Scan, ScanError};
use super::xml::{self, ElementLayout, Entities, Escapes};
use super::{Fit, Habits};

/// Format `apple-stringsdict`.
pub(super) struct AppleStringsdict;

const FORMAT: &str = "NSStringLocalizedFormatKey";
const RULE: &str = "NSStringFormatSpecTypeKey";
const PLURAL: &str = "NSStringPluralRuleType";
const WIDTH: &str = "NSStringVariableWidthRuleType";
const DEVICE: &str = "NSStringDeviceSpecificRuleType";
/// Stands between the key of an entry and the part of it that a text is, as in string catalogues.
const PART: &str = "|==|";
const VALUE_TYPE: &str = "NSStringFormatValueTypeKey";

const ESCAPES: Escapes = Escapes { greater: true, quotes: false };

impl Grammar for AppleStringsdict {
    fn id(&self) -> FormatId {
        FormatId::AppleStringsdict
    }

    fn name(&self) -> &'static str {
        "Stringsdict (Apple)"
    }

    fn media_type(&self) -> &'static str {
        xml::MEDIA_TYPE
    }

    fn habits(&self) -> Habits {
        Habits::APPLE
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["stringsdict"]
    }

    fn plurals(&self) -> &'static str {
        "element"
    }

    fn placeholders(&self) -> &'static str {
        "printf"
    }

    fn fit(&self, bytes: &[u8]) -> Fit {
        if xml::root_name(bytes) == scan::ROOT { Fit::Signs } else { Fit::No }
    }

    fn names_are_texts(&self) -> bool {
        true
    }

    fn scan(&self, text: &str) -> Result<Scan, ScanError> {
        scan::scan(text)
    }

    fn spell(&self, text: &str, written: &ReplacedValue<'_>) -> String {
        xml::plain_spelled(text, (written.raw, written.spelling), written.file.newline, ESCAPES, "string")
    }

    fn spell_name(&self, name: &str, written: &ReplacedValue<'_>) -> Option<String> {
        // The names of several texts are in one entry.
        (!written.raw.contains('<')).then(|| encoded(name, written.file.newline))
    }

    fn fresh(&self, new: &AddedEntry<'_>, file: &FileStyle) -> Option<String> {
        let layout = ElementLayout::beside(new.neighbour.as_ref(), "\t", file.newline);
        let key = |text: &str| format!("<key>{}</key>", encoded(text, file.newline));
        let string = |text: &str| format!("<string>{}</string>", encoded(text, file.newline));
        let mut lines = vec![(0, key(new.name)), (0, "<dict>".to_owned()), (1, key(FORMAT))];
        match new.content {
            Content::Text(text) => lines.push((1, string(text))),
            Content::Plural(plural) => {
                let number = plural.forms.values().find_map(|form| number_of(form)).unwrap_or("d");
                lines.extend([(1, string(&format!("%#@{}@", plural.arg))), (1, key(&plural.arg))]);
                lines.extend([(1, "<dict>".to_owned()), (2, key(RULE)), (2, string(PLURAL))]);
                lines.extend([(2, key(VALUE_TYPE)), (2, string(number))]);
                for (category, text) in plural.forms.categories() {
                    lines.extend([(2, key(category.as_str())), (2, string(text))]);
                }
                lines.push((1, "</dict>".to_owned()));
            }
        }
        lines.push((0, "</dict>".to_owned()));
        Some(layout.write(&lines))
    }

    fn copied(&self, whole: &str, describes: bool) -> Option<String> {
        Some(xml::copied(whole, describes))
    }

    fn blank(&self, _language: &str) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\">\n<dict>\n</dict>\n</plist>\n"
            .to_owned()
    }
}

fn encoded(text: &str, newline: &str) -> String {
    Entities::default().encoded(text, ESCAPES).replace('\n', newline)
}

/// The type of the first number that a text shows: `ld` of `%1$ld`.
fn number_of(text: &str) -> Option<&str> {
    text.match_indices('%').find_map(|(at, _)| {
        let rest = text.get(at + 1..)?;
        let place = rest.trim_start_matches(|char: char| char.is_ascii_digit()).strip_prefix('$');
        let rest = place.unwrap_or(rest);
        let length = rest.trim_start_matches(['h', 'l', 'q', 'z', 't', 'j']);
        let end = rest.len() - length.len() + 1;
        length.starts_with(['d', 'i', 'u', 'f', 'g', 'x']).then(|| rest.get(..end))?
    })
}
