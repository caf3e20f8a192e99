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

/// A word for a POSIX shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, Method};

    use super::*;

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
