//! The usual folders of localization files.

/// Usual folders of localization files.
const USUAL_FOLDERS: [&str; 11] =
    ["locales", "locale", "i18n", "l10n", "lang", "langs", "languages", "translations", "messages", "_locales", "po"];

/// Returns true if a path leads through such a folder.
pub(super) fn is_usual(path: &str) -> bool {
    path.split('/').any(|part| USUAL_FOLDERS.contains(&part))
}
