//! A request as a command line.

use std::fmt::Write as _;

use crate::cx::Request;

/// A body that is longer is left out of the command.
const LONGEST: usize = 2 * 1024;

/// The `curl` command that makes the request again.
pub(super) fn curl(request: &Request) -> String {
    let mut command = format!("curl -sS -i -X {} {}", request.method, quoted(&request.url));
    for (name, value) in &request.headers {
        let _ = write!(command, " -H {}", quoted(&format!("{name}: {}", String::from_utf8_lossy(value.as_bytes()))));
    }
    match std::str::from_utf8(&request.body) {
        Ok("") => {}
        Ok(body) if body.len() <= LONGEST => {
            let _ = write!(command, " --data-binary {}", quoted(body));
        }
        _ => {
            let _ = write!(command, " --data-binary @BODY  # {} bytes, see the report", request.body.len());
        }
    }
    command
}

/// A redacted command that can be pasted: the placeholder of an API key, which is inside of single quotes, becomes a variable of
/// the shell. A comment says which key that is.
pub(super) fn with_variable(command: &str) -> String {
    let (mut out, mut rest, mut named) = (String::new(), command, None);
    while let Some((before, after)) = rest.split_once('‹') {
        let Some((name, beyond)) = after.split_once('›') else { break };
        out.push_str(before);
        if name.contains(" key of ") && !name.starts_with("part of ") {
            out.push_str("'\"$L10N_API_KEY\"'");
            named = named.or(Some(name));
        } else {
            out.extend(["‹", name, "›"]);
        }
        rest = beyond;
    }
    out.push_str(rest);
    match named {
        Some(name) => format!("{out}  # L10N_API_KEY: {name}"),
        None => out,
    }
}

/// A word for a POSIX shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, Method};

    use super::*;

    #[test]
    fn a_key_is_a_variable_of_the_shell() {
        assert_eq!(
            with_variable(
                "curl 'http://x?k=‹read key of p›' -H 'authorization: Bearer ‹full key of p›' -d '‹part of full key of p›'"
            ),
            "curl 'http://x?k='\"$L10N_API_KEY\"'' -H 'authorization: Bearer '\"$L10N_API_KEY\"'' -d '‹part of full key of p›'  \
             # L10N_API_KEY: read key of p"
        );
        assert_eq!(with_variable("curl 'a ‹ b'"), "curl 'a ‹ b'");
    }

    #[test]
    fn what_a_shell_would_read_is_quoted() {
        let mut headers = HeaderMap::new();
        headers.insert("authorization", HeaderValue::from_static("Bearer eik_1"));
        let request = Request {
            method: Method::POST,
            url: "https://api.example/v1/projects/p/webhooks?a=1&b=$(id)".to_owned(),
            headers,
            body: "{\"a\":\"it's\"}".into(),
        };
        assert_eq!(
            curl(&request),
            "curl -sS -i -X POST 'https://api.example/v1/projects/p/webhooks?a=1&b=$(id)' -H 'authorization: Bearer eik_1' \
             --data-binary '{\"a\":\"it'\\''s\"}'"
        );
    }
}
