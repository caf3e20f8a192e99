//! Differences between two versions, or between the live version and what a publish would make live: file by file, and text
//! by text for each language.
//!
//! Documents are compared paragraph by paragraph as they are written, so that a changed link or code is shown, too.
//!
//! Files are compared by their hashes. Texts are read from the files that differ, in both versions alike, so that a format
//! that cannot hold all of a text is no difference. That takes time and memory, so it is bounded by the bytes of the files.

mod documents;
mod texts;
mod versions;

use std::collections::{BTreeMap, HashMap, HashSet};

pub(crate) use self::documents::of_documents;
pub use self::texts::{TextChange, TextChanges, said};
pub use self::versions::{between_versions, from_live};
use super::{ServiceError, delivery};
use crate::delivery::at_rest::{self, StoredBody};
use crate::store::Tx;
use crate::store::blobs::Hash;
use crate::store::version_files::VersionFile;

/// Bytes of a language's files, on both sides together, whose texts are compared.
const MOST_OF_LANGUAGE: u64 = 8 * 1024 * 1024;
/// Bytes of all files whose texts are compared for one page.
const MOST: u64 = 32 * 1024 * 1024;

/// The files of one side.
#[derive(Debug, Default)]
struct VersionSide {
    /// The files, in the order of the version.
    files: Vec<VersionFile>,
    /// The languages of those files that hold all of them.
    languages: Vec<String>,
    /// Contents that are not stored yet.
    rendered: HashMap<Hash, StoredBody>,
}

impl VersionSide {
    /// The files, and each that holds all languages once for each of them.
    fn by_language(&self) -> Vec<VersionFile> {
        let mut files = Vec::with_capacity(self.files.len());
        for file in &self.files {
            files.push(file.clone());
            if file.holds_all_languages {
                let others = self.languages.iter().filter(|language| **language != file.language);
                files.extend(others.map(|language| VersionFile { language: language.clone(), ..file.clone() }));
            }
        }
        files
    }
}

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Only the later side has it.
    Added,
    /// The sides differ in it.
    Changed,
    /// Only the earlier side has it.
    Removed,
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Its path.
    pub path: String,
    /// Its language.
    pub language: String,
    /// The kind of the change.
    pub change: Change,
}

/// The differences of a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageChanges {
    /// The language.
    pub language: String,
    /// The texts that differ; `None` where the files are too large to compare them here.
    pub texts: Option<TextChanges>,
}

/// The differences of two sides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Differences {
    /// Files that differ, those of the later side first.
    pub files: Vec<FileChange>,
    /// Every language of either side, those of the later side first.
    pub languages: Vec<LanguageChanges>,
}

/// The texts of a comparison that are to be shown.
#[derive(Debug, Clone, Copy)]
pub struct DisplayedTexts<'a> {
    /// Texts of this language alone.
    pub language: Option<&'a str>,
    /// Most texts of a language. All are counted.
    pub most: usize,
}

/// Compares two sides.
///
/// # Errors
///
/// Returns an error if the datastore fails.
async fn compare(
    tx: &mut Tx,
    before: VersionSide,
    after: VersionSide,
    shown: DisplayedTexts<'_>,
) -> Result<Differences, ServiceError> {
    let files = file_changes(&before.files, &after.files);
    let (was, is) = (before.by_language(), after.by_language());
    let mut room = MOST;
    let mut languages = Vec::new();
    for language in languages_of(&was, &is) {
        let [old, new] = differing(&was, &is, &language);
        let bytes: u64 = old.iter().chain(&new).map(|file| u64::try_from(file.bytes).unwrap_or(u64::MAX)).sum();
        let is_wanted = shown.language.is_none_or(|wanted| wanted == language.as_str());
        let texts = match room.checked_sub(bytes).filter(|_| bytes <= MOST_OF_LANGUAGE && is_wanted) {
            None => None,
            Some(rest) => {
                room = rest;
                let (old, new) = (read(tx, &before, &old).await?, read(tx, &after, &new).await?);
                texts::compared(old, new, shown.most).await?
            }
        };
        if is_wanted {
            languages.push(LanguageChanges { language, texts });
        }
    }
    Ok(Differences { files, languages })
}

/// The files that differ.
fn file_changes(before: &[VersionFile], after: &[VersionFile]) -> Vec<FileChange> {
    let old: HashMap<&str, &VersionFile> = before.iter().map(|file| (file.path.as_str(), file)).collect();
    let new: HashSet<&str> = after.iter().map(|file| file.path.as_str()).collect();
    let told =
        |file: &VersionFile, change| FileChange { path: file.path.clone(), language: file.language.clone(), change };
    let later = after.iter().filter_map(|file| match old.get(file.path.as_str()) {
        None => Some(told(file, Change::Added)),
        Some(old) => (old.sha256 != file.sha256).then(|| told(file, Change::Changed)),
    });
    let gone = before.iter().filter(|file| !new.contains(file.path.as_str()));
    later.chain(gone.map(|file| told(file, Change::Removed))).collect()
}

