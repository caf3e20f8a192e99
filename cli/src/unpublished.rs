//! Texts of translated files that a published version does not have, as it lacks the whole file, or a language of one that
//! holds several.

use std::collections::BTreeSet;
use std::path::PathBuf;

use l10n_client::api::LanguageCode;
use l10n_formats::locales::is_same_tag;

use crate::error::CliError;
use crate::pull_plan::PlannedPull;
use crate::settings::Settings;
use crate::source_files::{SourceFile, SourceFiles, is_asked};

/// A translated file on disk that a version does not have at all, or a language of a file that the version lacks.
pub(crate) struct Unpublished {
    pub(crate) path: String,
    /// The language, if the file holds several.
    pub(crate) language: Option<String>,
    /// Keys of its texts; at least one.
    pub(crate) keys: Vec<String>,
}

/// The translated files of `l10n.toml` that have texts and are not in the plan, and the languages of files with several that
/// are not among the `published` ones; limited to the languages that are asked for, if there are any.
pub(crate) fn unpublished(
    settings: &Settings,
    base: Option<&LanguageCode>,
    published: &[LanguageCode],
    asked: &[String],
    plan: &[PlannedPull],
) -> Result<Vec<Unpublished>, CliError> {
    let Ok((path, config)) = settings.config() else { return Ok(Vec::new()) };
    let Some(base) = config.base_language.as_deref().or(base.map(LanguageCode::as_str)) else { return Ok(Vec::new()) };
    if config.files.is_empty() {
        return Ok(Vec::new());
    }
    let planned: BTreeSet<PathBuf> =
        plan.iter().filter_map(|planned| std::fs::canonicalize(&planned.place).ok()).collect();
    let is_planned =
        |file: &SourceFile| std::fs::canonicalize(&file.location).is_ok_and(|place| planned.contains(&place));
    let is_wanted = |code: &str| !is_same_tag(code, base) && is_asked(asked, code);
    let is_published = |code: &str| published.iter().any(|known| is_same_tag(known.as_str(), code));
    let mut found = Vec::new();
    for file in SourceFiles::of(config, path)?.all_with_outputs()? {
        match &file.language {
            Some(code) if is_wanted(code) && !is_planned(&file) => found.extend(whole(&file)),
            Some(_) => {}
            // One that cannot be read has no languages to report.
            None => {
                let languages = file.in_each_language().unwrap_or_default().into_iter();
                let languages = languages.filter_map(|file| file.language);
                let lacking = languages.filter(|code| is_wanted(code) && !is_published(code));
                found.extend(lacking.filter_map(|code| in_language(&file, code)));
            }
        }
    }
    Ok(found)
}

/// All texts of a file. An unreadable one has none to report.
fn whole(file: &SourceFile) -> Option<Unpublished> {
    let bytes = file.read().ok()?;
    let keys = file.format_of(&bytes).text_keys(&bytes).unwrap_or_default();
    (!keys.is_empty()).then(|| Unpublished { path: file.path.clone(), language: None, keys })
}

/// The texts of a file in one of its languages.
fn in_language(file: &SourceFile, language: String) -> Option<Unpublished> {
    let keys: Vec<String> = file.texts_in(&language).into_iter().map(|entry| entry.key).collect();
    (!keys.is_empty()).then(|| Unpublished { path: file.path.clone(), language: Some(language), keys })
}
