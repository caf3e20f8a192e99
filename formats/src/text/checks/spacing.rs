//! Warnings about blanks and signs: blanks doubled or invisible, and the spacing that a language wants.

use l10n_api_types::Check;

use super::Report;
use super::rules::Rules;
use super::view::View;

/// Characters of no width that get into texts by accident. Joiners and marks of direction are letters' work in many scripts.
const INVISIBLE: [char; 4] = ['\u{200b}', '\u{2060}', '\u{feff}', '\u{ad}'];

/// Two blanks in a row within a line, where the source has none.
pub(super) fn double_space(source: &View<'_>, target: &View<'_>, report: &mut Report<'_>) {
    if first_double(source).is_some() {
        return;
    }
    if let Some(at) = first_double(target) {
        report.warning(Check::DoubleSpace, "two blanks in a row, and none in the source".to_owned(), Some(at..at + 2));
    }
}

/// The first of two blanks between words of one line. Indentation and the blanks at the ends are looked at elsewhere.
fn first_double(view: &View<'_>) -> Option<usize> {
    let bytes = view.text.as_bytes();
    view.prose.iter().find_map(|range| {
        let mut at = range.start;
        while at < range.end {
            let run = bytes[at..range.end].iter().take_while(|byte| **byte == b' ').count();
            let (before, after) = (at.checked_sub(1).map(|before| bytes[before]), bytes.get(at + run));
            let within = before.is_some_and(|byte| byte != b'\n') && after.is_some_and(|byte| !b"\r\n".contains(byte));
            if run > 1 && within {
                return Some(at);
            }
            at += run + 1;
        }
        None
    })
}

/// Characters of no width, where the source has none.
pub(super) fn zero_width(source: &View<'_>, target: &View<'_>, rules: &Rules, report: &mut Report<'_>) {
    // They divide words there.
    let divides = ["th", "lo", "km", "my", "bo", "ja", "zh"].contains(&rules.target_base.as_str());
    let invisible = |c: char| INVISIBLE.contains(&c) && !(divides && c == '\u{200b}');
    if source.text.contains(invisible) {
        return;
    }
    if let Some((at, found)) = target.text.char_indices().find(|(_, c)| invisible(*c)) {
        let message = format!("the invisible character U+{:04X}, which the source lacks", u32::from(found));
        report.warning(Check::ZeroWidth, message, Some(at..at + found.len_utf8()));
    }
}

/// In French of France a sign of two parts has a blank before it, which must not break the line.
pub(super) fn punctuation_spacing(target: &View<'_>, rules: &Rules, report: &mut Report<'_>) {
    if rules.target_base != "fr" {
        return;
    }
    for range in &target.prose {
        let text = &target.text[range.clone()];
        for (at, sign) in text.char_indices().filter(|(_, c)| matches!(c, ';' | '!' | '?')) {
            let before = &text[..at];
            if before.ends_with(' ') && before.trim_end().ends_with(char::is_alphabetic) {
                let at = range.start + at;
                let message =
                    format!("the blank before `{sign}` may break the line: French has a no-break space there");
                report.warning(Check::PunctuationSpacing, message, Some(at - 1..at + sign.len_utf8()));
                return;
            }
        }
    }
}
