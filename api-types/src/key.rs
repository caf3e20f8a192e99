//! Keys, their texts and their translations.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Plural, PluralKey, Timestamp};

string_newtype! {
    /// A BCP 47 language tag in canonical form: `pt-BR`. Requests may use `pt_br`; answers are canonical.
    LanguageCode;
}

string_enum! {
    /// A file format that the service reads and writes.
    FormatId {
        /// JSON, flat or nested, as found; ICU MessageFormat in its texts.
        Json = "json",
        /// i18next JSON v4: plural forms as key suffixes, `{{x}}`, `$t(key)`.
        I18next = "i18next",
        /// Application Resource Bundle of Flutter: ICU MessageFormat, `@key` metadata.
        Arb = "arb",
        /// Java resource bundle: `key=value`, in UTF-8, ISO 8859-1 or ASCII with `\u` escapes.
        Properties = "properties",
        /// Strings file of Apple's platforms: `"key" = "text";`, in UTF-8 or UTF-16.
        AppleStrings = "apple-strings",
        /// Catalogues of GNU gettext, PO and POT: source and translation side by side, plurals by `Plural-Forms`.
        Gettext = "gettext",
        /// Tables of texts, `.csv` and `.tsv`: a key and its text, or source and translation.
        Csv = "csv",
        /// String catalogues of Xcode, with all languages in one file.
        Xcstrings = "xcstrings",
        /// `key = value` in sections, as Gogs and Gitea have it.
        Ini = "ini",
        /// Texts of Laravel, flat; names are texts, and dots do not nest.
        LaravelJson = "laravel-json",
        /// `messages.json` of browser extensions: `{key: {message, description, placeholders}}`, `$NAME$`.
        Chrome = "chrome",
        /// Texts of Docusaurus: `{id: {message, description}}`, plurals as parts between `|`.
        Docusaurus = "docusaurus",
        /// FormatJS: `{id: {defaultMessage, description}}`, or flat; ICU MessageFormat in its texts.
        FormatJs = "formatjs",
        /// String resources of Android: `<string>`, `<plurals>` and `<string-array>` in XML.
        Android = "android",
        /// Resources of .NET (`.resx`) and of Windows apps (`.resw`).
        Resx = "resx",
        /// Plurals of iOS and macOS: a property list in XML.
        AppleStringsdict = "apple-stringsdict",
        /// Catalogues of Ruby on Rails, with the language as their root key, and plain YAML.
        Yaml = "yaml",
        /// Arrays of texts in PHP, as Laravel and Yii have them.
        Php = "php",
        /// Translation sources of Qt (`.ts`): source and translation side by side, plurals as Qt has them.
        QtTs = "qt-ts",
        /// Catalogues of go-i18n and Hugo, with a table for each plural, and plain TOML.
        Toml = "toml",
        /// XLIFF 1.0 to 1.2: source and translation side by side, elements within texts as tags.
        Xliff1 = "xliff-1.2",
        /// XLIFF 2.0 to 2.2: as the one before, in units with segments.
        Xliff2 = "xliff-2",
        /// Project Fluent: messages, attributes and terms, plurals as selectors.
        Fluent = "fluent",
    }
}

string_enum! {
    /// The state of a translation.
    State {
        /// There is no translation.
        Missing = "missing",
        /// It passed the checks.
        Translated = "translated",
        /// A check found an error, or its file calls it a draft: it is not published before a person has reviewed it.
        NeedsReview = "needs_review",
        /// A person has approved it, here or in the file that it was imported from.
        Reviewed = "reviewed",
        ..Unknown
    }
}

string_enum! {
    /// The origin of a translation.
    Origin {
        /// A translation engine.
        Machine = "machine",
        /// The workspace's translation memory, free of charge.
        Memory = "memory",
        /// A person.
        Human = "human",
        /// A file that held translations already.
        Import = "import",
        ..Unknown
    }
}

string_enum! {
    /// The severity of an issue.
    Severity {
        /// The translation is held back: state `needs_review`.
        Error = "error",
        /// Worth a look; the translation is published all the same.
        Warning = "warning",
        ..Unknown
    }
}

