//! The number of files of a version. It is known before they are planned: a project may have as many namespaces as keys, and
//! each of its output formats a file for every namespace in every language.

use std::collections::HashSet;

use super::plan::{FileSet, PlannedFormat, PlannedKey};

/// Most files of one version. They all become rows of the transaction that makes it live.
pub(crate) const MOST_FILES: usize = 20_000;

/// A version would have more than [`MOST_FILES`] files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooManyFiles {
    /// The files that it would have.
    pub files: usize,
    /// True if output formats say which files there are; else each source file has one in every language.
    pub is_stated: bool,
}

/// Holds the files of these output formats against the limit.
pub(super) fn check_stated(
    languages: usize,
    stated: &[PlannedFormat],
    keys: &[PlannedKey<'_>],
) -> Result<(), TooManyFiles> {
    let namespaces: HashSet<Option<&str>> = keys.iter().map(|key| key.namespace).collect();
    let files = stated.iter().map(|output| {
        let held = match &output.namespaces {
            None => namespaces.len(),
            Some(held) => held.iter().filter(|one| namespaces.contains(&Some(one.as_str()))).count(),
        };
        let sets = if output.path.has_namespace() { held } else { held.min(1) };
        if output.path.has_language() { sets.saturating_mul(languages) } else { sets }
    });
    check(files.fold(0, usize::saturating_add), true)
}

/// Holds the files beside the source files against the limit.
pub(super) fn check_derived(languages: usize, sets: &[FileSet]) -> Result<(), TooManyFiles> {
    let files = sets.iter().map(|set| if set.holds_all_languages { 1 } else { languages });
    check(files.fold(0, usize::saturating_add), false)
}

fn check(files: usize, is_stated: bool) -> Result<(), TooManyFiles> {
    if files > MOST_FILES { Err(TooManyFiles { files, is_stated }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use l10n_api_types::FormatId;
    use l10n_api_types::output_formats::EmptyAs;
    use l10n_formats::template::Template;

    use super::*;

    fn stated(path: &str, namespaces: Option<&[&str]>) -> PlannedFormat {
        PlannedFormat {
            format: FormatId::Json,
            path: Template::parse(path).or_else(|_| Template::parse_for_all_languages(path)).unwrap(),
            empty_as: EmptyAs::Skip,
            namespaces: namespaces.map(|list| list.iter().map(ToString::to_string).collect()),
        }
    }

    fn refused(languages: usize, formats: &[PlannedFormat], keys: usize) -> Option<usize> {
        let namespaces: Vec<String> = (0..keys).map(|n| format!("n{n}")).collect();
        let key = |namespace| PlannedKey { namespace, source_path: None };
        let keys: Vec<PlannedKey<'_>> = namespaces.iter().map(|namespace| key(Some(namespace.as_str()))).collect();
        check_stated(languages, formats, &keys).err().map(|refused| refused.files)
    }

    #[test]
    fn a_format_has_a_file_for_each_namespace_and_language_that_its_path_names() {
        let split = stated("{language}/{namespace}.json", None);
        assert_eq!(refused(40, std::slice::from_ref(&split), 500), None, "20,000 files");
        assert_eq!(refused(40, std::slice::from_ref(&split), 501), Some(20_040));
        assert_eq!(refused(42, &vec![split; 50], 10_000), Some(21_000_000));
        assert_eq!(refused(42, &vec![stated("{language}.json", None); 50], 10_000), None, "2,100 files");
        assert_eq!(refused(20_001, &[stated("{language}.json", None)], 1), Some(20_001));
        assert_eq!(refused(20_001, &[stated("{language}.json", None)], 0), None, "without keys there is no file");
        assert_eq!(refused(42, &[stated("{namespace}.csv", None)], 20_000), None, "each holds all languages");
        let of_two = stated("{language}/{namespace}.json", Some(&["n0", "n1", "none"]));
        assert_eq!(refused(10_000, std::slice::from_ref(&of_two), 500), None);
        assert_eq!(refused(10_001, &[of_two], 500), Some(20_002));
    }
}
