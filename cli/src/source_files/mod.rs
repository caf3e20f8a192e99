//! The files of `[[files]]`, and the output formats derived from them.

mod error;
mod find;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use l10n_client::api::output_formats::{EmptyAs, NewOutputFormat};
use l10n_client::api::translations::SYNC_FILE_CAP;
use l10n_client::api::{FormatId, LanguageCode};
use l10n_formats::files::{self, FileKind, Format};
use l10n_formats::locales::{canonicalize, is_same_tag};
use l10n_formats::template::{Pattern, Template};

pub(crate) use self::error::SourceError;
pub(crate) use self::find::{MatchedFile, find, relative};

use crate::config::{Config, ConfigError, FilesSection};
use crate::pattern_error::PatternError;

/// A parsed `[[files]]` entry.
#[derive(Debug, Clone)]
struct FilesEntry {
    source: Pattern,
    output: Option<String>,
    format: Option<FormatId>,
    empty_as: Option<EmptyAs>,
}

impl FilesEntry {
    fn understand(section: &FilesSection) -> Result<Self, PatternError> {
        let source = Pattern::parse(&section.source)?;
        let output = section.output.as_deref().map(Pattern::parse).transpose()?;
        if let Some(output) = &output
            && output.has_wildcard()
        {
            return Err(PatternError::WildcardInOutput(output.as_str().to_owned()));
        }
        let target = output.as_ref().unwrap_or(&source);
        if !target.has_language() && !may_hold_all_languages(section.format, target.as_str()) {
            return Err(PatternError::NoLanguage(target.as_str().to_owned()));
        }
        let output = output.map(|output| output.as_str().to_owned());
        Ok(Self { source, output, format: section.format, empty_as: section.empty_as })
    }

    /// The pattern of the translations; one that cannot be read is refused where the entry is.
    fn output_pattern(&self) -> Option<Pattern> {
        self.output.as_deref().and_then(|output| Pattern::parse(output).ok())
    }

    /// The path of the translation into the base language, and the source, if that is there in its stead.
    fn base_stand_in(&self, base: &str) -> Option<(String, StandIn)> {
        let output = Template::parse(self.output.as_deref()?).ok()?;
        let format = files::by_id(self.format?);
        let (habits, source) = (format.habits(), self.source.as_str());
        let has_place = || {
            let (before, after) = habits.beside(source)?;
            Some(output == Template::parse(&format!("{before}{}{after}", habits.spelling.placeholder())).ok()?)
        };
        let stands_in = !self.source.has_language() && (habits.is_template(source) || has_place() == Some(true));
        let stand_in = StandIn { source: source.to_owned(), is_catalogue: format.kind() == FileKind::Bilingual };
        stands_in.then(|| (output.render(&base.into(), None), stand_in))
    }
}

/// A source that is there in the stead of a translation into the base language, since its path names no language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StandIn {
    /// Its path.
    pub(crate) source: String,
    /// It has places for translations, which stay empty, as a template of gettext has.
    pub(crate) is_catalogue: bool,
}

/// Returns true if one file of the format, or of every format that has such names, may hold all languages.
pub(crate) fn may_hold_all_languages(format: Option<FormatId>, path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_so = |format: &&dyn Format| format.template("one").is_ok();
    match format {
        Some(format) => is_so(&files::by_id(format)),
        None => {
            let mut fitting = files::all().filter(|format| format.extensions().contains(&extension)).peekable();
            fitting.peek().is_some() && fitting.all(|format| is_so(&format))
        }
    }
}

/// A file that a pattern matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceFile {
    /// Its location.
    pub(crate) location: PathBuf,
    /// Its name on the server: its path relative to `l10n.toml`, with `/`.
    pub(crate) path: String,
    /// The language as spelled in its path; `None` if the pattern has no language.
    pub(crate) language: Option<String>,
    /// The format in `l10n.toml`.
    pub(crate) format: Option<FormatId>,
    /// The namespace of its keys, if the pattern has one.
    namespace: Option<String>,
    entry: usize,
    template: String,
}

