//! Translations that local files have and the project lacks. A sync would have an engine translate them, for credits, and
//! the next pull would put the engine's texts in their place.

use std::collections::BTreeSet;

use l10n_client::api::credential::Credential;
use l10n_client::api::translations::{Class, HeldReason, Run};
use l10n_client::api::{FormatId, LanguageCode, Scope};
use l10n_formats::files::{self, Entry};
use l10n_formats::locales::is_same_tag;
use serde::Serialize;
use serde_json::{Value, json};

use crate::context::Context;
use crate::error::{BrokenFile, CliError, Failure};
use crate::exit::ExitStatus;
use crate::printer::Printer;
use crate::run::{MOST_HELD, Upload, Uploaded, is_about_the_file, may_hold_more, upload};
use crate::session::Session;
use crate::source_files::{SourceFile, SourceFiles, is_asked, titled};
use crate::words::{counted, named};

/// Texts of one file in one language.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LocalTexts {
    pub(crate) path: String,
    pub(crate) language: String,
    /// Their number.
    pub(crate) texts: u64,
    /// Their keys in the project, at most 1,000.
    pub(crate) keys: Vec<String>,
    /// True if the project does not have the keys yet, so that no import can come before the sync.
    pub(crate) new_keys: bool,
}

/// Files have translations that the project lacks.
#[derive(Debug, thiserror::Error)]
#[error("local files have {} that the project lacks; nothing was synced", counted(total(.0), "translation"))]
struct LackingTexts(Vec<LocalTexts>);

impl Failure for LackingTexts {
    fn status(&self) -> ExitStatus {
        ExitStatus::OutOfDate
    }

    fn code(&self) -> &str {
        "local_texts"
    }

    fn hint(&self) -> Option<String> {
        Some(
            "run `l10n import` first, which is free of charge; `l10n sync --ignore-local` translates them all the same"
                .into(),
        )
    }

    fn details(&self) -> Vec<(&'static str, Value)> {
        vec![("localTexts", json!(self.0))]
    }
}

fn total(found: &[LocalTexts]) -> u64 {
    found.iter().map(|file| file.texts).sum()
}

/// The files with translations of these sources, each with its language, limited to `languages` if there are any.
pub(crate) fn translated(
    files: &SourceFiles,
    base: &str,
    sources: &[SourceFile],
    languages: &[String],
) -> Result<Vec<SourceFile>, CliError> {
    let mut found: Vec<SourceFile> = Vec::new();
    for (source, beside) in files.translations(base)? {
        if !sources.contains(&source) {
            continue;
        }
        for file in beside.into_iter().chain(source.in_each_language()?) {
            let wanted =
                file.language.as_deref().is_some_and(|code| !is_same_tag(code, base) && is_asked(languages, code));
            if wanted && !found.contains(&file) {
                found.push(file);
            }
        }
    }
    Ok(found)
}

