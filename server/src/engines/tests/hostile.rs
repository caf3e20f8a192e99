//! Large texts made to be slow. Each is done in a moment where the work grows with the text; where it grew with its
//! square, this would take minutes.

use l10n_formats::text::checks::check;

use super::*;

const LARGE: usize = 100_000;

fn repeated(piece: &str) -> String {
    piece.repeat(LARGE / piece.len())
}

#[test]
fn texts_of_half_placeholders_are_read_in_one_pass() {
    for piece in [
        "{",
        "{{",
        "{a,",
        "<a ",
        "<a b='",
        "</",
        "&a",
        "%",
        "%(a",
        "%{",
        "${",
        "$t(",
        "http://",
        "http://.",
        "[%key:",
        "\\",
        "\\u0",
        "'{",
        "''",
        "{n, plural,",
        "{n, plural, other {",
        "](",
        "javascript",
        "<b>",
        "<a onx ",
        "= ",
        "1.",
        "a a ",
        "¿",
    ] {
        let source = text(&repeated(piece));
        let _ = one(&Pseudo, "ar", source.clone());
        let _ = check(&source, &source, "en", "de", Some(10));
        let _ = check(&text("{n, plural, one {#} other {#}}"), &source, "en", "de", Some(10));
    }
}

fn select(cases: usize, body: &str) -> String {
    let cases: String = (0..cases).map(|case| format!(" a{case} {{{body}}}")).collect();
    format!("{{g, select,{cases} other {{{body}}}}}")
}

#[test]
fn a_message_of_many_cases_is_compared_in_one_pass() {
    let many = text(&select(30_000, "x"));
    assert_eq!(errors(&check(&many, &many, "en", "de", None)), Vec::<&Issue>::new());
    assert!(one(&IdentityEngine, "en", many).is_err(), "too many branches");
}

#[test]
fn many_messages_against_a_large_one_are_compared_in_one_pass() {
    let large = text(&select(20_000, "{x}"));
    let many = text(&"{g, select, a {{x}} other {}}".repeat(10_000));
    let _ = check(&large, &many, "en", "de", None);
    let _ = check(&many, &large, "en", "de", None);
    let numberless = text(&format!("{{n, plural, one {{#}} other {{{}}}}}", "{x}".repeat(60_000)));
    let many = text(&"{n, plural, one {} other {{x}}}".repeat(10_000));
    let _ = check(&numberless, &many, "en", "de", None);
    let _ = check(&many, &numberless, "en", "de", None);
}

#[test]
fn plurals_within_plurals_do_not_multiply_a_large_text() {
    for body in [repeated("x "), repeated(". ")] {
        let source = (0..4).fold(body, |inner, n| format!("{{n{n}, plural, other {{{inner}}}}}"));
        assert_eq!(one(&IdentityEngine, "ar", text(&source)).unwrap_err().code(), "source_invalid");
    }
}
