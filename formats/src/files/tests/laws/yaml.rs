//! YAML files made at random.

use proptest::prelude::*;

fn scalar() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => Just("a"), 1 => Just("é"), 1 => Just(" "), 1 => Just("''"), 1 => Just("%{x}"), 1 => Just("x #"), 1 => Just("-"),
        1 => Just("1"), 1 => Just(":"), 1 => Just("\n\n   "), 1 => Just("b c"),
    ];
    let text = || prop::collection::vec(part.clone(), 0..5).prop_map(|parts| parts.concat());
    prop_oneof![
        4 => text(),
        2 => text().prop_map(|text| format!("'{text}'")),
        2 => "[a-z ]{0,5}".prop_map(|text| format!("\"{text}\\n\\u00e9\\\"\"")),
        1 => Just("! 'x'".to_owned()),
        1 => Just("!!str 1".to_owned()),
        1 => prop::sample::select(vec!["yes", "~", "12:30", ":year", "1.5", "", "{}", "[]", "!x y", "'' # note"]).prop_map(str::to_owned),
    ]
}

/// The value of a key whose column is known, from the character after the colon.
fn value(column: usize, number: usize) -> BoxedStrategy<String> {
    let indent = " ".repeat(column + 2);
    let (lines, more, few, items) = (indent.clone(), indent.clone(), indent.clone(), indent);
    prop_oneof![
        6 => scalar().prop_map(move |text| format!(" {}", text.replace("\n   ", &format!("\n{lines}")))),
        1 => prop_oneof![Just("|"), Just(">"), Just("|-"), Just(">+"), Just("| # note")].prop_map(move |head| {
            format!(" {head}\n{more}a: b\n\n{more}c # d")
        }),
        1 => Just(format!(" &x{number} text")),
        1 => (scalar(), scalar()).prop_map(move |(one, other)| {
            let line = |text: &str| text.replace('\n', " ");
            format!("\n{few}one: {}\n{few}other: {}", line(&one), line(&other))
        }),
        1 => prop_oneof![Just(" [a, 'b', 1]"), Just(" {one: a, other: b}"), Just(" {x: a}"), Just(" { other: b, 'one': a,}"), Just(" {x: {one: a, other: b}, z: [a]}")].prop_map(str::to_owned),
        1 => scalar().prop_map(move |text| format!("\n{items}- {}\n{items}- b", text.replace('\n', " "))),
    ]
    .boxed()
}

/// Pairs of a mapping at a column.
fn map(column: usize, depth: usize) -> BoxedStrategy<String> {
    let indent = " ".repeat(column);
    let pairs: Vec<_> = (0..4)
        .map(|number| {
            let name = prop_oneof![
                6 => Just(format!("key_{}", ["a", "b", "c", "d"][number])),
                1 => Just(format!("\"q {number}x\"")),
                1 => Just(format!("'s{number}x'")),
                1 => Just(format!("d.{}", ["a", "b", "c", "d"][number])),
                1 => Just(["d", "d.0", "d.a.b", "key_a.0"][number].to_owned()),
            ];
            let inner = if depth == 0 {
                value(column, number)
            } else {
                prop_oneof![
                    2 => value(column, number),
                    1 => map(column + 2, depth - 1).prop_map(|inner| format!("\n{}", inner.trim_end_matches('\n'))),
                ]
                .boxed()
            };
            let above =
                prop_oneof![6 => Just(""), 1 => Just("\n"), 1 => Just("# About it\n"), 1 => Just("# key: old\n")];
            let indent = indent.clone();
            (above, name, inner).prop_map(move |(above, name, inner)| {
                let above = if above.starts_with('#') { format!("{indent}{above}") } else { above.to_owned() };
                format!("{above}{indent}{name}:{inner}\n")
            })
        })
        .collect();
    (pairs, 1_usize..5).prop_map(|(pairs, count)| pairs.into_iter().take(count).collect()).boxed()
}

pub(super) fn file() -> impl Strategy<Value = Vec<u8>> {
    let body = prop_oneof![2 => map(2, 2).prop_map(|map| format!("en:\n{map}")), 2 => map(0, 2), 1 => Just("en: {}\n".to_owned())];
    let head =
        prop_oneof![4 => Just(""), 1 => Just("---\n"), 1 => Just("\u{feff}# The file\n\n"), 1 => Just("# The file\n")];
    let end = prop_oneof![4 => Just(""), 1 => Just("\n"), 1 => Just("# end\n"), 1 => Just("...\n")];
    (head, body, end, prop::bool::weighted(0.15)).prop_map(|(head, body, end, is_wide)| {
        let file = [head, &body, end].concat();
        if is_wide { file.replace('\n', "\r\n").into_bytes() } else { file.into_bytes() }
    })
}