fn languages_of(before: &[VersionFile], after: &[VersionFile]) -> Vec<String> {
    let mut seen = HashSet::new();
    let all = after.iter().chain(before).map(|file| file.language.as_str());
    all.filter(|language| seen.insert(*language)).map(str::to_owned).collect()
}

/// The files of a language whose texts have to be read on each side. Where both have the same paths, those that differ; else
/// all: a text may have moved to another file.
fn differing(before: &[VersionFile], after: &[VersionFile], language: &str) -> [Vec<VersionFile>; 2] {
    let (old, new) = (by_path(before, language), by_path(after, language));
    let has_same_paths = old.keys().eq(new.keys());
    let differs = |path: &&str| {
        let hash = |side: &BTreeMap<&str, &VersionFile>| side.get(path).map(|file| file.sha256);
        !has_same_paths || hash(&old) != hash(&new)
    };
    let paths: HashSet<&str> = old.keys().chain(new.keys()).copied().filter(differs).collect();
    let wanted = |file: &&VersionFile| file.language == language && paths.contains(file.path.as_str());
    [before.iter().filter(wanted).cloned().collect(), after.iter().filter(wanted).cloned().collect()]
}

/// The files of a language.
fn by_path<'a>(files: &'a [VersionFile], language: &str) -> BTreeMap<&'a str, &'a VersionFile> {
    files.iter().filter(|file| file.language == language).map(|file| (file.path.as_str(), file)).collect()
}

/// The bytes of some files of a side.
async fn read(
    tx: &mut Tx,
    side: &VersionSide,
    files: &[VersionFile],
) -> Result<Vec<texts::ComparedFile>, ServiceError> {
    let mut sources = Vec::with_capacity(files.len());
    for file in files {
        let bytes = match side.rendered.get(&file.sha256) {
            None => delivery::read_plain(tx, &file.sha256).await?,
            Some(StoredBody::Plain(plain)) => plain.clone(),
            Some(StoredBody::Stored(blob)) => {
                let blob = blob.clone();
                let plain = tokio::task::spawn_blocking(move || at_rest::plain(blob)).await;
                plain.map_err(ServiceError::internal)?.map_err(ServiceError::internal)?
            }
        };
        sources.push(texts::ComparedFile {
            format: file.format,
            language: file.language.clone(),
            namespace: file.namespace.clone(),
            bytes,
        });
    }
    Ok(sources)
}

#[cfg(test)]
mod tests {
    use l10n_api_types::FormatId;

    use super::*;

    fn file(path: &str, language: &str, hash: u8) -> VersionFile {
        VersionFile {
            path: path.into(),
            language: language.into(),
            namespace: None,
            format: FormatId::Json,
            holds_all_languages: false,
            sha256: [hash; 32],
            bytes: 10,
        }
    }

    #[test]
    fn files_are_told_by_path_and_hash() {
        let before = [file("de.json", "de", 1), file("en.json", "en", 2), file("fr.json", "fr", 3)];
        let after = [file("en.json", "en", 2), file("de.json", "de", 9), file("pl.json", "pl", 4)];
        let told: Vec<_> = file_changes(&before, &after).into_iter().map(|one| (one.path, one.change)).collect();
        assert_eq!(
            told,
            [
                ("de.json".to_owned(), Change::Changed),
                ("pl.json".to_owned(), Change::Added),
                ("fr.json".to_owned(), Change::Removed),
            ]
        );
        assert_eq!(languages_of(&before, &after), ["en", "de", "pl", "fr"]);
    }

    #[test]
    fn a_file_with_all_languages_is_compared_in_each_of_them() {
        let catalogue = VersionFile { holds_all_languages: true, ..file("a.xcstrings", "en", 1) };
        let side = VersionSide {
            files: vec![catalogue, file("b.de.json", "de", 2)],
            languages: vec!["en".into(), "de".into()],
            ..VersionSide::default()
        };
        let found: Vec<_> = side.by_language().into_iter().map(|file| (file.path, file.language)).collect();
        let of = |path: &str, language: &str| (path.to_owned(), language.to_owned());
        assert_eq!(found, [of("a.xcstrings", "en"), of("a.xcstrings", "de"), of("b.de.json", "de")]);
    }

    #[test]
    fn of_the_same_paths_those_that_differ_are_read_and_of_others_all() {
        let before = [file("a/de.json", "de", 1), file("b/de.json", "de", 2), file("en.json", "en", 2)];
        let paths = |files: Vec<VersionFile>| files.into_iter().map(|file| file.path).collect::<Vec<_>>();
        let after = [file("b/de.json", "de", 3), file("a/de.json", "de", 1)];
        let [old, new] = differing(&before, &after, "de");
        assert_eq!((paths(old), paths(new)), (vec!["b/de.json".to_owned()], vec!["b/de.json".to_owned()]));
        let moved = [file("a/de.json", "de", 1), file("c/de.json", "de", 2)];
        let [old, new] = differing(&before, &moved, "de");
        assert_eq!((old.len(), new.len()), (2, 2));
    }
}
