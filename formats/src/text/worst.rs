//! The worst nesting and the worst length of every construct of a text, at the size that a text may have: read and checked
//! on a small stack, in time that does not grow with the square of the length.

use l10n_api_types::{Content, Plural, PluralCategory};

use super::checks::{Checker, Facts};
use super::{Brace, Printf, Syntax, checks, message, placeholders};
use crate::small_stack::{filled, nested, on_small_stack};

/// Bytes of a text that `POST /translate` and `POST /sync` take, nearly.
const CAP: usize = 1024 * 1024;

fn texts(size: usize) -> Vec<String> {
    let mut texts: Vec<String> = [
        "{",
        "}",
        "{}",
        "{a",
        "{a}",
        "{a,",
        "{a, plural",
        "{a, plural,",
        "{a, plural, other",
        "{a, plural, other {",
        "{a, plural, other {}} ",
        "{a, plural, offset:",
        "{a,select,other{b}}",
        "{a, selectordinal, other {#}} ",
        "{{",
        "{{a}}",
        "{{{",
        "'",
        "''",
        "'{",
        "'{'",
        "'#",
        "#",
        "%",
        "%s",
        "%1$s",
        "%(",
        "%(a",
        "%(a)s",
        "%{",
        "%{a}",
        "%%",
        "%@",
        "%9",
        "%*",
        "%*1$",
        "%'",
        "%(a).",
        "%<",
        "%<PRI",
        "% ",
        "{:{a}",
        "{a[",
        "{a[0]",
        "${a[",
        ":a/",
        "$",
        "${",
        "${a}",
        "$t(",
        "$t($t(",
        "$t(a)",
        "[%key:",
        "[",
        "[%key:a%]",
        "{0,choice,",
        "{'",
        "{'a'}",
        "{ $a }",
        "{ \"{",
        "@:",
        "@.a:b",
        "|",
        "|[1,",
        "}}",
        "%<a",
        "%#@a",
        "%L1",
        "$a",
        "<",
        "<a",
        "<b>",
        "</b>",
        "<b></b>",
        "<1>",
        "</1>",
        "<1/>",
        "<b a=\"",
        "<b a='x'>",
        "<b a=\"x\" ",
        "<b a=\"x\">",
        "<script",
        "on=",
        "<a on",
        "<a onx = ",
        "javascript:",
        "<a javascript&#58;",
        "&#106;",
        "&amp;",
        "&",
        "&#",
        "\\",
        "\\n",
        "\\u",
        "\\u00e9",
        "http://",
        "http://a.b/",
        "http://a.b/{",
        "http://a.b/{a}%20",
        "<a title='{a} %s'>",
        "https://a ",
        "mailto:",
        "www.",
        "h",
        "m",
        "a ",
        "a a ",
        "word ",
        "1",
        "1 ",
        "1,2",
        "1.2.3",
        "é",
        "\u{301}",
        "\u{a0}",
        "\n",
        "\r\n",
        " ",
        "\u{200b}",
        ".",
        "?",
        "¿",
        "\"",
        "(",
        "…",
        "a-",
    ]
    .iter()
    .map(|unit| filled(size, unit))
    .collect();
    for (open, inner, close) in [
        ("{a, plural, other {", "x", "}}"),
        ("{a, select, other {", "x", "}}"),
        ("{", "a", "}"),
        ("{{", "a", "}}"),
        ("<b>", "a", "</b>"),
        ("$t(", "a", ")"),
        ("%{", "a", "}"),
        ("'{", "a", "}'"),
        ("[", "a", "]"),
        ("(", "a", ")"),
    ] {
        texts.push(nested(size, open, inner, close));
    }
    texts.push(message_of(|number| format!("=\u{31}{number} {{x}}")));
    texts.push(message_of(|number| format!("=1{number} {{# {{a{number}}} <b>'{{'</b>}}")));
    // Branches that share much, in few and in many.
    let shared: String = (0..20_000).map(|number| format!("{{a{number}}} <b{number}>#</b{number}>")).collect();
    texts.push(format!("{{a, plural, one {{{shared}}} =1 {{}} =2 {{{shared}}} other {{{shared}}}}}"));
    let empty: String = (0..20_000).map(|number| format!("=1{number} {{}} ")).collect();
    texts.push(format!("{{a, plural, {empty} other {{{shared}}}}}"));
    texts.push(format!(
        "{{a, select, {} other {{x}}}}",
        (0..60_000).map(|number| format!("s{number} {{x}}")).collect::<String>()
    ));
    // As deep as a message may nest, and as wide as fits.
    let deepest =
        (0..14).fold(filled(size / 2, "{a} # "), |inner, _| format!("{{a, plural, one {{#}} other {{{inner}}}}}"));
    texts.push(deepest);
    texts.push(
        (0..2_000)
            .fold(String::new(), |text, number| text + &format!("{{a{number}, plural, one {{# a}} other {{# b}}}} ")),
    );
    texts.push((0..9_000).fold(String::new(), |text, _| text + "{a, plural, one {# a} other {# b}} "));
    texts.push(
        (0..9_000).fold(String::new(), |text, number| text + &format!("{{a, select, s{number} {{a}} other {{b}}}} ")),
    );
    texts
}

