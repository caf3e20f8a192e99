//! `l10n lint`: checks the translations in local files. Asks no server.

mod pairs;

use std::collections::hash_map;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use l10n_client::api::{Check, Issue, Severity};
use l10n_formats::files::{Entry, FileKind, syntax_of};
use l10n_formats::locales;
use l10n_formats::template::Spelling;
use l10n_formats::text::checks::{Checker, Facts, TranslationPair, check_many, check_source};
use serde::Serialize;
use serde_json::Value;

use self::pairs::{FilePair, LocalFile, ParsedFile, pairs};
use crate::args::LintArgs;
use crate::context::Context;
use crate::error::{CliError, Failure};
use crate::exit::ExitStatus;
use crate::run::conclude;
use crate::words::counted;

/// Number of findings that are listed.
const NAMED: usize = 200;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Linted {
    files: u64,
    texts: u64,
    errors: u64,
    warnings: u64,
    findings: Vec<LintFinding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// A finding of a check in a translation.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LintFinding {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    key: String,
    language: String,
    check: Check,
    severity: Severity,
    message: String,
}

impl LintFinding {
    fn text(&self) -> String {
        let Self { path, line, key, check, severity, message, .. } = self;
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        format!("{path}{line}: {severity}: `{key}` {check}: {message}")
    }
}

/// The checks found errors.
#[derive(Debug, thiserror::Error)]
#[error("the checks found {0}")]
struct ErrorsFound(String);

impl Failure for ErrorsFound {
    fn status(&self) -> ExitStatus {
        ExitStatus::Findings
    }

    fn code(&self) -> &str {
        "findings"
    }

    fn hint(&self) -> Option<String> {
        Some("correct these translations: a version would not have those with errors".into())
    }
}

pub(crate) fn lint(context: &Context, args: &LintArgs) -> Result<ExitStatus, CliError> {
    let (base, pairs) = pairs(context, args)?;
    let mut linter =
        Linter { base: &base, sources: HashMap::new(), looked_at: HashSet::new(), texts: 0, findings: Vec::new() };
    for pair in &pairs {
        linter.check(pair)?;
    }
    let Linter { texts, findings, .. } = linter;
    let printer = &context.printer;
    for finding in findings.iter().take(NAMED) {
        printer.line(finding.text());
    }
    if findings.len() > NAMED {
        printer.line(format!("and {} more; --json lists them all", findings.len() - NAMED));
    }
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count() as u64;
    let warnings = findings.len() as u64 - errors;
    let said = format!("{} and {}", counted(errors, "error"), counted(warnings, "warning"));
    let fails = errors > 0 || (args.strict && warnings > 0);
    let verdict = if fails { Err(CliError::from(ErrorsFound(said.clone()))) } else { Ok(()) };
    let files = pairs.len() as u64;
    if verdict.is_ok() {
        printer.done(format!("Checked {} in {}: {said}", counted(texts, "translation"), counted(files, "file")));
    }
    let error = verdict.as_ref().err().map(CliError::to_json);
    printer.json(&Linted { files, texts, errors, warnings, findings, error });
    conclude(context, verdict)
}

/// Checks pairs one after the other; each source is read once.
struct Linter<'a> {
    base: &'a str,
    sources: HashMap<String, Rc<ParsedFile>>,
    /// Sources whose own checks were made.
    looked_at: HashSet<String>,
    texts: u64,
    findings: Vec<LintFinding>,
}

impl Linter<'_> {
    fn check(&mut self, pair: &FilePair) -> Result<(), CliError> {
        let target = pair.target.read()?;
        let language = pair.language.clone().or_else(|| target.document.language.clone());
        let language = language.ok_or_else(|| no_language(&pair.target))?;
        let language = canonical(language);
        let translations = pair.target.translations(&target, &language)?;
        if target.format.kind_of(&target.document) != FileKind::Monolingual {
            self.source(&pair.target, &target);
            self.compare(pair, &target, &target, &translations.entries, &language);
            return Ok(());
        }
        let source = match self.sources.entry(pair.source.path.clone()) {
            hash_map::Entry::Occupied(read) => Rc::clone(read.get()),
            hash_map::Entry::Vacant(place) => Rc::clone(place.insert(Rc::new(pair.source.read()?))),
        };
        self.source(&pair.source, &source);
        self.compare(pair, &source, &target, &translations.entries, &language);
        Ok(())
    }

    /// Checks a source by itself, once.
    fn source(&mut self, file: &LocalFile, read: &ParsedFile) {
        if !self.looked_at.insert(file.path.clone()) {
            return;
        }
        for (entry, line) in read.document.entries.iter().zip(read.document.lines()) {
            for issue in check_source(&entry.content, syntax_of(read.format.id(), entry)) {
                self.find(file, line, &entry.key, self.base.to_owned(), issue);
            }
        }
    }

    fn find(&mut self, file: &LocalFile, line: Option<u32>, key: &str, language: String, issue: Issue) {
        let Issue { check, severity, message, .. } = issue;
        self.findings.push(LintFinding {
            path: file.path.clone(),
            line,
            key: key.to_owned(),
            language,
            check,
            severity,
            message,
        });
    }

    fn compare(
        &mut self,
        pair: &FilePair,
        source: &ParsedFile,
        target: &ParsedFile,
        translations: &[Entry],
        language: &str,
    ) {
        let checker = Checker::new(self.base, language);
        let keys = |read: &ParsedFile| -> HashMap<String, usize> {
            read.document.entries.iter().enumerate().map(|(at, entry)| (entry.key.clone(), at)).collect()
        };
        let (sources, places, lines) = (keys(source), keys(target), target.document.lines());
        let line = |key: &str| places.get(key).and_then(|at| lines.get(*at).copied().flatten());
        let mut all = Vec::with_capacity(translations.len());
        for translation in translations {
            let Some(entry) = sources.get(&translation.key).and_then(|at| source.document.entries.get(*at)) else {
                continue;
            };
            self.texts += 1;
            let facts = Facts {
                syntax: syntax_of(source.format.id(), entry),
                max_length: entry.max_length,
                in_file: Some(target.format.id()),
            };
            for issue in checker.check(&entry.content, &translation.content, facts) {
                self.find(&pair.target, line(&translation.key), &translation.key, language.to_owned(), issue);
            }
            all.push(TranslationPair {
                key: &translation.key,
                source: &entry.content,
                translation: &translation.content,
            });
        }
        for (at, issue) in check_many(&all) {
            let Some(TranslationPair { key, .. }) = all.get(at) else { continue };
            self.find(&pair.target, line(key), key, language.to_owned(), issue);
        }
    }
}

/// The tag of a language that a path spells, also as Android does: `pt-rBR`.
fn canonical(spelled: String) -> String {
    let tag = Spelling::Android.read(&spelled).unwrap_or_else(|| spelled.clone());
    locales::canonicalize(&tag).unwrap_or(spelled)
}

fn no_language(file: &LocalFile) -> CliError {
    crate::error::usage(format!("{} does not name its language", file.path), "say `--language CODE`")
}
