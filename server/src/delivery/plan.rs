//! Plans the files of a version: for each output format, or for each source file where a project states none, the sets
//! of keys that go into one file per language.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use l10n_api_types::output_formats::EmptyAs;
use l10n_api_types::{FormatId, LanguageCode};
use l10n_formats::files::by_id;
use l10n_formats::template::Template;

use super::derived::DerivedPath;
use super::file_count::{TooManyFiles, check_derived, check_stated};
use super::homes::{Home, Homes};

/// The facts about a key that the plan needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlannedKey<'a> {
    /// The part of the project that it belongs to.
    pub namespace: Option<&'a str>,
    /// The file that it was synced from.
    pub source_path: Option<&'a str>,
}

/// A synced file in the base language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BaseFile {
    /// Its path in the code.
    pub path: String,
    /// Its format.
    pub format: FormatId,
    /// The namespace of its keys.
    pub namespace: Option<String>,
    /// It holds the source and every translation.
    pub holds_all_languages: bool,
}

impl BaseFile {
    /// The path of the files beside it.
    fn beside(&self, base: &LanguageCode) -> DerivedPath {
        if self.holds_all_languages {
            DerivedPath::of_all_languages(&self.path)
        } else {
            DerivedPath::of_source(&self.path, &by_id(self.format).habits(), base)
        }
    }

    fn home(&self) -> Home {
        Home { path: self.path.clone(), namespace: self.namespace.clone(), housed: Arc::default() }
    }
}

/// An output format that the project states.
#[derive(Debug, Clone)]
pub(crate) struct PlannedFormat {
    /// The file format.
    pub format: FormatId,
    /// The template of its files' paths.
    pub path: Template,
    /// The replacement for a missing translation.
    pub empty_as: EmptyAs,
    /// Keys of these namespaces alone.
    pub namespaces: Option<Vec<String>>,
}

/// Keys that go into one file per language.
#[derive(Debug, Clone)]
pub(crate) struct FileSet {
    /// The file format.
    pub format: FormatId,
    /// The replacement for a missing translation.
    pub empty_as: EmptyAs,
    /// The namespace of its keys; `None` when they have none or several.
    pub namespace: Option<String>,
    /// The keys, as indexes of the list that was planned for, in its order. Sets of the same keys share them.
    pub keys: Arc<[usize]>,
    /// The source whose bytes the file follows, as an index: the one beside which it lies, else the one source of the keys,
    /// if it is of the same format.
    pub skeleton: Option<usize>,
    /// The source beside which it lies, with the keys that belong elsewhere.
    pub home: Option<Home>,
    /// One file holds all languages. Its path is the same in each of them.
    pub holds_all_languages: bool,
    path: SetPath,
}

#[derive(Debug, Clone)]
enum SetPath {
    /// With the namespace that stands in the path.
    PlannedFormat(Template, Option<String>),
    Derived(DerivedPath),
}

/// The replacement for the namespace in the paths of keys that have none.
const NO_NAMESPACE: &str = "default";

impl FileSet {
    /// The path of its file in a language.
    #[must_use]
    pub(crate) fn path(&self, language: &LanguageCode) -> String {
        match &self.path {
            SetPath::PlannedFormat(template, namespace) => template.render(language, namespace.as_deref()),
            SetPath::Derived(path) => path.render(language),
        }
    }
}

/// The sets of a version in so many languages, none of them empty. Without stated output formats, sets are derived from the
/// sources.
///
/// # Errors
///
/// Returns an error if it would have too many files.
pub(crate) fn plan(
    base: &LanguageCode,
    languages: usize,
    stated: &[PlannedFormat],
    sources: &[BaseFile],
    keys: &[PlannedKey<'_>],
) -> Result<Vec<FileSet>, TooManyFiles> {
    let by_path = by_path(sources);
    if stated.is_empty() {
        let sets = derive(base, sources, &by_path, keys);
        return check_derived(languages, &sets).map(|()| sets);
    }
    check_stated(languages, stated, keys)?;
    let mut parted = HashMap::new();
    let homes = Homes::new(base, sources.iter().map(|one| (one.format, one.path.as_str(), one.beside(base))));
    let of_output = |output| sets_of(output, &homes, (sources, &by_path), keys, &mut parted);
    let mut sets: Vec<FileSet> = stated.iter().flat_map(of_output).collect();
    keep_apart(&mut sets);
    Ok(sets)
}

/// The places of the sources, by path.
type ByPath<'a> = HashMap<&'a str, usize>;

fn by_path(sources: &[BaseFile]) -> ByPath<'_> {
    sources.iter().enumerate().map(|(at, source)| (source.path.as_str(), at)).collect()
}

