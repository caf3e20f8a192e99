//! Paths of projects and of published files in URLs.

use l10n_api_types::{ProjectId, VersionId};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The characters that a segment of a URL escapes: all but the unreserved ones of RFC 3986.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Longest path that a file can have: a template of 512 bytes with language and namespace filled in stays below.
const LONGEST: usize = 2_048;

/// The project of a public request, as the request names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum ProjectAddress {
    /// `/projects/{projectId}/…`
    Id(ProjectId),
    /// `/@{handle}/{slug}/…`
    Names {
        /// Handle of the workspace.
        handle: String,
        /// Slug of the project.
        slug: String,
    },
}

impl ProjectAddress {
    /// The address without its base, so that a reader stays in the request window that it began in (§8).
    #[must_use]
    pub(crate) fn path(&self) -> String {
        match self {
            Self::Id(id) => format!("/projects/{id}"),
            Self::Names { handle, slug } => format!("/@{handle}/{slug}"),
        }
    }
}

/// Returns whether a published file can lie at this path. Others are not asked for: they are made to lead elsewhere.
#[must_use]
pub(crate) fn is_plain(path: &str) -> bool {
    path.len() <= LONGEST
        && !path.chars().any(|c| c.is_control() || c == '\\')
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// The URL of a version's file, under the address of its project.
#[must_use]
pub(crate) fn url(project: &str, version_id: &VersionId, path: &str) -> String {
    let mut url = format!("{project}/bundles/{version_id}");
    for segment in path.split('/') {
        url.push('/');
        url.extend(utf8_percent_encode(segment, SEGMENT));
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_encoded_segment_by_segment() {
        assert_eq!(
            url("http://h/v1/projects/prj_1", &"ver_1".into(), "a b/ü?#%/pt-BR_x~.json"),
            "http://h/v1/projects/prj_1/bundles/ver_1/a%20b/%C3%BC%3F%23%25/pt-BR_x~.json"
        );
    }

    /// HOSTILE-INPUTS S4
    #[test]
    fn paths_that_lead_elsewhere_are_no_files() {
        assert!(is_plain("a/..b/c.json") && is_plain("{x}"));
        let long = "x".repeat(LONGEST + 1);
        for bad in ["", "/a", "a/", "a//b", "..", "a/../b", "./a", "a\\b", "a\u{0}", "a\nb", &long] {
            assert!(!is_plain(bad), "{bad:?}");
        }
    }
}
