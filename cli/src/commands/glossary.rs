//! `l10n glossary [list|pull|push]`: the terms of the project, and a CSV file of them.
//!
//! Calls `glossary::list`, `glossary::set`, `meta::read`.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use l10n_client::api::LanguageCode;
use l10n_client::api::glossary::{GlossaryLevel, GlossaryRule, GlossarySet, GlossaryTerm, ListQuery, NewGlossaryTerm};
use serde::Serialize;
use serde_json::Value;

use crate::args::{GlossaryArgs, GlossaryCommand, PullGlossaryArgs, PushGlossaryArgs};
use crate::atomic;
use crate::context::Context;
use crate::error::{BrokenFile, CliError, Doing as _, Failure, unreadable, usage};
use crate::exit::ExitStatus;
use crate::glossary_file::{self, PlacedTerm};
use crate::input;
use crate::session::Session;
use crate::settings::Settings;
use crate::streams::is_stdout;
use crate::table::{Align, Table};
use crate::target::target;
use crate::words::{counted, listed};

/// The file, where nothing else names one.
const USUAL_FILE: &str = "glossary.csv";

#[derive(Serialize)]
struct Listed<'a> {
    terms: &'a [GlossaryTerm],
}

#[derive(Serialize)]
struct Pulled {
    file: String,
    terms: usize,
    written: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Pushed {
    file: String,
    dry_run: bool,
    /// Terms that the file does not have and the project keeps.
    kept: u64,
    #[serde(flatten)]
    terms: GlossarySet,
}

/// A pull would lose terms of the file.
#[derive(Debug, thiserror::Error)]
#[error(
    "{file} has {} that the project lacks, or has with other values: {}; nothing was written",
    counted(.terms.len() as u64, "term"),
    listed(.terms, .terms.len() as u64)
)]
struct TermsUnpushed {
    file: String,
    terms: Vec<String>,
}

impl Failure for TermsUnpushed {
    fn status(&self) -> ExitStatus {
        ExitStatus::OutOfDate
    }

    fn code(&self) -> &str {
        "local_terms"
    }

    fn hint(&self) -> Option<String> {
        Some("`l10n glossary push` brings them into the project; `l10n glossary pull --overwrite` gives them up".into())
    }

    fn details(&self) -> Vec<(&'static str, Value)> {
        vec![("terms", self.terms.clone().into())]
    }
}

pub(crate) async fn glossary(context: &Context, args: GlossaryArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    match args.command.unwrap_or(GlossaryCommand::List { workspace: false }) {
        GlossaryCommand::List { workspace } => list(context, &session, workspace).await,
        GlossaryCommand::Pull(args) => pull(context, &session, &args).await,
        GlossaryCommand::Push(args) => push(context, &session, &args).await,
    }
}

async fn list(context: &Context, session: &Session, workspace: bool) -> Result<ExitStatus, CliError> {
    let level = if workspace { GlossaryLevel::Workspace } else { GlossaryLevel::Project };
    let terms = terms(session, level).await?;
    let printer = &context.printer;
    printer.json(&Listed { terms: &terms });
    if terms.is_empty() {
        printer.line("No terms.");
    }
    let titles = ["TERM", "LANGUAGE", "RULE", "CASE", "TRANSLATIONS"];
    let mut table = Table::new(titles.map(|title| (title, Align::Left)));
    for term in &terms {
        let translations = term.translations.iter().map(|(code, text)| format!("{code}: {text}")).collect::<Vec<_>>();
        let case = if term.case_sensitive { "as written" } else { "any" };
        let (language, rule) = (term.language.to_string(), term.rule.to_string());
        table.row([term.term.clone(), language, rule, case.to_owned(), translations.join(", ")]);
    }
    printer.table(&table);
    Ok(ExitStatus::Success)
}

async fn pull(context: &Context, session: &Session, args: &PullGlossaryArgs) -> Result<ExitStatus, CliError> {
    let (place, shown) = place(context, &session.settings, args.file.as_deref())?;
    let mut terms = terms(session, GlossaryLevel::Project).await?;
    if args.file.as_deref().is_some_and(|file| is_stdout(&context.folder, file)) {
        context.printer.file(glossary_file::write(&terms).as_bytes())?;
        return Ok(ExitStatus::Success);
    }
    let held = held(&place)?;
    match placed(&held, &shown) {
        Err(error) if !args.overwrite => {
            return Err(
                error.advise("fix the file there, or replace it with --overwrite; nothing was written".to_owned())
            );
        }
        Err(_) => {}
        Ok(placed) => {
            let base = session.meta().await?.base_language;
            if !args.overwrite {
                refuse_loss(&shown, &placed, &terms, &base)?;
            }
            in_order_of(&placed, &mut terms, &base);
        }
    }
    let text = glossary_file::write(&terms);
    let written = held != text.as_bytes();
    if written {
        atomic::write(&place, text.as_bytes())?;
    }
    let printer = &context.printer;
    printer.json(&Pulled { file: shown.clone(), terms: terms.len(), written });
    let number = counted(terms.len() as u64, "term");
    printer.done(match written {
        true => format!("Wrote {number} to {shown}"),
        false => format!("{shown} is up to date ({number})"),
    });
    Ok(ExitStatus::Success)
}

