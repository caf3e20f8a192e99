//! The header of a catalogue: lines `Name: value` in the `msgstr` of the empty `msgid`.

use super::forms::{PluralRule, rule_of};
use crate::locales::{canonicalize, is_same_tag};

const LANGUAGE: &str = "Language";
const PLURAL_FORMS: &str = "Plural-Forms";
const CONTENT_TYPE: &str = "Content-Type";
const UTF_8: &str = "text/plain; charset=UTF-8";

/// The value of a field.
pub(super) fn value<'h>(header: &'h str, name: &str) -> Option<&'h str> {
    let field = |line: &'h str| {
        let (field, value) = line.split_once(':')?;
        field.trim().eq_ignore_ascii_case(name).then(|| value.trim())
    };
    header.lines().find_map(field)
}

/// The language that a header names.
pub(super) fn language(header: &str) -> Option<&str> {
    value(header, LANGUAGE).filter(|language| !language.is_empty())
}

/// The rule of plurals that a header states.
pub(super) fn rule(header: &str) -> Option<PluralRule> {
    PluralRule::parse(value(header, PLURAL_FORMS)?)
}

/// The charset that a header names, unless its files are UTF-8.
pub(super) fn foreign_charset(header: &str) -> Option<&str> {
    let kind = value(header, CONTENT_TYPE)?;
    let (_, charset) = kind.rsplit_once("charset=")?;
    let is_known = ["UTF-8", "UTF8", "ASCII", "US-ASCII", "ANSI_X3.4-1968", "CHARSET", ""]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(charset.trim()));
    (!is_known).then_some(charset.trim())
}

/// The header of a catalogue in a language: that of another one with the fields that a language has of its own.
pub(super) fn in_language(header: &str, tag: &str) -> String {
    let is_its = language(header).is_some_and(|own| is_same_tag(own, tag));
    let mut out = as_utf_8(header);
    if !is_its {
        out = with(&out, LANGUAGE, &tag.replace('-', "_"));
    }
    with_rule(&out, tag, !is_its)
}

/// A header with a rule of plurals.
pub(super) fn with_rule(header: &str, tag: &str, anew: bool) -> String {
    if !anew && rule(header).is_some() { header.to_owned() } else { with(header, PLURAL_FORMS, &rule_of(&tag_of(tag))) }
}

/// A header that says that the file is UTF-8.
pub(super) fn as_utf_8(header: &str) -> String {
    let kind = value(header, CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase();
    if kind.ends_with("charset=utf-8") { header.to_owned() } else { with(header, CONTENT_TYPE, UTF_8) }
}

/// A header with a value in a field.
fn with(header: &str, name: &str, value: &str) -> String {
    let is_field = |line: &str| line.split_once(':').is_some_and(|(field, _)| field.trim().eq_ignore_ascii_case(name));
    let mut out = String::with_capacity(header.len() + 64);
    let mut found = false;
    for line in header.split_inclusive('\n') {
        if !is_field(line) {
            out.push_str(line);
        } else if !found {
            found = true;
            out.push_str(&format!("{name}: {value}\n"));
        }
    }
    if !found {
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        out.push_str(&format!("{name}: {value}\n"));
    }
    out
}

/// The language of a header as BCP 47 spells it; as it stands where it is none.
pub(in crate::files) fn tag_of(language: &str) -> String {
    let language = language.split(['.', '@']).next().unwrap_or(language);
    canonicalize(language).unwrap_or_else(|_| language.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_the_language_are_written_and_others_stay() {
        let template = "Project-Id-Version: x\nLanguage: \nContent-Type: text/plain; charset=CHARSET\nPlural-Forms: nplurals=INTEGER; plural=EXPRESSION;\n";
        let german = "Project-Id-Version: x\nLanguage: de\nContent-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n != 1;\n";
        assert_eq!(in_language(template, "de"), german);
        assert_eq!(in_language(german, "de"), german);
        assert_eq!(language(&in_language(german, "pt-BR")), Some("pt_BR"));
        let own = german.replace("n != 1", "n > 1");
        assert_eq!(in_language(&own, "de"), own, "a file keeps the rule of its language");
        assert_eq!(
            in_language("", "ja"),
            "Content-Type: text/plain; charset=UTF-8\nLanguage: ja\nPlural-Forms: nplurals=1; plural=0;\n"
        );
    }

    #[test]
    fn charsets_other_than_utf_8_are_known() {
        let of = |charset: &str| format!("Content-Type: text/plain; charset={charset}\n");
        assert_eq!(foreign_charset(&of("KOI8-R")), Some("KOI8-R"));
        assert_eq!(foreign_charset(&of("utf-8")), None);
        assert_eq!((tag_of("pt_BR.UTF-8"), tag_of("ca@valencia")), ("pt-BR".to_owned(), "ca".to_owned()));
    }
}
