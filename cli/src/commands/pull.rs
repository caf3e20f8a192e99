//! `l10n pull`: writes the files of a published version. All of them are downloaded, checked and merged into the
//! existing ones before the first is written.
//!
//! Calls `delivery::manifest`, `delivery::named_manifest`, `delivery::bundle`, `delivery::named_bundle`, `translations::get`.

use std::path::PathBuf;

use l10n_client::api::{FormatName, LanguageCode, VersionId};
use serde::Serialize;

use crate::args::PullArgs;
use crate::atomic;
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::lookup::find_version;
use crate::printer::Printer;
use crate::published_version::{delivery, live, published};
use crate::pull_merge::{Merging, MissingTextPolicy, Pull, merge_all};
use crate::pull_paths::PullPaths;
use crate::pull_plan::{FileState, PlannedPull, plan};
use crate::session::Session;
use crate::source_files::titled;
use crate::unpublished::{Unpublished, unpublished};
use crate::words::{counted, named};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Pulled {
    dry_run: bool,
    version_id: VersionId,
    label: String,
    folder: PathBuf,
    counts: Counts,
    files: Vec<PulledFile>,
    /// Translated files, and languages of files with several, that the version does not have at all. They are not changed.
    unpublished: Vec<UnpublishedFile>,
}

#[derive(Debug, Default, Serialize)]
struct Counts {
    written: usize,
    unchanged: usize,
    /// Number of source files, which are not changed.
    source: usize,
}

#[derive(Serialize)]
struct PulledFile {
    path: String,
    language: LanguageCode,
    format: FormatName,
    bytes: u64,
    sha256: String,
    state: &'static str,
    /// Keys of texts that others took the place of.
    replaced: Vec<String>,
    /// Keys that the file has and the version lacks; they stay.
    kept: Vec<String>,
    /// With `--prune`, keys that the file had and the version lacks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    removed: Vec<String>,
}

#[derive(Serialize)]
struct UnpublishedFile {
    path: String,
    /// The language, if the file holds several.
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    keys: Vec<String>,
}

pub(crate) async fn pull(context: &Context, args: &PullArgs) -> Result<ExitStatus, CliError> {
    let settings = context.settings()?;
    let root = args.dir.as_ref().map_or_else(|| settings.root().to_owned(), |dir| context.folder.join(dir));
    let (delivery, mut version) = match &args.version {
        Some(name) => {
            let session = Session::open(context).await?;
            let id = find_version(&session, name).await?;
            (session.project.delivery(), published(&session, &id).await?)
        }
        None => {
            let delivery = delivery(context, &settings)?;
            let version = live(&delivery).await?;
            (delivery, version)
        }
    };
    version.narrow(&args.languages)?;
    let languages = version.translated(&args.languages);
    let (version_id, label) = (version.version_id.clone(), version.label.clone());
    let base = version.base_language.clone();
    let places = PullPaths::of(&settings, &root, base.as_ref())?;
    let plan = plan(version.files, &root, &places)?;
    let whole = match args.dir {
        None => unpublished(&settings, base.as_ref(), &version.languages, &args.languages, &plan)?,
        Some(_) => Vec::new(),
    };
    let stays = |planned: &PlannedPull| {
        if args.include_base {
            places.catalogue(&planned.file).is_some()
        } else {
            places.is_source(&planned.file, &planned.place)
        }
    };
    let (source, plan): (Vec<PlannedPull>, Vec<PlannedPull>) = plan.into_iter().partition(stays);
    let lacking = if args.prune { MissingTextPolicy::Prune } else { MissingTextPolicy::Keep };
    let languages: Vec<&str> = languages.iter().map(LanguageCode::as_str).collect();
    let how = Merging { lacking, languages: &languages };
    let pulls = merge_all(context, &delivery, &version_id, plan, &how, !args.dry_run).await?;
    if !args.dry_run {
        for pull in &pulls {
            if let Some(bytes) = &pull.bytes {
                atomic::write(&pull.planned.place, bytes)?;
            }
        }
    }
    let changed: Vec<&PlannedPull> =
        pulls.iter().map(|pull| &pull.planned).filter(|planned| planned.state != FileState::Unchanged).collect();

    let counts = Counts { written: changed.len(), unchanged: pulls.len() - changed.len(), source: source.len() };
    let printer = &context.printer;
    for planned in &changed {
        let sign = if planned.state == FileState::New { '+' } else { '~' };
        printer.line(format!("{sign} {}", planned.path));
    }
    let verb = if args.dry_run { "would be written" } else { "written" };
    let text = format!("{label} ({version_id}): {} {verb}, {} unchanged", counts.written, counts.unchanged);
    if args.dry_run {
        printer.line(text)
    } else {
        printer.done(text)
    }
    print_sources(printer, &source, &places, args.include_base);
    print_replaced(printer, args.dry_run, &pulls);
    print_lacking(printer, &label, lacking, &pulls, &whole);
    let with_state = |planned: PlannedPull, state: &'static str| PulledFile {
        state,
        replaced: Vec::new(),
        kept: Vec::new(),
        removed: Vec::new(),
        path: planned.path,
        language: planned.file.language,
        format: planned.file.format,
        bytes: planned.file.bytes,
        sha256: planned.file.sha256,
    };
    let mut files: Vec<PulledFile> = source.into_iter().map(|planned| with_state(planned, "source")).collect();
    files.extend(pulls.into_iter().map(|pull| {
        let (kept, removed) = match lacking {
            MissingTextPolicy::Keep => (pull.lacking, Vec::new()),
            MissingTextPolicy::Prune => (Vec::new(), pull.lacking),
        };
        let state = match pull.planned.state {
            FileState::New => "new",
            FileState::Changed => "changed",
            FileState::Unchanged => "unchanged",
        };
        PulledFile { replaced: pull.replaced, kept, removed, ..with_state(pull.planned, state) }
    }));
    let unpublished =
        whole.into_iter().map(|Unpublished { path, language, keys }| UnpublishedFile { path, language, keys });
    let unpublished = unpublished.collect();
    printer.json(&Pulled { dry_run: args.dry_run, version_id, label, folder: root, counts, files, unpublished });
    Ok(ExitStatus::Success)
}

