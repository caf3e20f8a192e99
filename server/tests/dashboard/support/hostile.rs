//! Hostile texts, and what a page has to make of them.

use super::visitor::Visited;

/// Requires that a page shows what others typed as text.
#[track_caller]
pub(crate) fn check_is_text(page: &Visited, hostile: &str) {
    let (html, path) = (page.html(), &page.path);
    let is_ours = |tag: &str| !matches!(tag, "img" | "iframe" | "base" | "x");
    assert!(html.tags.iter().all(|(tag, _)| is_ours(tag)), "{path} {hostile}");
    let scripts = html.tags.iter().filter(|(tag, _)| tag == "script").count();
    assert_eq!(scripts, 1, "{path} {hostile}");
    let mut names = html.tags.iter().flat_map(|(_, attributes)| attributes).map(|(name, _)| name.as_str());
    assert!(names.all(|name| !name.starts_with("on")), "{path} {hostile}");
}

/// Texts that would do something if a page took them for more than text.
pub(crate) const HOSTILE: &[&str] = &[
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "' onmouseover='alert(1)",
    "javascript:alert(1)",
    "{{constructor.constructor('x')()}}",
    "</title><base href=//evil.example>",
    "</textarea><x>",
    "\u{202e}gpj.exe",
    "${7*7} #{7*7} {n, plural, other {#}}",
    "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    "\u{0}\u{1b}[31m",
];
