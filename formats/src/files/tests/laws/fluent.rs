//! Files of Fluent.

use proptest::prelude::*;

/// A pattern with its first blanks.
fn pattern() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        6 => Just("a"), 1 => Just("\u{e9}"), 2 => Just(" "), 2 => Just("{ $x }"), 1 => Just("{-b(c: \"d\")}"), 1 => Just("{\" \"}"),
        1 => Just("{ \"\" }"), 1 => Just("\n     b"), 1 => Just("\n\n    [" ), 1 => Just("\n      {\"[\"}"), 1 => Just("\n{ F($x, y: 1) }"),
        1 => Just("{\"{\"}"), 1 => Just("*.#"), 1 => Just("\t"),
    ];
    let choice = prop_oneof![
        Just(" { $n ->\n    [one] a\n   *[other] b { $n }\n }"),
        Just(
            "\n    { $n ->\n        [one] a\n        [few] {\"\"}\n       *[many]\n            b\n              c\n    }"
        ),
        Just(" { $n ->\n[0] a\n*[other] b\n}"),
        Just(" x { $n ->\n*[other] b\n} y"),
    ];
    let blank = prop_oneof![Just(""), Just(" "), Just("\n    "), Just("  ")];
    let text =
        (blank, prop::collection::vec(part, 1..6)).prop_map(|(blank, parts)| format!("{blank}{}", parts.concat()));
    prop_oneof![4 => text.boxed(), 1 => choice.prop_map(str::to_owned).boxed()]
}

fn entry(number: usize) -> impl Strategy<Value = String> {
    let above = prop_oneof![3 => Just(""), 1 => Just("# said\n"), 1 => Just("## Group\n\n"), 1 => Just("junk\n"), 1 => Just("\n")];
    let attributes = prop::collection::vec(pattern(), 0..3);
    let end = prop_oneof![4 => Just("\n"), 1 => Just("\n\n"), 1 => Just("  \n")];
    (above, prop::option::weighted(0.8, pattern()), attributes, any::<bool>(), end).prop_map(
        move |(above, value, attributes, is_term, end)| {
            let mark = if is_term { "-" } else { "" };
            let attributes: String =
                attributes.iter().enumerate().map(|(at, text)| format!("\n    .a{at} ={text}")).collect();
            format!("{above}{mark}k{number} ={}{attributes}{end}", value.unwrap_or_default())
        },
    )
}

pub(super) fn file() -> impl Strategy<Value = Vec<u8>> {
    let entries = (0..4).map(|number| entry(number).boxed()).collect::<Vec<_>>();
    let head = prop_oneof![3 => Just(""), 1 => Just("\u{feff}### About\n\n"), 1 => Just("# License\n")];
    (head, entries, 0..5_usize, any::<bool>(), any::<bool>()).prop_map(|(head, entries, count, is_wide, is_cut)| {
        let mut text = head.to_owned();
        entries.iter().take(count).for_each(|entry| text.push_str(entry));
        if is_cut {
            text.truncate(text.trim_end().len());
        }
        if is_wide { text.replace('\n', "\r\n").into_bytes() } else { text.into_bytes() }
    })
}
