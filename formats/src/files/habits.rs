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
    /// The extension of sources without translations, which those beside them do not have.
    pub templates: Option<TemplateFiles>,
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

/// Files that hold sources alone, and the files made from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TemplateFiles {
    /// The extension of the former: `pot`.
    pub extension: &'static str,
    /// The extension of the latter: `po`.
    pub translated: &'static str,
}

impl Habits {
    /// The text before and after the language in the paths of translations of a source whose own path names no language;
    /// `None` where the habit says nothing of such a path.
    #[must_use]
    pub fn beside(&self, path: &str) -> Option<(String, String)> {
        by_folder(path, self.folder)
            .or_else(|| self.templates.and_then(|files| by_template(path, files)))
            .or_else(|| by_mark(path, self.mark))
    }

    /// Returns true if the path is that of a source without translations.
    #[must_use]
    pub fn is_template(&self, path: &str) -> bool {
        let extension = path.rsplit_once('.').map(|(_, extension)| extension);
        self.templates.is_some_and(|files| extension == Some(files.extension))
    }

    /// The language as BCP 47 spells it, in a folder or file name.
    pub const PLAIN: Self =
        Self { spelling: Spelling::Bcp47, folder: None, mark: None, templates: None, anywhere: false };

    /// All languages in one file.
    pub(super) const ANYWHERE: Self = Self { anywhere: true, ..Self::PLAIN };

    /// The language as programs under Unix name it, in a folder or file name: `pt_BR`.
    pub(super) const UNIX: Self = Self { spelling: Spelling::Underscore, ..Self::ANYWHERE };

    /// A folder `values-pt-rBR` for each language beside `values`.
    pub(super) const ANDROID: Self = Self {
        spelling: Spelling::Android,
        folder: Some(LanguageFolder { before: "values-", after: "", base: "values" }),
        ..Self::ANYWHERE
    };

    /// A folder `pt-BR.lproj` for each language; that of the base language may be `Base.lproj`.
    pub(super) const APPLE: Self = Self {
        spelling: Spelling::Apple,
        folder: Some(LanguageFolder { before: "", after: ".lproj", base: "Base.lproj" }),
        ..Self::ANYWHERE
    };
}

/// The text around the language in a path with the folder of the base language: `values/`.
fn by_folder(path: &str, folder: Option<LanguageFolder>) -> Option<(String, String)> {
    let LanguageFolder { before, after, base } = folder?;
    let (folders, file) = path.rsplit_once('/')?;
    let folders: Vec<&str> = folders.split('/').collect();
    let at = folders.iter().rposition(|name| *name == base)?;
    let outside: String = folders.iter().take(at).map(|name| format!("{name}/")).collect();
    let inside: String = folders.iter().skip(at + 1).map(|name| format!("{name}/")).collect();
    Some((format!("{outside}{before}"), format!("{after}/{inside}{file}")))
}

/// The text around the language in a path that gets it before its extension.
fn by_mark(path: &str, mark: Option<char>) -> Option<(String, String)> {
    let is_file_name =
        |(stem, extension): &(&str, &str)| !stem.is_empty() && !stem.ends_with('/') && !extension.contains('/');
    let (stem, extension) = path.rsplit_once('.').filter(is_file_name)?;
    Some((format!("{stem}{}", mark?), format!(".{extension}")))
}

/// The text around the language of catalogues made from a template: `po/de.po` beside `po/app.pot`, and
/// `locale/de/LC_MESSAGES/app.po` beside `locale/app.pot`, as programs look for them.
fn by_template(path: &str, files: TemplateFiles) -> Option<(String, String)> {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let (stem, extension) = name.rsplit_once('.')?;
    if stem.is_empty() || extension != files.extension {
        return None;
    }
    let before = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let end = files.translated;
    match folder.rsplit('/').next() {
        Some("locale" | "locales" | "translations") => Some((before, format!("/LC_MESSAGES/{stem}.{end}"))),
        Some("languages") => Some((format!("{before}{stem}-"), format!(".{end}"))),
        _ => Some((before, format!(".{end}"))),
    }
}

#[cfg(test)]
mod tests {
    use l10n_api_types::FormatId;

    use crate::files::by_id;

    #[test]
    fn translations_lie_beside_a_source_that_names_no_language() {
        let beside = |format, path| {
            by_id(format).habits().beside(path).map(|(before, after)| format!("{before}*{after}")).unwrap_or_default()
        };
        for (format, path, expected) in [
            (FormatId::Android, "app/res/values/strings.xml", "app/res/values-*/strings.xml"),
            (FormatId::Android, "app/strings.xml", ""),
            (FormatId::AppleStrings, "App/Base.lproj/Main.strings", "App/*.lproj/Main.strings"),
            (FormatId::Properties, "a.b/messages.properties", "a.b/messages_*.properties"),
            (FormatId::Properties, "a.b/messages", ""),
            (FormatId::Properties, ".properties", ""),
            (FormatId::Resx, "Resources.resx", "Resources.*.resx"),
            (FormatId::Xliff1, "src/locale/messages.xlf", "src/locale/messages.*.xlf"),
            (FormatId::Gettext, "po/app.pot", "po/*.po"),
            (FormatId::Gettext, "app.pot", "*.po"),
            (FormatId::Gettext, "shop/locale/django.pot", "shop/locale/*/LC_MESSAGES/django.po"),
            (FormatId::Gettext, "languages/shop.pot", "languages/shop-*.po"),
            (FormatId::Gettext, "po/de.po", ""),
            (FormatId::Json, "a/strings.json", ""),
        ] {
            assert_eq!(beside(format, path), expected, "{path}");
        }
    }
}
