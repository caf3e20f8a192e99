//! Values in words: what a check compared is shown as a reader writes it, not as Rust prints it.

/// A text in which values that Rust printed are written as JSON or in words: `Some(String("a"))` is `"a"`, and a lone `None` is
/// `nothing`. What is in quotes stays as it is.
pub(super) fn plain(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    // For each open parenthesis, true if it is one of a wrapper and is left out.
    let mut open: Vec<bool> = Vec::new();
    while let Some(first) = rest.chars().next() {
        if let Some(inner) = rest.strip_prefix('"') {
            let end = quoted(inner);
            out.push_str(&rest[..=end]);
            rest = &rest[1 + end..];
            continue;
        }
        let word = &rest[..rest.find(|one: char| !one.is_ascii_alphanumeric() && one != '_').unwrap_or(rest.len())];
        let after = &rest[word.len()..];
        if word.is_empty() {
            match first {
                '(' => open.push(false),
                ')' if open.pop() == Some(true) => {
                    rest = &rest[1..];
                    continue;
                }
                _ => {}
            }
            match rest.strip_prefix("..=").filter(|_| out.ends_with(|one: char| one.is_ascii_digit())) {
                Some(beyond) => (out, rest) = (out + " to ", beyond),
                None => {
                    out.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
        } else if after.starts_with('(') && WRAPPERS.contains(&word) {
            open.push(true);
            rest = &after[1..];
        } else if let Some(symbol) = opened(word, after) {
            out.push(symbol);
            rest = &after[2..];
        } else if word == "b" && after.starts_with('"') {
            rest = after;
        } else if is_value(&out, after) && matches!(word, "None" | "Null") {
            out.push_str(if word == "None" { "nothing" } else { "null" });
            rest = after;
        } else {
            out.push_str(word);
            rest = after;
        }
    }
    out
}

const WRAPPERS: &[&str] = &["Some", "Ok", "String", "Number", "Bool"];

/// The place after the closing quote of what begins behind an opening one.
fn quoted(inner: &str) -> usize {
    let mut escaped = false;
    for (place, one) in inner.char_indices() {
        match one {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return place + 1,
            _ => {}
        }
    }
    inner.len()
}

/// The bracket that `Array [` and `Object {` open.
fn opened(word: &str, after: &str) -> Option<char> {
    match (word, after.get(..2)?) {
        ("Array", " [") => Some('['),
        ("Object", " {") => Some('{'),
        _ => None,
    }
}

/// Returns true if what stands between these is a value, and no word of a sentence.
fn is_value(before: &str, after: &str) -> bool {
    let begins =
        before.is_empty() || before.ends_with(['(', '[', '{', ',']) || before.ends_with(": ") || before.ends_with(", ");
    let ends = after.is_empty() || after.starts_with([')', ']', '}', ',', ';']);
    begins && ends
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn values_are_written_as_a_reader_writes_them() {
        for (debug, words) in [
            ("Some(200)", "200"),
            ("status: Some(String(\"it's \\\" Some(1)\"))", "status: \"it's \\\" Some(1)\""),
            ("None", "nothing"),
            ("[Some(\"a\"), None]", "[\"a\", nothing]"),
            ("Object {\"a\": Number(5), \"b\": Array [Null, Bool(true)]}", "{\"a\": 5, \"b\": [null, true]}"),
            ("a status of 200..=299", "a status of 200 to 299"),
            ("b\"{\\\"a\\\":1}\" and (Some(1))", "\"{\\\"a\\\":1}\" and (1)"),
        ] {
            assert_eq!(plain(debug), words);
        }
        for text in [
            "",
            "None of them (in Some cases)",
            "f(x), g(1)",
            "404 not_found {\"error\":\"None\"}",
            "é “x”",
            "\"open",
            "a)b",
        ] {
            assert_eq!(plain(text), text);
        }
    }
}
