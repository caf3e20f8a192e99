//! Addresses and names of people, checked.

use crate::domain::ServiceError;

/// Longest address, in bytes (RFC 5321).
pub(crate) const LONGEST_EMAIL: usize = 254;
/// Longest name, in Unicode scalar values.
pub(crate) const LONGEST_PERSON_NAME: usize = 100;
/// Longest description of a browser that is kept, in Unicode scalar values.
const LONGEST_USER_AGENT: usize = 200;

/// The address in the form in which it is stored: lower case, without the blanks around it.
///
/// # Errors
///
/// 400 for a text that is no address of a mailbox.
pub(super) fn email(text: &str) -> Result<String, ServiceError> {
    let email = text.trim().to_lowercase();
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !is_invisible(c);
    let parts = email.rsplit_once('@').filter(|(local, domain)| {
        !local.is_empty() && !local.contains('@') && !domain.starts_with(['.', '-']) && !domain.ends_with(['.', '-'])
    });
    match parts {
        Some((_, domain)) if !domain.is_empty() && email.len() <= LONGEST_EMAIL && email.chars().all(is_plain) => {
            Ok(email)
        }
        _ => Err(ServiceError::InvalidArgument("The email address must have the form name@example.com".to_owned())),
    }
}

/// The name without the blanks around it; the part before the `@` of the address where none is given.
///
/// # Errors
///
/// 400 for one that is too long or cannot be shown.
pub(super) fn name(text: &str, email: &str) -> Result<String, ServiceError> {
    let name = match text.trim() {
        "" => email.rsplit_once('@').map_or(email, |(local, _)| local),
        name => name,
    };
    if name.chars().count() <= LONGEST_PERSON_NAME && !name.chars().any(|c| c.is_control() || is_invisible(c)) {
        return Ok(name.to_owned());
    }
    let message = format!("The name must be a single line of at most {LONGEST_PERSON_NAME} characters");
    Err(ServiceError::InvalidArgument(message))
}

/// The part of a browser's description that is kept.
pub(super) fn user_agent(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(LONGEST_USER_AGENT).collect()
}

/// Returns whether a character changes how the others look, or shows nothing: an address that looks like another's.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{00ad}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_kept_in_lower_case() {
        for (typed, kept) in [("Ada@Example.COM", "ada@example.com"), ("  a@b ", "a@b"), ("É@ex.org", "é@ex.org")] {
            assert_eq!(email(typed).unwrap(), kept);
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        let long = format!("{}@example.com", "a".repeat(250));
        for wrong in
            ["", "a", "@", "a@", "@b", "a@b@c", "a b@c", "a@b c", "a@\u{202e}c", "a\n@b", "a@.b", "a@b.", "a@-b", &long]
        {
            assert!(email(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_name_is_one_short_line_and_the_address_stands_in_for_it() {
        assert_eq!(name(" Ada Lovelace ", "ada@example.com").unwrap(), "Ada Lovelace");
        assert_eq!(name("", "ada@example.com").unwrap(), "ada");
        for wrong in ["a\nb", "\u{202e}a", &"é".repeat(101)] {
            assert!(name(wrong, "ada@example.com").is_err(), "{wrong:?}");
        }
    }
}
