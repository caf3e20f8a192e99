//! `l10n pull-changes`: writes people's changes on the server into the source files. All changes are made in memory
//! before the first file is written; a change that cannot be made is reported as work to do by hand.
//!
//! Calls `pending_code_changes::list`.

use std::collections::BTreeMap;

use l10n_client::api::pending_code_changes::{ChangeKind, CodeChange, ListQuery, Side};
use l10n_formats::files::{EditError, Edited, Editor};
use serde::Serialize;

use crate::args::PullChangesArgs;
use crate::atomic;
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::session::Session;
use crate::source_files::{SourceFile, SourceFiles};
use crate::words::counted;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Pulled {
    dry_run: bool,
    counts: Counts,
    /// The files that changed.
    files: Vec<String>,
    changes: Vec<ChangeOutcome>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Counts {
    written: usize,
    there: usize,
    by_hand: usize,
}

#[derive(Serialize)]
struct ChangeOutcome {
    #[serde(flatten)]
    change: CodeChange,
    /// `written`, `there`, `by_hand`.
    state: &'static str,
    /// The reason why it must be done by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

pub(crate) async fn pull_changes(context: &Context, args: &PullChangesArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let query = ListQuery { limit: Some(500), cursor: None };
    let changes = session.project.pending_code_changes().pages(query).all().await;
    let mut changes = changes.doing("reading people's changes")?;
    // Renames come last: until then every change uses the ref that the code has.
    changes.sort_by_key(|change| change.kind == ChangeKind::KeyRenamed);
    let mut files =
        if changes.is_empty() { SourceFileSet::default() } else { SourceFileSet::open(&session, &changes).await? };
    let outcomes: Vec<ChangeOutcome> = changes.into_iter().map(|change| files.take(change)).collect();
    let changed = files.changed();
    if !args.dry_run {
        for (location, bytes) in changed.values() {
            atomic::write(location, bytes)?;
        }
    }

    let mut counts = Counts::default();
    let printer = &context.printer;
    for outcome in &outcomes {
        let (sign, count) = match outcome.state {
            "written" => ('~', &mut counts.written),
            "there" => ('=', &mut counts.there),
            _ => ('!', &mut counts.by_hand),
        };
        *count += 1;
        printer.line(format!("{sign} {}", described(&outcome.change)));
        if let Some(why) = &outcome.why {
            printer.line(format!("  by hand: {why}"));
        }
    }
    let verb = if args.dry_run { "would be written" } else { "written" };
    let text = format!(
        "{} {verb} into {}, {} present already, {} to do by hand",
        counts.written,
        counted(changed.len() as u64, "file"),
        counts.there,
        counts.by_hand
    );
    let status = if counts.by_hand > 0 { ExitStatus::Partial } else { ExitStatus::Success };
    match (outcomes.is_empty(), status) {
        (true, _) => printer.line("The code has all of people's changes."),
        (false, ExitStatus::Success) if !args.dry_run => printer.done(text),
        (false, _) => printer.line(text),
    }
    if !changed.is_empty() && !args.dry_run {
        printer.note("`l10n sync` tells the server that the code has them now.");
    }
    let files = changed.into_keys().collect();
    printer.json(&Pulled { dry_run: args.dry_run, counts, files, changes: outcomes });
    Ok(status)
}

/// The source files; those that were needed are parsed.
#[derive(Default)]
struct SourceFileSet {
    sources: Vec<SourceFile>,
    open: BTreeMap<String, OpenFile>,
    /// New refs by the code's refs: a file written by an earlier run has the new ones until it is synced.
    renamed: BTreeMap<String, String>,
}

struct OpenFile {
    before: Vec<u8>,
    texts: Box<dyn Editor>,
}

impl SourceFileSet {
    async fn open(session: &Session, changes: &[CodeChange]) -> Result<Self, CliError> {
        let (path, config) = session.settings.config()?;
        let base = match &config.base_language {
            Some(code) => code.clone(),
            None => session.meta().await?.base_language.to_string(),
        };
        let renamed = changes.iter().filter(|change| change.kind == ChangeKind::KeyRenamed).filter_map(|change| {
            let Some(Side::Text(to)) = &change.to else { return None };
            Some((change.r#ref.clone(), to.clone()))
        });
        let renamed = renamed.collect();
        Ok(Self { sources: SourceFiles::of(config, path)?.base_if_any(&base)?, open: BTreeMap::new(), renamed })
    }

    fn take(&mut self, change: CodeChange) -> ChangeOutcome {
        let (state, why) = match self.write(&change) {
            Ok(Edited::Written) => ("written", None),
            Ok(Edited::There) => ("there", None),
            Err(why) => ("by_hand", Some(why)),
        };
        ChangeOutcome { change, state, why }
    }

    fn write(&mut self, change: &CodeChange) -> Result<Edited, String> {
        let source = self.source(change)?.clone();
        let key = |name: &'_ str| source.key_in_file(name).to_owned();
        let name = key(&change.r#ref);
        let (from, to) = (text(change.from.as_ref())?, text(change.to.as_ref())?);
        let renamed = self.renamed.get(&change.r#ref).map(|name| key(name));
        let texts = &mut self.file(&source)?.texts;
        let edited = match (change.kind, from, to) {
            (ChangeKind::TextChanged, Some(from), Some(to)) => match &renamed {
                Some(renamed) if !texts.has(&name) => texts.set(renamed, from, to),
                _ => texts.set(&name, from, to),
            },
            (ChangeKind::KeyAdded, _, Some(to)) => texts.add(&name, to),
            // A text that the developer has changed since is not thrown away.
            (ChangeKind::KeyArchived, Some(from), _) if texts.has(&name) => {
                texts.set(&name, from, from).and_then(|_| texts.remove(&name))
            }
            (ChangeKind::KeyArchived, ..) => texts.remove(&name),
            (ChangeKind::KeyRenamed, _, Some(to)) => texts.rename(&name, &key(to)),
            (ChangeKind::Unknown(kind), ..) => {
                return Err(format!("this version of l10n does not know the change `{kind}`: install a newer one"));
            }
            _ => return Err("the server did not send the new value".to_owned()),
        };
        edited.map_err(|error| match (change.kind, error) {
            (ChangeKind::KeyArchived, EditError::Differs(says)) => {
                format!("the file says “{says}” by now: remove the key there, or keep it and run `l10n sync`")
            }
            (_, error) => error.to_string(),
        })
    }

    /// The source file of a change: the one that it names, or the only one.
    fn source(&self, change: &CodeChange) -> Result<&SourceFile, String> {
        match (&change.file, self.sources.as_slice()) {
            (Some(path), sources) => sources
                .iter()
                .find(|source| source.path == *path)
                .ok_or_else(|| format!("{path} is not one of the source files of l10n.toml")),
            (None, [only]) => Ok(only),
            (None, _) => Err("cannot tell which source file this key belongs to".to_owned()),
        }
    }

    fn file(&mut self, source: &SourceFile) -> Result<&mut OpenFile, String> {
        if !self.open.contains_key(&source.path) {
            let before = source.read().map_err(|error| error.to_string())?;
            let texts = source.format_of(&before).editor(&before).map_err(|error| error.to_string())?;
            self.open.insert(source.path.clone(), OpenFile { before, texts });
        }
        self.open.get_mut(&source.path).ok_or_else(|| "the file is gone".to_owned())
    }

    /// Paths, locations and contents of the files that changed.
    fn changed(&self) -> BTreeMap<String, (&std::path::Path, Vec<u8>)> {
        let differs = |source: &'_ SourceFile| {
            let open = self.open.get(&source.path)?;
            let bytes = open.texts.bytes();
            (bytes != open.before).then_some(bytes)
        };
        let changed = self
            .sources
            .iter()
            .filter_map(|source| Some((source.path.clone(), (source.location.as_path(), differs(source)?))));
        changed.collect()
    }
}

fn text(side: Option<&Side>) -> Result<Option<&str>, String> {
    match side {
        None => Ok(None),
        Some(Side::Text(text)) => Ok(Some(text)),
        Some(Side::Plural(_)) => Err("its forms are in several places of the file".to_owned()),
    }
}

/// Describes a change for people: file, key, old and new value.
fn described(change: &CodeChange) -> String {
    let side = |side: &Option<Side>| match side {
        None => "nothing".to_owned(),
        Some(Side::Text(text)) => format!("{text:?}"),
        Some(Side::Plural(plural)) => {
            let forms = plural.forms.iter().map(|(category, text)| format!("{category}: {text:?}"));
            format!("{{{}}}", forms.collect::<Vec<_>>().join(", "))
        }
    };
    let file = change.file.as_deref().map(|file| format!("{file}: ")).unwrap_or_default();
    let name = &change.r#ref;
    match change.kind {
        ChangeKind::TextChanged => {
            format!("{file}`{name}` is now {} instead of {}", side(&change.to), side(&change.from))
        }
        ChangeKind::KeyAdded => format!("{file}`{name}` is new: {}", side(&change.to)),
        ChangeKind::KeyArchived => format!("{file}`{name}` is removed; it was {}", side(&change.from)),
        ChangeKind::KeyRenamed => format!("{file}`{name}` is renamed to {}", side(&change.to)),
        kind => format!("{file}`{name}`: {kind}, from {} to {}", side(&change.from), side(&change.to)),
    }
}