/// The texts whose keys the project has, but no translation of them. An import takes them.
pub(crate) async fn lacking(
    context: &Context,
    session: &Session,
    credential: &Credential,
    translated: &[SourceFile],
) -> Result<Vec<LocalTexts>, CliError> {
    let mut found = Vec::new();
    if translated.is_empty() {
        return Ok(found);
    }
    let incomplete = incomplete_languages(session, credential).await?;
    for file in translated {
        let Some(language) = file.language_code() else { continue };
        let may_lack =
            |known: &Vec<LanguageCode>| known.iter().any(|code| is_same_tag(code.as_str(), language.as_str()));
        if !incomplete.as_ref().is_none_or(may_lack) || file.texts_in(language.as_str()).is_empty() {
            continue;
        }
        match brought(context, session, file, &language).await {
            Ok(ImportableTexts { texts: 0, .. }) => {}
            Ok(ImportableTexts { texts, keys }) => {
                let (path, language) = (file.path.clone(), language.to_string());
                found.push(LocalTexts { path, language, texts, keys, new_keys: false });
            }
            // It keeps no source from being synced: a file that cannot be read, or a language that the project lacks.
            Err(error) if is_about_the_file(&error) => {
                if incomplete.is_some() {
                    context.printer.warn(format!("{}: not compared with the project: {error}", file.path));
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// The languages that lack translations; `None` if the key may not read them.
async fn incomplete_languages(
    session: &Session,
    credential: &Credential,
) -> Result<Option<Vec<LanguageCode>>, CliError> {
    if !Scope::grants(&credential.scopes, &[Scope::Read]) {
        return Ok(None);
    }
    let languages = session.meta().await?.languages.into_iter();
    Ok(Some(languages.filter(|language| language.missing > 0).map(|language| language.code).collect()))
}

/// The texts that an import would bring for keys without a translation.
#[derive(Default)]
struct ImportableTexts {
    /// Their number.
    texts: u64,
    /// Their keys, at most 1,000.
    keys: Vec<String>,
}

impl ImportableTexts {
    /// Those of a dry run that names each text which it does not take.
    fn of(run: &Run) -> Self {
        let not_taken = run.held.iter().filter(|text| text.reason == HeldReason::UnknownKey);
        let not_taken: BTreeSet<&str> = not_taken.map(|text| text.r#ref.as_str()).collect();
        let new = run.items.iter().filter(|item| item.class == Class::New).map(|item| item.r#ref.as_str());
        let keys: Vec<String> = new.filter(|key| !not_taken.contains(key)).map(str::to_owned).collect();
        Self { texts: run.classification.new.saturating_sub(not_taken.len() as u64), keys }
    }

    fn add(&mut self, other: Self) {
        self.texts += other.texts;
        self.keys.extend(other.keys);
        self.keys.truncate(MOST_HELD);
    }
}

/// Asks with dry runs which texts of a file an import would bring. Where one does not name each text that it leaves out, the
/// file is asked about in parts.
async fn brought(
    context: &Context,
    session: &Session,
    file: &SourceFile,
    language: &LanguageCode,
) -> Result<ImportableTexts, CliError> {
    let settings = Upload { dry_run: true, language: Some(language.clone()), ..Upload::default() };
    let Uploaded::Run(run) = upload(context, session, file, &settings).await? else {
        return Ok(ImportableTexts::default());
    };
    if !may_hold_more(&run) {
        return Ok(ImportableTexts::of(&run));
    }
    let mut all = ImportableTexts::default();
    for part in parts(file, language.as_str())? {
        let settings = Upload { part: Some(part), ..settings.clone() };
        if let Uploaded::Run(run) = upload(context, session, file, &settings).await? {
            all.add(ImportableTexts::of(&run));
        }
    }
    Ok(all)
}

/// The texts of a file, drafts too, as JSON files so small that a dry run names each text that it leaves out.
fn parts(file: &SourceFile, language: &str) -> Result<Vec<String>, CliError> {
    let bytes = file.read()?;
    let format = file.format_of(&bytes);
    let document = format.imports(&bytes, language);
    let document = document.map_err(|error| BrokenFile::local(&file.path, format.id(), &error))?;
    let entries = document.entries.into_iter().filter(|entry| entry.content.characters() > 0);
    let entries: Vec<Entry> = entries.collect();
    let json = files::by_id(FormatId::Json);
    let parts = entries.chunks(MOST_HELD).map(|part| json.render_new(language, part));
    Ok(parts.map(|part| String::from_utf8_lossy(&part).into_owned()).collect())
}

/// The texts for keys that are new to the project, according to the sync of their source.
pub(crate) fn of_new_keys(source: &SourceFile, translated: &[SourceFile], run: &Run) -> Vec<LocalTexts> {
    let new: Vec<&str> =
        run.items.iter().filter(|item| item.class == Class::New).map(|item| item.r#ref.as_str()).collect();
    if new.is_empty() {
        return Vec::new();
    }
    let of_file = |file: &SourceFile| {
        let language = file.language_code()?;
        if !run.per_language.iter().any(|price| is_same_tag(price.language.as_str(), language.as_str())) {
            return None;
        }
        let texts: BTreeSet<String> = file.texts_in(language.as_str()).into_iter().map(|entry| entry.key).collect();
        let keys: Vec<String> =
            new.iter().filter(|key| texts.contains(file.key_in_file(key))).map(|key| (*key).to_owned()).collect();
        let texts = keys.len() as u64;
        let path = file.path.clone();
        (texts > 0).then(|| LocalTexts { path, language: language.to_string(), texts, keys, new_keys: true })
    };
    translated.iter().filter(|file| file.is_beside(source)).filter_map(of_file).collect()
}

/// Refuses a sync that would translate these, if there are any.
pub(crate) fn refuse(printer: &Printer, lacking: Vec<LocalTexts>) -> Result<(), CliError> {
    if lacking.is_empty() {
        return Ok(());
    }
    warn(printer, &lacking);
    Err(LackingTexts(lacking).into())
}

/// Lists the texts, and says what to do about them.
pub(crate) fn tell(printer: &Printer, found: &[LocalTexts]) {
    warn(printer, found);
    let (new, known): (Vec<_>, Vec<_>) = found.iter().partition(|file| file.new_keys);
    if !known.is_empty() {
        printer
            .note("`l10n import` brings them free of charge; `l10n sync --ignore-local` translates them for credits.");
    }
    if !new.is_empty() {
        printer.note(
            "`l10n import` after the sync puts them in the place of the new translations, free of charge; a pull before it \
             replaces the texts of the files.",
        );
    }
}

/// Lists the texts by their files.
fn warn(printer: &Printer, found: &[LocalTexts]) {
    for file in found {
        let what = if file.new_keys { "translations of new keys" } else { "translations that the project lacks" };
        let title = titled(&file.path, Some(&file.language));
        printer.warn(format!("{title}: {what}, {}", named(&file.keys, file.texts)));
    }
}
