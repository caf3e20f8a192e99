//! The fields of a push beside the text, checked.

use crate::domain::ServiceError;

/// Longest title, in Unicode scalar values.
pub(super) const LONGEST_TITLE: usize = 500;
/// Longest external id, in bytes.
const LONGEST_EXTERNAL_ID: usize = 512;

/// The names that a push gives a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DocumentNames {
    pub(super) title: Option<String>,
    pub(super) external_id: Option<String>,
}

/// Checks the names that a push gives its document, without a look at the project.
///
/// # Errors
///
/// 400 naming the field.
pub(crate) fn names(title: Option<String>, external_id: Option<String>) -> Result<DocumentNames, ServiceError> {
    Ok(DocumentNames { title: self::title(title)?, external_id: self::external_id(external_id)? })
}

/// The title, if one is given; an empty one is none.
fn title(asked: Option<String>) -> Result<Option<String>, ServiceError> {
    let Some(title) = asked.filter(|title| !title.is_empty()) else { return Ok(None) };
    if title.chars().count() > LONGEST_TITLE || title.chars().any(char::is_control) {
        return Err(ServiceError::InvalidArgument(format!(
            "`title` must be a single line of at most {LONGEST_TITLE} characters"
        )));
    }
    Ok(Some(title))
}

/// The external id, if one is given.
pub(super) fn external_id(asked: Option<String>) -> Result<Option<String>, ServiceError> {
    let Some(id) = asked else { return Ok(None) };
    if id.is_empty() || id.len() > LONGEST_EXTERNAL_ID || id.chars().any(char::is_control) {
        return Err(ServiceError::InvalidArgument(format!(
            "`externalId` must be 1 to {LONGEST_EXTERNAL_ID} bytes long, without control characters"
        )));
    }
    Ok(Some(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_short_line_and_an_empty_one_is_none() {
        assert_eq!(title(Some(String::new())).unwrap(), None);
        assert_eq!(title(Some("é".repeat(500))).unwrap(), Some("é".repeat(500)));
        for bad in ["é".repeat(501), "a\nb".into(), "a\u{85}b".into()] {
            assert!(title(Some(bad)).is_err());
        }
    }

    #[test]
    fn an_external_id_has_a_byte_and_at_most_512_none_of_them_a_control_character() {
        assert_eq!(external_id(None).unwrap(), None);
        assert!(external_id(Some("é".repeat(256))).is_ok());
        for bad in [String::new(), "é".repeat(257), "a\tb".into()] {
            assert!(external_id(Some(bad)).is_err());
        }
    }
}