string_enum! {
    /// A check of translations.
    Check {
        /// The same placeholders, as often as in the source.
        Placeholders = "placeholders",
        /// The ICU message is valid.
        IcuSyntax = "icu_syntax",
        /// Every plural category of the target language is present.
        PluralCategories = "plural_categories",
        /// References to the same messages, terms and attributes, and selectors with a default variant.
        References = "references",
        /// The same tags, closed in order.
        Tags = "tags",
        /// No script, handler or `javascript:` that the source lacks.
        UnsafeHtml = "unsafe_html",
        /// Not empty where the source is not.
        Empty = "empty",
        /// No longer than the key allows.
        MaxLength = "max_length",
        /// White space at both ends as in the source.
        EdgeWhitespace = "edge_whitespace",
        /// As many line breaks as in the source.
        Newlines = "newlines",
        /// Ends in the target language's form of the source's punctuation.
        EndPunctuation = "end_punctuation",
        /// The same numbers.
        Numbers = "numbers",
        /// The same URLs.
        Urls = "urls",
        /// Differs from the source.
        SameAsSource = "same_as_source",
        /// No word twice in a row.
        DoubledWord = "doubled_word",
        /// The terms of the glossary: translated as it says, kept, or avoided.
        Glossary = "glossary",
        /// No sign that the format or its library would read as something else.
        FormatEscapes = "format_escapes",
        /// Placeholders of the same kind of value.
        PlaceholderType = "placeholder_type",
        /// Line ends at the edges as in the source, where the format asks for it.
        NewlineEdges = "newline_edges",
        /// Forms of a plural that differ, where those of the source do.
        SamePlurals = "same_plurals",
        /// One translation for one source text; only where many texts are checked together.
        Inconsistent = "inconsistent",
        /// One source text for one translation; only where many texts are checked together.
        Reused = "reused",
        /// Brackets that are closed in order.
        Brackets = "brackets",
        /// The blanks that the language has before punctuation.
        PunctuationSpacing = "punctuation_spacing",
        /// No two blanks in a row.
        DoubleSpace = "double_space",
        /// No invisible characters that the source lacks.
        ZeroWidth = "zero_width",
        /// A sentence begins with a capital letter as in the source.
        Capitalization = "capitalization",
        /// A key of the keyboard marked with `&` as in the source.
        Accelerator = "accelerator",
        /// As many links of Markdown as in the source.
        MarkdownLinks = "markdown_links",
        /// Letters of the language's own script.
        Script = "script",
        /// About as long as the source.
        LengthRatio = "length_ratio",
        /// Of the source: at most one placeholder without name or number.
        UnnamedPlaceholders = "unnamed_placeholders",
        /// Of the source: no `(s)` in place of a plural.
        OptionalPlural = "optional_plural",
        ..Unknown
    }
}

/// The content of a key in one language: one text, or a text for each plural category.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Content {
    /// One text.
    Text(String),
    /// A text for each plural category.
    Plural(Plural),
}

impl Content {
    /// Length of the text, or of all forms together, in Unicode scalar values. The price of a translation depends on
    /// it.
    #[must_use]
    pub fn characters(&self) -> u64 {
        self.texts().map(|text| text.chars().count() as u64).sum()
    }

    /// The text, or the text of each form.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let (text, forms) = match self {
            Self::Text(text) => (Some(text), None),
            Self::Plural(plural) => (None, Some(&plural.forms)),
        };
        text.into_iter().chain(forms.into_iter().flat_map(crate::PluralForms::values)).map(String::as_str)
    }

    /// The text; of a plural its form `other`, which each has that was read.
    #[must_use]
    pub fn other(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Plural(plural) => plural.forms.other().map(String::as_str),
        }
    }

    /// Splits the content into the two fields `text` and `plural` of the wire.
    #[must_use]
    pub fn into_fields(self) -> (Option<String>, Option<Plural>) {
        match self {
            Self::Text(text) => (Some(text), None),
            Self::Plural(plural) => (None, Some(plural)),
        }
    }

    fn from_fields(text: Option<&String>, plural: Option<&Plural>) -> Result<Self, KeyContentError> {
        match (text, plural) {
            (Some(text), None) => Ok(Self::Text(text.clone())),
            (None, Some(plural)) if plural.forms.len() > Plural::MOST_FORMS => Err(KeyContentError::TooManyForms),
            (None, Some(plural)) if plural.forms.contains_key(PluralKey::OTHER) => Ok(Self::Plural(plural.clone())),
            (None, Some(_)) => Err(KeyContentError::NoOther),
            (Some(_), Some(_)) => Err(KeyContentError::Both),
            (None, None) => Err(KeyContentError::Neither),
        }
    }
}

/// A key does not have exactly one content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyContentError {
    /// Neither `text` nor `plural`.
    Neither,
    /// Both `text` and `plural`.
    Both,
    /// `plural.forms` lacks `other`.
    NoOther,
    /// `plural.forms` has more than [`Plural::MOST_FORMS`].
    TooManyForms,
}

