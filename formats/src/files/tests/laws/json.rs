//! JSON files made at random.

use proptest::prelude::*;

/// A JSON value with blanks and escapes as people and tools leave them.
fn value(depth: u32) -> BoxedStrategy<String> {
    let scalar = prop_oneof![
        6 => string(),
        1 => prop_oneof![Just("1"), Just("-2.5e3"), Just("true"), Just("null"), Just("{}"), Just("[ ]")].prop_map(str::to_owned),
    ];
    if depth == 0 {
        return scalar.boxed();
    }
    prop_oneof![
        3 => scalar,
        2 => object(depth - 1),
        1 => (blank(), prop::collection::vec(value(depth - 1), 1..4)).prop_map(|(blank, items)| {
            format!("[{blank}{}{blank}]", items.join(&format!(",{blank}")))
        }),
    ]
    .boxed()
}

fn blank() -> impl Strategy<Value = String> {
    prop_oneof![Just(""), Just(" "), Just("\n  "), Just("\r\n\t"), Just("\n\n    ")].prop_map(str::to_owned)
}

fn string() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("a"),
        Just(" "),
        Just("\\n"),
        Just("\\u00e9"),
        Just("ü"),
        Just("\\ud83d\\ude00"),
        Just("/"),
        Just("\\/"),
        Just("{{count}}"),
        Just("{n}"),
        Just("\\\""),
        Just("\\\\"),
        Just("%s"),
    ];
    prop::collection::vec(part, 0..6).prop_map(|parts| format!("\"{}\"", parts.concat()))
}

/// Names that differ only in parts that the formats interpret.
fn name() -> impl Strategy<Value = String> {
    let stem = prop_oneof![
        Just("a"),
        Just("b"),
        Just("a.b"),
        Just("c"),
        Just("c_male"),
        Just("@a"),
        Just("__proto__"),
        Just("\\u0061b")
    ];
    let suffix = prop_oneof![
        4 => Just(""), 2 => Just("_one"), 2 => Just("_other"), 1 => Just("_few"), 1 => Just("_zero"),
        1 => Just("_ordinal_one"), 1 => Just("_ordinal_other"),
    ];
    (stem, suffix).prop_map(|(stem, suffix)| format!("{stem}{suffix}"))
}

fn object(depth: u32) -> BoxedStrategy<String> {
    let member = (blank(), blank(), value(depth), blank());
    (prop::collection::btree_map(name(), member, 0..7), blank(), prop::bool::weighted(0.1))
        .prop_map(|(members, end, copy)| {
            let member = |(name, (a, b, value, c)): (&String, &(String, String, String, String))| {
                format!("{a}\"{name}\"{c}:{b}{value}{c}")
            };
            let mut members: Vec<_> = members.iter().map(member).collect();
            if copy {
                members.extend(members.first().cloned());
            }
            format!("{{{}{end}}}", members.join(","))
        })
        .boxed()
}

pub(super) fn file() -> impl Strategy<Value = String> {
    let mark = prop_oneof![9 => Just(""), 1 => Just("\u{feff}")];
    let end = prop_oneof![Just(""), Just("\n"), Just("\r\n")];
    (mark, object(3), end).prop_map(|(mark, object, end)| format!("{mark}{object}{end}"))
}
