//! Values of a path, taken from the raw path so that nothing is decoded that an id may not hold.

use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;

use super::strict::{Strictness, Tree, read};

/// Returns true if a segment may be an id. Anything else names nothing, and no query is made for it.
pub(super) fn is_id(segment: &str) -> bool {
    (1..=64).contains(&segment.len())
        && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Handles and slugs may hold a dot as well.
pub(super) fn is_name(segment: &str) -> bool {
    (1..=64).contains(&segment.len())
        && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// Returns true if a text may be a correlation id that its caller chose: harmless in logs, headers and paths.
pub(super) fn is_correlation_id(text: &str) -> bool {
    (1..=128).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// The project that a raw path under `/projects/` names; `None` where it names none that could exist.
pub(super) fn project(raw: &str) -> Option<&str> {
    let rest = raw.strip_prefix(super::BASE_PATH)?.strip_prefix("/projects/")?;
    rest.split('/').next().filter(|segment| is_id(segment))
}

/// Returns true for a raw path under `/projects/{projectId}/`, whatever the project.
pub(super) fn is_under_a_project(raw: &str) -> bool {
    raw.strip_prefix(super::BASE_PATH)
        .and_then(|path| path.strip_prefix("/projects/"))
        .and_then(|rest| rest.split_once('/'))
        .is_some_and(|(project, _)| !project.is_empty())
}

/// Returns true if a raw path has the shape of `template`.
pub(super) fn fits(template: &'static str, raw: &str) -> bool {
    let Some(mut rest) = raw.strip_prefix(super::BASE_PATH).and_then(|path| path.strip_prefix('/')) else {
        return false;
    };
    let mut parts = template.trim_start_matches('/').split('/').peekable();
    while let Some(part) = parts.next() {
        if part.starts_with("{*") {
            return !rest.is_empty();
        }
        let (segment, after) = match rest.split_once('/') {
            Some((segment, after)) => (segment, Some(after)),
            None => (rest, None),
        };
        let fits = match part.split_once('{') {
            Some((prefix, _)) => segment.strip_prefix(prefix).is_some_and(|value| !value.is_empty()),
            None => segment == part,
        };
        if !fits || after.is_some() != parts.peek().is_some() {
            return false;
        }
        rest = after.unwrap_or_default();
    }
    true
}

/// Reads the values of `template` out of a raw path; `None` where a segment cannot be what the template asks for.
pub(super) fn values<T: DeserializeOwned>(template: &'static str, raw: &str) -> Option<T> {
    let mut rest = raw.strip_prefix(super::BASE_PATH)?.strip_prefix('/')?;
    let mut members = Vec::new();
    for part in template.strip_prefix('/')?.split('/') {
        if let Some(name) = part.strip_prefix("{*").and_then(|part| part.strip_suffix('}')) {
            let path = percent_decode_str(rest).decode_utf8().ok()?;
            if path.chars().any(char::is_control) {
                return None;
            }
            members.push((name.into(), Tree::String(path)));
            break;
        }
        let (segment, after) = rest.split_once('/').unwrap_or((rest, ""));
        rest = after;
        let (prefix, name) = match part.split_once('{') {
            Some((prefix, name)) => (prefix, name.strip_suffix('}')?),
            None => continue,
        };
        let value = segment.strip_prefix(prefix)?;
        let fits = match name {
            "handle" | "slug" => is_name(value),
            "requestId" => is_correlation_id(value),
            _ => is_id(value),
        };
        if !fits {
            return None;
        }
        members.push((name.into(), Tree::String(value.into())));
    }
    read(&Tree::Object(members), "the path", Strictness::Refuse).ok()
}

#[cfg(test)]
mod tests {
    use l10n_api_types::Endpoint;
    use l10n_api_types::delivery::{Bundle, BundlePath, NamedBundle, NamedBundlePath};
    use l10n_api_types::requests::{Read, RequestPath};
    use l10n_api_types::{NoQuery, ProjectPath};

    use super::*;

    #[test]
    fn values_come_from_the_raw_path() {
        let bundle: BundlePath = values(Bundle::PATH, "/v1/projects/prj_1/bundles/live/a%20b/c%2Fd.json").unwrap();
        assert_eq!(bundle.project_id.as_str(), "prj_1");
        assert_eq!((bundle.version_id.as_str(), bundle.path.as_str()), ("live", "a b/c/d.json"));
        let named: NamedBundlePath = values(NamedBundle::PATH, "/v1/@acme.eu/app/bundles/ver_1/x.json").unwrap();
        assert_eq!((named.handle.as_str(), named.slug.as_str()), ("acme.eu", "app"));
        assert!(values::<NoQuery>("/health", "/v1/health").is_some());
    }

    /// HOSTILE-INPUTS S4, ERR-400-3
    #[test]
    fn what_no_id_can_be_names_nothing() {
        let long = "x".repeat(65);
        for id in ["", "%70rj_1", "prj_1%00", "..", "a.b", "a;x=1", "é", "a b", &long] {
            let path = format!("/v1/projects/{id}/meta");
            assert!(values::<ProjectPath>("/projects/{projectId}/meta", &path).is_none(), "{id}");
            assert!(project(&path).is_none(), "{id}");
        }
        for path in ["%ff.json", "a%00b", "a%0ab"] {
            assert!(
                values::<BundlePath>(Bundle::PATH, &format!("/v1/projects/p/bundles/live/{path}")).is_none(),
                "{path}"
            );
        }
    }

    /// API-COMPLETION 1 and 2: a receipt has the correlation id of its write.
    #[test]
    fn a_request_is_named_by_any_correlation_id() {
        let read = |id: &str| values::<RequestPath>(Read::PATH, &format!("/v1/projects/prj_1/requests/{id}"));
        for id in ["a.b", "deploy-1.2", "A-z_0.9", ".a", &"x".repeat(128)] {
            assert_eq!(read(id).unwrap().request_id.as_str(), id);
        }
        for id in ["", "a%2Eb", "a b", "a+b", "é", &"x".repeat(129)] {
            assert!(read(id).is_none(), "{id}");
        }
        assert!(values::<RequestPath>(Read::PATH, "/v1/projects/prj.1/requests/a").is_none());
    }

    #[test]
    fn a_template_fits_paths_of_its_shape() {
        assert!(fits("/projects/{projectId}/meta", "/v1/projects/%zz/meta"));
        assert!(fits(Bundle::PATH, "/v1/projects/p/bundles/v/a/b"));
        assert!(fits(NamedBundle::PATH, "/v1/@a/b/bundles/v/a"));
        for path in
            ["/v1/projects/p/meta/", "/v1/projects/p", "/v1/projects//meta", "/projects/p/meta", "/v1/projects/p/Meta"]
        {
            assert!(!fits("/projects/{projectId}/meta", path), "{path}");
        }
    }

    #[test]
    fn a_path_under_a_project_is_known_as_such() {
        assert!(is_under_a_project("/v1/projects/x/nowhere"));
        assert!(is_under_a_project("/v1/projects/%00/"));
        assert!(!is_under_a_project("/v1/projects/resolve"));
        assert!(!is_under_a_project("/v1/projects//meta"));
        assert!(!is_under_a_project("/v2/projects/x/meta"));
        assert_eq!(project("/v1/projects/prj_1/nowhere"), Some("prj_1"));
    }
}
