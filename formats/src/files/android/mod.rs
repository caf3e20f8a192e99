//! Format `android`: string resources (`res/values/strings.xml`), as aapt2 reads them.
//!
//! - **Keys** are names of resources; `name@product` where an element has a `product`, `name[0]` for the items of a
//!   `<string-array>`, which are translated all or none. Keys that no resource can have are in no file.
//!   `<plurals>` have a text for each category.
//! - **Texts** are what an app shows: blanks outside of quotes are one, escapes (`\'`, `\n`, `\u0041`) are characters. Tags
//!   inside a string stay tags of the text, also `<xliff:g>`. Text that the file writes with `&lt;` for `<`, or in CDATA,
//!   shows the character.
//! - **Rendering** writes each text in the style of the one that it replaces: in quotes, in CDATA, with tags, with escaped
//!   tags. `'` gets its backslash where it needs one, also inside tags, and blanks at the edges become `\u0020`.
//! - **Not offered**: `translatable="false"`, references (`@string/x`, `?attr/x`) and all other resources.
//! - **Descriptions** are the comments directly above.

mod scan;
mod spell;
#[cfg(test)]
mod tests;
mod value;

use l10n_api_types::{Content, FormatId};

use super::spliced::{AddedEntry, FileStyle, Grammar, ReplacedValue, Scan, ScanError};
use super::xml::{self, ElementLayout, Entities, Escapes};
use super::{Fit, Habits};

/// The argument that numbers of a plural have in the API; the file does not name it.
const ARG: &str = "count";

/// Format `android`.
pub(super) struct Android;

impl Grammar for Android {
    fn id(&self) -> FormatId {
        FormatId::Android
    }

    fn name(&self) -> &'static str {
        "String resources (Android)"
    }

    fn media_type(&self) -> &'static str {
        xml::MEDIA_TYPE
    }

    fn habits(&self) -> Habits {
        Habits::ANDROID
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["xml"]
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

    fn scan(&self, text: &str) -> Result<Scan, ScanError> {
        scan::scan(text)
    }

    fn spell(&self, text: &str, written: &ReplacedValue<'_>) -> String {
        spell::spelled(text, written.raw, written.spelling)
    }

    fn spell_name(&self, name: &str, written: &ReplacedValue<'_>) -> Option<String> {
        // A name and a product are two attributes.
        let is_one = !written.raw.contains(['"', '\'']) && product_of(name).is_none() && !name.is_empty();
        is_one.then(|| attribute(name))
    }

    fn fresh(&self, new: &AddedEntry<'_>, file: &FileStyle) -> Option<String> {
        let named = named(new.name)?;
        let mut lines = comment(new, file);
        match new.content {
            Content::Text(text) => lines.push((0, format!("<string{named}>{}</string>", spell::spelled(text, "", 0)))),
            Content::Plural(plural) => {
                lines.push((0, format!("<plurals{named}>")));
                for (category, text) in plural.forms.categories() {
                    let text = spell::spelled(text, "", 0);
                    lines.push((1, format!("<item quantity=\"{}\">{text}</item>", category.as_str())));
                }
                lines.push((0, "</plurals>".to_owned()));
            }
        }
        Some(ElementLayout::beside(new.neighbour.as_ref(), "    ", file.newline).write(&lines))
    }

    fn item<'n>(&self, name: &'n str) -> Option<(&'n str, usize)> {
        let (list, index) = name.strip_suffix(']')?.rsplit_once('[')?;
        let at: usize = index.parse().ok()?;
        // No other name is written so.
        (at.to_string() == index).then_some((list, at))
    }

    fn fresh_list(&self, name: &str, texts: &[&str], new: &AddedEntry<'_>, file: &FileStyle) -> Option<String> {
        let named = named(name)?;
        let mut lines = comment(new, file);
        lines.push((0, format!("<string-array{named}>")));
        lines.extend(texts.iter().map(|text| (1, format!("<item>{}</item>", spell::spelled(text, "", 0)))));
        lines.push((0, "</string-array>".to_owned()));
        Some(ElementLayout::beside(new.neighbour.as_ref(), "    ", file.newline).write(&lines))
    }

    fn copied(&self, whole: &str, describes: bool) -> Option<String> {
        Some(xml::copied(whole, describes))
    }

    fn blank(&self, _language: &str) -> String {
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<resources>\n</resources>\n".to_owned()
    }
}

/// The attributes that name a resource. `None` for what aapt2 refuses as a name.
fn named(key: &str) -> Option<String> {
    let (name, product) = match product_of(key) {
        Some((name, product)) => (name, format!(" product=\"{product}\"")),
        None => (key, String::new()),
    };
    let begins = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let is_name = begins && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'));
    is_name.then(|| format!(" name=\"{}\"{product}", attribute(name)))
}

/// The description of a new resource, as lines above it.
fn comment(new: &AddedEntry<'_>, file: &FileStyle) -> Vec<(usize, String)> {
    let description = new.description.filter(|text| !text.contains("--") && !text.ends_with('-'));
    description.map(|text| (0, format!("<!-- {} -->", text.replace('\n', file.newline)))).into_iter().collect()
}

/// The name and the product of a key that has both.
fn product_of(key: &str) -> Option<(&str, &str)> {
    let is_word = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    key.rsplit_once('@').filter(|(name, product)| !name.is_empty() && is_word(product))
}

fn attribute(text: &str) -> String {
    Entities::default().encoded(text, Escapes { greater: false, quotes: true })
}
