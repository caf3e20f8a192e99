//! The places where teams keep the files of a format.

use crate::template::Spelling;

/// The places of the files of a format, as its tools ask or as most teams have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Habits {
    /// The spelling of the language in a path, where the path of the base language does not show it.
    pub spelling: Spelling,
    /// The folder of a language, where its name is more than the language.
    pub folder: Option<LanguageFolder>,
    /// The mark between the name and the language of a file whose base language is not in its name: `_` where
    /// `messages_de.properties` stands beside `messages.properties`.
    pub mark: Option<char>,
    /// Any file of the format holds texts. Files of other formats count in the usual folders, or in several languages.
    pub anywhere: bool,
}

/// The name of a language's folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LanguageFolder {
    /// The text before the language: `values-`.
    pub before: &'static str,
    /// The text after the language: `.lproj`.
    pub after: &'static str,
    /// The folder of the base language, where it does not name the language: `values`, `Base.lproj`.
    pub base: &'static str,
}

impl Habits {
    /// The language as BCP 47 spells it, in a folder or file name.
    pub const PLAIN: Self = Self { spelling: Spelling::Bcp47, folder: None, mark: None, anywhere: false };

    /// All languages in one file.
    pub(super) const ANYWHERE: Self = Self { spelling: Spelling::Bcp47, folder: None, mark: None, anywhere: true };

    /// The language as programs under Unix name it, in a folder or file name: `pt_BR`.
    pub(super) const GETTEXT: Self = Self { spelling: Spelling::Underscore, folder: None, mark: None, anywhere: true };

    /// A folder `values-pt-rBR` for each language beside `values`.
    pub(super) const ANDROID: Self = Self {
        spelling: Spelling::Android,
        folder: Some(LanguageFolder { before: "values-", after: "", base: "values" }),
        mark: None,
        anywhere: true,
    };

    /// A folder `pt-BR.lproj` for each language; that of the base language may be `Base.lproj`.
    pub(super) const APPLE: Self = Self {
        spelling: Spelling::Apple,
        folder: Some(LanguageFolder { before: "", after: ".lproj", base: "Base.lproj" }),
        mark: None,
        anywhere: true,
    };
}
