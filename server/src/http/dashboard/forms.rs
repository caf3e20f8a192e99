//! Forms and queries: `application/x-www-form-urlencoded`, bounded, read field by field, and shown again with what is wrong.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use url::form_urlencoded;

use super::view::hostile;
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::http::path;

/// Most bytes of a form.
pub(super) const FORM_BYTES: usize = 64 * 1024;
/// Most bytes of a form with fields for long texts: each letter of some scripts takes nine.
pub(super) const LARGE_FORM_BYTES: usize = 256 * 1024;
/// Most fields of a form, and of a query.
const MOST_FIELDS: usize = 1_000;
/// Begins the names of fields that belong to the frame, not to the page.
pub(super) const OF_FRAME: &str = "frame-";

/// The fields of a form or query, in their order.
#[derive(Debug, Clone, Default)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads a query or a body. What is no UTF-8, and the character NUL, become U+FFFD, as in HTML.
    ///
    /// # Errors
    ///
    /// 400 for more than 1,000 fields.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ServiceError> {
        let mut fields = Vec::new();
        for (name, value) in form_urlencoded::parse(bytes) {
            if fields.len() >= MOST_FIELDS {
                return Err(ServiceError::InvalidArgument(format!("a form takes at most {MOST_FIELDS} fields")));
            }
            fields.push((name.replace('\0', "\u{fffd}"), value.replace('\0', "\u{fffd}")));
        }
        Ok(Self(fields))
    }

    /// Returns true if there are no fields at all.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first value of a field, as it was sent; empty where it is not there.
    pub(super) fn value(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// The first value of a field.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Puts a value in the place of all that a field has.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.0.retain(|(known, _)| known != name);
        self.0.push((name.to_owned(), value.to_owned()));
    }

    /// All values of a field, such as those of checkboxes.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns true if a checkbox is set, or a button of this name was pressed.
    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The value of a field if it may be an id, for fields that no person types.
    pub(super) fn id(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| path::is_id(value))
    }

    /// One line of text that a person typed, without white space at its ends. The number of its characters has to be in
    /// `length`, and it has no control characters; otherwise it is noted in `errors`.
    pub(super) fn line(&self, name: &'static str, length: RangeInclusive<usize>, errors: &mut FieldErrors) -> String {
        self.typed(name, length, |character| character.is_control(), errors)
    }

    /// Text of several lines, as [`line`](Self::line). Line ends become `\n`.
    pub(super) fn text(&self, name: &'static str, length: RangeInclusive<usize>, errors: &mut FieldErrors) -> String {
        self.typed(name, length, |character| character.is_control() && !matches!(character, '\n' | '\t'), errors)
    }

    fn typed(
        &self,
        name: &'static str,
        length: RangeInclusive<usize>,
        is_wrong: fn(char) -> bool,
        errors: &mut FieldErrors,
    ) -> String {
        let text = self.value(name).replace("\r\n", "\n");
        let text = text.trim();
        let characters = text.chars().count();
        if characters < *length.start() {
            errors.add(name, if characters == 0 { "form.missing" } else { "form.short" }, Some(*length.start()));
        } else if characters > *length.end() {
            errors.add(name, "form.long", Some(*length.end()));
        } else if text.chars().any(is_wrong) {
            errors.add(name, "form.control", None);
        }
        text.to_owned()
    }

    /// A day such as `2026-11-23`: its beginning in UTC. `None` where the field is empty, or wrong, which is noted.
    pub(super) fn day(&self, name: &'static str, errors: &mut FieldErrors) -> Option<Timestamp> {
        let text = self.value(name).trim();
        if text.is_empty() {
            return None;
        }
        let is_day = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let day = is_day.then(|| format!("{text}T00:00:00.000Z").parse().ok()).flatten();
        if day.is_none() {
            errors.add(name, "form.day", None);
        }
        day
    }

    /// The fields of the page alone, without those of the frame and without secrets: what a form keeps while a person signs in.
    pub(super) fn to_keep(&self) -> impl Iterator<Item = (&str, &str)> {
        let is_kept = |name: &str| !name.starts_with(OF_FRAME) && !name.contains("password");
        self.0.iter().filter(move |(name, _)| is_kept(name)).map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The query with one field set, or left out; what the frame alone reads goes. For links to the same page.
    pub(super) fn with(&self, name: &str, value: Option<&str>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let others = self.0.iter().filter(|(known, _)| known != name && known != "done");
        query.extend_pairs(others.map(|(known, value)| (known, value)));
        if let Some(value) = value {
            query.append_pair(name, value);
        }
        let query = query.finish();
        if query.is_empty() { query } else { format!("?{query}") }
    }
}

