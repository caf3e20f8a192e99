//! Properties files made at random.

use proptest::prelude::*;

fn line() -> impl Strategy<Value = String> {
    let part = || {
        prop_oneof![
            Just("a"),
            Just("é"),
            Just("\\u00e9"),
            Just("\\ud83d\\ude00"),
            Just(" "),
            Just("\\\n  "),
            Just("\\\\"),
            Just("\\="),
            Just("\\ "),
            Just("\\n"),
            Just("'"),
            Just("{0}"),
            Just("#"),
        ]
    };
    let key = ("[ab.]{1,4}", prop_oneof![3 => Just(""), 1 => Just("\\ x"), 1 => Just("\\\n "), 1 => Just("\\u0436")])
        .prop_map(|(key, rest)| key + rest);
    let sign = prop_oneof![3 => Just("="), 1 => Just(" = "), 1 => Just(": "), 1 => Just(" "), 1 => Just("\\\n = ")];
    let value = prop::collection::vec(part(), 0..6).prop_map(|parts| parts.concat());
    let end = prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\n\n"), 1 => Just("\r")];
    let entry = (key, sign, value, end.clone()).prop_map(|(key, sign, value, end)| format!("{key}{sign}{value}{end}"));
    prop_oneof![
        6 => entry,
        1 => end.prop_map(str::to_owned),
        1 => Just("# note\n".to_owned()),
        1 => Just(" ! more\\\r\n".to_owned()),
        1 => "[ab]{3}\n",
    ]
}

pub(super) fn file() -> impl Strategy<Value = Vec<u8>> {
    let last = prop_oneof![Just(""), Just("last=1"), Just("last")];
    let encoding = prop_oneof![4 => Just(0), 1 => Just(1), 1 => Just(2)];
    (prop::collection::vec(line(), 0..8), last, encoding).prop_map(|(lines, last, encoding)| {
        let text = lines.concat() + last;
        match encoding {
            0 => text.into_bytes(),
            1 => ["\u{feff}", &text].concat().into_bytes(),
            _ => text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect(),
        }
    })
}
