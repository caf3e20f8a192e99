//! Checks of a source text: what keeps translators from translating it well.

use l10n_api_types::{Check, Content, Issue, Severity};

use super::branches;
use super::view::View;
use crate::text::placeholders::SpanKind;
use crate::text::{Brace, Syntax};

/// Warnings about a source text of this syntax.
#[must_use]
pub fn check_source(content: &Content, syntax: Syntax) -> Vec<Issue> {
    let has_no_choice = |text: &&str| matches!(branches::read(text, syntax, false), Ok(None));
    let Some(text) = content.other().filter(has_no_choice) else { return Vec::new() };
    let view = View::new(text, syntax, None);
    let mut issues = Vec::new();
    let mut warn = |check, message: &str| {
        let (severity, message) = (Severity::Warning, message.to_owned());
        issues.push(Issue { check, severity, message, start: None, end: None });
    };
    if nameless(&view) > 1 {
        warn(
            Check::UnnamedPlaceholders,
            "several placeholders without names or numbers, whose order no translation can change",
        );
    }
    if matches!(content, Content::Text(_)) && has_optional_plural(&view) {
        warn(Check::OptionalPlural, "`(s)` stands for a plural that most languages cannot write so");
    }
    issues
}

/// Placeholders that take the next argument.
fn nameless(view: &View<'_>) -> usize {
    let is_nameless = |text: &str| match text.strip_prefix('%') {
        Some(inside) => {
            inside.ends_with(|c: char| c.is_ascii_alphabetic() || c == '@')
                && !inside.contains(['$', '{', '(', '<', '#'])
                && !matches!(inside, "n" | "m" | "Ln")
        }
        None => {
            ["{}", "{:", "{!"].iter().any(|begin| text.starts_with(begin))
                && view.syntax == Syntax::Brace(Brace::Python)
        }
    };
    let spans = view.spans.iter().filter(|span| matches!(span.kind, SpanKind::Percent | SpanKind::Argument));
    spans.filter(|span| is_nameless(view.of(span))).count()
}

/// `file(s)`: a letter before it, and no word after it.
fn has_optional_plural(view: &View<'_>) -> bool {
    view.pieces().any(|piece| {
        piece.match_indices("(s)").any(|(at, mark)| {
            piece[..at].ends_with(char::is_alphabetic) && !piece[at + mark.len()..].starts_with(char::is_alphanumeric)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Printf;

    #[test]
    fn a_source_that_cannot_be_translated_well_is_noticed() {
        let c = Syntax::Printf(Printf::C);
        for (text, syntax, expected) in [
            ("%s of %s", c, Some(Check::UnnamedPlaceholders)),
            ("%1$s of %2$s, %%", c, None),
            ("%s%n", Syntax::Printf(Printf::Java), None),
            ("%(a)s of %s", Syntax::Printf(Printf::Python), None),
            ("{} of {}", Syntax::Brace(Brace::Python), Some(Check::UnnamedPlaceholders)),
            ("{:.1f} of {!r}", Syntax::Brace(Brace::Python), Some(Check::UnnamedPlaceholders)),
            ("%d file(s)", c, Some(Check::OptionalPlural)),
            ("f(s) = (s)t", c, Some(Check::OptionalPlural)),
            ("call (s)", c, None),
        ] {
            let found = check_source(&Content::Text(text.to_owned()), syntax);
            assert_eq!(found.first().map(|issue| issue.check), expected, "{text}");
        }
    }
}
