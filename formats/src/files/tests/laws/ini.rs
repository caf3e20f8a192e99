//! INI files made at random.

use proptest::prelude::*;

fn entry() -> impl Strategy<Value = String> {
    let name = prop_oneof![6 => "[ab.]{1,3}", 1 => Just("`a = b`".to_owned()), 1 => Just("\"c:\"".to_owned())];
    let sign = prop_oneof![3 => Just("="), 1 => Just(" = "), 1 => Just(": "), 1 => Just("\t=")];
    let part = prop_oneof![
        Just("a"),
        Just("é"),
        Just(" "),
        Just("`"),
        Just("\"x"),
        Just("'"),
        Just("; x"),
        Just("%s"),
        Just("\\n"),
    ];
    let value = prop_oneof![
        4 => prop::collection::vec(part, 0..5).prop_map(|parts| parts.concat()),
        1 => Just("`x\n y` ".to_owned()),
        1 => Just("\"\"\"x`\r\n\"\"\"".to_owned()),
        1 => Just("\"x y \"".to_owned()),
    ];
    (name, sign, value).prop_map(|(name, sign, value)| format!("{name}{sign}{value}"))
}

pub(super) fn file() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        6 => entry(), 2 => "\\[[ab]{1,2}\\]", 1 => Just(String::new()), 1 => Just("; note".to_owned()), 1 => Just("  # x".to_owned()),
    ];
    let end = prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\n\n")];
    let lines = prop::collection::vec((line, end), 0..8);
    let mark = prop_oneof![9 => Just(""), 1 => Just("\u{feff}")];
    let last = prop_oneof![Just(""), Just("last=1"), Just("[last]")];
    (mark, lines, last).prop_map(|(mark, lines, last)| {
        let lines: String = lines.into_iter().map(|(line, end)| line + end).collect();
        [mark, &lines, last].concat().into_bytes()
    })
}
