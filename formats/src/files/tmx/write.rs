//! Writes units one after the other, so that a file may be larger than memory.

use std::fmt::Write as _;

use l10n_api_types::{Content, PluralKey};

use super::{ENGINE, PLURAL_ARGUMENT, PLURAL_FORM, TmxVariant};
use crate::files::xml::{Entities, Escapes, is_allowed};

/// The end of a file.
pub const END: &str = "  </body>\n</tmx>\n";

/// The beginning of a file whose units are translations from a language.
#[must_use]
pub fn begin(source_language: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tmx version=\"1.4\">\n  \
        <header creationtool=\"l10n\" creationtoolversion=\"{}\" segtype=\"block\" o-tmf=\"l10n\" adminlang=\"en\" \
        srclang=\"{}\" datatype=\"plaintext\"/>\n  <body>\n",
        env!("CARGO_PKG_VERSION"),
        encoded(source_language)
    )
}

/// A unit: a text and its translations. Texts with characters that XML cannot hold are left out, and a unit of which no two
/// texts remain, or whose first text does not, is `None`.
#[must_use]
pub fn unit(variants: &[TmxVariant]) -> Option<String> {
    let mut unit = "    <tu>\n".to_owned();
    let mut written = 0;
    for (at, variant) in variants.iter().enumerate() {
        if is_writable(variant) {
            written += 1;
            push(&mut unit, variant);
        } else if at == 0 {
            return None;
        }
    }
    unit.push_str("    </tu>\n");
    (written >= 2).then_some(unit)
}

fn push(unit: &mut String, variant: &TmxVariant) {
    let prop = |unit: &mut String, kind: &str, value: &str| {
        let _ = write!(unit, "<prop type=\"{kind}\">{}</prop>", encoded(value));
    };
    let _ = write!(unit, "      <tuv xml:lang=\"{}\">", encoded(&variant.language));
    if let Some(engine) = &variant.engine {
        prop(unit, ENGINE, engine);
    }
    let text = match &variant.content {
        Content::Text(text) => text.as_str(),
        Content::Plural(plural) => {
            prop(unit, PLURAL_ARGUMENT, &plural.arg);
            for (key, form) in plural.forms.iter().filter(|(key, _)| *key != PluralKey::OTHER) {
                prop(unit, &format!("{PLURAL_FORM}{key}"), form);
            }
            plural.forms.other().map_or("", String::as_str)
        }
    };
    let _ = writeln!(unit, "<seg>{}</seg></tuv>", encoded(text));
}

fn is_writable(variant: &TmxVariant) -> bool {
    let holds = |text: &str| text.chars().all(is_allowed);
    let texts_hold = match &variant.content {
        Content::Text(text) => holds(text),
        Content::Plural(plural) => holds(&plural.arg) && plural.forms.values().all(|form| holds(form)),
    };
    texts_hold && holds(&variant.language) && variant.engine.as_deref().is_none_or(holds)
}

fn encoded(text: &str) -> String {
    Entities::default().encoded(text, Escapes { greater: true, quotes: true })
}
