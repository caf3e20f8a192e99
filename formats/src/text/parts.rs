//! Texts whose plural forms stand side by side, with `|` between them: of Laravel, vue-i18n and Docusaurus.

use std::ops::Range;

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
