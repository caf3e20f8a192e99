//! Strings files made at random.

use proptest::prelude::*;

fn quoted() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("a"),
        Just("é"),
        Just(" "),
        Just("\\n"),
        Just("\\U00e9"),
        Just("\\\\"),
        Just("\\'"),
        Just("\\\""),
        Just("\n"),
        Just("%@"),
        Just("\\Ud83d\\Ude00"),
        Just("/*"),
        Just(";"),
        Just("\\101"),
    ];
    (prop::collection::vec(part, 0..5), any::<bool>()).prop_map(|(parts, single)| {
        let quote = if single { "'" } else { "\"" };
        format!("{quote}{}{quote}", parts.concat())
    })
}

fn blank() -> impl Strategy<Value = &'static str> {
    prop_oneof![4 => Just(""), 3 => Just(" "), 1 => Just("\n"), 1 => Just("/* x */"), 1 => Just("\u{2028}")]
}

fn entry() -> impl Strategy<Value = String> {
    let word = || prop_oneof![4 => quoted(), 1 => "[a-c_.]{1,3}"];
    let value = prop_oneof![6 => (blank(), blank(), word()).prop_map(|(a, b, word)| format!("{a}={b}{word}")), 1 => Just(String::new())];
    let end =
        prop_oneof![4 => Just(";\n"), 1 => Just(";\r\n"), 1 => Just("; "), 1 => Just(";"), 1 => Just(" ; // y\n")];
    (word(), value, end).prop_map(|(name, value, end)| format!("{name}{value}{end}"))
}

pub(super) fn file() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        6 => entry(), 1 => Just("\n".to_owned()), 1 => Just("/* note\n * more */\n".to_owned()), 1 => Just("// z\r\n".to_owned()),
        1 => Just("\t".to_owned()),
    ];
    let encoding = prop_oneof![4 => Just(0), 1 => Just(1), 1 => Just(2), 1 => Just(3)];
    (prop::collection::vec(part, 0..7), encoding).prop_map(|(parts, encoding)| {
        let text = parts.concat();
        let wide = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect()
        };
        match encoding {
            0 => text.into_bytes(),
            1 => ["\u{feff}", &text].concat().into_bytes(),
            2 => wide(u16::to_le_bytes),
            _ => wide(u16::to_be_bytes),
        }
    })
}
