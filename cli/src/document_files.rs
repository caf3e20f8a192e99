//! Documents: the files of a `[[content]]` entry or the command line, and the places of their translations.

use std::path::{Path, PathBuf};

use l10n_client::api::LanguageCode;
use l10n_client::api::content::{CONTENT_BODY_CAP, Document, DocumentFormat};
use l10n_formats::locales::is_same_tag;
use l10n_formats::template::{Captures, Pattern};

use crate::config::{Config, ConfigError, ContentSection};
use crate::document_output::Output;
use crate::error::CliError;
use crate::pattern_error::PatternError;
use crate::source_files::{MatchedFile, SourceError, find, relative};

/// A `[[content]]` entry, or an argument of the command line.
#[derive(Debug, Clone)]
struct ContentEntry {
    source: Pattern,
    output: Option<Output>,
    format: Option<DocumentFormat>,
}

impl ContentEntry {
    fn understand(section: &ContentSection) -> Result<Self, PatternError> {
        let source = Pattern::parse(&section.source)?;
        if let Some(name) = ["androidLanguage", "appleLanguage", "namespace"]
            .into_iter()
            .find(|name| section.source.contains(&format!("{{{name}}}")))
        {
            let (pattern, name) = (section.source.clone(), name.to_owned());
            return Err(PatternError::UnknownOfDocuments { pattern, name });
        }
        let output = section.output.as_deref().map(Output::parse).transpose()?;
        Ok(Self { source, output, format: section.format })
    }

    /// `path` relative to the folder of the entry's files: the language's folder, if the pattern has one.
    fn below<'a>(&self, path: &'a str, captures: &Captures) -> &'a str {
        let folders = match captures.template.split('/').position(|part| part.contains('{')) {
            Some(language) if captures.language.is_some() => language + 1,
            _ => self.source.fixed_folder().split('/').filter(|part| !part.is_empty()).count(),
        };
        let below = path.splitn(folders + 1, '/').nth(folders);
        below.unwrap_or_else(|| path.rsplit('/').next().unwrap_or(path))
    }
}

/// The documents of a command.
#[derive(Debug, Clone)]
pub(crate) struct DocumentFiles {
    root: PathBuf,
    base: LanguageCode,
    entries: Vec<ContentEntry>,
    /// Arguments of the command line: if there are any, only they count.
    named: Vec<ContentEntry>,
}

/// A document to push.
#[derive(Debug, Clone)]
pub(crate) struct DocumentFile {
    location: PathBuf,
    /// Its external id: its path relative to `l10n.toml`, with `/`.
    pub(crate) path: String,
    pub(crate) format: DocumentFormat,
}

impl DocumentFile {
    /// Its text.
    pub(crate) fn read(&self) -> Result<String, SourceError> {
        let unreadable = |source| SourceError::Unreadable { path: self.path.clone(), source };
        let bytes = std::fs::metadata(&self.location).map_err(unreadable)?.len();
        if bytes > CONTENT_BODY_CAP as u64 {
            return Err(SourceError::DocumentTooLarge { path: self.path.clone(), bytes });
        }
        let line_after = |good: &[u8]| good.iter().filter(|byte| **byte == b'\n').count() + 1;
        let text = String::from_utf8(std::fs::read(&self.location).map_err(unreadable)?).map_err(|error| {
            let line = line_after(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
            SourceError::NotUtf8 { path: self.path.clone(), line }
        })?;
        match text.find('\0') {
            Some(at) => Err(SourceError::Nul { path: self.path.clone(), line: line_after(&text.as_bytes()[..at]) }),
            None => Ok(text),
        }
    }
}

impl DocumentFiles {
    /// The documents of `[[content]]`, limited to `paths`, which are relative to `folder`.
    pub(crate) fn of(
        config: Option<(&Path, &Config)>,
        root: &Path,
        base: LanguageCode,
        folder: &Path,
        paths: &[PathBuf],
    ) -> Result<Self, CliError> {
        let mut entries = Vec::new();
        if let Some((path, config)) = config {
            for (index, section) in config.content.iter().enumerate() {
                entries.push(ContentEntry::understand(section).map_err(|source| ConfigError::Pattern {
                    path: path.to_owned(),
                    entry: format!("[[content]] number {}", index + 1),
                    source,
                })?);
            }
        }
        let named = paths.iter().map(|path| named(root, folder, path)).collect::<Result<_, _>>()?;
        Ok(Self { root: root.to_owned(), base, entries, named })
    }

