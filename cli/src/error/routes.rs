//! Replaces routes of the API in messages of the server by commands.

/// The message for people at a terminal: a route, which the API names to its callers, becomes the command that does the
/// same, or "this command".
pub(crate) fn without_routes(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    let mut rest = message;
    while let Some((before, route, after)) = next_route(rest) {
        let quoted = before.ends_with('`') && after.starts_with('`');
        text.push_str(if quoted { &before[..before.len() - 1] } else { before });
        text.push_str(&command(route));
        rest = if quoted { &after[1..] } else { after };
    }
    text + rest
}

/// The text before the first route, the route, and the text after it.
fn next_route(text: &str) -> Option<(&str, &str, &str)> {
    let begins =
        |method: &&str| text.match_indices(&format!("{method} /")).map(|(at, _)| at).find(|at| is_word(text, *at));
    let start = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].iter().filter_map(begins).min()?;
    let (_, path) = text[start..].split_once(' ')?;
    let length = path.find(|one: char| one.is_whitespace() || "`,;:\"')".contains(one)).unwrap_or(path.len());
    let end = text.len() - path.len() + path[..length].trim_end_matches('.').len();
    Some((&text[..start], &text[start..end], &text[end..]))
}

/// Returns true if a word begins at `at`: no letter is before it.
fn is_word(text: &str, at: usize) -> bool {
    !text[..at].ends_with(|one: char| one.is_alphanumeric())
}

/// The command in place of a route.
fn command(route: &str) -> String {
    let (method, path) = route.split_once(' ').unwrap_or_default();
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let mut segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    if segments.len() > 2 && segments[0] == "projects" {
        segments.drain(..2);
    }
    match (method, segments.as_slice()) {
        ("GET", ["operations", id]) if query.contains("waitSeconds") => format!("`l10n operations wait {id}`"),
        ("GET", ["operations", id]) => format!("`l10n operations show {id}`"),
        ("POST", ["operations"]) => "`l10n operations request`".to_owned(),
        ("GET", ["requests", id]) => format!("`l10n requests show {id}`"),
        _ => "this command".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::without_routes;

    #[test]
    fn no_message_names_a_route_to_people() {
        let cases = [
            ("not now: run `POST /projects/{projectId}/publish` again", "not now: run this command again"),
            ("ask with POST /operations, and repeat", "ask with `l10n operations request`, and repeat"),
            (
                "wait with `GET /operations/op_1?waitSeconds=25`, then repeat this call",
                "wait with `l10n operations wait op_1`, then repeat this call",
            ),
            ("GET /operations/op_1 tells why", "`l10n operations show op_1` tells why"),
            (
                "see GET /projects/prj_1/requests/req_1. Then `PUT /content/doc_1`.",
                "see `l10n requests show req_1`. Then this command.",
            ),
        ];
        for (message, expected) in cases {
            assert_eq!(without_routes(message), expected);
        }
    }

    #[test]
    fn what_is_no_route_stays() {
        for kept in ["`languages[0]`: no language `fr`", "a ` alone", "`POST` is a word", "WIDGET /a", "/tmp/é", ""] {
            assert_eq!(without_routes(kept), kept);
        }
    }
}
