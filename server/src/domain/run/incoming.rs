//! The items of a request, checked: keys as the rest of the run works with them.

use std::collections::HashMap;

use l10n_api_types::{Content, FormatId, Key, Plural, State};
use l10n_formats::SourceHash;
use l10n_formats::files::{Entry, syntax_of};
use l10n_formats::text::Syntax;

use crate::domain::ServiceError;
use crate::store::keys::KeyToTranslate;
use crate::store::segments::Segment;

/// Most keys of one `POST /translate`.
pub(crate) const MOST_KEYS: usize = 10_000;
/// Longest `ref`, in bytes.
pub(crate) const LONGEST_REF: usize = 512;
/// Longest namespace, tag and plural argument, in bytes.
const LONGEST_NAME: usize = 128;
/// Longest description, in bytes.
pub(in crate::domain) const LONGEST_DESCRIPTION: usize = 4_096;
/// Most tags of a key.
const MOST_TAGS: usize = 32;

/// A key of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InputKey {
    /// Its `ref`.
    pub name: String,
    /// Its text.
    pub content: Content,
    /// Hash of `content`.
    pub hash: SourceHash,
    /// Unicode scalar values of `content`.
    pub characters: u64,
    /// A note for translators; `None` leaves what the project holds.
    pub description: Option<String>,
    /// Longest translation allowed; `None` leaves what the project holds.
    pub max_length: Option<u32>,
    /// The part of the project that it belongs to; `None` leaves what the project holds.
    pub namespace: Option<String>,
    /// Labels for people; none leave what the project holds.
    pub tags: Vec<String>,
    /// The syntax of the text; `None` leaves what the project holds.
    pub syntax: Option<Syntax>,
    /// The state that a file says of its translation.
    pub state: Option<State>,
    /// True if the run leaves the key alone, whatever the input says: a person archived it, and the code has not
    /// followed.
    pub stays: bool,
}

impl InputKey {
    /// A segment of a document, whose tags are no characters to be paid for.
    pub(in crate::domain) fn of_segment(segment: Segment) -> Self {
        let characters = u64::try_from(segment.characters).unwrap_or_default();
        let content = Content::Text(segment.text);
        Self { characters, hash: segment.hash, ..Self::new(segment.hash.to_string(), content) }
    }

    /// A key as the project holds it.
    pub(super) fn of_key(key: KeyToTranslate) -> Self {
        Self { syntax: key.syntax, ..Self::new(key.name, key.source.0) }
    }

    fn new(name: String, content: Content) -> Self {
        let (hash, characters) = (SourceHash::of(&content), content.characters());
        Self {
            name,
            content,
            hash,
            characters,
            description: None,
            max_length: None,
            namespace: None,
            tags: Vec::new(),
            syntax: None,
            state: None,
            stays: false,
        }
    }

    /// Lets it say something else.
    pub(in crate::domain) fn say(&mut self, content: Content) {
        (self.hash, self.characters, self.content) = (SourceHash::of(&content), content.characters(), content);
    }
}

/// Checks the keys of a `POST /translate`.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`], naming the field, such as `keys[3].text`.
pub(crate) fn from_keys(keys: Vec<Key>) -> Result<Vec<InputKey>, ServiceError> {
    if keys.is_empty() || keys.len() > MOST_KEYS {
        let count = keys.len();
        return Err(invalid(format!(
            "`keys` must have 1 to {MOST_KEYS} keys, not {count}: split it into several requests"
        )));
    }
    let mut seen = HashMap::with_capacity(keys.len());
    for (index, key) in keys.iter().enumerate() {
        if let Some(first) = seen.insert(key.r#ref.as_str(), index) {
            return Err(invalid(format!(
                "`keys[{index}].ref` is that of `keys[{first}]`; a ref may occur only once in a request"
            )));
        }
    }
    drop(seen);
    keys.into_iter().enumerate().map(|(index, key)| from_key(key, &format!("keys[{index}]"))).collect()
}