impl fmt::Display for KeyContentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Neither => f.write_str("one of `text` and `plural` is needed"),
            Self::Both => f.write_str("only one of `text` and `plural` is allowed"),
            Self::NoOther => f.write_str("`plural.forms` needs `other`"),
            Self::TooManyForms => write!(f, "`plural.forms` has at most {} forms", Plural::MOST_FORMS),
        }
    }
}

impl std::error::Error for KeyContentError {}

/// A source string: its ref and its content in the base language. Exactly one of `text` and `plural` is there.
///
/// A `description`, `maxLength`, `namespace` or `tags` that is left out keeps the project's value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Key {
    /// The client's own name for it: 1 to 512 bytes of UTF-8, no control characters, case-sensitive.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 512))]
    pub r#ref: String,
    /// The text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The text's plural forms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plural: Option<Plural>,
    /// A note for translators, at most 4,096 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Longest translation allowed, in Unicode scalar values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub max_length: Option<u32>,
    /// The part of the project that it belongs to; files may be split by it. 1 to 128 bytes without `/`, `\`, `:`,
    /// braces and control characters, and not `.` or `..`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Labels for people: at most 32, each of 1 to 128 bytes without control characters; duplicates count once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

impl Key {
    /// A key with one text.
    pub fn text(r#ref: impl Into<String>, text: impl Into<String>) -> Self {
        Self { r#ref: r#ref.into(), text: Some(text.into()), ..Self::default() }
    }

    /// The key's content.
    ///
    /// # Errors
    ///
    /// Returns an error if both or neither of `text` and `plural` are there, or if the plural forms lack `other` or are too
    /// many.
    pub fn content(&self) -> Result<Content, KeyContentError> {
        Content::from_fields(self.text.as_ref(), self.plural.as_ref())
    }
}

/// A finding of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Issue {
    /// The check.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub check: Check,
    /// The severity.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub severity: Severity,
    /// The problem and its place, for people.
    pub message: String,
    /// Start of the affected part of the translation, in Unicode scalar values, counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<u32>,
    /// End of the affected part (exclusive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<u32>,
}

/// A key's content in one language. Neither `text` nor `plural` is there while it is `missing`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Translation {
    /// The language.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub language: LanguageCode,
    /// The text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The plural forms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plural: Option<Plural>,
    /// Its state.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub state: State,
    /// True if the source has changed since.
    pub stale: bool,
    /// Its origin; left out while it is `missing`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "crate::later_name::maybe")]
    pub origin: Option<Origin>,
    /// The engine that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Issues that the checks found.
    pub issues: Vec<Issue>,
    /// The time of its last change; left out while it is `missing`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub updated_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_travels_as_text_or_plural() {
        let plural = Content::Plural(Plural {
            arg: "count".into(),
            forms: [("other", "äö"), ("one", "a"), ("=0", "")]
                .map(|(key, form)| (key.parse::<PluralKey>().unwrap(), form.to_owned()))
                .into(),
        });
        let json = r#"{"plural":{"arg":"count","forms":{"=0":"","one":"a","other":"äö"}}}"#;
        assert_eq!(serde_json::to_string(&plural).unwrap(), json);
        assert_eq!(serde_json::from_str::<Content>(json).unwrap(), plural);
        assert_eq!(plural.characters(), 3);
        assert_eq!(plural.texts().collect::<Vec<_>>(), ["", "a", "äö"]);
        assert_eq!((plural.other(), Content::Text("x".into()).other()), (Some("äö"), Some("x")));
        assert_eq!(serde_json::to_string(&Content::Text("x".into())).unwrap(), r#"{"text":"x"}"#);
    }

    #[test]
    fn a_key_says_exactly_one_thing() {
        let key: Key =
            serde_json::from_str(r#"{"ref":"a","text":"A","plural":{"arg":"n","forms":{"other":""}}}"#).unwrap();
        assert_eq!(key.content(), Err(KeyContentError::Both));
        let key: Key = serde_json::from_str(r#"{"ref":"a","plural":{"arg":"n","forms":{"one":""}}}"#).unwrap();
        assert_eq!(key.content(), Err(KeyContentError::NoOther));
        assert_eq!(Key { text: None, ..Key::text("a", "A") }.content(), Err(KeyContentError::Neither));
        assert_eq!(Key::text("a", "A").content(), Ok(Content::Text("A".into())));
    }
}
