//! Warnings about the letters of a text: their case, script and number.

use l10n_api_types::Check;

use super::Report;
use super::rules::Rules;
use super::view::View;
use crate::text::{Brace, Printf, Syntax};

/// Fewest characters of a source whose length says something about that of its translation.
const LONG_ENOUGH: usize = 20;
/// A translation that is longer by more than this factor, or shorter, is looked at.
const FACTOR: usize = 3;

/// Languages, and the first and last characters of the blocks of their letters.
type Script = (&'static [&'static str], &'static [(char, char)]);

/// Scripts of languages that have one of their own.
const SCRIPTS: [Script; 12] = [
    (&["ru", "uk", "be", "bg", "mk", "kk", "ky", "tg", "mn"], &[('\u{400}', '\u{52f}')]),
    (&["el"], &[('\u{370}', '\u{3ff}'), ('\u{1f00}', '\u{1fff}')]),
    (&["ar", "fa", "ur", "ps", "ug"], &[('\u{600}', '\u{6ff}'), ('\u{750}', '\u{77f}'), ('\u{fb50}', '\u{fefc}')]),
    (&["he", "yi"], &[('\u{590}', '\u{5ff}')]),
    (&["hi", "mr", "ne"], &[('\u{900}', '\u{97f}')]),
    (&["bn"], &[('\u{980}', '\u{9ff}')]),
    (&["th"], &[('\u{e00}', '\u{e7f}')]),
    (&["ka"], &[('\u{10a0}', '\u{10ff}'), ('\u{1c90}', '\u{1cbf}')]),
    (&["hy"], &[('\u{530}', '\u{58f}')]),
    (&["ko"], &[('\u{ac00}', '\u{d7a3}'), ('\u{1100}', '\u{11ff}'), ('\u{4e00}', '\u{9fff}')]),
    (&["ja"], &[('\u{3040}', '\u{30ff}'), ('\u{3400}', '\u{9fff}'), ('\u{ff66}', '\u{ff9f}')]),
    (&["zh", "yue"], &[('\u{3400}', '\u{9fff}'), ('\u{20000}', '\u{2ffff}')]),
];

/// No letter of the language's script in a text of several words.
pub(super) fn script(source: &View<'_>, target: &View<'_>, rules: &Rules, report: &mut Report<'_>) {
    // What was left as it is, is reported as such.
    if rules.names_script || rules.source_base == rules.target_base || source.text == target.text {
        return;
    }
    let Some((_, blocks)) = SCRIPTS.iter().find(|(languages, _)| languages.contains(&rules.target_base.as_str()))
    else {
        return;
    };
    let words = || target.pieces().flat_map(|piece| piece.split(|c: char| !c.is_alphanumeric()));
    let said = words().filter(|word| word.chars().count() > 3 && word.chars().skip(1).all(char::is_lowercase)).count();
    let is_own = |c: char| blocks.iter().any(|(first, last)| (*first..=*last).contains(&c));
    if said >= 3 && !target.pieces().any(|piece| piece.contains(is_own)) {
        report.warning(Check::Script, "no letter of the language's own script".to_owned(), None);
    }
}

/// Much longer or shorter than the source.
pub(super) fn length_ratio(source: &View<'_>, target: &View<'_>, rules: &Rules, report: &mut Report<'_>) {
    if source.message.is_some() || target.message.is_some() {
        return;
    }
    let length =
        |view: &View<'_>| view.pieces().map(|piece| piece.chars().filter(|c| !c.is_whitespace()).count()).sum();
    let (theirs, ours): (usize, usize) = (length(source), length(target));
    // A word of these is a character or two.
    let dense = |base: &str| matches!(base, "ja" | "zh" | "ko" | "yue");
    let (shortest, longest) = match (dense(&rules.source_base), dense(&rules.target_base)) {
        (false, true) => (theirs / (FACTOR * FACTOR), theirs * FACTOR),
        (true, false) => (theirs / FACTOR, theirs * FACTOR * FACTOR),
        _ => (theirs / FACTOR, theirs * FACTOR),
    };
    if theirs >= LONG_ENOUGH && (ours > longest || ours < shortest) {
        let message = format!("{ours} characters without blanks, and {theirs} in the source");
        report.warning(Check::LengthRatio, message, None);
    }
}

/// The mark `&` of a key of the keyboard, where the source has one.
pub(super) fn accelerator(source: &View<'_>, target: &View<'_>, report: &mut Report<'_>) {
    if !matches!(target.syntax, Syntax::Printf(Printf::Qt) | Syntax::Brace(Brace::CSharp)) {
        return;
    }
    let marks = |view: &View<'_>| -> usize {
        let mark = |piece: &str| {
            let follows = |at: usize| piece[at + 1..].starts_with(char::is_alphanumeric);
            piece.replace("&&", "  ").match_indices('&').filter(|(at, _)| follows(*at)).count()
        };
        view.pieces().map(mark).sum()
    };
    let (theirs, ours) = (marks(source), marks(target));
    if theirs == 1 && ours != 1 {
        let message = format!("`&` marks {ours} letters, and one in the source");
        report.warning(Check::Accelerator, message, None);
    }
}

/// Begins with a small letter where the source begins with a capital one, in a text that is a sentence.
pub(super) fn capitalization(source: &View<'_>, target: &View<'_>, rules: &Rules, report: &mut Report<'_>) {
    // Languages without case keep the names of programs as they are written.
    let has_case = !["ja", "zh", "ko", "yue", "th", "lo", "km", "my", "ka", "ar", "fa", "he"]
        .contains(&rules.target_base.as_str());
    if source.message.is_some() || target.message.is_some() || !has_case {
        return;
    }
    let first = |view: &View<'_>| {
        let range = view.prose.first().filter(|range| range.start == 0)?;
        let text = &view.text[range.clone()];
        text.char_indices().next().filter(|(_, c)| c.is_alphabetic()).map(|(at, c)| (range.start + at, c))
    };
    let (Some((_, theirs)), Some((at, ours))) = (first(source), first(target)) else { return };
    // `iPhone` begins as it wants.
    let begins_as_name = target.text.chars().nth(1).is_some_and(char::is_uppercase);
    let is_sentence = source.text.trim_end().ends_with(['.', '!', '?']) && source.text.contains(' ');
    if theirs.is_uppercase() && ours.is_lowercase() && is_sentence && !begins_as_name {
        let message = "begins with a small letter, and the source with a capital one".to_owned();
        report.warning(Check::Capitalization, message, Some(at..at + ours.len_utf8()));
    }
}