impl SourceFile {
    /// The name of a project's key in the file.
    pub(crate) fn key_in_file<'a>(&self, name: &'a str) -> &'a str {
        let namespaced =
            self.namespace.as_deref().and_then(|namespace| name.strip_prefix(namespace)?.strip_prefix(':'));
        namespaced.unwrap_or(name)
    }

    /// Returns true if both files have the same keys.
    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        self.entry == other.entry && self.namespace == other.namespace
    }

    /// Its language in the service's spelling, as far as separators go.
    pub(crate) fn language_code(&self) -> Option<LanguageCode> {
        Some(self.language.as_deref()?.replace('_', "-").into())
    }

    /// The format in `l10n.toml`, or the one that its name and bytes fit best.
    pub(crate) fn format_of(&self, bytes: &[u8]) -> &'static dyn Format {
        files::by_id(self.format.unwrap_or_else(|| files::likeliest(&self.path, bytes)))
    }

    /// The path that a version has of a file in its language.
    fn path_in_version(&self) -> Option<String> {
        let language = canonicalize(self.language.as_deref()?).ok()?;
        let template = Template::parse(&self.template).ok()?;
        Some(template.render(&language.as_str().into(), None))
    }

    /// The file once for each language that it is translated into, if it holds all of them.
    pub(crate) fn in_each_language(&self) -> Result<Vec<Self>, SourceError> {
        if !may_hold_all_languages(self.format, &self.path) {
            return Ok(Vec::new());
        }
        let bytes = self.read()?;
        let format = self.format_of(&bytes);
        // A file that cannot be read is refused where its source texts are.
        let languages = format.parse(&bytes).map(|document| format.languages(&document)).unwrap_or_default();
        Ok(languages.into_iter().map(|language| Self { language: Some(language), ..self.clone() }).collect())
    }

    /// Its texts in a language, in their order. A file that cannot be read has none, and an empty text is none.
    pub(crate) fn texts_in(&self, language: &str) -> Vec<files::Entry> {
        let Ok(bytes) = self.read() else { return Vec::new() };
        let document = self.format_of(&bytes).translations(&bytes, language);
        let entries = document.map(|document| document.entries).unwrap_or_default().into_iter();
        entries.filter(|entry| entry.content.characters() > 0).collect()
    }

    /// Refuses a file that has no place for further languages. One that cannot be read is refused where its texts are.
    fn check_holds_all_languages(&self, format: FormatId) -> Result<(), SourceError> {
        let format = files::by_id(format);
        let Ok(document) = format.parse(&self.read()?) else { return Ok(()) };
        let has_place = format.kind_of(&document) == FileKind::Multilingual || document.language.is_some();
        if has_place { Ok(()) } else { Err(SourceError::OneLanguage(self.path.clone())) }
    }

    /// Its bytes.
    pub(crate) fn read(&self) -> Result<Vec<u8>, SourceError> {
        let unreadable = |source| SourceError::Unreadable { path: self.path.clone(), source };
        let bytes = std::fs::metadata(&self.location).map_err(unreadable)?.len();
        if bytes > SYNC_FILE_CAP as u64 {
            return Err(SourceError::TooLarge { path: self.path.clone(), bytes });
        }
        std::fs::read(&self.location).map_err(unreadable)
    }
}

/// All `[[files]]` of a configuration.
#[derive(Debug, Clone)]
pub(crate) struct SourceFiles {
    root: PathBuf,
    entries: Vec<FilesEntry>,
}

impl SourceFiles {
    /// Parses the entries of the configuration at `path`.
    pub(crate) fn of(config: &Config, path: &Path) -> Result<Self, ConfigError> {
        if config.files.is_empty() {
            return Err(ConfigError::NoFiles { path: path.to_owned() });
        }
        let understand = |(index, section): (usize, &FilesSection)| {
            FilesEntry::understand(section).map_err(|source| ConfigError::Pattern {
                path: path.to_owned(),
                entry: format!("[[files]] number {}", index + 1),
                source,
            })
        };
        let entries = config.files.iter().enumerate().map(understand).collect::<Result<_, _>>()?;
        Ok(Self { root: path.parent().unwrap_or(Path::new(".")).to_owned(), entries })
    }

