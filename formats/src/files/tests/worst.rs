//! The worst nesting and the worst length of every construct, at the size that a file may have: read and written on a small
//! stack, in time that does not grow with the square of the length.

use std::fmt::Write as _;

use super::*;
use crate::files::Entry;
use crate::small_stack::{filled, nested, on_small_stack};

/// Bytes of a file that `POST /sync` takes.
const CAP: usize = 2 * 1024 * 1024;

/// Members until the file is full; `member` gets their number.
fn object_of(size: usize, member: impl Fn(usize) -> String) -> String {
    let mut file = String::from("{");
    for number in 0.. {
        let member = member(number);
        if file.len() + member.len() + 16 > size {
            break;
        }
        let _ = write!(file, "{member},");
    }
    file + "\"last\":\"a\"}"
}

fn broken() -> Vec<String> {
    let mut files: Vec<String> = [
        "[",
        "{",
        "{\"a\":",
        "[{\"a\":",
        "\"",
        "\"a",
        "\"\\",
        "\"\\u",
        "\"\\ud800",
        "\\",
        "/",
        "//",
        "/*",
        "#",
        ",",
        ":",
        "-",
        "9",
        "0",
        "1e",
        "1.",
        "t",
        "n",
        " ",
        "\n",
        "\r",
        "\t",
        "\u{feff}",
        "é",
        "]",
        "}",
        "{}",
        "[]",
        "\"a\":",
        "\u{0}",
    ]
    .iter()
    .flat_map(|unit| [filled(CAP, unit), format!("{{\"a\":{}", filled(CAP - 8, unit))])
    .collect();
    files.push(nested(CAP, "[", "1", "]"));
    files.push(nested(CAP, "{\"a\":", "1", "}"));
    files.push(format!("{{\"a\":\"{}\"}}", filled(CAP - 16, "\\u00e9")) + "x");
    files
}

fn sound(size: usize) -> Vec<String> {
    let object = |member: &dyn Fn(usize) -> String| object_of(size, member);
    let deepest = |inner: &str| format!("{}{inner}{}", "{\"a\":".repeat(128), "}".repeat(128));
    let text = |unit: &str| format!("{{\"a\":\"{}\"}}", filled(size - 16, unit));
    let mut files: Vec<String> = [
        "a",
        "\\n",
        "\\u00e9",
        "\\ud83d\\ude00",
        "é",
        "{a}",
        "{{a}}",
        "{a, plural, ",
        "{n, plural, other {",
        "{{",
        "}}",
        "<b>",
        "%s",
        "'",
        "$t(",
        "\\\\",
    ]
    .map(text)
    .into();
    files.push(deepest("\"x\""));
    files.push(deepest(&object_of(size - 2_000, |number| format!("\"k{number}\":\"{number}\""))));
    files.push(object(&|number| format!("\"key_{number}\":\"a\"")));
    files.push(object(&|number| format!("\"k{number}\":{{\"k\":{{\"k\":\"a\"}}}}")));
    files.push(object(&|number| format!("\"k{number}\":{{}}")));
    files.push(object(&|number| format!("\"k{number}\":[[],[\"a\"],{{}}]")));
    files.push(object(&|_| "\"a\":\"x\"".to_owned()));
    files.push(object(&|_| "\"a\":{\"b\":\"x\"}".to_owned()));
    files.push(object(&|number| format!("\"a{}\":\"x\"", "_other".repeat(number % 80))));
    files.push(object(&|number| format!("\"k{number}_other\":\"x\"")));
    files.push(object(&|number| format!("\"k_{number}_one\":\"x\",\"k_{number}_other\":\"x\"")));
    files.push(object(&|number| format!("\"k_ordinal_{number}\":\"x\",\"k_{number}_ordinal_other\":\"x\"")));
    files.push(object(&|number| format!("\"k{number}\":\"a\",\"@k{number}\":{{\"description\":\"d\",\"x\":[1]}}")));
    files.push(object(&|number| format!("\"@k{number}\":{{}}")));
    files.push(object(&|number| format!("\n\n\t\"k{number}\" \r\n : {{\"a\" :\n[ \"x\" , null ] }}")));
    files.push(format!("{{\"a\":[{}\"x\"]}}", filled(size - 32, "\"x\",")));
    files.push(format!("{{\"a\":{}1{}}}", "[".repeat(120), "]".repeat(120)));
    files.push(format!("{{\"a\":{}}}", "9".repeat(size - 16)));
    files.push(object(&|number| format!("\"{}{number}\":\"x\"", "k".repeat(500))));
    files.push(object(&|number| format!("\"{}\":\"x\"", "a.".repeat(number % 250) + &number.to_string())));
    files
}

const IDS: [&str; 7] = ["json", "i18next", "arb", "chrome", "docusaurus", "formatjs", "laravel-json"];

/// Writes a file unchanged and with other contents, extends it, and writes its contents anew.
fn exercise(id: &str, file: &str) {
    let format = format(id);
    let Ok(document) = format.parse(file.as_bytes()) else { return };
    assert_eq!(unchanged(id, file.as_bytes(), "en"), file.as_bytes());
    let other = format.render(&document, "ru", &|key| key.ends_with('1').then(|| text("x")));
    assert!(format.parse(&other).is_ok());
    let entries: Vec<Entry> = (0..1_000).map(|number| Entry::new(format!("new.{number}"), text("x"))).collect();
    let _ = format.extend(&document, &entries);
    assert!(!format.render_new("ru", &document.entries).is_empty());
}

#[test]
fn the_worst_files_that_are_broken_take_no_more_stack_than_any_other() {
    on_small_stack(|| {
        for file in broken() {
            let _ = IDS.map(|id| format(id).parse(file.as_bytes()).is_ok());
        }
    });
}

/// Smaller ones, which take less time, are written, too: unchanged and with other contents.
#[test]
fn the_worst_files_that_can_be_read_take_no_more_stack_than_any_other() {
    on_small_stack(|| {
        for (at, file) in sound(CAP).iter().enumerate() {
            let _ = format(IDS[at % IDS.len()]).parse(file.as_bytes()).is_ok();
        }
        for file in sound(CAP / 32) {
            IDS.iter().for_each(|id| exercise(id, &file));
        }
    });
}