/// Requires the one media type of forms without files.
///
/// # Errors
///
/// 400: a form of another site could be sent as text, and be read as something else.
pub(super) fn check_media_type(headers: &HeaderMap) -> Result<(), ServiceError> {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let media_type = |value: &http::HeaderValue| {
        let text = value.to_str().unwrap_or_default();
        text.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/x-www-form-urlencoded")
    };
    match (values.next(), values.next()) {
        (Some(value), None) if media_type(value) => Ok(()),
        _ => Err(ServiceError::InvalidArgument(
            "`content-type`: a form has to be application/x-www-form-urlencoded".to_owned(),
        )),
    }
}

/// A fault of a field: a text of the dashboard, or a sentence of the rules.
#[derive(Debug, Clone)]
pub(super) enum FormError {
    /// The key of a text that says what to do, with its number `n`.
    Text(&'static str, Option<usize>),
    /// A sentence of the rules.
    Said(String),
}

/// The faults of a form, by field, and those that belong to none.
#[derive(Debug, Clone, Default)]
pub(super) struct FieldErrors {
    fields: BTreeMap<&'static str, FormError>,
    whole: Vec<FormError>,
    has_moved: bool,
}

impl FieldErrors {
    /// Notes the fault of a field: the key of a text, which may have the argument `n`. The first fault of a field stays.
    pub(super) fn add(&mut self, field: &'static str, text: &'static str, n: Option<usize>) {
        self.fields.entry(field).or_insert(FormError::Text(text, n));
    }

    /// Notes the fault of a field in the words of the rules.
    pub(super) fn say(&mut self, field: &'static str, words: impl Into<String>) {
        self.fields.entry(field).or_insert(FormError::Said(hostile::shortened(&words.into())));
    }

    /// Notes a fault of the form as a whole: the key of a text.
    pub(super) fn whole(&mut self, text: &'static str, n: Option<usize>) {
        self.whole.push(FormError::Text(text, n));
    }

    /// Notes that the thing that the form is about has changed since the person was shown it: the key of a text. The page shows
    /// how it is now, so that a form that is sent again may replace that.
    pub(super) fn moved(&mut self, text: &'static str) {
        self.has_moved = true;
        self.whole(text, None);
    }

    /// Returns true if [`moved`](Self::moved) was noted.
    pub(super) fn has_moved(&self) -> bool {
        self.has_moved
    }

    /// Notes a fault of the form as a whole, in words.
    pub(super) fn say_whole(&mut self, words: impl Into<String>) {
        self.whole.push(FormError::Said(hostile::shortened(&words.into())));
    }

    /// Notes that the rules refused the form. What is not the form's fault is given back, for an error page.
    ///
    /// # Errors
    ///
    /// The error, where nothing that is typed could be the reason.
    pub(super) fn refused(&mut self, error: ServiceError) -> Result<(), ServiceError> {
        let status = crate::http::error::status(&error).as_u16();
        if matches!(status, 401 | 404 | 405) || status >= 500 {
            return Err(error);
        }
        self.whole.push(FormError::Said(hostile::shortened(&error.to_string())));
        Ok(())
    }

    /// As [`refused`](Self::refused), beside a field.
    ///
    /// # Errors
    ///
    /// The error, where nothing that is typed could be the reason.
    pub(super) fn refused_field(&mut self, field: &'static str, error: ServiceError) -> Result<(), ServiceError> {
        match error {
            ServiceError::InvalidArgument(words) => {
                self.say(field, words);
                Ok(())
            }
            other => self.refused(other),
        }
    }

