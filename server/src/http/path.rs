//! Values of a path, taken from the raw path so that nothing is decoded that an id may not hold.

use std::borrow::Cow;
use std::mem;

use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;
use serde::de::value::{self, MapDeserializer};

/// Bytes of ids.
const ID: [bool; 256] = letters_digits_and(b"-_");
/// Bytes of handles, slugs and correlation ids.
const NAME: [bool; 256] = letters_digits_and(b"-_.");

/// The letters and digits of ASCII, and other bytes.
pub(super) const fn letters_digits_and(others: &[u8]) -> [bool; 256] {
    let mut bytes = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        bytes[byte as usize] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    let mut at = 0;
    while at < others.len() {
        bytes[others[at] as usize] = true;
        at += 1;
    }
    bytes
}

/// Returns true if a text has a byte, at most `longest` of them, and no byte that is none of these.
pub(super) fn consists_of(text: &str, bytes: &[bool; 256], longest: usize) -> bool {
    (1..=longest).contains(&text.len()) && text.bytes().all(|byte| bytes[usize::from(byte)])
}

/// Returns true if a segment may be an id. Anything else names nothing, and no query is made for it.
pub(super) fn is_id(segment: &str) -> bool {
    consists_of(segment, &ID, 64)
}

/// Handles and slugs may hold a dot as well.
pub(super) fn is_name(segment: &str) -> bool {
    consists_of(segment, &NAME, 64)
}

/// Returns true if a text may be a correlation id that its caller chose: harmless in logs, headers and paths.
pub(super) fn is_correlation_id(text: &str) -> bool {
    consists_of(text, &NAME, 128)
}

/// The first segment of a path, and what follows its slash.
fn first_segment(path: &str) -> (&str, Option<&str>) {
    match memchr::memchr(b'/', path.as_bytes()).and_then(|end| Some((path.get(..end)?, path.get(end + 1..)?))) {
        Some((segment, after)) => (segment, Some(after)),
        None => (path, None),
    }
}

fn after_projects(raw: &str) -> Option<&str> {
    raw.strip_prefix(super::BASE_PATH)?.strip_prefix("/projects/")
}

/// The project that a raw path under `/projects/` names; `None` where it names none that could exist.
pub(super) fn project(raw: &str) -> Option<&str> {
    Some(first_segment(after_projects(raw)?).0).filter(|segment| is_id(segment))
}

/// The segment of a raw path under `/projects/{projectId}/` that stands for the project, whatever it is.
pub(super) fn project_segment(raw: &str) -> Option<&str> {
    match first_segment(after_projects(raw)?) {
        ("", _) | (_, None) => None,
        (project, Some(_)) => Some(project),
    }
}

/// Returns true for a raw path under `/projects/{projectId}/`, whatever the project.
pub(super) fn is_under_a_project(raw: &str) -> bool {
    project_segment(raw).is_some()
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

/// A path template, taken apart once for all requests.
pub(super) struct PathTemplate(Box<[TemplatePart]>);

/// A segment of a template, or all that follows.
enum TemplatePart {
    /// `projects`
    Word,
    /// `{projectId}`, `@{handle}`
    Value { prefix: &'static str, name: &'static str, fits: fn(&str) -> bool },
    /// `{*path}`
    Rest { name: &'static str },
}

impl PathTemplate {
    pub(super) fn new(template: &'static str) -> Self {
        Self(template.trim_start_matches('/').split('/').map(TemplatePart::new).collect())
    }

    /// Reads the values out of a raw path of the template's shape; `None` where a segment cannot be what the template asks for.
    pub(super) fn values<T: DeserializeOwned>(&self, raw: &str) -> Option<T> {
        let rest = raw.strip_prefix(super::BASE_PATH)?.strip_prefix('/')?;
        let mut values = PathValues { parts: self.0.iter(), rest, all_fit: true };
        let read = T::deserialize(MapDeserializer::<_, value::Error>::new(&mut values));
        read.ok().filter(|_| values.all_fit)
    }
}

impl TemplatePart {
    fn new(part: &'static str) -> Self {
        if let Some(name) = part.strip_prefix("{*") {
            return Self::Rest { name: name.trim_end_matches('}') };
        }
        let Some((prefix, name)) = part.split_once('{') else { return Self::Word };
        let name = name.trim_end_matches('}');
        let fits = match name {
            "handle" | "slug" => is_name,
            "requestId" => is_correlation_id,
            _ => is_id,
        };
        Self::Value { prefix, name, fits }
    }
}

/// The values of a path by their names. It ends at the first that does not fit.
struct PathValues<'t, 'r> {
    parts: std::slice::Iter<'t, TemplatePart>,
    rest: &'r str,
    all_fit: bool,
}

impl<'r> PathValues<'_, 'r> {
    fn segment(&mut self) -> &'r str {
        let (segment, after) = first_segment(self.rest);
        self.rest = after.unwrap_or_default();
        segment
    }
}

impl<'r> Iterator for PathValues<'_, 'r> {
    type Item = (&'static str, Cow<'r, str>);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, value) = loop {
            match self.parts.next()? {
                TemplatePart::Word => {
                    self.segment();
                }
                TemplatePart::Value { prefix, name, fits } => {
                    let value = self.segment().strip_prefix(prefix).filter(|value| fits(value));
                    break (*name, value.map(Cow::Borrowed));
                }
                TemplatePart::Rest { name } => break (*name, decoded(mem::take(&mut self.rest))),
            }
        };
        self.all_fit &= value.is_some();
        Some((name, value?))
    }
}

/// The path of a file; `None` where it is no text once decoded, or holds control characters.
fn decoded(raw: &str) -> Option<Cow<'_, str>> {
    let path = if raw.contains('%') { percent_decode_str(raw).decode_utf8().ok()? } else { Cow::Borrowed(raw) };
    (!path.chars().any(char::is_control)).then_some(path)
}

#[cfg(test)]
mod tests {
    use l10n_api_types::Endpoint;
    use l10n_api_types::delivery::{Bundle, BundlePath, NamedBundle, NamedBundlePath};
    use l10n_api_types::requests::{Read, RequestPath};
    use l10n_api_types::{NoQuery, ProjectPath};

    use super::*;

    fn values<T: DeserializeOwned>(template: &'static str, raw: &str) -> Option<T> {
        PathTemplate::new(template).values(raw)
    }

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
