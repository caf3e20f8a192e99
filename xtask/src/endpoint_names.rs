//! Checks that no code decides by an endpoint's name: the facts about an endpoint stand in its `Endpoint`, and everybody
//! else reads them. A name is only shown to people and written to logs.

use std::path::Path;

use anyhow::Result;
use l10n_api_types::{Endpoint, for_each_endpoint};

use crate::house::sources;

/// Folders whose sources must not decide by a name. Tests outside `src` may.
const FOLDERS: &[&str] =
    &["cli/src", "client/src", "examples", "formats/src", "server/src", "testkit/src", "webhook-verify/src"];

/// The table that maps endpoints to statements of the specification.
const TABLE: &str = "testkit/src/endpoints.rs";

/// Constants that name an endpoint.
const CONSTANTS: &[&str] = &["::NAME", "::OPERATION_ID"];

/// Ends of the text before a constant that is compared or matched.
const BEFORE: &[&str] = &["==", "!=", "|", "[", "match", "contains(", "eq(", "ne(", "starts_with(", "ends_with("];

/// Beginnings of the text after a constant that is compared or matched.
const AFTER: &[&str] = &["==", "!=", "|", "]", "=>", "if ", ".eq(", ".ne(", ".contains(", ".starts_with("];

macro_rules! all_names {
    ($($resource:ident :: $verb:ident),+ $(,)?) => {
        vec![$(
            [
                <l10n_api_types::$resource::$verb as Endpoint>::NAME,
                <l10n_api_types::$resource::$verb as Endpoint>::OPERATION_ID,
            ],
        )+]
    };
}

/// Lists places outside of the declarations that compare or spell out an endpoint's name.
///
/// # Errors
///
/// Returns an error if the repository cannot be read.
pub fn decisions_by_name(root: &Path) -> Result<Vec<String>> {
    let names: Vec<&str> = for_each_endpoint!(all_names).concat();
    let mut wrong = Vec::new();
    for folder in FOLDERS {
        for (path, text) in sources(&root.join(folder))? {
            let path = path.strip_prefix(root).unwrap_or(&path);
            if path == Path::new(TABLE) {
                continue;
            }
            let code = code(&text);
            let found = compared(&code).into_iter().chain(spelled_out(&code, &names));
            wrong.extend(found.map(|(at, what)| format!("{}:{}: {what}", path.display(), line(&code, at))));
        }
    }
    Ok(wrong)
}

/// The source without comments and without its test module.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

fn line(code: &str, at: usize) -> usize {
    code[..at].matches('\n').count() + 1
}

/// The places where the constants are compared or matched.
fn compared(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for constant in CONSTANTS {
        for (at, _) in code.match_indices(constant) {
            let end = at + constant.len();
            if code[end..].starts_with(|next: char| next.is_alphanumeric() || next == '_') {
                continue;
            }
            let before = code[..path_start(code, at)].trim_end_matches(|c: char| c.is_whitespace() || c == '&');
            let after = code[end..].trim_start_matches(|c: char| c.is_whitespace() || c == ')');
            let is_compared = BEFORE.iter().any(|suffix| before.ends_with(suffix))
                || AFTER.iter().any(|prefix| after.starts_with(prefix))
                || is_in_matches(before);
            if is_compared {
                found.push((at, format!("`{}` is compared", &code[path_start(code, at)..end])));
            }
        }
    }
    found
}

/// The start of the path that ends in a constant at `at`, such as `publish::Create` or `<E as Endpoint>`.
fn path_start(code: &str, at: usize) -> usize {
    let before = &code[..at];
    if before.ends_with('>') {
        return before.rfind('<').unwrap_or(at);
    }
    before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == ':').len()
}

/// True within the parentheses of `matches!`, in the same statement.
fn is_in_matches(before: &str) -> bool {
    let statement = before.rsplit([';', '{', '}']).next().unwrap_or_default();
    statement
        .rsplit_once("matches!(")
        .is_some_and(|(_, inside)| inside.matches('(').count() >= inside.matches(')').count())
}

/// The places where a text is an endpoint's name, or begins with the name of its resource.
fn spelled_out(code: &str, names: &[&str]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for name in names {
        let literal = format!("\"{name}\"");
        found.extend(code.match_indices(&literal).map(|(at, _)| (at, format!("the name {literal} is spelled out"))));
    }
    let mut resources: Vec<_> = names.iter().filter_map(|name| Some(name.split_once("::")?.0)).collect();
    resources.dedup();
    for resource in resources {
        let prefix = format!("\"{resource}::\"");
        found.extend(code.match_indices(&prefix).map(|(at, _)| (at, format!("{prefix} is spelled out"))));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(code_of_a_file: &str) -> usize {
        let code = code(code_of_a_file);
        compared(&code).len() + spelled_out(&code, &["publish::create", "publishVersion"]).len()
    }

    #[test]
    fn a_comparison_is_found_however_it_is_written() {
        for compares in [
            "endpoint == Translate::NAME",
            "if Translate::NAME != endpoint {}",
            "match E::NAME { _ => 1 }",
            "match endpoint { publish::Create::NAME => 1, _ => 2 }",
            "Some(publish::Create::NAME) => 1",
            "Some(Create::NAME | Restore::NAME) => 1",
            "[Create::NAME].contains(&endpoint)",
            "known.contains(&E::NAME)",
            "matches!(endpoint,\n    Create::NAME)",
            "<publish::Create as Endpoint>::NAME == endpoint",
            "receipt.kind == Create::OPERATION_ID",
            "endpoint.name == \"publish::create\"",
            "receipt.kind.as_str() == \"publishVersion\"",
            "endpoint.name.starts_with(\"publish::\")",
        ] {
            assert!(found(compares) > 0, "{compares}");
        }
    }

    #[test]
    fn a_name_may_be_shown_and_passed_on() {
        for shows in [
            "InvalidArgument::new(E::NAME, problem)",
            "format!(\"{} has not committed\", E::NAME)",
            "Asked { kind: E::OPERATION_ID, idempotency }",
            "let is_publish = matches!(kind, Kind::Publish); say(E::NAME)",
            "tracing::debug!(endpoint = outgoing.endpoint.name)",
            "endpoint == Kind::NAMELESS",
            "// endpoint == Create::NAME",
            "fn a() {}\n#[cfg(test)]\nmod tests { fn b() { assert!(x == Create::NAME) } }",
        ] {
            assert_eq!(found(shows), 0, "{shows}");
        }
    }
}