/// The bytes that a pull would replace: none where there is no file, and of a device.
fn held(place: &Path) -> Result<Vec<u8>, CliError> {
    match std::fs::metadata(place) {
        Ok(metadata) if metadata.is_file() => std::fs::read(place).map_err(unreadable(place)),
        _ => Ok(Vec::new()),
    }
}

/// The terms of a file; none of an empty one.
fn placed(bytes: &[u8], shown: &str) -> Result<Vec<PlacedTerm>, CliError> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    glossary_file::read(bytes).map_err(|fault| broken(shown, (fault.line, fault.column), fault.message, None))
}

/// Refuses to replace a file with terms or values that the project lacks: someone may not have pushed them yet.
fn refuse_loss(
    shown: &str,
    placed: &[PlacedTerm],
    terms: &[GlossaryTerm],
    base: &LanguageCode,
) -> Result<(), TermsUnpushed> {
    let by_name: HashMap<_, _> = terms.iter().map(|term| ((&term.language, term.term.as_str()), term)).collect();
    let is_lost = |given: &NewGlossaryTerm| {
        let named = with_defaults(given, base);
        self::named(&named).and_then(|name| by_name.get(&name)).is_none_or(|held| !holds(held, given))
    };
    let lost = placed.iter().map(|placed| &placed.term).filter(|term| is_lost(term));
    let lost: Vec<String> = lost.map(|term| term.term.clone()).collect();
    if lost.is_empty() { Ok(()) } else { Err(TermsUnpushed { file: shown.to_owned(), terms: lost }) }
}

/// Returns true if a term has each value that a file gives it.
fn holds(held: &GlossaryTerm, given: &NewGlossaryTerm) -> bool {
    given.translations.iter().all(|(code, text)| held.translations.get(code) == Some(text))
        && given.rule.is_none_or(|rule| rule == held.rule)
        && given.case_sensitive.is_none_or(|case_sensitive| case_sensitive == held.case_sensitive)
        && given.note.as_ref().is_none_or(|note| held.note.as_ref() == Some(note))
}

/// Puts terms into the order of a file; those that it lacks come last.
fn in_order_of(placed: &[PlacedTerm], terms: &mut [GlossaryTerm], base: &LanguageCode) {
    let names: Vec<NewGlossaryTerm> = placed.iter().map(|placed| with_defaults(&placed.term, base)).collect();
    let places: HashMap<_, _> = names.iter().enumerate().filter_map(|(at, term)| Some((named(term)?, at))).collect();
    terms.sort_by_key(|term| places.get(&(&term.language, term.term.as_str())).copied().unwrap_or(usize::MAX));
}

async fn push(context: &Context, session: &Session, args: &PushGlossaryArgs) -> Result<ExitStatus, CliError> {
    let settings = &session.settings;
    let (shown, bytes) = match args.file.as_deref() {
        Some(file) => input::bytes(&context.folder, file).await?,
        None => {
            let (place, shown) = place(context, settings, None)?;
            (shown, std::fs::read(&place).map_err(unreadable(&place))?)
        }
    };
    let read = glossary_file::read(&bytes);
    let placed = read.map_err(|fault| broken(&shown, (fault.line, fault.column), fault.message, None))?;
    let base = session.meta().await?.base_language;
    let present = terms(session, GlossaryLevel::Project).await?;
    let prune = args.prune || settings.config().is_ok_and(|(_, config)| config.glossary.prune == Some(true));
    // Those of the file come first, so that the server's complaints name their places.
    let mut wanted: Vec<NewGlossaryTerm> = placed.iter().map(|placed| with_defaults(&placed.term, &base)).collect();
    let stated: HashSet<(&LanguageCode, &str)> = wanted.iter().filter_map(named).collect();
    let others = present.iter().filter(|term| !stated.contains(&(&term.language, term.term.as_str())));
    let kept: Vec<NewGlossaryTerm> = if prune { Vec::new() } else { others.map(stated_again).collect() };
    let kept_number = kept.len() as u64;
    wanted.extend(kept);
    let terms = if args.dry_run {
        compare(&wanted, &present)
    } else {
        match session.project.glossary().set(wanted).await {
            Err(l10n_client::Error::Api(answer)) if in_file(&placed, &answer.message).is_some() => {
                let place = in_file(&placed, &answer.message).unwrap_or((1, 1));
                return Err(broken(&shown, place, answer.message.clone(), Some(answer.correlation_id.clone())));
            }
            outcome => outcome.doing("setting the glossary")?,
        }
    };
    let printer = &context.printer;
    let GlossarySet { added, changed, removed, unchanged } = &terms;
    let others = format!("{changed} changed, {removed} removed, {unchanged} unchanged");
    match args.dry_run {
        true => printer.line(format!("{added} would be added, {others} (dry run)")),
        false => printer.done(format!("{added} added, {others}")),
    }
    // The API takes the whole glossary at a time, and knows no condition for it.
    if !prune && *removed > 0 {
        let lost = counted(*removed, "term");
        printer.warn(format!("meanwhile someone added {lost}, which this push removed: add what is missing again"));
    }
    if kept_number > 0 {
        let kept = counted(kept_number, "term");
        printer.note(format!("The project keeps {kept} that {shown} does not have; --prune removes them."));
    }
    printer.json(&Pushed { file: shown, dry_run: args.dry_run, kept: kept_number, terms });
    Ok(ExitStatus::Success)
}

