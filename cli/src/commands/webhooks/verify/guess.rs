//! Finds the mistake: tries near misses of secret, body and signed text until one produces the signature.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::finding::Finding;
use super::readings::{ValueVariant, bodies, secrets};

/// A leniently parsed header.
struct Header {
    /// The text of `t`, which is signed.
    time: String,
    signatures: Vec<[u8; 32]>,
    /// A mistake in its form.
    mistake: Option<Finding>,
}

/// The time in a header, whether valid or not.
pub(super) fn time(header: &str) -> Option<i64> {
    parts(header).find_map(|part| part.strip_prefix("t=").map(str::to_owned))?.parse().ok()
}

/// The value's parts, without a header name, quotes and surrounding blanks.
fn parts(header: &str) -> impl Iterator<Item = &str> {
    let value = header.rsplit_once(": ").map_or(header, |(_, value)| value);
    value
        .trim_matches(['"', '\'', ' ', '\r', '\n'])
        .split([',', ';', ' '])
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

impl Header {
    fn read(header: &str) -> Option<Self> {
        let (mut time, mut signatures, mut mistake) = (None, Vec::new(), None);
        for part in parts(header) {
            if let Some(value) = part.strip_prefix("t=") {
                time = Some(value.to_owned());
            } else if let Some(value) = part.strip_prefix("v1=") {
                if let Some(signature) = hex(value) {
                    signatures.push(signature);
                    if value.bytes().any(|byte| byte.is_ascii_uppercase()) {
                        let problem = "the signature is in upper-case hexadecimal digits";
                        mistake = Some(Finding::new("format", problem, "write it in lower case"));
                    }
                } else if let Ok(Ok(signature)) = STANDARD.decode(value).map(<[u8; 32]>::try_from) {
                    signatures.push(signature);
                    let problem = "the signature is in base64";
                    mistake = Some(Finding::new("format", problem, "write it as 64 lower-case hexadecimal digits"));
                }
            }
        }
        Some(Self { time: time?, signatures, mistake }).filter(|header| !header.signatures.is_empty())
    }
}

fn hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

/// Texts that may have been signed instead of `t.body`.
fn texts(time: &str, body: &[u8]) -> Vec<(Vec<u8>, Option<Finding>)> {
    let join = |time: &str, dot: &str| [time.as_bytes(), dot.as_bytes(), body].concat();
    let wrong = |problem: &str| {
        Some(Finding::new("signature", problem, "sign `<t>.<body>`: the digits of `t`, a dot, the bytes of the body"))
    };
    let mut texts = vec![
        (join(time, "."), None),
        (body.to_vec(), wrong("the body alone was signed, without `t` and a dot before it")),
        (join(time, ""), wrong("the dot between `t` and the body was not signed")),
        (join(time, ":"), wrong("a colon instead of a dot was signed between `t` and the body")),
    ];
    if let Ok(seconds) = time.parse::<i64>() {
        let problem = "another `t` was signed than is sent: one of them is in milliseconds";
        texts.push((join(&(seconds / 1_000).to_string(), "."), wrong(problem)));
        texts.push((join(&format!("{time}000"), "."), wrong(problem)));
    }
    texts
}

/// The fewest mistakes that explain the signature; `None` if no known one does.
pub(super) fn guess(secret: &str, header: &str, body: &[u8]) -> Option<Vec<Finding>> {
    let header = Header::read(header)?;
    let mut best: Option<Vec<Finding>> = None;
    let secrets = secrets(secret);
    for body in bodies(body) {
        for (text, way) in texts(&header.time, &body.bytes) {
            for secret in &secrets {
                if !header.signatures.contains(&sign(&secret.bytes, &text)) {
                    continue;
                }
                let mut found: Vec<Finding> = header.mistake.clone().into_iter().collect();
                found.extend(finding("secret", secret));
                found.extend(finding("body", &body));
                found.extend(way.clone());
                if best.as_ref().is_none_or(|best| found.len() < best.len()) {
                    best = Some(found);
                }
            }
        }
    }
    best
}

fn finding(part: &'static str, reading: &ValueVariant) -> Option<Finding> {
    reading.mistake.map(|(problem, fix)| Finding::new(part, problem, fix))
}

fn sign(key: &[u8], text: &[u8]) -> [u8; 32] {
    // HMAC accepts keys of any length.
    let Ok(mac) = Hmac::<Sha256>::new_from_slice(key) else { return [0; 32] };
    mac.chain_update(text).finalize().into_bytes().into()
}
