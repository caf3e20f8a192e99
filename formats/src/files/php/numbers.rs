//! Keys of arrays: texts, and the numbers that PHP makes of some.

/// The numbers of entries without a key.
pub(super) struct Indexes {
    /// `None` once it cannot be told.
    next: Option<i64>,
}

impl Indexes {
    pub(super) fn new() -> Self {
        Self { next: Some(0) }
    }

    /// The key of an entry without one. `None` where it cannot be told.
    pub(super) fn take(&mut self) -> Option<String> {
        let index = self.next?;
        self.next = index.checked_add(1);
        Some(index.to_string())
    }

    /// Takes note of a key. `None` stands for one that is computed.
    pub(super) fn note(&mut self, key: Option<&str>) {
        let Some(key) = key else {
            self.next = None;
            return;
        };
        if let Some(number) = whole(key) {
            // What follows a negative one depends on the version of PHP.
            self.next = self.next.filter(|_| number >= 0).and_then(|next| Some(next.max(number.checked_add(1)?)));
        }
    }
}

/// The number that a text is as a key.
fn whole(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_canonical = digits == "0" && text == digits || !digits.starts_with('0');
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number && is_canonical)
}

/// The key that a bare word is: a number, `true`, `false` or `null`. `None` for others.
pub(super) fn constant(code: &str) -> Option<String> {
    match code.to_ascii_lowercase().as_str() {
        "true" => Some("1".to_owned()),
        "false" => Some("0".to_owned()),
        "null" => Some(String::new()),
        code => {
            let sign = if code.starts_with('-') { "-" } else { "" };
            let digits = code.strip_prefix('-').unwrap_or(code).trim_start();
            let number = format!("{sign}{}", digits.replace('_', ""));
            whole(&number).map(|number| number.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_without_a_key_have_the_next_number() {
        let mut indexes = Indexes::new();
        assert_eq!(indexes.take().as_deref(), Some("0"));
        indexes.note(Some("7"));
        indexes.note(Some("07"));
        indexes.note(Some("x"));
        indexes.note(Some("3"));
        assert_eq!(indexes.take().as_deref(), Some("8"));
        indexes.note(Some("-5"));
        assert_eq!(indexes.take(), None);
        let mut indexes = Indexes::new();
        indexes.note(None);
        assert_eq!(indexes.take(), None);
    }

    #[test]
    fn bare_words_are_the_keys_that_php_makes_of_them() {
        let keys = ["1_000", "- 5", "0", "TRUE", "null", "07", "0x1f", "1.5", "X::Y"].map(constant);
        let keys: Vec<_> = keys.iter().map(Option::as_deref).collect();
        assert_eq!(keys, [Some("1000"), Some("-5"), Some("0"), Some("1"), Some(""), None, None, None, None]);
    }
}