/// Checks a key; `at` names it in messages.
pub(in crate::domain) fn from_key(key: Key, at: &str) -> Result<InputKey, ServiceError> {
    check_ref(&key.r#ref, at)?;
    let content = key.content().map_err(|error| invalid(format!("`{at}`: {error}")))?;
    if let Content::Plural(plural) = &content {
        check_plural(plural, at)?;
    }
    if let Some(namespace) = &key.namespace {
        check_namespace(namespace, at)?;
    }
    if key.description.as_ref().is_some_and(|text| text.len() > LONGEST_DESCRIPTION) {
        return Err(invalid(format!("`{at}.description` must be at most {LONGEST_DESCRIPTION} bytes long")));
    }
    if key.max_length == Some(0) {
        return Err(invalid(format!("`{at}.maxLength` must be at least 1")));
    }
    let tags = checked_tags(key.tags, at)?;
    Ok(InputKey {
        description: key.description,
        max_length: key.max_length,
        namespace: key.namespace,
        tags,
        ..InputKey::new(key.r#ref, content)
    })
}

/// Checks the entries of a file. Its format has checked the names; a namespace may have made them too long.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`], naming the key.
pub(crate) fn from_entries(
    entries: Vec<Entry>,
    format: FormatId,
    namespace: Option<&str>,
) -> Result<Vec<InputKey>, ServiceError> {
    entries.into_iter().map(|entry| from_entry(entry, format, namespace)).collect()
}

fn from_entry(entry: Entry, format: FormatId, namespace: Option<&str>) -> Result<InputKey, ServiceError> {
    let syntax = syntax_of(format, &entry);
    let name = match namespace {
        Some(namespace) => format!("{namespace}:{}", entry.key),
        None => entry.key,
    };
    let at = format!("file.content: the key `{}`", shown(&name));
    check_ref(&name, &at)?;
    if has_nul(&entry.content) {
        return Err(invalid(format!("`{at}` must not contain U+0000")));
    }
    // A note that is too long is cut rather than refused: the file is right, and a note is for people.
    let description = entry.description.map(|text| text.replace('\0', "")).map(|mut text| {
        text.truncate(text.floor_char_boundary(LONGEST_DESCRIPTION));
        text
    });
    Ok(InputKey {
        description,
        max_length: entry.max_length.filter(|length| *length > 0),
        namespace: namespace.map(str::to_owned),
        syntax: Some(syntax),
        state: entry.state,
        ..InputKey::new(name, entry.content)
    })
}

/// Checks a `ref`; `at` names its key in messages.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`].
pub(in crate::domain) fn check_ref(name: &str, at: &str) -> Result<(), ServiceError> {
    if name.is_empty() || name.len() > LONGEST_REF {
        return Err(invalid(format!("`{at}.ref` must be 1 to {LONGEST_REF} bytes long, not {}", name.len())));
    }
    if name.chars().any(char::is_control) {
        return Err(invalid(format!("`{at}.ref` must not contain control characters")));
    }
    Ok(())
}

/// Checks the argument of a plural; `at` names its key in messages.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`].
pub(in crate::domain) fn check_plural(plural: &Plural, at: &str) -> Result<(), ServiceError> {
    let unfit = |c: char| c.is_control() || c.is_whitespace() || matches!(c, '{' | '}' | ',');
    if plural.arg.is_empty() || plural.arg.len() > LONGEST_NAME || plural.arg.chars().any(unfit) {
        return Err(invalid(format!(
            "`{at}.plural.arg` must be a name such as `count`: 1 to {LONGEST_NAME} bytes without spaces, commas or braces"
        )));
    }
    Ok(())
}

/// A namespace stands as one part in paths of rendered files, so it must lead nowhere else.
fn check_namespace(namespace: &str, at: &str) -> Result<(), ServiceError> {
    let unfit = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':' | '{' | '}');
    if namespace.is_empty()
        || namespace.len() > LONGEST_NAME
        || namespace.chars().any(unfit)
        || matches!(namespace, "." | "..")
    {
        return Err(invalid(format!(
            "`{at}.namespace` must be a name such as `common`: 1 to {LONGEST_NAME} bytes without control characters, `/`, `\\`, \
             `:` or braces, and not `.` or `..`"
        )));
    }
    Ok(())
}

fn checked_tags(tags: Vec<String>, at: &str) -> Result<Vec<String>, ServiceError> {
    if tags.len() > MOST_TAGS {
        return Err(invalid(format!("`{at}.tags` must have at most {MOST_TAGS} tags, not {}", tags.len())));
    }
    let mut checked: Vec<String> = Vec::with_capacity(tags.len());
    for (index, tag) in tags.into_iter().enumerate() {
        if tag.is_empty() || tag.len() > LONGEST_NAME || tag.chars().any(char::is_control) {
            return Err(invalid(format!(
                "`{at}.tags[{index}]` must be 1 to {LONGEST_NAME} bytes long, without control characters"
            )));
        }
        if !checked.contains(&tag) {
            checked.push(tag);
        }
    }
    Ok(checked)
}

fn has_nul(content: &Content) -> bool {
    match content {
        Content::Text(text) => text.contains('\0'),
        Content::Plural(plural) => plural.arg.contains('\0') || plural.forms.values().any(|form| form.contains('\0')),
    }
}

/// A name for a message, short whatever the file holds.
fn shown(name: &str) -> String {
    name.chars().take(60).flat_map(char::escape_debug).collect()
}

fn invalid(message: String) -> ServiceError {
    ServiceError::InvalidArgument(message)
}

#[cfg(test)]
mod tests {
    use l10n_api_types::PluralCategory;

    use super::*;

    fn refused(key: Key) -> String {
        from_keys(vec![Key::text("fine", "x"), key]).unwrap_err().to_string()
    }

    #[test]
    fn every_refusal_of_a_key_names_its_field() {
        let key = || Key::text("a", "A");
        insta::assert_snapshot!(refused(Key { r#ref: String::new(), ..key() }), @"`keys[1].ref` must be 1 to 512 bytes long, not 0");
        insta::assert_snapshot!(refused(Key { r#ref: "é".repeat(257), ..key() }), @"`keys[1].ref` must be 1 to 512 bytes long, not 514");
        insta::assert_snapshot!(refused(Key { r#ref: "a\tb".into(), ..key() }), @"`keys[1].ref` must not contain control characters");
        insta::assert_snapshot!(refused(Key { r#ref: "fine".into(), ..key() }), @"`keys[1].ref` is that of `keys[0]`; a ref may occur only once in a request");
        insta::assert_snapshot!(refused(Key { text: None, ..key() }), @"`keys[1]`: one of `text` and `plural` is needed");
        insta::assert_snapshot!(refused(Key { namespace: Some("../up".into()), ..key() }), @r"`keys[1].namespace` must be a name such as `common`: 1 to 128 bytes without control characters, `/`, `\`, `:` or braces, and not `.` or `..`");
        insta::assert_snapshot!(refused(Key { description: Some("x".repeat(5_000)), ..key() }), @"`keys[1].description` must be at most 4096 bytes long");
        insta::assert_snapshot!(refused(Key { max_length: Some(0), ..key() }), @"`keys[1].maxLength` must be at least 1");
        insta::assert_snapshot!(refused(Key { tags: vec!["ok".into(), "\n".into()], ..key() }), @"`keys[1].tags[1]` must be 1 to 128 bytes long, without control characters");
        insta::assert_snapshot!(refused(Key { tags: vec!["x".into(); 33], ..key() }), @"`keys[1].tags` must have at most 32 tags, not 33");
        let plural = |arg: &str, category| Plural { arg: arg.into(), forms: [(category, String::new())].into() };
        let key = |plural| Key { text: None, plural: Some(plural), ..key() };
        insta::assert_snapshot!(refused(key(plural("n", PluralCategory::One))), @"`keys[1]`: `plural.forms` needs `other`");
        insta::assert_snapshot!(refused(key(plural("a b", PluralCategory::Other))), @"`keys[1].plural.arg` must be a name such as `count`: 1 to 128 bytes without spaces, commas or braces");
    }

    #[test]
    fn one_to_ten_thousand_keys_are_taken_and_the_bounds_themselves_pass() {
        assert!(from_keys(Vec::new()).is_err());
        let keys = |count: usize| (0..count).map(|n| Key::text(n.to_string(), "x")).collect::<Vec<_>>();
        assert_eq!(from_keys(keys(10_000)).unwrap().len(), 10_000);
        assert!(from_keys(keys(10_001)).is_err());
        assert!(from_keys(vec![Key::text("é".repeat(256), "")]).is_ok());
    }

    #[test]
    fn a_namespace_stands_before_the_names_of_its_file() {
        let entries = || vec![Entry::new("save", Content::Text("Save".into()))];
        assert_eq!(from_entries(entries(), FormatId::Json, Some("common")).unwrap()[0].name, "common:save");
        assert_eq!(from_entries(entries(), FormatId::Json, None).unwrap()[0].name, "save");
        assert!(
            from_entries(vec![Entry::new("x".repeat(512), Content::Text(String::new()))], FormatId::Json, Some("n"))
                .is_err()
        );
        let nul = from_entries(vec![Entry::new("a", Content::Text("\0".into()))], FormatId::Json, None).unwrap_err();
        assert!(matches!(nul, ServiceError::InvalidArgument(_)), "{nul}");
    }
}
