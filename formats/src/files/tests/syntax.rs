//! The syntax of the texts of a file.

use l10n_api_types::FormatId;

use crate::files::{by_id, syntax_of};
use crate::text::{Brace, Printf, Syntax};

fn syntaxes(format: FormatId, file: &str) -> Vec<Syntax> {
    let entries = by_id(format).parse(file.as_bytes()).unwrap().entries;
    entries.iter().map(|entry| syntax_of(format, entry)).collect()
}

#[test]
fn a_catalogue_of_gettext_says_the_syntax_with_flags() {
    let file = "#, python-format, no-wrap\nmsgid \"a\"\nmsgstr \"\"\n\n#, no-c-format\nmsgid \"b\"\nmsgstr \"\"\n\n\
        #, no-c-format, python-brace-format\nmsgid \"c\"\nmsgstr \"\"\n\nmsgid \"d\"\nmsgstr \"\"\n";
    let expected = [Syntax::Printf(Printf::Python), Syntax::Plain, Syntax::Brace(Brace::Python), Syntax::Mixed];
    assert_eq!(syntaxes(FormatId::Gettext, file), expected);
}

#[test]
fn a_text_of_properties_with_an_argument_is_one_of_message_format() {
    let expected = [Syntax::Brace(Brace::JavaMessage), Syntax::Brace(Brace::JavaMessage), Syntax::Mixed];
    assert_eq!(syntaxes(FormatId::Properties, "a={0} files\nb=it''s\nc=it's %s\n"), expected);
}

#[test]
fn only_a_yaml_file_of_rails_has_placeholders_of_ruby() {
    assert_eq!(syntaxes(FormatId::Yaml, "en:\n  a: Hi %{name}\n"), [Syntax::Ruby]);
    assert_eq!(syntaxes(FormatId::Yaml, "a: Hi {{ .Name }}\nb: c\n"), [Syntax::Mixed, Syntax::Mixed]);
}
