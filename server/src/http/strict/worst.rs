//! The worst nesting and the worst length of every construct of a JSON body, at the size that a body may have.

use l10n_api_types::translations::TranslateBody;
use l10n_formats::small_stack::{filled, nested, on_small_stack};

use super::{Strictness, Tree, read};

/// Bytes of the largest body, that of `POST /sync`.
const CAP: usize = 4 * 1024 * 1024;

fn bodies() -> Vec<String> {
    let mut bodies: Vec<String> = [
        "[",
        "{",
        "{\"a\":",
        "[{\"a\":",
        "{\"keys\":[",
        "\"",
        "\"\\",
        "\"\\ud800",
        "\\u0000",
        ",",
        ":",
        "-",
        "9",
        "1e9",
        "1.",
        " ",
        "\u{feff}",
        "é",
        "]",
        "}",
        "null",
        "[],",
    ]
    .iter()
    .map(|unit| filled(CAP, unit))
    .collect();
    bodies.push(nested(CAP, "[", "1", "]"));
    bodies.push(nested(CAP, "{\"a\":", "1", "}"));
    bodies.push(nested(600, "{\"keys\":", "1", "}"));
    for inner in ["\"\\u0000\"", "\"x\"", "{\"b\":1,\"b\":2}", "[1,[2,[3]]]"] {
        bodies.push(format!("{}{inner}{}", "{\"a\":".repeat(123), "}".repeat(123)));
        bodies.push(format!("{}{inner}{}", "[".repeat(123), "]".repeat(123)));
        bodies.push(format!("{{\"keys\":{}{inner}{}}}", "[".repeat(122), "]".repeat(122)));
    }
    for unit in ["[],", "{},", "\"\",", "1,", "{\"ref\":\"a\",\"text\":\"b\"},", "{\"x\":1},"] {
        bodies.push(format!("{{\"keys\":[{}null]}}", filled(CAP - 32, unit)));
    }
    let many: String = (0..200_000).map(|number| format!("\"a{number}\":1,")).collect();
    bodies.push(format!("{{{many}\"a1\":2}}"));
    bodies.push(format!("{{{many}\"keys\":[]}}"));
    bodies.push(format!("{{\"keys\":[{{\"ref\":\"{}\"}}]}}", filled(CAP - 64, "\\u00e9")));
    bodies
}

#[test]
fn the_worst_bodies_take_no_more_stack_than_any_other() {
    on_small_stack(|| {
        for body in bodies() {
            if let Ok(tree) = Tree::from_json(body.as_bytes()) {
                let _ = read::<TranslateBody>(&tree, "the body", Strictness::Refuse).map_err(|fault| fault.to_string());
                let _ = read::<TranslateBody>(&tree, "the body", Strictness::Ignore).map_err(|fault| fault.to_string());
            }
        }
    });
}
