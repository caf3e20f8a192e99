//! Texts as a service sees them: parts to translate, and tags or marks between them.

use super::behaviour::Behaviour;

/// The form in which a service sees what it does not translate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkupForm {
    /// `<x id="1"/>` in text that is escaped.
    Xml,
    /// `<x id="1"></x>` in text that is escaped; the answer comes unescaped.
    Html,
    /// `<span … id="1">{name}</span>` and `<br … id="2">`, with an attribute that says that it stays, in text that is escaped.
    Span(&'static str),
    /// `⟦1⟧` in plain text.
    Plain,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum TextPart {
    Text(String),
    Tag(MarkupTag),
}

/// A tag that is not translated.
#[derive(Debug, Clone, PartialEq, Eq)]
struct MarkupTag {
    number: String,
    /// Its content, without its escapes.
    inside: String,
    /// True for a line break.
    breaks: bool,
}

/// Translates texts as the behaviour has it, or says what is wrong with them.
pub(super) fn translated(texts: &[String], form: MarkupForm, behaviour: &Behaviour) -> Result<Vec<String>, String> {
    let mut made = texts
        .iter()
        .map(|text| Ok(written(changed(parts(text, form)?, behaviour), form, behaviour)))
        .collect::<Result<Vec<_>, String>>()?;
    match behaviour {
        Behaviour::TooFew => {
            made.pop();
        }
        Behaviour::TooMany => made.push("one more".to_owned()),
        Behaviour::Reorder => made.reverse(),
        _ => {}
    }
    Ok(made)
}

fn parts(text: &str, form: MarkupForm) -> Result<Vec<TextPart>, String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((at, breaks, open, close)) = next_tag(rest, form) {
        let (before, after) = (&rest[..at], &rest[at + open.len()..]);
        let (number, after) = after.split_once(close).ok_or_else(|| format!("a tag of {text:?} does not end"))?;
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!("a tag of {text:?} has the id {number:?}"));
        }
        let (inside, after) = match form {
            MarkupForm::Span(_) if !breaks => {
                after.split_once("</span>").ok_or_else(|| format!("a span of {text:?} does not end"))?
            }
            _ => ("", after),
        };
        parts.push(TextPart::Text(plain(before, form)?));
        parts.push(TextPart::Tag(MarkupTag { number: number.to_owned(), inside: plain(inside, form)?, breaks }));
        rest = after;
    }
    parts.push(TextPart::Text(plain(rest, form)?));
    parts.retain(|part| !matches!(part, TextPart::Text(text) if text.is_empty()));
    Ok(parts)
}

/// The place of the next tag, whether it is a line break, and what stands before and behind its number.
fn next_tag(text: &str, form: MarkupForm) -> Option<(usize, bool, String, &'static str)> {
    let forms = match form {
        MarkupForm::Xml => vec![(false, "<x id=\"".to_owned(), "\"/>")],
        MarkupForm::Html => vec![(false, "<x id=\"".to_owned(), "\"></x>")],
        MarkupForm::Span(stays) => {
            vec![(false, format!("<span {stays} id=\""), "\">"), (true, format!("<br {stays} id=\""), "\">")]
        }
        MarkupForm::Plain => vec![(false, "⟦".to_owned(), "⟧")],
    };
    let found = forms.into_iter().filter_map(|(breaks, open, close)| Some((text.find(&open)?, breaks, open, close)));
    found.min_by_key(|(at, ..)| *at)
}

