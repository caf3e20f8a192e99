//! Paths of source files: their identity from sync to sync.

use crate::domain::ServiceError;

/// Longest path, in bytes.
const LONGEST: usize = 512;

/// Takes a relative path with `/` between its parts and no part that leads elsewhere.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`], naming the field and the fault.
pub(super) fn check(path: &str) -> Result<(), ServiceError> {
    let wrong = |what: &str| Err(ServiceError::InvalidArgument(format!("`file.path` {what}")));
    if path.is_empty() || path.len() > LONGEST {
        return wrong("must be 1 to 512 bytes long");
    }
    if path.chars().any(char::is_control) {
        return wrong("must not contain control characters");
    }
    if path.contains('\\') {
        return wrong("must have `/` between its parts, not `\\`");
    }
    if path.starts_with('/') || path.as_bytes().get(1) == Some(&b':') {
        return wrong("must be relative, such as `locales/en.json`");
    }
    if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return wrong("must not have an empty part, `.` or `..`");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_relative_paths_that_stay_below_their_root_are_taken() {
        for good in ["en.json", "locales/en/app.json", "a b/ü..json", "..a/b", &"x".repeat(512)] {
            assert!(check(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "/en.json",
            "a//b",
            "a/",
            "./a",
            "a/../b",
            "..",
            "a\\b",
            "C:/a",
            "C:a",
            "a\nb",
            "a\u{0}",
            "a\u{85}b",
            &"x".repeat(513),
        ] {
            let error = check(bad).unwrap_err();
            assert!(error.to_string().starts_with("`file.path` "), "{bad:?}: {error}");
        }
    }
}
