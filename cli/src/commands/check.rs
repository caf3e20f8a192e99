//! `l10n check`: reports changes that `l10n sync` or `l10n pull` would make, and texts of the files that the published
//! version lacks. Changes and spends nothing.
//!
//! A key with the scope `translate` requests a dry run of the sync. One with only `read`, as in forks of a repository,
//! reads the project's keys and compares (`check/compare.rs`).
//!
//! Calls `translations::sync`, `translations::get`, `pending_code_changes::list`, `delivery::manifest`, `delivery::named_manifest`, `delivery::bundle`, `delivery::named_bundle`.

mod compare;
mod effect;

use std::collections::BTreeMap;

use l10n_client::api::translations::{Class, OnRemoved};
use l10n_client::api::{ErrorCode, LanguageCode, Scope};
use l10n_formats::locales::canonicalize;
use serde::Serialize;
use serde_json::Value;

use self::compare::Project;
use self::effect::SyncEffect;
use crate::args::{CheckArgs, language_codes};
use crate::context::Context;
use crate::error::{CliError, Failure};
use crate::exit::ExitStatus;
use crate::published_version::{delivery, live};
use crate::pull_merge::{Merging, MissingTextPolicy, merge_all};
use crate::pull_paths::PullPaths;
use crate::pull_plan::{FileState, plan};
use crate::run::{Upload, conclude, settle_previews, upload_all};
use crate::session::Session;
use crate::source_files::{SourceFile, SourceFiles, titled};
use crate::unpublished::{Unpublished, unpublished};
use crate::words::{counted, named};

/// Number of differences that are listed.
const NAMED: usize = 50;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Checked {
    up_to_date: bool,
    differences: Vec<Difference>,
    /// Texts of people that a sync would keep although their source has changed.
    kept: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// One difference between code and server.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Difference {
    /// The server lacks the key, or has another text.
    Key { path: String, key: String, class: Class },
    /// More keys of that kind than the server lists.
    MoreKeys { path: String, count: u64 },
    /// Keys lack a translation.
    Untranslated { language: String, keys: u64 },
    /// Nothing has been published.
    NotPublished,
    /// The published version lacks a language of the project.
    LanguageNotPublished { language: String },
    /// The file on disk is not the published one.
    File { path: String, missing: bool },
    /// Texts of a file that the published version lacks.
    Unpublished {
        path: String,
        /// The language, if the version lacks all of it in a file that holds several.
        #[serde(skip_serializing_if = "Option::is_none")]
        language: Option<String>,
        keys: Vec<String>,
    },
}

impl Difference {
    fn text(&self) -> String {
        match self {
            Self::Key { path, key, class } => format!("{path}: `{key}` is {class}"),
            Self::MoreKeys { path, count } => format!("{path}: {} more with differences", counted(*count, "key")),
            Self::Untranslated { language, keys } => {
                format!("{language}: {} without a current translation", counted(*keys, "key"))
            }
            Self::NotPublished => "nothing has been published yet".to_owned(),
            Self::LanguageNotPublished { language } => format!("{language}: not in the published version"),
            Self::File { path, missing: true } => format!("{path}: published, but missing here"),
            Self::File { path, missing: false } => format!("{path}: differs from the published file"),
            Self::Unpublished { path, language, keys } => {
                let title = titled(path, language.as_deref());
                format!("{title}: the published version lacks {}", named(keys, keys.len() as u64))
            }
        }
    }
}

pub(crate) async fn check(context: &Context, args: &CheckArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let mut differences = Vec::new();
    let kept = sync_side(context, &session, args, &mut differences).await?;
    if !args.no_files {
        pull_side(context, &session, args, &mut differences).await?;
    }
    let printer = &context.printer;
    for difference in differences.iter().take(NAMED) {
        printer.line(difference.text());
    }
    if differences.len() > NAMED {
        printer.line(format!("and {} more; --json lists them all", differences.len() - NAMED));
    }
    if kept > 0 {
        printer.note(format!(
            "{} of people kept although their source has changed; `l10n sync --retranslate` replaces them.",
            counted(kept, "translation")
        ));
    }
    let verdict = match differences.len() {
        0 => Ok(()),
        count => Err(out_of_date(count, &differences)),
    };
    if verdict.is_ok() {
        printer.done("Code and server agree");
    }
    let error = verdict.as_ref().err().map(CliError::to_json);
    printer.json(&Checked { up_to_date: verdict.is_ok(), differences, kept, error });
    conclude(context, verdict)
}

/// Code and server differ.
#[derive(Debug, thiserror::Error)]
#[error("code and server differ: {0}")]
struct OutOfDate(String);

impl Failure for OutOfDate {
    fn status(&self) -> ExitStatus {
        ExitStatus::OutOfDate
    }

    fn code(&self) -> &str {
        "out_of_date"
    }

    fn hint(&self) -> Option<String> {
        Some("run `l10n sync`, `l10n publish`, then `l10n pull`".into())
    }
}

fn out_of_date(count: usize, differences: &[Difference]) -> CliError {
    let error = CliError::from(OutOfDate(counted(count as u64, "difference")));
    if !differences.iter().any(|difference| matches!(difference, Difference::Unpublished { .. })) {
        return error;
    }
    error.advise(
        "texts that the version lacks: `l10n review list` shows those that are held back, `l10n import` and \
         `l10n publish` bring the others, `l10n pull --prune` removes them"
            .to_owned(),
    )
}

/// A file, and the effect of its sync.
type CheckOutcome = (SourceFile, Result<SyncEffect, CliError>);

