//! Catalogues made at random.

use proptest::prelude::*;

fn quoted() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => Just("a"),
        1 => Just("é"),
        1 => Just(" "),
        1 => Just("\\n"),
        1 => Just("\\\\"),
        1 => Just("\\\""),
        1 => Just("%s"),
        1 => Just("\\303\\251"),
        1 => Just("\\x41"),
        1 => Just("\\t"),
        1 => Just("\"\n\""),
        1 => Just("\" \"a"),
    ];
    prop::collection::vec(part, 0..5).prop_map(|parts| format!("\"{}\"", parts.concat()))
}

fn entry() -> impl Strategy<Value = String> {
    let above = prop_oneof![
        4 => Just(""), 1 => Just("#. note\n"), 1 => Just("#, fuzzy\n"), 1 => Just("#, fuzzy, python-format\n#| msgid \"b\"\n"),
        1 => Just("#: x.py:1\n#, python-format, max-length:9\n"), 1 => Just("# by spelling\r\n\n"),
    ];
    let context = prop_oneof![3 => Just(String::new()), 1 => "msgctxt \"[ab]\"\n"];
    let says = prop_oneof![
        4 => quoted().prop_map(|text| format!("msgstr {text}\n")),
        1 => Just("msgstr \"\"\n".to_owned()),
        2 => (quoted(), quoted()).prop_map(|(one, other)| {
            format!("msgid_plural \"as\"\nmsgstr[0] {one}\nmsgstr[1] {other}\n")
        }),
    ];
    (above, context, quoted(), says)
        .prop_map(|(above, context, id, says)| format!("{above}{context}msgid {id}\n{says}"))
}

pub(super) fn file() -> impl Strategy<Value = Vec<u8>> {
    let head = prop_oneof![
        2 => Just(""),
        2 => Just("msgid \"\"\nmsgstr \"\"\n\"Language: fr\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Plural-Forms: nplurals=2; plural=n>1;\\n\"\n\n"),
        1 => Just("#, fuzzy\nmsgid \"\"\nmsgstr \"Language: \\n\"\n"),
        1 => Just("\u{feff}# Title\r\nmsgid \"\"\r\nmsgstr \"Plural-Forms: nplurals=3; plural=n;\\n\"\r\n"),
    ];
    let part = prop_oneof![6 => entry(), 2 => Just("\n".to_owned()), 1 => Just("#~ msgid \"old\"\n#~ msgstr \"x\"\n".to_owned())];
    (head, prop::collection::vec(part, 0..5)).prop_map(|(head, parts)| {
        let mut text = head.to_owned();
        for (at, part) in parts.into_iter().enumerate() {
            // Names differ mostly.
            text.push_str(&part.replacen("msgid \"", &format!("msgid \"{at}"), 1));
        }
        text.into_bytes()
    })
}
