//! The files that are checked: each translation with its source.

use std::path::{Path, PathBuf};

use l10n_formats::files::{self, FileKind, Format, LocalizationFile};
use l10n_formats::locales::is_same_tag;

use crate::args::LintArgs;
use crate::context::Context;
use crate::error::{BrokenFile, CliError, usage};
use crate::source_files::{SourceError, SourceFile, SourceFiles};

/// The language of sources where nothing says it.
const BASE: &str = "en";

/// A file and its format.
#[derive(Debug, Clone)]
pub(super) struct LocalFile {
    /// Its name in messages.
    pub(super) path: String,
    location: PathBuf,
    format: Option<l10n_client::api::FormatId>,
}

/// A translation and its source.
#[derive(Debug)]
pub(super) struct FilePair {
    pub(super) source: LocalFile,
    pub(super) target: LocalFile,
    /// The language of the translation; `None` if the file names it.
    pub(super) language: Option<String>,
}

/// A file that was read.
pub(super) struct ParsedFile {
    pub(super) format: &'static dyn Format,
    pub(super) bytes: Vec<u8>,
    pub(super) document: LocalizationFile,
}

impl LocalFile {
    fn named(path: &Path) -> Self {
        Self { path: path.display().to_string(), location: path.to_owned(), format: None }
    }

    fn of(file: &SourceFile) -> Self {
        Self { path: file.path.clone(), location: file.location.clone(), format: file.format }
    }

    /// Reads it.
    pub(super) fn read(&self) -> Result<ParsedFile, CliError> {
        let unreadable = |source| SourceError::Unreadable { path: self.path.clone(), source };
        let bytes = std::fs::read(&self.location).map_err(unreadable)?;
        let format = match self.format {
            Some(format) => files::by_id(format),
            None => files::detect(&self.path, &bytes).map_err(|error| {
                usage(format!("{}: {error}", self.path), "say `format = \"…\"` in a [[files]] entry of l10n.toml")
            })?,
        };
        let document = format.parse(&bytes).map_err(|error| self.broken(format, &error))?;
        Ok(ParsedFile { format, bytes, document })
    }

    /// Reads the translations of a file that was read.
    pub(super) fn translations(&self, read: &ParsedFile, language: &str) -> Result<LocalizationFile, CliError> {
        let format = read.format;
        Ok(format.translations(&read.bytes, language).map_err(|error| self.broken(format, &error))?)
    }

    fn broken(&self, format: &dyn Format, error: &files::ParseError) -> BrokenFile {
        BrokenFile::local(&self.path, format.id(), error)
    }
}

/// The language of the sources, and the pairs.
pub(super) fn pairs(context: &Context, args: &LintArgs) -> Result<(String, Vec<FilePair>), CliError> {
    let settings = context.settings()?;
    let configured = settings.config().ok();
    let named = configured.and_then(|(_, config)| config.base_language.clone());
    let base = args.base.clone().or(named).unwrap_or_else(|| BASE.to_owned());
    if let Some(source) = &args.source {
        let pair = |target: &PathBuf| FilePair {
            source: LocalFile::named(source),
            target: LocalFile::named(target),
            language: args.language.clone(),
        };
        return Ok((base, args.files.iter().map(pair).collect()));
    }
    let listed = match configured {
        Some((path, config)) if !config.files.is_empty() => of_config(&SourceFiles::of(config, path)?, &base)?,
        _ if args.files.is_empty() => {
            return Err(usage(
                "there is no l10n.toml with [[files]], and no file was named",
                "run `l10n init`, or name a file and its `--source`",
            ));
        }
        _ => Vec::new(),
    };
    if args.files.is_empty() {
        return Ok((base, listed));
    }
    let place = |file: &Path| std::fs::canonicalize(file).ok();
    let mut wanted = Vec::with_capacity(args.files.len());
    let mut alone = Vec::new();
    for file in &args.files {
        let at = place(file).ok_or_else(|| SourceError::NoneFound(file.display().to_string()))?;
        let is_listed =
            |pair: &FilePair| [&pair.source, &pair.target].iter().any(|file| place(&file.location) == Some(at.clone()));
        if listed.iter().any(is_listed) {
            wanted.push(at);
        } else {
            alone.extend(with_source(file, args)?);
        }
    }
    let is_wanted = |pair: &FilePair| {
        [&pair.source, &pair.target].iter().any(|file| place(&file.location).is_some_and(|at| wanted.contains(&at)))
    };
    let mut pairs: Vec<FilePair> = listed.into_iter().filter(is_wanted).collect();
    pairs.extend(alone);
    Ok((base, pairs))
}

/// A named file that no entry has: it must hold its source itself. One that holds all languages is checked in each of them.
fn with_source(file: &Path, args: &LintArgs) -> Result<Vec<FilePair>, CliError> {
    let file = LocalFile::named(file);
    let read = file.read()?;
    let pair = |language: Option<String>| FilePair { source: file.clone(), target: file.clone(), language };
    match (read.format.kind_of(&read.document), &args.language) {
        (FileKind::Monolingual, _) => Err(usage(
            format!("{} is not a file of l10n.toml, so that its source is not known", file.path),
            "say `--source FILE --language CODE`",
        )),
        (FileKind::Multilingual, None) => {
            let languages = read.format.languages(&read.document).into_iter();
            Ok(languages.map(|language| pair(Some(language))).collect())
        }
        (_, language) => Ok(vec![pair(language.clone())]),
    }
}

/// The translations that the entries of l10n.toml find, each with its source.
fn of_config(files: &SourceFiles, base: &str) -> Result<Vec<FilePair>, SourceError> {
    let mut pairs = Vec::new();
    for (source, targets) in files.translations(base)? {
        for target in source.in_each_language()? {
            let language = target.language.clone();
            pairs.push(FilePair { source: LocalFile::of(&source), target: LocalFile::of(&target), language });
        }
        for target in targets
            .into_iter()
            .filter(|target| target.language.as_deref().is_some_and(|language| !is_same_tag(language, base)))
        {
            let (source, language) = (LocalFile::of(&source), target.language.clone());
            pairs.push(FilePair { source, target: LocalFile::of(&target), language });
        }
    }
    Ok(pairs)
}