    /// Replaces the output pattern of every entry.
    pub(crate) fn with_output(mut self, output: Option<&str>) -> Result<Self, PatternError> {
        if let Some(output) = output {
            let output = Output::parse(output)?;
            self.entries.iter_mut().chain(&mut self.named).for_each(|entry| entry.output = Some(output.clone()));
        }
        Ok(self)
    }

    /// Returns true if neither `l10n.toml` nor the command line names documents.
    pub(crate) fn is_open(&self) -> bool {
        self.entries.is_empty() && self.named.is_empty()
    }

    /// The files to push, without translations of other documents into one of `languages`.
    pub(crate) fn files(&self, languages: &[LanguageCode]) -> Result<Vec<DocumentFile>, SourceError> {
        if self.is_open() {
            return Err(SourceError::NoContent);
        }
        let sources = if self.named.is_empty() { &self.entries } else { &self.named };
        let mut files: Vec<DocumentFile> = Vec::new();
        for source in sources {
            let found = find(&self.root, &source.source)?;
            let alone = found.len() == 1 && found[0].path == source.source.as_str();
            for MatchedFile { location, path, .. } in found {
                let Some((entry, _)) = self.entry_of(&path) else { continue };
                if files.iter().any(|known| known.path == path) || self.is_translation(&path, languages) {
                    continue;
                }
                match entry.format.or_else(|| format_of(&path)) {
                    Some(format) => files.push(DocumentFile { location, path, format }),
                    None if alone => return Err(SourceError::NoDocument(path)),
                    None => {}
                }
            }
            if !files.iter().any(|file| source.source.captures(&file.path).is_some()) {
                let (pattern, root) = (source.source.to_string(), self.root.clone());
                return Err(SourceError::NoDocuments { pattern, root });
            }
        }
        Ok(files)
    }

    /// Returns true if the server's document is selected.
    pub(crate) fn has(&self, document: &Document) -> bool {
        self.is_open() || document.external_id.as_deref().is_some_and(|path| self.entry_of(path).is_some())
    }

    /// The path of a document's translation, relative to `l10n.toml`.
    pub(crate) fn place(&self, path: &str, language: &LanguageCode) -> Result<String, SourceError> {
        let no_output = || SourceError::NoOutput(path.to_owned());
        let (entry, captures) = self.entry_of(path).ok_or_else(no_output)?;
        match (&entry.output, &captures.language) {
            (Some(output), _) => Ok(output.place(entry.below(path, &captures), language)),
            (None, Some(_)) => Ok(captures
                .template
                .replace("{languageUnderscore}", &language.as_str().replace('-', "_"))
                .replace("{language}", language.as_str())),
            (None, None) => Err(no_output()),
        }
    }

    /// The entry of a path: the first of `l10n.toml` that matches it, else an argument of the command line.
    fn entry_of(&self, path: &str) -> Option<(&ContentEntry, Captures)> {
        let is_named = self.named.is_empty() || self.named.iter().any(|entry| entry.source.captures(path).is_some());
        if !is_named {
            return None;
        }
        let matching = |entry: &'_ ContentEntry| entry.source.captures(path);
        let all = || self.entries.iter().chain(&self.named);
        let (entry, captures) = all().find_map(|entry| Some((entry, matching(entry)?)))?;
        let is_base = captures.language.as_deref().is_none_or(|code| is_same_tag(code, self.base.as_str()));
        is_base.then_some((entry, captures))
    }

    fn is_translation(&self, path: &str, languages: &[LanguageCode]) -> bool {
        let outputs = self.entries.iter().chain(&self.named).filter_map(|entry| entry.output.as_ref());
        outputs
            .flat_map(|output| languages.iter().filter_map(|language| output.places(language)))
            .any(|places| places.captures(path).is_some())
    }
}

/// An argument of the command line: a folder, a file or a pattern, relative to `folder`.
fn named(root: &Path, folder: &Path, path: &Path) -> Result<ContentEntry, CliError> {
    let display = path.display().to_string();
    let place = folder.join(path);
    let outside = || SourceError::NotBelow { path: display.clone(), root: root.to_owned() };
    let text = match std::fs::canonicalize(&place) {
        Ok(real) => {
            let root = std::fs::canonicalize(root)
                .map_err(|source| SourceError::Unreadable { path: display.clone(), source })?;
            if real == root { String::new() } else { relative(&root, &real).ok_or_else(outside)? }
        }
        // A pattern, or a document whose file no longer exists.
        Err(_) => relative(root, &place).ok_or_else(outside)?,
    };
    let text = match place.is_dir() {
        true if text.is_empty() => "**/*".to_owned(),
        true => format!("{text}/**/*"),
        false => text,
    };
    Ok(ContentEntry { source: Pattern::parse(&text).map_err(PatternError::from)?, output: None, format: None })
}

/// The format by a file's extension.
fn format_of(path: &str) -> Option<DocumentFormat> {
    let (_, extension) = path.rsplit('/').next()?.rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "md" | "markdown" | "mdx" => Some(DocumentFormat::Markdown),
        "html" | "htm" => Some(DocumentFormat::Html),
        "txt" => Some(DocumentFormat::Text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents(files: &[&str], config: &str, paths: &[&str]) -> (tempfile::TempDir, DocumentFiles) {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "Text\n").unwrap();
        }
        let path = folder.path().join("l10n.toml");
        let config = Config::parse(config, &path).unwrap();
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        let root = folder.path();
        let documents = DocumentFiles::of(Some((&path, &config)), root, "en".into(), root, &paths).unwrap();
        (folder, documents)
    }

