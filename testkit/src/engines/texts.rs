//! Texts as a service sees them: parts to translate, and tags or marks between them.

use super::behaviour::Behaviour;

/// The form in which a service sees what it does not translate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `<x id="1"/>` in text that is escaped.
    Xml,
    /// `<x id="1"></x>` in text that is escaped; the answer comes unescaped.
    Html,
    /// `⟦1⟧` in plain text.
    Plain,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Tag(String),
}

/// Translates texts as the behaviour has it, or says what is wrong with them.
pub(super) fn translated(texts: &[String], form: Form, behaviour: &Behaviour) -> Result<Vec<String>, String> {
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

fn parts(text: &str, form: Form) -> Result<Vec<Part>, String> {
    let (open, close) = match form {
        Form::Xml => ("<x id=\"", "\"/>"),
        Form::Html => ("<x id=\"", "\"></x>"),
        Form::Plain => ("⟦", "⟧"),
    };
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        let (number, after) = after.split_once(close).ok_or_else(|| format!("a tag of {text:?} does not end"))?;
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!("a tag of {text:?} has the id {number:?}"));
        }
        parts.push(Part::Text(plain(before, form)?));
        parts.push(Part::Tag(number.to_owned()));
        rest = after;
    }
    parts.push(Part::Text(plain(rest, form)?));
    parts.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
    Ok(parts)
}

/// A text without its escapes. A sign of markup that is not escaped is an error.
fn plain(text: &str, form: Form) -> Result<String, String> {
    if form == Form::Plain {
        return Ok(text.to_owned());
    }
    let bare = text.replace("&amp;", "").replace("&lt;", "").replace("&gt;", "");
    if bare.contains(['<', '>', '&']) || bare.chars().any(char::is_control) {
        return Err(format!("{text:?} is not escaped"));
    }
    Ok(text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
}

fn changed(mut parts: Vec<Part>, behaviour: &Behaviour) -> Vec<Part> {
    let is_tag = |part: &Part| matches!(part, Part::Tag(_));
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
                if let Part::Text(text) = &mut parts[at] {
                    let begun = if before { text.trim_start() } else { text.as_str() };
                    let glued = if after { begun.trim_end() } else { begun }.to_owned();
                    *text = glued;
                }
            }
        }
        _ => {}
    }
    for part in &mut parts {
        if let Part::Text(text) = part {
            *text = text.to_uppercase();
        }
    }
    parts
}

fn written(parts: Vec<Part>, form: Form, behaviour: &Behaviour) -> String {
    let escapes = match behaviour {
        Behaviour::UnescapeAll => false,
        _ => form == Form::Xml,
    };
    let part = |part: Part| match (part, form) {
        (Part::Text(text), _) => {
            if escapes {
                escaped(&text)
            } else {
                text
            }
        }
        (Part::Tag(number), Form::Plain) => format!("⟦{number}⟧"),
        (Part::Tag(number), Form::Xml | Form::Html) => {
            let tag = match (behaviour, form) {
                (Behaviour::Pair, _) | (_, Form::Html) => format!("<x id=\"{number}\"></x>"),
                _ => format!("<x id=\"{number}\"/>"),
            };
            if *behaviour == Behaviour::UpperCaseTags { tag.to_uppercase() } else { tag }
        }
    };
    let text: String = parts.into_iter().map(part).collect();
    if *behaviour == Behaviour::EscapeAll && form != Form::Plain { escaped(&text) } else { text }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str, form: Form, behaviour: Behaviour) -> Result<String, String> {
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
            assert_eq!(one(xml, Form::Xml, behaviour.clone()).as_deref(), Ok(expected), "{behaviour:?}");
        }
        assert_eq!(one("a &lt; <x id=\"1\"></x>", Form::Html, Behaviour::Translate).unwrap(), "A < <x id=\"1\"></x>");
        assert_eq!(one("a < ⟦1⟧", Form::Plain, Behaviour::Glue).unwrap(), "A <⟦1⟧");
    }

    #[test]
    fn text_that_is_not_escaped_is_complained_of() {
        for wrong in ["a < b", "a & b", "a > b", "<x id=\"a\"/>", "<x id=\"1\">", "<b/>", "a\nb"] {
            assert!(one(wrong, Form::Xml, Behaviour::Translate).is_err(), "{wrong}");
        }
    }
}
