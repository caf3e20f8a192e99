//! Texts whose plural forms stand side by side, with `|` between them: of Laravel, vue-i18n and Docusaurus.

use std::ops::{Range, RangeInclusive};

use l10n_api_types::PluralCategory;

use super::message::{Branch, Choice, ChoiceKind, Message, Part};
use super::placeholders::scan;
use super::{Brace, Syntax};

/// Reads a text with several parts as a choice between them; `None` where it has one, or where the syntax has none. Their names
/// are their numbers, from 0.
#[must_use]
pub fn parse(text: &str, syntax: Syntax) -> Option<Message> {
    let marks: Vec<usize> = match syntax {
        Syntax::Laravel | Syntax::Vue => {
            let spans = scan(text, syntax).into_iter().map(|span| span.range);
            spans.filter(|range| text.get(range.clone()) == Some("|")).map(|range| range.start).collect()
        }
        Syntax::Brace(Brace::Named) => text.match_indices('|').map(|(at, _)| at).collect(),
        _ => return None,
    };
    if marks.is_empty() {
        return None;
    }
    let starts = std::iter::once(0).chain(marks.iter().map(|at| at + 1));
    let ends = marks.iter().copied().chain([text.len()]);
    let branch = |(number, (start, end)): (usize, (usize, usize))| Branch {
        selector: number.to_string(),
        start,
        message: of(start..end),
    };
    let branches = starts.zip(ends).enumerate().map(branch).collect();
    let choice = Choice { argument: String::new(), kind: ChoiceKind::Select, branches };
    Some(Message { range: 0..text.len(), parts: vec![Part::Choice(choice)] })
}

/// The categories of the parts of a text of Laravel, by Laravel's own table. It knows languages and regions with an underscore
/// alone: of any other name it takes the first part.
#[must_use]
pub fn laravel_categories(language: &str) -> &'static [PluralCategory] {
    use PluralCategory::{Few, Many, One, Other, Two, Zero};
    match language.split(['-', '_']).next().unwrap_or_default() {
        "ar" => &[Zero, One, Two, Few, Many, Other],
        "sl" => &[One, Two, Few, Other],
        "mt" => &[One, Few, Many, Other],
        "cy" => &[One, Two, Many, Other],
        "ru" | "uk" | "be" | "pl" => &[One, Few, Many],
        "sr" | "hr" | "bs" | "cs" | "sk" | "lt" | "ro" => &[One, Few, Other],
        "lv" => &[Zero, One, Other],
        "ga" => &[One, Two, Other],
        "ja" | "ko" | "zh" | "tr" | "id" | "vi" | "th" => &[Other],
        _ => &[One, Other],
    }
}

/// The numbers for which Laravel takes a part, where the part says them: `{0}`, `{2,3}`, `[2,*]`.
#[must_use]
pub fn condition(part: &str) -> Option<RangeInclusive<u64>> {
    let part = part.trim_start();
    let inside = part.strip_prefix('{').and_then(|rest| rest.split_once('}'));
    let (inside, _) = inside.or_else(|| part.strip_prefix('[').and_then(|rest| rest.split_once(']')))?;
    let (from, to) = inside.split_once(',').unwrap_or((inside, inside));
    let number = |text: &str, open: u64| if text.trim() == "*" { Some(open) } else { text.trim().parse().ok() };
    Some(number(from, 0)?..=number(to, u64::MAX)?)
}

fn of(range: Range<usize>) -> Message {
    Message { range: range.clone(), parts: vec![Part::Text(range)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str, syntax: Syntax) -> Vec<&str> {
        let Some(message) = parse(text, syntax) else { return Vec::new() };
        let [Part::Choice(choice)] = &message.parts[..] else { panic!("{message:?}") };
        choice.branches.iter().map(|branch| &text[branch.message.range.clone()]).collect()
    }

    #[test]
    fn conditions_of_laravel_are_numbers_or_ranges() {
        for (part, expected) in [
            ("{0} none", Some(0..=0)),
            (" [2,*] many", Some(2..=u64::MAX)),
            ("[*,3]x", Some(0..=3)),
            ("{1,4} x", Some(1..=4)),
            ("{name} x", None),
            ("[a] x", None),
            ("x {0}", None),
            ("{-1} x", None),
            ("{", None),
        ] {
            assert_eq!(condition(part), expected, "{part}");
        }
    }

    #[test]
    fn parts_are_told_from_bars_in_placeholders() {
        assert_eq!(parts("{0} none|[1,*] :count é", Syntax::Laravel), ["{0} none", "[1,*] :count é"]);
        assert_eq!(parts("a {'|'} b | c", Syntax::Vue), ["a {'|'} b ", " c"]);
        assert_eq!(parts("One|{count}|", Syntax::Brace(Brace::Named)), ["One", "{count}", ""]);
        for (text, syntax) in [("a", Syntax::Laravel), ("a|b", Syntax::Icu), ("a|b", Syntax::Mixed), ("", Syntax::Vue)]
        {
            assert_eq!(parts(text, syntax), [""; 0]);
        }
    }
}