/// A plural with many branches.
fn message_of(branch: impl Fn(usize) -> String) -> String {
    let branches: String = (0..20_000).map(|number| branch(number) + " ").collect();
    format!("{{a, plural, {branches} other {{x}}}}")
}

fn checked(source: Content, target: Content) {
    let _ = checks::check(&source, &target, "en", "ru", Some(100));
}

#[test]
fn the_worst_texts_are_read_on_a_small_stack() {
    on_small_stack(|| {
        for text in texts(CAP) {
            let scanned = placeholders::scan(&text, Syntax::Mixed);
            let _ = (message::is_message(&text, Syntax::Mixed), message::parse(&text), scanned.len());
        }
        for text in texts(CAP / 16) {
            for syntax in Syntax::all() {
                let _ = placeholders::scan(&text, syntax).len();
            }
        }
    });
}

#[test]
fn the_worst_translations_are_checked_on_a_small_stack() {
    on_small_stack(|| {
        for text in texts(CAP / 8) {
            checked(Content::Text(text.clone()), Content::Text(text.replace('a', "b")));
            checked(Content::Text("a".to_owned()), Content::Text(text));
        }
    });
}

#[test]
fn the_worst_plural_forms_are_checked_on_a_small_stack() {
    let plural = |text: &str| {
        let forms = PluralCategory::ALL.iter().map(|category| (*category, text.to_owned())).collect();
        Content::Plural(Plural { arg: "a".to_owned(), forms })
    };
    on_small_stack(|| {
        for text in texts(CAP / 64) {
            let text = &text[..text.floor_char_boundary(CAP / 64)];
            checked(plural(text), plural(&text.replace('a', "b")));
        }
    });
}

/// Many placeholders and references, each with a name of its own: of another kind than in the source, or none of its.
#[test]
fn the_worst_texts_of_placeholders_that_all_differ_are_checked_on_a_small_stack() {
    // Seven digits keep all as long as the first.
    let numbered = |unit: &str, first: usize| {
        let number = CAP / 4 / unit.replace('N', "1000000").len();
        (first..).take(number).map(|at| unit.replace('N', &at.to_string())).collect::<String>()
    };
    on_small_stack(|| {
        for (syntax, source, target) in [
            (Syntax::Printf(Printf::C), "%N$s ", "%N$d "),
            (Syntax::Printf(Printf::Python), "%(aN)s ", "%(aN)d "),
            (Syntax::Icu, "{aN, number} ", "{aN, date} "),
            (Syntax::Icu, "{aN, select, other {}} ", "{aN, plural, other {}} "),
            (Syntax::Brace(Brace::CSharp), "{N:x} ", "{N,5} "),
            (Syntax::Fluent, "{ $aN } ", "{ $aN -> *[a] b\n} "),
            (Syntax::Fluent, "{ $aN -> *[a] b\n} ", "{ DATE($aN) } "),
            (Syntax::Fluent, "{ -aN } ", "{ aN.b } "),
            (Syntax::Vue, "@:aN ", "{aN} "),
            (Syntax::Mixed, "<aN> ", "https://a.b/N "),
        ] {
            let facts = Facts { syntax, ..Facts::default() };
            let checker = Checker::new("en", "ru");
            let source = Content::Text(numbered(source, 1_000_000));
            for target in [numbered(target, 1_000_000), numbered(target, 3_000_000), "x".to_owned()] {
                let _ = checker.check(&source, &Content::Text(target), facts);
            }
        }
    });
}
