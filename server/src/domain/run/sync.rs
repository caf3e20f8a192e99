//! `POST /sync`: a whole file, in the base language or in one that it is translated into.

use l10n_api_types::translations::{OnRemoved, Run};
use l10n_api_types::{LanguageCode, OperationId};
use l10n_formats::files::by_id;
use l10n_formats::template::Template;

use super::file::ReadFile;
use super::gather::{RunInput, SyncedFile};
use super::import::{ImportInput, import};
use super::targets::{check_size, of_project, targets};
use super::translate::{begin, execute};
use super::{RunContext, RunParts, ahead, import_ahead, incoming};
use crate::compute::{MANY, compute};
use crate::delivery::derived::DerivedPath;
use crate::domain::{Caller, ServiceError};
use crate::store::projects::Project;
use crate::store::{Tx, languages, output_formats};

/// A sync whose file was read.
pub(crate) struct SyncRequest {
    /// The file.
    pub file: ReadFile,
    /// The language that it is written in.
    pub language: Option<LanguageCode>,
    /// The target languages.
    pub languages: Option<Vec<LanguageCode>>,
    /// The treatment of keys that the path no longer holds.
    pub on_removed: Option<OnRemoved>,
    /// `true` to translate anew texts that are translated already.
    pub retranslate: Option<bool>,
    /// The approved operation that an agent's key acts on.
    pub operation_id: Option<OperationId>,
}

/// Registers a file and queues the needed translations, or takes over the translations that it holds; a dry run returns
/// the effect and the price of that. The transaction is to be committed.
///
/// # Errors
///
/// 400 for the fields, 403 for an agent's key, 402 for credits, cap and plan.
pub(crate) async fn sync(
    parts: RunParts<'_>,
    caller: &Caller,
    request: SyncRequest,
    dry_run: bool,
) -> Result<(Tx, Run), ServiceError> {
    let mut cx = RunContext::new(parts, caller, dry_run, request.operation_id.as_ref());
    let archive = request.on_removed == Some(OnRemoved::Archive);
    // A small file may archive many keys.
    let translations = request.file.translations.as_ref().map_or(0, Vec::len);
    let ahead = ahead::is_worth_it(&cx, request.file.entries.len().max(translations)) || (archive && !dry_run);
    let writes = !dry_run && !ahead;
    let mut tx = cx.begin(writes).await?;
    let project = begin(&mut tx, &cx, writes).await?;
    let languages = languages::list(&mut tx, &project.id).await?;
    let targets = targets(request.languages.as_deref(), &languages, &project.base_language)?;
    let written_in = match &request.language {
        Some(code) => of_project(code, "language", &languages)?.code.clone(),
        None => project.base_language.clone(),
    };
    let mut warnings = language_warning(&request.file, &written_in);
    let is_translation = written_in != project.base_language;
    let mut file = request.file;
    warnings.append(&mut file.warnings);
    if let Some(translations) = file.translations.take().filter(|_| is_translation) {
        file.entries = translations;
    }
    let namespace = namespace(&mut tx, &project, &file, &written_in).await?;
    let (format, entries) = (file.format.id(), file.entries);
    let incoming = compute(entries.len() >= MANY, || incoming::from_entries(entries, format, namespace.as_deref()))?;
    if is_translation {
        if request.languages.is_some() || request.on_removed.is_some() || request.retranslate.is_some() {
            return Err(ServiceError::InvalidArgument(
                "`languages`, `onRemoved` and `retranslate` are for files in the base language: leave them out when \
                 `language` is another"
                    .to_owned(),
            ));
        }
        let input = ImportInput { language: written_in, incoming, warnings };
        if ahead {
            tx.rollback().await?;
            return import_ahead::execute(&mut cx, &input).await;
        }
        let run = import(&mut tx, &cx, &project, &input).await?;
        return Ok((tx, run));
    }
    check_size(incoming.len(), &targets)?;
    let input = RunInput {
        incoming,
        file: Some(SyncedFile {
            path: file.path,
            format: file.format.id(),
            namespace,
            holds_all_languages: file.holds_all_languages,
            bytes: file.bytes,
            sha256: file.sha256,
        }),
        targets,
        retranslate: request.retranslate.unwrap_or(false),
        archive,
        is_held: false,
        only: None,
        settled: Vec::new(),
        warnings,
    };
    execute(tx, &mut cx, project, input, ahead).await
}

/// The namespace that the path of a file shows, where an output format of the project has a place for it. A source whose path
/// names no language, such as `app/res/values/strings.xml`, shows it where its translations do.
async fn namespace(
    tx: &mut Tx,
    project: &Project,
    file: &ReadFile,
    written_in: &str,
) -> Result<Option<String>, ServiceError> {
    let language = LanguageCode::new(written_in);
    let is_source = written_in == project.base_language && !file.holds_all_languages;
    let derived = is_source.then(|| DerivedPath::of_source(&file.path, &file.format.habits(), &language));
    let marked = derived.and_then(|path| path.marked_source());
    let formats = output_formats::list(tx, &project.id).await?;
    let templates = formats.iter().filter_map(|format| by_id(format.format).template(&format.path).ok());
    let shown = |template: Template| {
        let captured = template.matches(&file.path, &language);
        captured.or_else(|| template.matches(marked.as_deref()?, &language))?.namespace
    };
    Ok(templates.filter_map(shown).next())
}

/// A file that names another language than the request does was perhaps sent by mistake.
fn language_warning(file: &ReadFile, written_in: &str) -> Vec<String> {
    let named = file.language.as_deref().and_then(|language| l10n_formats::locales::canonicalize(language).ok());
    match named {
        Some(named) if named != written_in => {
            vec![format!("the file says it is in `{named}`, but it was read as `{written_in}`")]
        }
        _ => Vec::new(),
    }
}
