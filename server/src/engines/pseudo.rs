//! Pseudo-translation: accents, a third longer, in brackets. It shows in an app what is translatable, what is cut off and
//! what is glued together, before a translation has been paid for.

use async_trait::async_trait;

use super::{Batch, BatchItem, BatchLimits, EngineError, TextSegment, Translator, UnitError};

/// The engine `pseudo`. The same text always gives the same translation.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pseudo;

#[async_trait]
impl Translator for Pseudo {
    fn name(&self) -> &'static str {
        "pseudo"
    }

    fn supports(&self, _source: &str, _target: &str) -> bool {
        true
    }

    fn limits(&self) -> BatchLimits {
        BatchLimits::of(1_000, 1_000_000)
    }

    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        Ok(batch.items.iter().map(|item| Ok(pseudo(item))).collect())
    }
}

/// Letters that make the padding, so that it reads as a word that is no word.
const PADDING: &str = "ļöřéɱ îþšûɱ ðöļöř šîţ åɱéţ çöñšéçţéţûř ";

fn pseudo(item: &BatchItem) -> Vec<TextSegment> {
    let length: usize = item.segments.iter().map(|segment| segment.original().chars().count()).sum();
    let letters: usize = item
        .segments
        .iter()
        .map(|segment| match segment {
            TextSegment::Text(text) => text.chars().filter(|character| character.is_alphabetic()).count(),
            TextSegment::Placeholder { .. } => 0,
        })
        .sum();
    let mut segments: Vec<TextSegment> = item
        .segments
        .iter()
        .map(|segment| match segment {
            TextSegment::Text(text) => TextSegment::Text(text.chars().map(accented).collect()),
            placeholder @ TextSegment::Placeholder { .. } => placeholder.clone(),
        })
        .collect();
    if letters == 0 {
        return segments;
    }
    // A blank, the brackets and the padding make up the third; where only so much may be added, the padding yields first.
    let room = item.max_length.map_or(usize::MAX, |most| (most as usize).saturating_sub(length));
    if room < 2 {
        return segments;
    }
    let padding = letters.div_ceil(3).saturating_sub(2).min(room - 2);
    let padding = if padding > 1 {
        let word: String = PADDING.chars().cycle().take(padding - 1).collect();
        format!(" {}", word.trim_end_matches(' '))
    } else {
        String::new()
    };
    surround(&mut segments, &padding);
    segments
}

/// Puts brackets around the text, inside the white space at its ends, and the padding before its last punctuation, so
/// that the text ends as the source does.
fn surround(segments: &mut Vec<TextSegment>, padding: &str) {
    match segments.first_mut() {
        Some(TextSegment::Text(text)) => {
            let blank = text.len() - text.trim_start().len();
            text.insert(blank, '[');
        }
        _ => segments.insert(0, TextSegment::Text("[".to_owned())),
    }
    match segments.last_mut() {
        Some(TextSegment::Text(text)) => {
            let end = text.trim_end().len();
            text.insert(end, ']');
            let word =
                text[..end].trim_end_matches(|c: char| c.is_whitespace() || ".,;:!?…。？！\"')»”’".contains(c)).len();
            text.insert_str(word, padding);
        }
        _ => segments.push(TextSegment::Text(format!("{padding}]"))),
    }
}

const fn accented(character: char) -> char {
    match character {
        'a' => 'å',
        'b' => 'ƀ',
        'c' => 'ç',
        'd' => 'ð',
        'e' => 'é',
        'f' => 'ƒ',
        'g' => 'ĝ',
        'h' => 'ĥ',
        'i' => 'î',
        'j' => 'ĵ',
        'k' => 'ķ',
        'l' => 'ļ',
        'm' => 'ɱ',
        'n' => 'ñ',
        'o' => 'ö',
        'p' => 'þ',
        'q' => 'ǫ',
        'r' => 'ř',
        's' => 'š',
        't' => 'ţ',
        'u' => 'û',
        'v' => 'ṽ',
        'w' => 'ŵ',
        'x' => 'ẋ',
        'y' => 'ý',
        'z' => 'ž',
        'A' => 'Å',
        'B' => 'Ɓ',
        'C' => 'Ç',
        'D' => 'Ð',
        'E' => 'É',
        'F' => 'Ƒ',
        'G' => 'Ĝ',
        'H' => 'Ĥ',
        'I' => 'Î',
        'J' => 'Ĵ',
        'K' => 'Ķ',
        'L' => 'Ļ',
        'M' => 'Ṁ',
        'N' => 'Ñ',
        'O' => 'Ö',
        'P' => 'Þ',
        'Q' => 'Ǫ',
        'R' => 'Ř',
        'S' => 'Š',
        'T' => 'Ţ',
        'U' => 'Û',
        'V' => 'Ṽ',
        'W' => 'Ŵ',
        'X' => 'Ẋ',
        'Y' => 'Ý',
        'Z' => 'Ž',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(segments: Vec<TextSegment>, max_length: Option<u32>) -> String {
        let item = BatchItem { max_length, ..BatchItem::of(segments) };
        pseudo(&item).iter().map(TextSegment::original).collect()
    }

    fn text(text: &str) -> TextSegment {
        TextSegment::Text(text.to_owned())
    }

    #[test]
    fn a_text_grows_by_a_third_in_brackets_with_accents() {
        assert_eq!(of(vec![text("Save changes")], None), "[Šåṽé çĥåñĝéš ļ]");
        assert_eq!(
            of(vec![text(" Are you sure you want to leave?\n")], None),
            " [Åřé ýöû šûřé ýöû ŵåñţ ţö ļéåṽé ļöřéɱ?]\n"
        );
        assert_eq!(of(vec![text("What does it say under 'data:'")], None), "[Ŵĥåţ ðöéš îţ šåý ûñðéř 'ðåţå ļöřéɱ:']");
        assert_eq!(of(vec![text("OK")], None), "[ÖĶ]");
    }

    #[test]
    fn placeholders_and_texts_without_letters_stay() {
        let name = TextSegment::Placeholder { id: 0, original: "{name}".to_owned() };
        assert_eq!(of(vec![name.clone(), text(" left")], None), "[{name} ļéƒţ]");
        assert_eq!(of(vec![name, text(": 12 %")], None), "{name}: 12 %");
    }

    #[test]
    fn a_longest_length_is_kept() {
        for most in 12..20 {
            assert!(of(vec![text("Save changes")], Some(most)).chars().count() <= most as usize);
        }
    }
}
