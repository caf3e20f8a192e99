//! Warnings about a text's ends and about texts left as they were.

use l10n_api_types::Check;

use super::Report;
use super::rules::Rules;
use super::view::View;
use crate::text::placeholders::SpanKind;

/// Languages that put no blanks between words or sentences.
const UNSPACED: [&str; 7] = ["ja", "zh", "yue", "th", "lo", "km", "my"];

/// White space at the ends, and the number of line breaks.
pub(super) fn edges(source: &View<'_>, target: &View<'_>, rules: &Rules, report: &mut Report<'_>) {
    let (theirs, ours) = (source.text, target.text);
    let unspaced = UNSPACED.contains(&rules.target_base.as_str());
    let differs = |theirs: &str, ours: &str| {
        let blanks_alone = unspaced && ours.is_empty() && !theirs.contains('\n');
        !blanks_alone && !blanks_of(theirs).eq(blanks_of(ours))
    };
    let is_edge = |c: char| c.is_whitespace() || is_mark(c);
    let head = |text: &str| text.len() - text.trim_start_matches(is_edge).len();
    let tail = |text: &str| text.trim_end_matches(is_edge).len();
    if differs(&theirs[..head(theirs)], &ours[..head(ours)]) {
        let message = "begins with other white space than the source".to_owned();
        report.warning(Check::EdgeWhitespace, message, Some(0..head(ours)));
    }
    if differs(&theirs[tail(theirs)..], &ours[tail(ours)..]) {
        let message = "ends in other white space than the source".to_owned();
        report.warning(Check::EdgeWhitespace, message, Some(tail(ours)..ours.len()));
    }
    if source.message.is_some() || target.message.is_some() {
        return;
    }
    let lines = |text: &str| text.matches('\n').count();
    if lines(theirs) != lines(ours) {
        let message = format!("{} line breaks, and {} in the source", lines(ours), lines(theirs));
        report.warning(Check::Newlines, message, None);
    }
}

/// The blanks at an edge. Marks of direction are none.
fn blanks_of(edge: &str) -> impl Iterator<Item = char> + '_ {
    edge.chars().filter(|c| *c != '\r' && !is_mark(*c)).map(blank)
}

/// Returns whether a character says the direction of the text around it.
const fn is_mark(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// No-break spaces are spaces.
const fn blank(character: char) -> char {
    match character {
        '\u{a0}' | '\u{202f}' => ' ',
        other => other,
    }
}

/// The punctuation that ends a text, whichever sign the language has for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Nothing,
    Stop,
    Question,
    Exclamation,
    Colon,
    Ellipsis,
}

impl End {
    const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "no punctuation",
            Self::Stop => "a full stop",
            Self::Question => "a question mark",
            Self::Exclamation => "an exclamation mark",
            Self::Colon => "a colon",
            Self::Ellipsis => "an ellipsis",
        }
    }
}

/// Ends in other punctuation than the source; in Spanish, begins without `¿` or `¡`.
pub(super) fn end_punctuation(source: &View<'_>, target: &View<'_>, rules: &Rules, report: &mut Report<'_>) {
    let ((text, ours_at), (source_text, source_at)) = (trimmed(target), trimmed(source));
    // A character reference may be punctuation, or a blank; its own `;` is not.
    let is_entity =
        |view: &View<'_>, at| view.spans.iter().any(|span| span.kind == SpanKind::Entity && span.range.end == at);
    if is_entity(source, source_at) || is_entity(target, ours_at) {
        return;
    }
    let theirs = end(source_text, &rules.source_base);
    let ours = end(text, &rules.target_base);
    let fits = theirs == ours
        || match rules.target_base.as_str() {
            // か。 asks.
            "ja" => theirs == End::Question && ours == End::Stop,
            // Written without a full stop, often without a question mark.
            "th" | "lo" => ours == End::Nothing && matches!(theirs, End::Stop | End::Question),
            // Asks and calls within the word.
            "hy" => matches!(theirs, End::Question | End::Exclamation),
            _ => false,
        }
        || (matches!(rules.source_base.as_str(), "th" | "lo" | "hy") && theirs != End::Colon);
    let last = text.chars().next_back().map_or(0, char::len_utf8);
    if !fits {
        let message = format!("ends in {}, and the source in {}", ours.name(), theirs.name());
        report.warning(Check::EndPunctuation, message, Some(ours_at - last..ours_at));
    }
    let opening = match ours {
        End::Question => '¿',
        End::Exclamation => '¡',
        _ => return,
    };
    if rules.target_base == "es" && rules.source_base != "es" && !target.text.contains(['¿', '¡']) {
        let message = format!("Spanish opens this sentence with `{opening}`");
        report.warning(Check::EndPunctuation, message, Some(ours_at - last..ours_at));
    }
}

/// The text up to its last character that is no tag, blank, quote or closing bracket, and where that ends.
fn trimmed<'a>(view: &View<'a>) -> (&'a str, usize) {
    let mut end = view.text.len();
    let mut tags = view.spans.iter().rev().skip_while(|span| span.kind == SpanKind::Syntax).peekable();
    loop {
        let text = view.text[..end].trim_end_matches(is_closing);
        end = text.len();
        // A message's own braces close nothing that is said.
        if let Some(span) = tags.next_if(|span| span.range.end >= end)
            && span.range.start < end
            && span.kind == SpanKind::Tag
        {
            end = span.range.start;
        } else {
            return (text, end);
        }
    }
}

fn is_closing(character: char) -> bool {
    character.is_whitespace() || ")]\"'»«”“’‘›‹」』）】》〉］\u{200f}\u{200e}".contains(character)
}

fn end(text: &str, language: &str) -> End {
    if text.ends_with("...") || text.ends_with("。。。") || text.ends_with(['…', '⋯', '‥']) {
        return End::Ellipsis;
    }
    match text.chars().next_back() {
        Some('.' | '。' | '．' | '｡' | '۔' | '।' | '॥' | '։' | '።' | '။' | '។') => End::Stop,
        Some('?' | '？' | '؟' | '\u{37e}' | '፧') => End::Question,
        Some(';') if language == "el" => End::Question,
        Some('!' | '！') => End::Exclamation,
        Some(':') if language == "hy" => End::Stop,
        Some(':' | '：' | '︰' | '៖') => End::Colon,
        _ => End::Nothing,
    }
}

/// Longest single word that two languages may well share.
const SHORT_WORD: usize = 8;

/// Left as the source was, though there is something to translate.
pub(super) fn same_as_source(source: &View<'_>, target: &View<'_>, rules: &Rules, report: &mut Report<'_>) {
    if source.text != target.text || rules.source_base == rules.target_base {
        return;
    }
    let is_word = |word: &&str| word.chars().any(char::is_alphabetic);
    let words = || source.pieces().flat_map(|piece| piece.split(|c: char| !c.is_alphanumeric())).filter(is_word);
    let short = words().nth(1).is_none() && words().all(|word| word.chars().count() <= SHORT_WORD);
    if !short && !words().all(is_brand) {
        report.warning(Check::SameAsSource, "the same as the source".to_owned(), None);
    }
}

/// `API`, `GitHub`, `S3`, `of`: nothing that a translation must change.
fn is_brand(word: &str) -> bool {
    word.chars().count() <= 2
        || word.chars().skip(1).any(|character| character.is_uppercase() || character.is_numeric())
}
