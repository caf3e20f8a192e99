//! Compression of what is delivered, by what the client accepts: of manifests, and of files that do not come compressed from
//! memory.

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, ETAG};
use http::{HeaderMap, HeaderValue};
use tower_http::compression::CompressionLayer;

use crate::delivery::coding::Coding;

/// Compresses what the routes of `router` answer.
pub(crate) fn compressed<S: Clone + Send + Sync + 'static>(router: Router<S>) -> Router<S> {
    router.route_layer(CompressionLayer::new().br(true).gzip(true)).route_layer(from_fn(negotiate))
}

/// Settles the encoding before the compression layer sees the request, and the tag after it has answered.
///
/// The layer would answer 406, with a body that is no error body, to a client that forbids what there is; such a client
/// gets the plain file, as RFC 9110 §12.5.3 lets a server do. The strong tag names the plain bytes: compressed ones are
/// equal in meaning only, so theirs is weak. `If-None-Match` finds both.
async fn negotiate(mut request: Request, next: Next) -> Response {
    let coding = accepted(request.headers());
    request.headers_mut().remove(ACCEPT_ENCODING);
    if let Some(coding) = coding {
        request.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static(coding.as_str()));
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if headers.contains_key(CONTENT_ENCODING)
        && let Some(tag) = headers.get(ETAG).and_then(|tag| tag.to_str().ok()).filter(|tag| tag.starts_with('"'))
        && let Ok(weak) = HeaderValue::from_str(&format!("W/{tag}"))
    {
        headers.insert(ETAG, weak);
    }
    response
}

/// The coding that the client likes best; of two that it likes alike, the denser.
pub(crate) fn accepted(headers: &HeaderMap) -> Option<Coding> {
    let (mut br, mut gzip, mut any, mut identity) = (None, None, None, None);
    let sent = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    for item in sent.flat_map(|value| value.split(',')) {
        let mut parts = item.split(';').map(str::trim);
        let slot = match parts.next().unwrap_or_default().to_ascii_lowercase().as_str() {
            "br" => &mut br,
            "gzip" | "x-gzip" => &mut gzip,
            "identity" => &mut identity,
            "*" => &mut any,
            _ => continue,
        };
        let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        *slot = Some(weight.map_or(1.0, |weight| weight.parse::<f32>().unwrap_or(0.0)));
    }
    let weight = |own: Option<f32>| own.or(any).unwrap_or(0.0);
    let (br, gzip) = (weight(br), weight(gzip));
    let best = br.max(gzip);
    // Without a word about it, the plain file is liked least.
    if best <= 0.0 || best < identity.unwrap_or(0.0) {
        return None;
    }
    Some(if br >= gzip { Coding::Brotli } else { Coding::Gzip })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_gets_the_coding_that_it_likes_best() {
        for (header, coding) in [
            ("", None),
            ("gzip", Some("gzip")),
            ("br", Some("br")),
            ("gzip, deflate, br, zstd", Some("br")),
            ("gzip;q=1.0, br;q=0.5", Some("gzip")),
            ("BR ; q=0.8, GZIP", Some("gzip")),
            ("*", Some("br")),
            ("br;q=0, *", Some("gzip")),
            ("identity", None),
            ("identity, gzip;q=0.5", None),
            ("identity;q=0", None),
            ("*;q=0", None),
            ("gzip;q=nonsense", None),
            ("deflate, zstd", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_str(header).unwrap());
            assert_eq!(accepted(&headers).map(Coding::as_str), coding, "{header}");
        }
        assert_eq!(accepted(&HeaderMap::new()), None);
    }
}