    /// Every file in every language, in the order of the entries and then of their paths. A file belongs to the first
    /// entry that matches it.
    pub(crate) fn all(&self) -> Result<Vec<SourceFile>, SourceError> {
        let found: Result<Vec<_>, _> = (0..self.entries.len()).map(|entry| self.matches(entry)).collect();
        Ok(without_repeats(found?))
    }

    /// As [`all`](Self::all), and the translations beside sources whose own path names no language.
    pub(crate) fn all_with_outputs(&self) -> Result<Vec<SourceFile>, SourceError> {
        let mut found = vec![self.all()?];
        for (index, entry) in self.entries.iter().enumerate().filter(|(_, entry)| !entry.source.has_language()) {
            if let Some(output) = entry.output_pattern() {
                found.push(self.matching(index, &output)?);
            }
        }
        Ok(without_repeats(found))
    }

    /// The sources that are there in the stead of translations into the base language, by the paths of these:
    /// `values/strings.xml` for `values-en/strings.xml`.
    pub(crate) fn base_stand_ins(&self, base: &str) -> BTreeMap<String, StandIn> {
        self.entries.iter().filter_map(|entry| entry.base_stand_in(base)).collect()
    }

    /// The files below a folder that spell their language otherwise than a version does, by the path that a version has:
    /// `values-iw/strings.xml` for `values-he/strings.xml`.
    pub(crate) fn spelled_otherwise(&self, folder: &Path) -> Result<BTreeMap<String, String>, SourceError> {
        let files = Self { root: folder.to_owned(), entries: self.entries.clone() };
        let mut found = BTreeMap::new();
        for (index, entry) in files.entries.iter().enumerate() {
            let pattern = entry.output_pattern().unwrap_or_else(|| entry.source.clone());
            for file in files.matching(index, &pattern)? {
                if let Some(path) = file.path_in_version().filter(|path| *path != file.path) {
                    found.entry(path).or_insert(file.path);
                }
            }
        }
        Ok(found)
    }

    /// The files in the base language. An entry without a match is an error, because success would hide it.
    pub(crate) fn base(&self, base: &str) -> Result<Vec<SourceFile>, SourceError> {
        let all = self.all()?;
        for (index, entry) in self.entries.iter().enumerate() {
            if !all.iter().any(|file| file.entry == index && is_in(file, base)) {
                let mut others: Vec<String> =
                    all.iter().filter(|file| file.entry == index).filter_map(|file| file.language.clone()).collect();
                others.sort();
                others.dedup();
                let (pattern, base) = (entry.source.to_string(), base.to_owned());
                return Err(SourceError::NoMatch { pattern, base, others, root: self.root.clone() });
            }
        }
        Ok(all.into_iter().filter(|file| is_in(file, base)).collect())
    }

    /// Like [`base`](Self::base), but an entry may have no match.
    pub(crate) fn base_if_any(&self, base: &str) -> Result<Vec<SourceFile>, SourceError> {
        Ok(self.all()?.into_iter().filter(|file| is_in(file, base)).collect())
    }

    /// Each file in the base language with the files that hold its translations.
    pub(crate) fn translations(&self, base: &str) -> Result<Vec<(SourceFile, Vec<SourceFile>)>, SourceError> {
        let all = self.all()?;
        let mut outputs = Vec::with_capacity(self.entries.len());
        for (index, entry) in self.entries.iter().enumerate() {
            let output = entry.output_pattern();
            outputs.push(output.map(|output| self.matching(index, &output)).transpose()?);
        }
        let beside = |file: &SourceFile| -> Vec<SourceFile> {
            let is_other = |other: &&SourceFile| other.is_beside(file) && other.path != file.path;
            match outputs.get(file.entry).and_then(Option::as_ref) {
                Some(written) => written.iter().filter(is_other).cloned().collect(),
                None => all.iter().filter(is_other).filter(|other| other.template == file.template).cloned().collect(),
            }
        };
        Ok(all.iter().filter(|file| is_in(file, base)).map(|file| (file.clone(), beside(file))).collect())
    }