    fn paths(documents: &DocumentFiles) -> Vec<String> {
        let files = documents.files(&["de".into(), "fr".into()]).unwrap();
        files.into_iter().map(|file| format!("{} {}", file.path, file.format)).collect()
    }

    #[test]
    fn documents_are_found_by_their_extension_and_translations_are_none_of_them() {
        let files = ["docs/b.md", "docs/a/c.HTML", "docs/logo.svg", "docs/de/b.md", "docs/it/b.md", "other/x.md"];
        let config = "[[content]]\nsource = \"docs/**/*\"\noutput = \"docs/{language}/{path}\"\n";
        let (_folder, documents) = documents(&files, config, &[]);
        assert_eq!(paths(&documents), ["docs/a/c.HTML html", "docs/b.md markdown", "docs/it/b.md markdown"]);
        assert_eq!(documents.place("docs/a/c.HTML", &"de".into()).unwrap(), "docs/de/a/c.HTML");
    }

    #[test]
    fn where_the_source_shows_the_language_translations_lie_beside_it() {
        let config = "[[content]]\nsource = \"content/{language}/**/*.txt\"\nformat = \"markdown\"\n";
        let (_folder, documents) = documents(&["content/en/a/b.txt", "content/de/a/b.txt"], config, &[]);
        assert_eq!(paths(&documents), ["content/en/a/b.txt markdown"]);
        assert_eq!(documents.place("content/en/a/b.txt", &"pt-BR".into()).unwrap(), "content/pt-BR/a/b.txt");
        let documents = documents.with_output(Some("out/{path}.{language}")).unwrap();
        assert_eq!(documents.place("content/en/a/b.txt", &"de".into()).unwrap(), "out/a/b.txt.de");
    }

    #[test]
    fn what_the_command_line_names_narrows_the_entries_or_stands_for_one() {
        let config = "[[content]]\nsource = \"docs/{language}/*.md\"\n";
        let files = ["docs/en/a.md", "docs/de/a.md", "docs/en/b.md", "README.md", "site/x/y.md"];
        let narrowed = |names: &[&str]| paths(&documents(&files, config, names).1);
        assert_eq!(narrowed(&["docs"]), ["docs/en/a.md markdown", "docs/en/b.md markdown"]);
        assert_eq!(narrowed(&["docs/*/a.md"]), ["docs/en/a.md markdown"]);
        assert_eq!(narrowed(&["README.md", "site"]), ["README.md markdown", "site/x/y.md markdown"]);
        let (_folder, site) = documents(&files, "", &["site"]);
        let site = site.with_output(Some("{language}/{path}")).unwrap();
        assert_eq!(site.place("site/x/y.md", &"de".into()).unwrap(), "de/x/y.md");
    }

    #[test]
    fn what_matches_nothing_is_an_error() {
        let error = |config: &str, names: &[&str]| {
            let (_folder, documents) = documents(&["a.md", "b.svg"], config, names);
            documents.files(&[]).unwrap_err().to_string()
        };
        assert_eq!(error("", &[]), "l10n.toml has no [[content]], and no document was named");
        assert_eq!(error("[[content]]\nsource = \"docs/*.md\"\n", &[]), "no document matches `docs/*.md`");
        assert_eq!(error("", &["a.md", "gone.md"]), "no document matches `gone.md`");
        assert_eq!(error("", &["b.svg"]), "b.svg is not a document in a known format");
    }

    #[test]
    fn text_that_is_not_utf_8_is_named_with_its_line() {
        let (folder, documents) = documents(&["a.md"], "", &["a.md"]);
        std::fs::write(folder.path().join("a.md"), b"one\ntwo \xff\n").unwrap();
        assert_eq!(documents.files(&[]).unwrap()[0].read().unwrap_err().to_string(), "a.md:2: not valid UTF-8");
    }
}
