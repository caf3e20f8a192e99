//! Names that stand in URLs.

use crate::domain::ServiceError;

/// Checks a handle or slug: 1 to 63 of `a-z`, `0-9` and `-`, beginning and ending with a letter or digit.
///
/// # Errors
///
/// Returns an error with the rules for names.
pub(crate) fn check_name(what: &str, name: &str) -> Result<(), ServiceError> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = name.as_bytes();
    let ends = bytes.first().copied().is_some_and(plain) && bytes.last().copied().is_some_and(plain);
    if ends && bytes.len() <= 63 && bytes.iter().all(|byte| plain(*byte) || *byte == b'-') {
        return Ok(());
    }
    Err(ServiceError::InvalidArgument(format!(
        "{what}: `{name}` is not 1 to 63 of a-z, 0-9 and -, with a letter or digit at both ends"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_in_urls() {
        for good in ["a", "demo", "my-app-2", &"a".repeat(63)] {
            assert!(check_name("slug", good).is_ok(), "{good}");
        }
        for bad in ["", "-a", "a-", "A", "a_b", "a/b", "ä", "a b", &"a".repeat(64)] {
            assert!(check_name("slug", bad).is_err(), "{bad}");
        }
    }
}