/// Says which files of the base language are not written, and why.
fn print_sources(printer: &Printer, source: &[PlannedPull], places: &PullPaths, include_base: bool) {
    if include_base {
        for planned in source {
            let catalogue = places.catalogue(&planned.file).unwrap_or_default();
            printer.note(format!("{} is not written: {catalogue} has the texts of the base language.", planned.path));
        }
        return;
    }
    let files = match source.len() {
        0 => return,
        1 => "1 source file was".to_owned(),
        count => format!("{count} source files were"),
    };
    let can_be_written = source.iter().any(|planned| places.catalogue(&planned.file).is_none());
    let how = if can_be_written { "; --include-base writes them, too" } else { "" };
    printer.note(format!("{files} not changed{how}."));
}

/// Lists texts that others take the place of.
fn print_replaced(printer: &Printer, dry_run: bool, pulls: &[Pull]) {
    let verb = if dry_run { "replaces" } else { "replaced" };
    for pull in pulls.iter().filter(|pull| !pull.replaced.is_empty()) {
        let texts = named(&pull.replaced, pull.replaced.len() as u64);
        printer.note(format!("{}: {verb} {texts}", pull.planned.path));
    }
}

/// Lists texts of the files that the version lacks.
fn print_lacking(printer: &Printer, label: &str, lacking: MissingTextPolicy, pulls: &[Pull], whole: &[Unpublished]) {
    let mut kept = false;
    for pull in pulls.iter().filter(|pull| !pull.lacking.is_empty()) {
        let (path, texts) = (&pull.planned.path, named(&pull.lacking, pull.lacking.len() as u64));
        match lacking {
            MissingTextPolicy::Prune => printer.note(format!("{path}: removed texts that {label} lacks, {texts}")),
            MissingTextPolicy::Keep => {
                kept = true;
                printer.warn(format!("{path}: kept texts that {label} lacks, {texts}"));
            }
        }
    }
    for file in whole {
        let texts = counted(file.keys.len() as u64, "text");
        let lacks = if file.language.is_some() { "language" } else { "file" };
        let title = titled(&file.path, file.language.as_deref());
        printer.warn(format!("{title}: {label} has no such {lacks}; it stays, with {texts}"));
    }
    if kept {
        printer.note("`l10n review list` lists texts that are held back; `l10n pull --prune` removes texts that the version lacks.");
    }
}
