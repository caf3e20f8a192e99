//! Formats ICU messages: chooses the branches of plurals and selects, and puts values into their places.
//!
//! Every text is read as a message, one without a choice too, so that `'{'` is a brace in all of them. A message that a
//! translator broke, or a value that nobody gave, is shown as it stands: a text of a page must not fail.

use icu_decimal::DecimalFormatter;
use icu_decimal::input::Decimal;
use icu_locale::Locale;

use super::message::{self, Branch, Choice, ChoiceKind, Message, Part};
use super::placeholders;
use crate::locales::Plurals;

/// A value for a place of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    /// A word, or a text that is put in as it is.
    Text(&'a str),
    /// A number, written with the digits and separators of the language.
    Number(i64),
    /// Something that is no text, such as a link: the caller puts it in.
    Element,
}

/// A piece of a formatted message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessagePart {
    /// Text, with values put in.
    Text(String),
    /// The place of a [`Value::Element`] of this name.
    Element(String),
}

/// Formats a message of a language with these values; neighbouring texts are one piece.
#[must_use]
pub fn format(text: &str, language: &str, values: &[(&str, Value<'_>)]) -> Vec<MessagePart> {
    let mut formatter = Formatter { text, language, values, pieces: Vec::new() };
    match message::parse(text) {
        Ok(message) => formatter.message(&message, None),
        Err(_) => formatter.push(text),
    }
    formatter.pieces
}

/// Formats a message to a text; the place of a [`Value::Element`] stays as the message has it.
#[must_use]
pub fn format_text(text: &str, language: &str, values: &[(&str, Value<'_>)]) -> String {
    let pieces = format(text, language, values);
    pieces
        .into_iter()
        .map(|piece| match piece {
            MessagePart::Text(text) => text,
            MessagePart::Element(name) => format!("{{{name}}}"),
        })
        .collect()
}

/// Writes a number with the digits and separators of a language.
#[must_use]
pub fn number(number: i64, language: &str) -> String {
    let locale = language.parse::<Locale>().unwrap_or(Locale::UNKNOWN);
    match DecimalFormatter::try_new((&locale).into(), icu_decimal::options::DecimalFormatterOptions::default()) {
        Ok(formatter) => formatter.format(&Decimal::from(number)).to_string(),
        Err(_) => number.to_string(),
    }
}

struct Formatter<'a> {
    text: &'a str,
    language: &'a str,
    values: &'a [(&'a str, Value<'a>)],
    pieces: Vec<MessagePart>,
}

impl Formatter<'_> {
    fn push(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(MessagePart::Text(before)) => before.push_str(text),
            _ if text.is_empty() => {}
            _ => self.pieces.push(MessagePart::Text(text.to_owned())),
        }
    }

    fn value(&self, name: &str) -> Option<Value<'_>> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// `number` is what `#` stands for, inside a plural.
    fn message(&mut self, message: &Message, number: Option<i64>) {
        for part in &message.parts {
            match part {
                Part::Text(range) => self.leaf(&self.text[range.clone()], number),
                Part::Choice(choice) => self.choice(choice, number),
            }
        }
    }

    fn choice(&mut self, choice: &Choice, outer: Option<i64>) {
        let value = self.value(&choice.argument);
        let (selector, number) = match (choice.kind, value) {
            (ChoiceKind::Select, Some(Value::Text(word))) => (word.to_owned(), outer),
            (ChoiceKind::Plural | ChoiceKind::Ordinal, Some(Value::Number(number))) => {
                (self.category(choice.kind, number), Some(number))
            }
            _ => ("other".to_owned(), outer),
        };
        let exact = number.map(|number| format!("={number}"));
        let by = |wanted: &str| choice.branches.iter().find(|branch| branch.selector == wanted);
        let branch: Option<&Branch> = exact.as_deref().and_then(by).or_else(|| by(&selector)).or_else(|| by("other"));
        if let Some(branch) = branch {
            self.message(&branch.message, number);
        }
    }

    fn category(&self, kind: ChoiceKind, number: i64) -> String {
        let rules = match kind {
            ChoiceKind::Ordinal => Plurals::ordinal(self.language),
            _ => Plurals::cardinal(self.language),
        };
        rules.category_for(number.unsigned_abs()).as_str().to_owned()
    }

    /// A text without choices: values, `#`, and what apostrophes quote.
    fn leaf(&mut self, text: &str, number: Option<i64>) {
        let mut rest = text;
        while let Some(at) = rest.find(['{', '\'', '#']) {
            let (before, special) = rest.split_at(at);
            self.push(before);
            let length = match special.as_bytes()[0] {
                b'\'' => self.quoted(special, number.is_some()),
                b'#' => self.sharp(number),
                _ => self.argument(special),
            };
            rest = &special[length..];
        }
        self.push(rest);
    }

    fn quoted(&mut self, rest: &str, in_plural: bool) -> usize {
        let length = message::quoted(rest, in_plural).unwrap_or(1);
        match length {
            1 | 2 => self.push("'"),
            _ => self.push(&rest[1..length - 1].replace("''", "'")),
        }
        length
    }

    fn sharp(&mut self, number: Option<i64>) -> usize {
        match number {
            Some(value) => self.push(&self::number(value, self.language)),
            None => self.push("#"),
        }
        1
    }

    fn argument(&mut self, rest: &str) -> usize {
        let Some(length) = placeholders::argument(rest) else {
            self.push("{");
            return 1;
        };
        let inside = &rest[1..length - 1];
        let name = inside.split(',').next().unwrap_or_default().trim();
        match self.value(name) {
            Some(Value::Text(value)) => {
                let value = value.to_owned();
                self.push(&value);
            }
            Some(Value::Number(value)) => self.push(&number(value, self.language)),
            Some(Value::Element) => self.pieces.push(MessagePart::Element(name.to_owned())),
            None => self.push(&rest[..length]),
        }
        length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_plurals_and_selects_are_put_in() {
        let text =
            "{who, select, you {You have} other {{name} has}} {n, plural, =0 {no keys} one {# key} other {# keys}}.";
        let said = |who, n| {
            format_text(
                text,
                "en",
                &[("who", Value::Text(who)), ("n", Value::Number(n)), ("name", Value::Text("<Ada>"))],
            )
        };
        assert_eq!(said("you", 0), "You have no keys.");
        assert_eq!(said("you", 1), "You have 1 key.");
        assert_eq!(said("they", 1_234), "<Ada> has 1,234 keys.");
        let russian = "{n, plural, one {# ключ} few {# ключа} other {# ключей}}";
        assert_eq!(format_text(russian, "ru", &[("n", Value::Number(3))]), "3 ключа");
        let rank = "{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}";
        assert_eq!(format_text(rank, "en", &[("n", Value::Number(22))]), "22nd");
    }

    #[test]
    fn elements_have_a_place_of_their_own() {
        let pieces = format("Run {code} or {more}.", "en", &[("code", Value::Element), ("more", Value::Text("wait"))]);
        let text = |text: &str| MessagePart::Text(text.to_owned());
        assert_eq!(pieces, [text("Run "), MessagePart::Element("code".to_owned()), text(" or wait.")]);
    }

    #[test]
    fn apostrophes_quote_and_faults_are_shown() {
        for (message, shown) in [
            ("it's '{'here'}' isn''t", "it's {here} isn't"),
            ("{unknown} # {n}", "{unknown} # 5"),
            ("{n, plural, one {a}}", "{n, plural, one {a}}"),
            ("{n, plural, other {'#' #}}", "# 5"),
            ("", ""),
        ] {
            assert_eq!(format_text(message, "en", &[("n", Value::Number(5))]), shown, "{message}");
        }
    }

    #[test]
    fn numbers_have_the_separators_of_the_language() {
        assert_eq!(number(1_234_567, "en"), "1,234,567");
        assert_eq!(number(-1_234_567, "de"), "-1.234.567");
        assert_eq!(number(5, "no language"), "5");
    }
}
