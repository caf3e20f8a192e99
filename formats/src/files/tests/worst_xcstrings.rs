//! The worst nesting and the worst length of every construct of Xcode's catalogues, as in [`worst`](super::worst).

use super::worst_lines::read_and_write;
use super::*;
use crate::small_stack::{filled, nested, on_small_stack};

fn catalog(strings: &str) -> String {
    format!("{{\"sourceLanguage\":\"en\",\"strings\":{{{strings}}}}}")
}

/// As many members as fit, with a number in place of `#`.
fn members(size: usize, of: &str) -> String {
    let count = size / (of.len() + 6);
    (0..count).map(|number| of.replace('#', &number.to_string())).collect::<Vec<_>>().join(",")
}

#[test]
fn the_worst_catalogues_take_no_more_stack_and_time_than_others() {
    const UNIT: &str = "\"stringUnit\":{\"state\":\"new\",\"value\":\"v\"}";
    let one_key = |inside: &str| catalog(&format!("\"k\":{{{inside}}}"));
    let files = |size: usize| {
        let members = |of: &str| members(size, of);
        [
            catalog(&members("\"k#\":{}")),
            catalog(&members("\"k#\":{\"localizations\":{}}")),
            catalog(&members(&format!("\"k#\":{{\"localizations\":{{\"en\":{{{UNIT}}},\"de\":{{{UNIT}}}}}}}"))),
            catalog(&members("\"k\":{}")),
            catalog(&members("\"\":{}")),
            catalog(&members("\"k\\n#\":{\"shouldTranslate\":false}")),
            one_key(&format!("\"localizations\":{{{}}}", members(&format!("\"l#\":{{{UNIT}}}")))),
            one_key(&format!(
                "\"localizations\":{{\"en\":{{\"variations\":{{\"device\":{{{}}}}}}}}}",
                members(&format!("\"d#\":{{{UNIT}}}"))
            )),
            one_key(&format!(
                "\"localizations\":{{\"en\":{{{UNIT},\"substitutions\":{{{}}}}}}}",
                members(&format!("\"s#\":{{\"variations\":{{\"plural\":{{\"other\":{{{UNIT}}}}}}}}}"))
            )),
            one_key(&format!("\"localizations\":{{\"en\":{}}}", nested(120 * 14, "{\"variations\":", "1", "}"))),
            one_key(&members("\"x#\":1")),
            one_key(&format!("\"comment\":\"{}\"", filled(size, "\\n"))),
        ]
    };
    on_small_stack(|| read_and_write(format("xcstrings"), files));
}