/// Collects the changes that a sync would make. Returns the number of people's texts that it would keep although they
/// are stale.
async fn sync_side(
    context: &Context,
    session: &Session,
    args: &CheckArgs,
    differences: &mut Vec<Difference>,
) -> Result<u64, CliError> {
    let (path, config) = session.settings.config()?;
    let credential = session.credential().await?;
    let files = SourceFiles::of(config, path)?.base(&session.base_language(config, &credential).await?)?;
    let grants = |scope| Scope::grants(&credential.scopes, &[scope]);
    let outcomes = if grants(Scope::Read) && !grants(Scope::Translate) {
        compared(session, &files, &args.languages).await?
    } else {
        previewed(context, session, &files, args, config.sync.on_removed).await
    };
    let found = |(file, outcome): &CheckOutcome| Some((file.path.clone(), outcome.as_ref().ok()?.clone()));
    let all: Vec<(String, SyncEffect)> = outcomes.iter().filter_map(found).collect();
    settle_previews(context, outcomes)?;
    // A sync that keeps removed keys would not change them.
    let removal_counts = config.sync.on_removed == Some(OnRemoved::Archive);
    let mut untranslated: BTreeMap<LanguageCode, u64> = BTreeMap::new();
    let mut kept = 0;
    for (path, found) in all {
        differences.extend(of_keys(&path, &found, removal_counts));
        for (language, keys) in found.untranslated {
            *untranslated.entry(language).or_default() += keys;
        }
        kept += found.kept;
    }
    let lacking = untranslated.into_iter().filter(|(_, keys)| *keys > 0);
    differences
        .extend(lacking.map(|(language, keys)| Difference::Untranslated { language: language.to_string(), keys }));
    Ok(kept)
}

/// The effects according to a dry run of the sync.
async fn previewed(
    context: &Context,
    session: &Session,
    files: &[SourceFile],
    args: &CheckArgs,
    on_removed: Option<OnRemoved>,
) -> Vec<CheckOutcome> {
    let settings =
        Upload { dry_run: true, languages: language_codes(&args.languages), on_removed, ..Upload::default() };
    let outcomes = upload_all(context, session, files, &settings).await.into_iter();
    outcomes
        .map(|(file, outcome)| (file, outcome.map(|uploaded| uploaded.run().map(SyncEffect::of).unwrap_or_default())))
        .collect()
}

/// The effects according to the project's keys.
async fn compared(
    session: &Session,
    files: &[SourceFile],
    languages: &[String],
) -> Result<Vec<CheckOutcome>, CliError> {
    let project = Project::read(session, languages).await?;
    Ok(files.iter().map(|file| (file.clone(), project.compare(file))).collect())
}

/// The keys of a file in which code and server differ.
fn of_keys(path: &str, found: &SyncEffect, removal_counts: bool) -> Vec<Difference> {
    let counts = |class: Class| match class {
        Class::New | Class::Changed => true,
        Class::Removed => removal_counts,
        _ => false,
    };
    let named = found.keys.iter().filter(|(_, class)| counts(*class));
    let mut differences: Vec<Difference> =
        named.map(|(key, class)| Difference::Key { path: path.to_owned(), key: key.clone(), class: *class }).collect();
    let (changed, removed) = found.counts;
    let more = (changed + if removal_counts { removed } else { 0 }).saturating_sub(differences.len() as u64);
    if more > 0 {
        differences.push(Difference::MoreKeys { path: path.to_owned(), count: more });
    }
    differences
}

/// Collects the files that a pull would write, and the texts in them that the version lacks.
async fn pull_side(
    context: &Context,
    session: &Session,
    args: &CheckArgs,
    differences: &mut Vec<Difference>,
) -> Result<(), CliError> {
    let delivery = delivery(context, &session.settings)?;
    let mut version = match live(&delivery).await {
        Ok(version) => version,
        Err(error) if error.api_code() == Some(&ErrorCode::NotPublished) => {
            differences.push(Difference::NotPublished);
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    for language in version.lacking(&args.languages) {
        let language = canonicalize(language).unwrap_or_else(|_| language.clone());
        differences.push(Difference::LanguageNotPublished { language });
    }
    version.keep(&args.languages);
    let (id, base) = (version.version_id.clone(), version.base_language.clone());
    let root = session.settings.root();
    let places = PullPaths::of(&session.settings, root, base.as_ref())?;
    let languages = version.translated(&args.languages);
    let languages: Vec<&str> = languages.iter().map(LanguageCode::as_str).collect();
    let how = Merging { lacking: MissingTextPolicy::Keep, languages: &languages };
    let mut plan = plan(version.files, root, &places)?;
    let whole = unpublished(&session.settings, base.as_ref(), &version.languages, &args.languages, &plan)?;
    plan.retain(|planned| !places.is_source(&planned.file, &planned.place));
    for pull in merge_all(context, &delivery, &id, plan, &how, false).await? {
        let path = pull.planned.path;
        if pull.planned.state != FileState::Unchanged {
            differences.push(Difference::File { path: path.clone(), missing: pull.planned.state == FileState::New });
        }
        let keys = [pull.lacking, pull.lost].concat();
        if !keys.is_empty() {
            differences.push(Difference::Unpublished { path, language: None, keys });
        }
    }
    let whole = whole.into_iter();
    differences.extend(whole.map(|Unpublished { path, language, keys }| Difference::Unpublished {
        path,
        language,
        keys,
    }));
    Ok(())
}