    /// Limits files to the named ones, each of which must be among them.
    pub(crate) fn named(&self, files: Vec<SourceFile>, names: &[PathBuf]) -> Result<Vec<SourceFile>, SourceError> {
        if names.is_empty() {
            return Ok(files);
        }
        let mut found = Vec::new();
        for name in names {
            let display = name.display().to_string();
            let location = std::fs::canonicalize(name).map_err(|_| SourceError::NoneFound(display.clone()))?;
            let same = |file: &&SourceFile| std::fs::canonicalize(&file.location).is_ok_and(|other| other == location);
            // A file with all languages is there once for each of them.
            let mut meant = files.iter().filter(same).peekable();
            meant.peek().ok_or(SourceError::NotListed(display))?;
            for file in meant {
                if !found.contains(file) {
                    found.push(file.clone());
                }
            }
        }
        Ok(found)
    }

    /// The output formats of the entries, given the base files.
    pub(crate) fn output_formats(&self, base: &[SourceFile]) -> Result<Vec<NewOutputFormat>, SourceError> {
        let mut formats: Vec<NewOutputFormat> = Vec::new();
        for file in base {
            let entry = &self.entries[file.entry];
            let path = match &entry.output {
                Some(output) => output.clone(),
                None if entry.source.has_wildcard() => file.template.clone(),
                None => entry.source.as_str().to_owned(),
            };
            if formats.iter().any(|format| format.path == path) {
                continue;
            }
            let format = match entry.format {
                Some(format) => format,
                None => files::likeliest(&file.path, &file.read()?),
            };
            if files::by_id(format).template(&path).is_ok_and(|template| !template.has_language()) {
                file.check_holds_all_languages(format)?;
            }
            formats.push(NewOutputFormat { format, path, empty_as: entry.empty_as, namespaces: None });
        }
        Ok(formats)
    }

    /// Returns true if an entry splits the project by namespace.
    pub(crate) fn uses_namespaces(&self) -> bool {
        self.entries.iter().any(|entry| entry.source.has_namespace())
    }

    fn matches(&self, index: usize) -> Result<Vec<SourceFile>, SourceError> {
        self.matching(index, &self.entries[index].source)
    }

    fn matching(&self, index: usize, pattern: &Pattern) -> Result<Vec<SourceFile>, SourceError> {
        let entry = &self.entries[index];
        let source_file = |found: MatchedFile| SourceFile {
            location: found.location,
            path: found.path,
            language: found.captures.language,
            namespace: found.captures.namespace,
            format: entry.format,
            entry: index,
            template: found.captures.template,
        };
        Ok(find(&self.root, pattern)?.into_iter().map(source_file).collect())
    }
}

/// The files in their order, each where it comes first.
fn without_repeats(found: Vec<Vec<SourceFile>>) -> Vec<SourceFile> {
    let mut known = BTreeSet::new();
    found.into_iter().flatten().filter(|file| known.insert(file.path.clone())).collect()
}

/// A file's path for people, with the language in brackets where the path does not have it: a file may hold several.
pub(crate) fn titled(path: &str, language: Option<&str>) -> String {
    match language.filter(|code| !path.contains(*code)) {
        Some(code) => format!("{path} ({code})"),
        None => path.to_owned(),
    }
}

/// Returns true if a language is one of those that a command is limited to. Without any, it is not limited.
pub(crate) fn is_asked(languages: &[String], code: &str) -> bool {
    languages.is_empty() || languages.iter().any(|language| is_same_tag(language, code))
}

/// Returns true if a file is in a language; without a language in its pattern it is in the base language.
fn is_in(file: &SourceFile, language: &str) -> bool {
    file.language.as_deref().is_none_or(|code| is_same_tag(code, language))
}
