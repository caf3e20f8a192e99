//! Caps and connections.

use http::Method;
use url::Url;

use super::bodies::{MIB, padded};
use crate::cx::{CheckedExchange, Cx};
use crate::outcome::{CheckResult, Stop};

/// A head of a request on a bare connection, without its last empty line.
struct RawHead {
    host: String,
    base: String,
    key: String,
}

impl RawHead {
    fn of(cx: &Cx) -> Result<Self, Stop> {
        let url = Url::parse(&cx.profile().base_url).map_err(|error| Stop::Error(error.to_string()))?;
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let host = format!("{}{port}", url.host_str().unwrap_or_default());
        let base = format!("{}/projects/{}", url.path(), cx.lane().id);
        let key = cx.key_of(cx.lane(), crate::profile::Identity::Full)?.to_owned();
        Ok(Self { host, base, key })
    }

    fn write(&self, method: &str, path: &str, more: &str) -> Vec<u8> {
        let Self { host, base, key } = self;
        let head =
            format!("{method} {base}{path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n{more}\r\n");
        head.into_bytes()
    }
}

/// LIM-BODY-6
pub(super) async fn caps_without_a_length(cx: Cx) -> CheckResult {
    cx.webhooks().await?;
    let chunked = cx.post("/webhooks").bytes(padded("{}", MIB + 1)).content_type("application/json").chunked();
    chunked.send().await?.expect_error(413, "payload_too_large")?;
    let head = RawHead::of(&cx)?;
    // What follows a refused body on its connection is not read out of the body.
    let inside = head.write("DELETE", "/webhooks/inside", "");
    let mut body = inside.repeat(MIB / inside.len() + 1);
    body.resize(MIB + 1, b' ');
    let json = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    let mut bytes = head.write("POST", "/webhooks", &json);
    bytes.extend_from_slice(&body);
    bytes.extend(head.write("GET", "/credential", "Connection: close\r\n"));
    let answers = cx.raw(Method::POST, "/webhooks", &bytes, 8).await?;
    in_step(&cx, "a body too large", &answers, 413)?;
    // A length that says less than what comes: the rest is no request that anyone made.
    let lie = "Content-Type: application/json\r\nContent-Length: 10\r\n";
    let mut bytes = head.write("POST", "/webhooks", lie);
    bytes.extend_from_slice(b"{\"url\":\"x\",\"events\":[\"strings.published\"]}");
    bytes.extend(head.write("GET", "/credential", "Connection: close\r\n"));
    let answers = cx.raw_broken(&bytes, 8).await?;
    cx.ensure(answers.first() == Some(&400), "400 for a body that is cut off by its length", format!("{answers:?}"))?;
    cx.ensure(answers.len() <= 2, "no more answers than requests", format!("{} answers", answers.len()))
}

/// The first is refused; the second is the request after it, if the connection goes on.
fn in_step(cx: &Cx, name: &str, answers: &[CheckedExchange], first: u16) -> CheckResult {
    let seen: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    let right = matches!(seen[..], [only] if only == first) || seen == [first, 200];
    cx.ensure(right, format!("{name}: {first}, then nothing or 200 for the request after it"), format!("{seen:?}"))
}
