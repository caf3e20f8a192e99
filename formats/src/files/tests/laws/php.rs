//! PHP files made at random.

use proptest::prelude::*;

fn string() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => Just("a"), 1 => Just("é"), 1 => Just(" "), 1 => Just("\\\\"), 1 => Just("\\n"), 1 => Just("\\q"), 1 => Just(":name"),
        1 => Just("\n  "), 1 => Just("]"), 1 => Just(","), 1 => Just("#"), 1 => Just("{0} x|y"), 1 => Just("\\x41"),
    ];
    let text = || prop::collection::vec(part.clone(), 0..5).prop_map(|parts| parts.concat());
    prop_oneof![
        5 => text().prop_map(|text| format!("'{text}\\''")),
        3 => text().prop_map(|text| format!("\"{text}\\\"\\$x\"")),
        1 => (text(), text()).prop_map(|(one, two)| format!("'{one}' . \"{two}\"")),
        1 => text().prop_map(|text| format!("<<<EOT\n    {}\n    EOT", text.replace('\n', "\n  "))),
        1 => Just("<<<'X'\n$a\\n\n\n b\nX".to_owned()),
    ]
}

fn value(indent: String) -> BoxedStrategy<String> {
    let flat = prop_oneof![
        8 => string(),
        2 => prop::sample::select(vec![
            "5", "null", "[]", "array()", "\"{$a['b']}\"", "__('x', [1])", "fn ($x) => [1, 2]", "X::Y", "[ /* c */ ]", "$a ? 'b' : 'c'",
        ]).prop_map(str::to_owned),
        1 => (string(), string()).prop_map(|(one, two)| format!("[{one}, 'k' => {two}]")),
        1 => string().prop_map(move |one| format!("[\n{indent}  {one},\n{indent}  'x'\n{indent}]")),
    ];
    flat.boxed()
}

/// The lines of an array.
fn lines(level: usize, depth: usize, has_tabs: bool) -> BoxedStrategy<String> {
    let indent = if has_tabs { "\t".repeat(level) } else { "    ".repeat(level) };
    let entries: Vec<_> = (0..4)
        .map(|number| {
            let letter = ["a", "b", "c", "d"][number];
            let key = prop_oneof![
                6 => Just(format!("'key_{letter}'")),
                1 => Just(format!("\"q {number}.\"")),
                1 => Just(format!("'d.{letter}'")),
                1 => Just(["'d'", "'d.0'", "7", "'key_a.0'"][number].to_owned()),
            ];
            let own = indent.clone();
            let inner = if depth == 0 {
                value(indent.clone())
            } else {
                prop_oneof![
                    2 => value(indent.clone()),
                    1 => (lines(level + 1, depth - 1, has_tabs), any::<bool>()).prop_map(move |(inner, is_long)| {
                        if is_long { format!("array(\n{inner}{own})") } else { format!("[\n{inner}{own}]") }
                    }),
                ]
                .boxed()
            };
            let above = prop_oneof![
                6 => Just(""), 1 => Just("\n"), 1 => Just("// About it\n"), 1 => Just("/*\n | Title\n */\n"), 1 => Just("# 'key' => 'old',\n"),
            ];
            let after = prop_oneof![8 => Just(",\n"), 1 => Just(", // why\n"), 1 => Just(", /* of\n two lines */\n")];
            let indent = indent.clone();
            (above, key, inner, after).prop_map(move |(above, key, inner, after)| {
                let above = if above.trim().is_empty() { above.to_owned() } else { format!("{indent}{above}") };
                format!("{above}{indent}{key} => {inner}{after}")
            })
        })
        .collect();
    (entries, 0_usize..5, prop::bool::weighted(0.3))
        .prop_map(|(entries, count, is_bare)| {
            let lines: String = entries.into_iter().take(count).collect();
            match lines.strip_suffix(",\n").filter(|_| is_bare) {
                Some(lines) => format!("{lines}\n"),
                None => lines,
            }
        })
        .boxed()
}

pub(super) fn file() -> impl Strategy<Value = Vec<u8>> {
    let head = prop_oneof![
        4 => Just("<?php\n\n"), 1 => Just("<?php "), 1 => Just("\u{feff}<?php\n/** The file */\n"),
        1 => Just("<?php\ndeclare(strict_types=1);\n// Texts\n"),
    ];
    let end = prop_oneof![4 => Just(";\n"), 1 => Just(";"), 1 => Just("; // end\n"), 1 => Just("; ?>\n")];
    let body = prop_oneof![
        4 => lines(1, 2, false).prop_map(|lines| format!("return [\n{lines}]")),
        2 => lines(1, 1, true).prop_map(|lines| format!("return array(\n{lines})")),
        1 => Just("return []".to_owned()),
    ];
    (head, body, end, prop::bool::weighted(0.15)).prop_map(|(head, body, end, is_wide)| {
        let file = [head, &body, end].concat();
        if is_wide { file.replace('\n', "\r\n").into_bytes() } else { file.into_bytes() }
    })
}
