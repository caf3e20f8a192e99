//! `l10n pull`: writes the files of a published version. All are downloaded and checked before the first is written.
//!
//! Calls `delivery::manifest`, `delivery::named_manifest`, `delivery::bundle`, `delivery::named_bundle`, `translations::get`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use l10n_client::Delivery;
use l10n_client::api::{FormatId, LanguageCode, VersionId};
use serde::Serialize;

use super::versions::find;
use crate::args::PullArgs;
use crate::atomic;
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::hash::sha256;
use crate::progress::Progress;
use crate::pull_plan::{Planned, State, delivery, live, published};
use crate::session::Session;
use crate::settings::Settings;
use crate::source_files::SourceFiles;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Pulled {
    dry_run: bool,
    version_id: VersionId,
    label: String,
    folder: PathBuf,
    counts: Counts,
    files: Vec<PulledFile>,
}

#[derive(Debug, Default, Serialize)]
struct Counts {
    written: usize,
    unchanged: usize,
    /// Source files, which are left alone.
    source: usize,
}

#[derive(Serialize)]
struct PulledFile {
    path: String,
    language: LanguageCode,
    format: FormatId,
    bytes: u64,
    sha256: String,
    state: &'static str,
}

pub(crate) async fn pull(context: &Context, args: &PullArgs) -> Result<ExitStatus, CliError> {
    let settings = context.settings()?;
    let root = args.dir.as_ref().map_or_else(|| settings.root().to_owned(), |dir| context.folder.join(dir));
    let (delivery, mut version) = match &args.version {
        Some(name) => {
            let session = Session::open(context).await?;
            let id = find(&session, name).await?;
            (session.project.delivery(), published(&session, &id).await?)
        }
        None => {
            let delivery = delivery(context, &settings)?;
            let version = live(&delivery).await?;
            (delivery, version)
        }
    };
    version.narrow(&args.languages)?;
    let (version_id, label) = (version.version_id.clone(), version.label.clone());
    let sources =
        if args.include_base { BTreeSet::new() } else { source_places(&settings, version.base_language.as_ref())? };
    let plan = version.plan(&root)?;
    let is_source =
        |planned: &Planned| std::fs::canonicalize(&planned.place).is_ok_and(|place| sources.contains(&place));
    let (source, plan): (Vec<Planned>, Vec<Planned>) = plan.into_iter().partition(is_source);
    let changed: Vec<&Planned> = plan.iter().filter(|planned| planned.state != State::Unchanged).collect();
    if !args.dry_run {
        let downloads = download(context, &delivery, &version_id, &changed).await?;
        for (planned, bytes) in changed.iter().zip(&downloads) {
            atomic::write(&planned.place, bytes)?;
        }
    }

    let counts = Counts { written: changed.len(), unchanged: plan.len() - changed.len(), source: source.len() };
    let printer = &context.printer;
    for planned in &changed {
        let sign = if planned.state == State::New { '+' } else { '~' };
        printer.line(format!("{sign} {}", planned.file.path));
    }
    let verb = if args.dry_run { "would be written" } else { "written" };
    let text = format!("{label} ({version_id}): {} {verb}, {} unchanged", counts.written, counts.unchanged);
    if args.dry_run {
        printer.line(text)
    } else {
        printer.done(text)
    }
    if counts.source > 0 {
        let files =
            if counts.source == 1 { "1 source file was" } else { &format!("{} source files were", counts.source) };
        printer.note(format!("{files} left alone; --include-base writes those too."));
    }
    let with_state = |planned: Planned, source: bool| PulledFile {
        state: match (source, planned.state) {
            (true, _) => "source",
            (false, State::New) => "new",
            (false, State::Changed) => "changed",
            (false, State::Unchanged) => "unchanged",
        },
        path: planned.file.path,
        language: planned.file.language,
        format: planned.file.format,
        bytes: planned.file.bytes,
        sha256: planned.file.sha256,
    };
    let mut files: Vec<PulledFile> = source.into_iter().map(|planned| with_state(planned, true)).collect();
    files.extend(plan.into_iter().map(|planned| with_state(planned, false)));
    printer.json(&Pulled { dry_run: args.dry_run, version_id, label, folder: root, counts, files });
    Ok(ExitStatus::Success)
}

/// Downloads files and holds each against the hash that was promised.
async fn download(
    context: &Context,
    delivery: &Delivery,
    version: &VersionId,
    files: &[&Planned],
) -> Result<Vec<Vec<u8>>, CliError> {
    let bar = Progress::new(&context.printer, "Pulling", files.len() as u64);
    let mut downloads = Vec::with_capacity(files.len());
    for planned in files {
        let file = &planned.file;
        bar.say(format!("Pulling {}", file.path));
        let bundle = delivery.bundle(version.clone(), &file.path).await;
        let bytes = bundle.doing(format!("downloading {}", file.path))?.bytes;
        let got = sha256(&bytes);
        if got != file.sha256.to_ascii_lowercase() {
            return Err(CliError::Damaged {
                path: file.path.clone(),
                version: version.to_string(),
                expected: file.sha256.clone(),
                got,
            });
        }
        bar.step();
        downloads.push(bytes);
    }
    Ok(downloads)
}

/// Where the source files of `l10n.toml` really are. A pull over them would take back what a developer has just written.
pub(crate) fn source_places(settings: &Settings, base: Option<&LanguageCode>) -> Result<BTreeSet<PathBuf>, CliError> {
    let Ok((path, config)) = settings.config() else { return Ok(BTreeSet::new()) };
    if config.files.is_empty() {
        return Ok(BTreeSet::new());
    }
    let Some(base) = config.base_language.as_deref().or(base.map(LanguageCode::as_str)) else {
        return Ok(BTreeSet::new());
    };
    let files = SourceFiles::of(config, path)?.base_if_any(base)?;
    Ok(files.iter().filter_map(|file| std::fs::canonicalize(&file.location).ok()).collect())
}
