//! Finds the synced file beside which an output format writes, as a team expects that keeps `web/en.json` and
//! `app/en.json` beside their translations: each of these follows its own file.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use l10n_api_types::{FormatId, LanguageCode};
use l10n_formats::template::Template;

use super::derived::DerivedPath;
use super::keys::FileKey;

/// The places of the synced files: in the base language, and in another one, since `values/strings.xml` names a language only
/// there.
pub(super) struct Homes<'a> {
    base: &'a LanguageCode,
    other: LanguageCode,
    in_base: HashMap<(FormatId, &'a str), usize>,
    in_other: HashMap<(FormatId, String), Vec<usize>>,
}

impl<'a> Homes<'a> {
    /// `sources` are formats, paths, and the paths of the files beside them.
    pub(super) fn new(base: &'a LanguageCode, sources: impl Iterator<Item = (FormatId, &'a str, DerivedPath)>) -> Self {
        let other = LanguageCode::from(if base.as_str() == "de" { "fr" } else { "de" });
        let mut homes = Self { base, other, in_base: HashMap::new(), in_other: HashMap::new() };
        for (at, (format, path, beside)) in sources.enumerate() {
            homes.in_other.entry((format, beside.render(&homes.other))).or_default().push(at);
            homes.in_base.insert((format, path), at);
        }
        homes
    }

    /// The source beside which a set of files lies, as an index; `None` where there is none, or more than one.
    pub(super) fn source_of(&self, format: FormatId, path: &Template, namespace: Option<&str>) -> Option<usize> {
        let in_base = path.render(self.base, namespace);
        let in_other = (format, path.render(&self.other, namespace));
        let found = self.in_base.get(&(format, in_base.as_str())).into_iter();
        let found: BTreeSet<usize> = found.chain(self.in_other.get(&in_other).into_iter().flatten()).copied().collect();
        if found.len() == 1 { found.first().copied() } else { None }
    }
}

/// The source beside which a set of files lies, and the keys that belong elsewhere.
#[derive(Debug, Clone)]
pub(crate) struct Home {
    pub(super) path: String,
    pub(super) namespace: Option<String>,
    /// Paths of all sources that have files beside them. Sets share them.
    pub(super) housed: Arc<HashSet<String>>,
}

impl Home {
    #[cfg(test)]
    pub(super) fn of(path: &str, namespace: Option<&str>, housed: HashSet<String>) -> Self {
        Self { path: path.to_owned(), namespace: namespace.map(str::to_owned), housed: Arc::new(housed) }
    }

    /// Returns true if the key is written where the source has its name: a key of another file is, too, if both files have it.
    pub(crate) fn takes(&self, key: &FileKey<'_>) -> bool {
        self.adds(key) || key.namespace == self.namespace.as_deref()
    }

    /// Returns true if the key is added where the source lacks it: unless another file has its place for it.
    pub(crate) fn adds(&self, key: &FileKey<'_>) -> bool {
        key.source_path.is_none_or(|path| path == self.path || !self.housed.contains(path))
    }
}