/// A text without its escapes. A sign of markup that is not escaped is an error.
fn plain(text: &str, form: MarkupForm) -> Result<String, String> {
    if form == MarkupForm::Plain {
        return Ok(text.to_owned());
    }
    let bare = text.replace("&amp;", "").replace("&lt;", "").replace("&gt;", "");
    if bare.contains(['<', '>', '&']) || bare.chars().any(char::is_control) {
        return Err(format!("{text:?} is not escaped"));
    }
    Ok(text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
}

fn changed(mut parts: Vec<TextPart>, behaviour: &Behaviour) -> Vec<TextPart> {
    let is_tag = |part: &TextPart| matches!(part, TextPart::Tag(_));
    match behaviour {
        Behaviour::Echo => return parts,
        Behaviour::Empty => return Vec::new(),
        Behaviour::Drop => {
            if let Some(at) = parts.iter().rposition(is_tag) {
                parts.remove(at);
            }
        }
        Behaviour::Double => {
            if let Some(at) = parts.iter().position(is_tag) {
                parts.insert(at, parts[at].clone());
            }
        }
        Behaviour::Move => parts.sort_by_key(|part| !is_tag(part)),
        Behaviour::Glue => {
            for at in 0..parts.len() {
                let (before, after) = (at > 0, at + 1 < parts.len());
                if let TextPart::Text(text) = &mut parts[at] {
                    let begun = if before { text.trim_start() } else { text.as_str() };
                    let glued = if after { begun.trim_end() } else { begun }.to_owned();
                    *text = glued;
                }
            }
        }
        _ => {}
    }
    for part in &mut parts {
        if let TextPart::Text(text) = part {
            *text = text.to_uppercase();
        }
    }
    parts
}

fn written(parts: Vec<TextPart>, form: MarkupForm, behaviour: &Behaviour) -> String {
    let escapes = match (behaviour, form) {
        (Behaviour::UnescapeAll, _) | (_, MarkupForm::Html | MarkupForm::Plain) => false,
        (_, MarkupForm::Xml | MarkupForm::Span(_)) => true,
    };
    let text = |text: String| if escapes { escaped(&text, form) } else { text };
    let part = |part: TextPart| match part {
        TextPart::Text(words) => text(words),
        TextPart::Tag(MarkupTag { number, .. }) if form == MarkupForm::Plain => format!("⟦{number}⟧"),
        TextPart::Tag(MarkupTag { number, inside, breaks }) => {
            let (begin, end) = match (behaviour, form) {
                (_, MarkupForm::Span(stays)) if breaks => (format!("<br {stays} id=\"{number}\">"), ""),
                (_, MarkupForm::Span(stays)) => (format!("<span {stays} id=\"{number}\">"), "</span>"),
                (Behaviour::Pair, _) | (_, MarkupForm::Html) => (format!("<x id=\"{number}\">"), "</x>"),
                _ => (format!("<x id=\"{number}\"/>"), ""),
            };
            match behaviour {
                Behaviour::UpperCaseTags => begin.to_uppercase() + &text(inside) + &end.to_uppercase(),
                Behaviour::Spill => text(inside) + &begin + end,
                _ => begin + &text(inside) + end,
            }
        }
    };
    let whole: String = parts.into_iter().map(part).collect();
    if *behaviour == Behaviour::EscapeAll && form != MarkupForm::Plain { escaped(&whole, form) } else { whole }
}

/// The text, escaped. Services that write HTML escape quotation marks as well.
fn escaped(text: &str, form: MarkupForm) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    if matches!(form, MarkupForm::Span(_)) { text.replace('"', "&quot;").replace('\'', "&#39;") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str, form: MarkupForm, behaviour: Behaviour) -> Result<String, String> {
        Ok(translated(&[text.to_owned()], form, &behaviour)?.remove(0))
    }

    #[test]
    fn texts_are_changed_as_the_behaviour_says() {
        let xml = r#"a &lt; <x id="1"/> b <x id="2"/>"#;
        for (behaviour, expected) in [
            (Behaviour::Translate, r#"A &lt; <x id="1"/> B <x id="2"/>"#),
            (Behaviour::Drop, r#"A &lt; <x id="1"/> B "#),
            (Behaviour::Double, r#"A &lt; <x id="1"/><x id="1"/> B <x id="2"/>"#),
            (Behaviour::Move, r#"<x id="1"/><x id="2"/>A &lt;  B "#),
            (Behaviour::Glue, r#"A &lt;<x id="1"/>B<x id="2"/>"#),
            (Behaviour::Pair, r#"A &lt; <x id="1"></x> B <x id="2"></x>"#),
            (Behaviour::UpperCaseTags, r#"A &lt; <X ID="1"/> B <X ID="2"/>"#),
            (Behaviour::UnescapeAll, r#"A < <x id="1"/> B <x id="2"/>"#),
            (Behaviour::Echo, xml),
            (Behaviour::Empty, ""),
        ] {
            assert_eq!(one(xml, MarkupForm::Xml, behaviour.clone()).as_deref(), Ok(expected), "{behaviour:?}");
        }
        assert_eq!(
            one("a &lt; <x id=\"1\"></x>", MarkupForm::Html, Behaviour::Translate).unwrap(),
            "A < <x id=\"1\"></x>"
        );
        let span = MarkupForm::Span("translate=\"no\"");
        let html = r#"it's <span translate="no" id="1">&lt;b&gt;</span> b<br translate="no" id="2">"#;
        for (behaviour, expected) in [
            (
                Behaviour::Translate,
                r#"IT&#39;S <span translate="no" id="1">&lt;b&gt;</span> B<br translate="no" id="2">"#,
            ),
            (Behaviour::Spill, r#"IT&#39;S &lt;b&gt;<span translate="no" id="1"></span> B<br translate="no" id="2">"#),
            (Behaviour::UnescapeAll, r#"IT'S <span translate="no" id="1"><b></span> B<br translate="no" id="2">"#),
            (Behaviour::Drop, r#"IT&#39;S <span translate="no" id="1">&lt;b&gt;</span> B"#),
        ] {
            assert_eq!(one(html, span, behaviour.clone()).as_deref(), Ok(expected), "{behaviour:?}");
        }
        assert_eq!(one("a < ⟦1⟧", MarkupForm::Plain, Behaviour::Glue).unwrap(), "A <⟦1⟧");
    }

    #[test]
    fn text_that_is_not_escaped_is_complained_of() {
        for wrong in ["a < b", "a & b", "a > b", "<x id=\"a\"/>", "<x id=\"1\">", "<b/>", "a\nb"] {
            assert!(one(wrong, MarkupForm::Xml, Behaviour::Translate).is_err(), "{wrong}");
        }
        for wrong in ["<span id=\"1\">a</span>", "<span class=\"notranslate\" id=\"1\"><b></span>", "a\nb", "<br>"] {
            assert!(one(wrong, MarkupForm::Span("class=\"notranslate\""), Behaviour::Translate).is_err(), "{wrong}");
        }
    }
}
