//! Signs in a text of i18next, and of ICU MessageFormat, which the files of format `json` use.

/// A file is taken for the format whose signs are more than this many times those of the other one: catalogues speak
/// of templates now and then.
pub(super) const MANY_TIMES: usize = 10;

/// Counts a text whose braces are i18next's, or ICU's.
pub(super) fn count(text: &str, own: &mut usize, foreign: &mut usize) {
    if arguments(text).any(|(_, _, after)| is_icu_choice(after)) {
        // ICU's own sub-messages look like double braces: `other {{name}}`.
        *foreign += 1;
    } else if text.contains("$t(") || interpolates(text) {
        *own += 1;
    } else if arguments(text).any(|(before, name, after)| is_icu_argument(before, name, after)) {
        *foreign += 1;
    }
}

/// For each `{`: the text before it, the name after it, and the text after the name.
fn arguments(text: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    text.match_indices('{').map(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let (name, after) = name(text.get(at + 1..).unwrap_or_default());
        (before, name, after)
    })
}

/// The name at the beginning of a text, and the rest, without the blanks around the name. Names and blanks are short:
/// looking no further keeps the search linear.
fn name(text: &str) -> (&str, &str) {
    const LONGEST: usize = 100;
    let text = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or(text).trim_start();
    let end = text.find(|c: char| !c.is_alphanumeric() && !"_.$".contains(c)).unwrap_or(text.len());
    let (name, after) = text.split_at_checked(end).unwrap_or((text, ""));
    (name, after.trim_start())
}

/// `, plural, …` and its like.
fn is_icu_choice(after: &str) -> bool {
    let Some(after) = after.strip_prefix(',') else { return false };
    let (kind, after) = name(after);
    ["plural", "select", "selectordinal"].contains(&kind) && after.starts_with(',')
}

/// `{name}` or `{name, …}`, but not `${name}`, `#{name}`, `%{name}`.
fn is_icu_argument(before: &str, name: &str, after: &str) -> bool {
    let closes = after.starts_with(',') || (after.starts_with('}') && !after.starts_with("}}"));
    !name.is_empty() && closes && !before.ends_with(['{', '$', '%', '#'])
}

/// `{{name}}`, `{{- name}}`, `{{name, format}}`.
fn interpolates(text: &str) -> bool {
    text.match_indices("{{").any(|(at, braces)| {
        let inside = text.get(at + braces.len()..).unwrap_or_default();
        let (name, after) = name(inside.strip_prefix('-').unwrap_or(inside));
        !name.is_empty() && (after.starts_with("}}") || after.starts_with(','))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(text: &str) -> (usize, usize) {
        let (mut own, mut foreign) = (0, 0);
        count(text, &mut own, &mut foreign);
        (own, foreign)
    }

    #[test]
    fn braces_are_told_apart() {
        for text in ["{{name}}", "{{- name }}", "{{ a.b, number }}", "see $t(key)", "{n} {{m}}"] {
            assert_eq!(counted(text), (1, 0), "{text}");
        }
        for text in ["{name}", "{ n , number}", "{n, plural, other {{m}}}", "{a,select,other{{b}}}"] {
            assert_eq!(counted(text), (0, 1), "{text}");
        }
        for text in ["", "{", "{}", "{{", "{{}}", "${name}", "%{name}", "{{ states(x) > 0 }}", "{ a b }", "{\u{301}"] {
            assert_eq!(counted(text), (0, 0), "{text}");
        }
    }
}
