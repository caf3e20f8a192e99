//! Blanks beside placeholders: engines that see tags in their place tend to lose them.

use std::collections::HashMap;

use super::TextSegment;

/// Languages that write words without blanks between them.
const WITHOUT_BLANKS: &[&str] = &["ja", "zh", "yue", "th", "lo", "km", "my", "bo", "dz"];

/// Languages whose words take endings, which stand right behind a placeholder.
const WITH_ENDINGS: &[&str] = &[
    "az", "et", "eu", "fi", "hu", "hy", "ka", "kk", "kn", "ko", "ky", "ml", "mn", "mr", "ne", "ta", "te", "tk", "tr",
    "tt", "ug", "uz",
];

/// Languages whose small words stand right before the next one.
const WITH_PREFIXES: &[&str] = &["ar", "he", "ku", "mt", "ps", "ur", "yi"];

/// Puts a blank that the source has beside a placeholder back where the answer has a letter, a digit, a sign that stands for
/// itself, or a placeholder right beside it: where the target language would not have joined them itself.
pub(super) fn put_back(source: &[TextSegment], answer: Vec<TextSegment>, target: &str) -> Vec<TextSegment> {
    let language = target.split('-').next().unwrap_or_default();
    if WITHOUT_BLANKS.contains(&language) {
        return answer;
    }
    let (before, after) = beside(source);
    let has_before = |id| before.get(&id).copied().filter(|_| !WITH_PREFIXES.contains(&language));
    let has_after = |id| after.get(&id).copied().filter(|_| !WITH_ENDINGS.contains(&language));
    let mut whole: Vec<TextSegment> = Vec::with_capacity(answer.len());
    for segment in answer {
        let missing = match (whole.last(), &segment) {
            (_, TextSegment::Text(text)) if text.is_empty() => continue,
            (Some(TextSegment::Text(text)), TextSegment::Placeholder { id, .. })
                if text.ends_with(|end| is_apart(end, "&+=<>)]}»%")) =>
            {
                has_before(*id)
            }
            (Some(TextSegment::Placeholder { id, .. }), TextSegment::Text(text))
                if text.starts_with(|begin| is_apart(begin, "&+=<>([{«¿¡")) =>
            {
                has_after(*id)
            }
            (Some(TextSegment::Placeholder { id: first, .. }), TextSegment::Placeholder { id: second, .. }) => {
                has_after(*first).and(has_before(*second))
            }
            _ => None,
        };
        whole.extend(missing.map(|blank| TextSegment::Text(blank.to_string())));
        whole.push(segment);
    }
    whole
}

/// Returns true for letters, digits and these signs.
fn is_apart(character: char, signs: &str) -> bool {
    character.is_alphanumeric() || signs.contains(character)
}

/// The blanks right before and right after each placeholder.
fn beside(source: &[TextSegment]) -> (HashMap<usize, char>, HashMap<usize, char>) {
    let (mut before, mut after) = (HashMap::new(), HashMap::new());
    for pair in source.windows(2) {
        match pair {
            [TextSegment::Text(text), TextSegment::Placeholder { id, .. }] => {
                before.extend(text.chars().next_back().filter(|end| end.is_whitespace()).map(|blank| (*id, blank)));
            }
            [TextSegment::Placeholder { id, .. }, TextSegment::Text(text)] => {
                after.extend(text.chars().next().filter(|begin| begin.is_whitespace()).map(|blank| (*id, blank)));
            }
            _ => {}
        }
    }
    (before, after)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text and placeholders, which are the digits.
    fn segments(text: &str) -> Vec<TextSegment> {
        let mut segments = Vec::new();
        for character in text.chars() {
            match (character.to_digit(10), segments.last_mut()) {
                (Some(id), _) => segments.push(TextSegment::Placeholder { id: id as usize, original: String::new() }),
                (None, Some(TextSegment::Text(text))) => text.push(character),
                (None, _) => segments.push(TextSegment::Text(character.to_string())),
            }
        }
        segments
    }

    fn restored(source: &str, answer: &str, target: &str) -> String {
        let piece = |segment| match segment {
            TextSegment::Text(text) => text,
            TextSegment::Placeholder { id, .. } => id.to_string(),
        };
        put_back(&segments(source), segments(answer), target).into_iter().map(piece).collect()
    }

    #[test]
    fn blanks_that_were_lost_are_put_back_and_none_is_invented() {
        for (source, answer, target, expected) in [
            ("Hi 1 and 2!", "Hallo1und2!", "de", "Hallo 1 und 2!"),
            ("Save 1 2", "12sichern", "de", "1 2sichern"),
            ("Hi 1, welcome", "Hallo1, willkommen", "de", "Hallo 1, willkommen"),
            ("1 files", "1-Dateien", "de", "1-Dateien"),
            ("1 & 2", "1& 2", "de", "1 & 2"),
            ("files1", "Dateien1", "de", "Dateien1"),
            ("Hi 1 now", "今1様", "ja", "今1様"),
            ("to 1 now", "1lle nyt", "fi", "1lle nyt"),
            ("to 1 now", "ל1 עכשיו", "he", "ל1 עכשיו"),
            ("Hi\u{a0}1", "Hallo1", "de-AT", "Hallo\u{a0}1"),
        ] {
            assert_eq!(restored(source, answer, target), expected, "{source}");
        }
    }
}
