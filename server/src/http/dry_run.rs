//! Look-alikes of the preview flag (§4, Credits and previews): a client that believes to preview must never run.

use l10n_api_types::DryRun;

use super::strict::{InputError, Tree};

/// Refuses the flag wherever the route does not take it, in any spelling.
///
/// # Errors
///
/// A look-alike, or the flag in a place where this route does not take it.
pub(super) fn check(rule: DryRun, query: &Tree<'_>, body: &Tree<'_>) -> Result<(), InputError> {
    let (in_query, in_body, place) = match rule {
        DryRun::Unchecked => return Ok(()),
        DryRun::Refused => (false, false, "this route has no preview: leave the flag out"),
        DryRun::Query => (true, false, "the flag is spelled exactly `dryRun` and goes into the query"),
        DryRun::Body => (false, true, "the flag is spelled exactly `dryRun` and goes into the body"),
    };
    let stray = query
        .members()
        .find(|name| is_look_alike(name) && !(in_query && *name == "dryRun"))
        .or_else(|| body.members().find(|name| is_look_alike(name) && !(in_body && *name == "dryRun")));
    if let Some(name) = stray {
        return Err(InputError::new(format!("`{}`: {place}", name.escape_debug())));
    }
    match body.member("dryRun") {
        // `null` would be read as a flag that was left out.
        Some(flag) if in_body && !matches!(flag, Tree::Bool(_)) => Err(InputError::new("`dryRun` is true or false")),
        _ => Ok(()),
    }
}

/// Returns true if the request is a preview, which writes nothing. The flag has been checked.
pub(super) fn is_asked(rule: DryRun, query: &Tree<'_>, body: &Tree<'_>) -> bool {
    let place = match rule {
        DryRun::Query => query,
        DryRun::Body => body,
        DryRun::Refused | DryRun::Unchecked => return false,
    };
    match place.member("dryRun") {
        Some(Tree::Bool(flag)) => *flag,
        Some(Tree::Text(flag)) => flag == "true",
        _ => false,
    }
}

fn is_look_alike(name: &str) -> bool {
    name.len() <= 64
        && name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).eq("dryrun".chars())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// DRY-4c, DRY-4d
    #[test]
    fn a_flag_of_a_body_is_a_boolean() {
        let none = Tree::Object(Vec::new());
        let flag = |flag| Tree::Object(vec![("dryRun".into(), flag)]);
        for good in [true, false] {
            assert!(check(DryRun::Body, &none, &flag(Tree::Bool(good))).is_ok());
        }
        for bad in [Tree::Null, Tree::Unsigned(1), Tree::String("true".into()), Tree::Object(Vec::new())] {
            assert!(check(DryRun::Body, &none, &flag(bad)).is_err());
        }
    }

    /// DRY-4a, DRY-4b, DRY-5
    #[test]
    fn a_look_alike_is_refused_in_both_places() {
        let none = Tree::Object(Vec::new());
        for name in ["dryRun", "dry_run", "dryrun", "DryRun", "DRY_RUN", "dry-run", "dry.run", "dryRun[]", " dryRun "] {
            let flag = Tree::Object(vec![(name.into(), Tree::Bool(true))]);
            for rule in [DryRun::Query, DryRun::Body, DryRun::Refused] {
                assert_eq!(check(rule, &flag, &none).is_ok(), name == "dryRun" && rule == DryRun::Query, "{name}");
                assert_eq!(check(rule, &none, &flag).is_ok(), name == "dryRun" && rule == DryRun::Body, "{name}");
            }
            assert!(check(DryRun::Unchecked, &flag, &flag).is_ok());
        }
        let other = Tree::Object(vec![("draft".into(), Tree::Bool(true))]);
        assert!(check(DryRun::Refused, &other, &other).is_ok());
    }
}