/// Tells the sets that lie beside a source which other sources have sets beside them, too.
fn keep_apart(sets: &mut [FileSet]) {
    let paths = sets.iter().filter_map(|set| Some(set.home.as_ref()?.path.clone()));
    let housed: Arc<HashSet<String>> = Arc::new(paths.collect());
    for home in sets.iter_mut().filter_map(|set| set.home.as_mut()) {
        home.housed = Arc::clone(&housed);
    }
}

/// The keys of an output format's sets, each with the namespace that stands in its path.
type KeySets<'a> = Vec<(Option<&'a str>, Arc<[usize]>)>;

/// Returns one set, or one for each namespace if the path has a place for it.
fn sets_of<'a>(
    output: &PlannedFormat,
    homes: &Homes<'_>,
    (sources, by_path): (&[BaseFile], &ByPath<'_>),
    keys: &[PlannedKey<'a>],
    parted: &mut HashMap<(bool, Option<Vec<String>>), KeySets<'a>>,
) -> Vec<FileSet> {
    let kind = (output.path.has_namespace(), output.namespaces.clone());
    let parts = parted.entry(kind).or_insert_with(|| parts(output, keys));
    let sets = parts.iter().map(|(in_path, members)| {
        let beside = homes.source_of(output.format, &output.path, *in_path);
        FileSet {
            format: output.format,
            empty_as: output.empty_as,
            namespace: common_namespace(members, keys),
            skeleton: beside.or_else(|| skeleton(output.format, members, (sources, by_path), keys)),
            home: beside.and_then(|at| sources.get(at)).map(BaseFile::home),
            keys: Arc::clone(members),
            holds_all_languages: !output.path.has_language(),
            path: SetPath::PlannedFormat(output.path.clone(), in_path.map(str::to_owned)),
        }
    });
    sets.collect()
}

fn parts<'a>(output: &PlannedFormat, keys: &[PlannedKey<'a>]) -> KeySets<'a> {
    let all: Option<HashSet<&str>> = output.namespaces.as_ref().map(|held| held.iter().map(String::as_str).collect());
    let held = |key: &PlannedKey<'_>| {
        all.as_ref().is_none_or(|all| key.namespace.is_some_and(|namespace| all.contains(namespace)))
    };
    let mut parts: BTreeMap<Option<&str>, Vec<usize>> = BTreeMap::new();
    for (index, key) in keys.iter().enumerate().filter(|(_, key)| held(key)) {
        let of = output.path.has_namespace().then(|| key.namespace.unwrap_or(NO_NAMESPACE));
        parts.entry(of).or_default().push(index);
    }
    parts.into_iter().map(|(in_path, members)| (in_path, members.into())).collect()
}

/// A set for each source with its own keys. Keys without a source join the one that lies where theirs would, or else are a
/// set of their own: they are never left out.
fn derive(base: &LanguageCode, sources: &[BaseFile], by_path: &ByPath<'_>, keys: &[PlannedKey<'_>]) -> Vec<FileSet> {
    let mut places: Vec<(FormatId, DerivedPath, bool)> =
        sources.iter().map(|source| (source.format, source.beside(base), source.holds_all_languages)).collect();
    let loose_place = (FormatId::Json, DerivedPath::of_loose_keys(), false);
    let loose = places.iter().position(|place| *place == loose_place).unwrap_or_else(|| {
        places.push(loose_place);
        places.len() - 1
    });
    let mut members = vec![Vec::new(); places.len()];
    for (index, key) in keys.iter().enumerate() {
        let of = key.source_path.and_then(|path| by_path.get(path).copied()).unwrap_or(loose);
        if let Some(members) = members.get_mut(of) {
            members.push(index);
        }
    }
    let sets = places.into_iter().zip(members).filter(|(_, members)| !members.is_empty());
    sets.map(|((format, path, holds_all_languages), members)| FileSet {
        format,
        empty_as: EmptyAs::Skip,
        namespace: common_namespace(&members, keys),
        skeleton: skeleton(format, &members, (sources, by_path), keys),
        home: None,
        keys: members.into(),
        holds_all_languages,
        path: SetPath::Derived(path),
    })
    .collect()
}

fn common_namespace(members: &[usize], keys: &[PlannedKey<'_>]) -> Option<String> {
    let mut namespaces = members.iter().filter_map(|index| keys.get(*index)).map(|key| key.namespace);
    let first = namespaces.next()??;
    namespaces.all(|namespace| namespace == Some(first)).then(|| first.to_owned())
}

/// The one source of those keys that have one, if its format is the file's. Keys without a source are added to it.
fn skeleton(
    format: FormatId,
    members: &[usize],
    (sources, by_path): (&[BaseFile], &ByPath<'_>),
    keys: &[PlannedKey<'_>],
) -> Option<usize> {
    let mut paths = members.iter().filter_map(|index| keys.get(*index)?.source_path);
    let first = paths.next()?;
    let index = *by_path.get(first)?;
    let follows = sources.get(index).is_some_and(|source| source.format == format);
    (follows && paths.all(|path| path == first)).then_some(index)
}