/// An error of a place in the file.
fn broken(shown: &str, (line, column): (u64, u64), message: String, correlation_id: Option<String>) -> CliError {
    let (path, code) = (shown.to_owned(), "file_unparseable");
    BrokenFile { path, line, column, message, code, correlation_id }.into()
}

/// All terms of a list.
async fn terms(session: &Session, level: GlossaryLevel) -> Result<Vec<GlossaryTerm>, CliError> {
    let query = ListQuery { level: Some(level), limit: Some(500), cursor: None };
    session.project.glossary().pages(query).all().await.doing("reading the glossary")
}

/// The file, and its name for messages.
fn place(context: &Context, settings: &Settings, file: Option<&Path>) -> Result<(PathBuf, String), CliError> {
    if let Some(file) = file {
        return Ok((context.folder.join(file), file.display().to_string()));
    }
    let named = settings.config().ok().and_then(|(_, config)| config.glossary.file.clone());
    let name = named.unwrap_or_else(|| USUAL_FILE.to_owned());
    let place = target(settings.root(), &name).map_err(|_| {
        usage(format!("`{name}`, the file of [glossary] in l10n.toml, is not in its folder"), "name a file below it")
    })?;
    Ok((place, name))
}

/// A term with what the server would make of the fields that it leaves out.
fn with_defaults(term: &NewGlossaryTerm, base: &LanguageCode) -> NewGlossaryTerm {
    let rule = term.rule.unwrap_or(GlossaryRule::Translate);
    let usual = (rule != GlossaryRule::Forbidden).then(|| base.clone());
    NewGlossaryTerm {
        language: term.language.clone().or(usual),
        rule: Some(rule),
        case_sensitive: Some(term.case_sensitive.unwrap_or(false)),
        ..term.clone()
    }
}

fn stated_again(term: &GlossaryTerm) -> NewGlossaryTerm {
    NewGlossaryTerm {
        term: term.term.clone(),
        language: Some(term.language.clone()),
        translations: term.translations.clone(),
        rule: Some(term.rule),
        case_sensitive: Some(term.case_sensitive),
        note: term.note.clone(),
    }
}

fn named(term: &NewGlossaryTerm) -> Option<(&LanguageCode, &str)> {
    Some((term.language.as_ref()?, term.term.as_str()))
}

/// The numbers that the server would answer with.
fn compare(wanted: &[NewGlossaryTerm], present: &[GlossaryTerm]) -> GlossarySet {
    let held = present.iter().map(|term| ((&term.language, term.term.as_str()), term));
    let mut held: HashMap<_, _> = held.collect();
    let mut numbers = GlossarySet { added: 0, changed: 0, removed: 0, unchanged: 0 };
    for term in wanted {
        match named(term).and_then(|name| held.remove(&name)) {
            None => numbers.added += 1,
            Some(held) if stated_again(held) == *term => numbers.unchanged += 1,
            Some(_) => numbers.changed += 1,
        }
    }
    numbers.removed = held.len() as u64;
    numbers
}

/// The place in the file that a complaint of the server is about: it begins with `` `terms[3].note` ``.
fn in_file(placed: &[PlacedTerm], message: &str) -> Option<(u64, u64)> {
    let (index, rest) = message.strip_prefix("`terms[")?.split_once(']')?;
    let field = rest.strip_prefix('.').and_then(|rest| rest.split_once('`')).map_or("term", |(field, _)| field);
    Some(placed.get(index.parse::<usize>().ok()?)?.place(field))
}