    /// Returns true if nothing is wrong.
    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.whole.is_empty()
    }

    /// The fault of a field.
    pub(super) fn of(&self, field: &str) -> Option<&FormError> {
        self.fields.get(field)
    }

    /// Fields with their faults.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&'static str, &FormError)> {
        self.fields.iter().map(|(field, fault)| (*field, fault))
    }

    /// Faults of the form as a whole.
    pub(super) fn of_whole(&self) -> &[FormError] {
        &self.whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_typed_is_trimmed_counted_and_free_of_control_characters() {
        let fields = Fields::parse(b"a=+x+&b=%00&c=one%0D%0Atwo&d=%1B%5B31m&e=%E2%82%AC%E2%82%AC&f=%ff").unwrap();
        let mut errors = FieldErrors::default();
        assert_eq!(fields.line("a", 1..=1, &mut errors), "x");
        assert_eq!(fields.line("b", 1..=9, &mut errors), "\u{fffd}");
        assert_eq!(fields.text("c", 1..=9, &mut errors), "one\ntwo");
        assert_eq!(fields.line("f", 1..=9, &mut errors), "\u{fffd}");
        assert!(errors.is_empty(), "{errors:?}");
        let wrong = |name, length| {
            let mut errors = FieldErrors::default();
            fields.line(name, length, &mut errors);
            match errors.of(name) {
                Some(FormError::Text(text, _)) => *text,
                other => panic!("{name}: {other:?}"),
            }
        };
        assert_eq!(wrong("none", 1..=9), "form.missing");
        assert_eq!(wrong("e", 3..=9), "form.short");
        assert_eq!(wrong("e", 1..=1), "form.long");
        assert_eq!(wrong("c", 1..=9), "form.control");
        assert_eq!(wrong("d", 1..=9), "form.control");
    }

    #[test]
    fn a_day_begins_at_midnight_utc_and_nothing_else_is_one() {
        let day = |text: &str| {
            let mut errors = FieldErrors::default();
            let day = Fields(vec![("from".to_owned(), text.to_owned())]).day("from", &mut errors);
            assert_eq!(day.is_none() && !text.is_empty(), !errors.is_empty(), "{text}");
            day.map(|day| day.to_string())
        };
        assert_eq!(day("2026-11-23").as_deref(), Some("2026-11-23T00:00:00.000Z"));
        assert_eq!(day(""), None);
        let wrong =
            ["2026-02-30", "2026-1-1", "23.11.2026", "20261123", "2026-11-23T00:00", "----------", "9999-99-99"];
        for wrong in wrong {
            assert_eq!(day(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_form_of_too_many_fields_is_refused() {
        assert!(Fields::parse("a=1&".repeat(1_000).as_bytes()).is_ok());
        assert!(Fields::parse("a=1&".repeat(1_001).as_bytes()).is_err());
        assert!(Fields::parse(&[b'&'; 64 * 1024]).is_ok());
    }

    #[test]
    fn secrets_and_fields_of_the_frame_are_not_kept() {
        let fields = Fields::parse(b"name=x&new-password=y&frame-email=z&name=w").unwrap();
        assert_eq!(fields.to_keep().collect::<Vec<_>>(), [("name", "x"), ("name", "w")]);
    }

    #[test]
    fn a_link_to_the_same_page_keeps_the_other_filters() {
        let fields = Fields::parse(b"state=open&after=x&done=keys.revoked").unwrap();
        assert_eq!(fields.with("after", Some("a b")), "?state=open&after=a+b");
        assert_eq!(fields.with("state", None), "?after=x");
        assert_eq!(Fields::default().with("after", None), "");
    }

    #[test]
    fn only_the_media_type_of_forms_is_read() {
        let check = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, value.parse().unwrap());
            check_media_type(&headers).is_ok()
        };
        assert!(
            check("application/x-www-form-urlencoded") && check("Application/X-WWW-Form-Urlencoded; charset=UTF-8")
        );
        assert!(
            !check("text/plain")
                && !check("multipart/form-data; boundary=x")
                && !check("application/json")
                && !check("")
        );
        assert!(check_media_type(&HeaderMap::new()).is_err());
    }
}
