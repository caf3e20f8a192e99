//! Script and style sheet: the project's own files, in the binary, compressed once, under paths that change with their content.

use std::sync::LazyLock;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use http::{HeaderMap, HeaderValue};
use l10n_api_types::RequestId;
use sha2::{Digest as _, Sha256};

use super::failure;
use super::visit::nothing_here;
use crate::delivery::coding::Coding;

/// The route of all assets.
pub(super) const ROUTE: &str = "/dashboard/assets/{file}";

static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("css", "text/css; charset=utf-8", include_bytes!("../../../assets/dashboard/style.css"))
});
static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("js", "text/javascript; charset=utf-8", include_bytes!("../../../assets/dashboard/script.js"))
});

/// The path of the style sheet.
pub(super) fn style() -> &'static str {
    &STYLE.path
}

/// The path of the script.
pub(super) fn script() -> &'static str {
    &SCRIPT.path
}

struct Asset {
    path: String,
    media_type: &'static str,
    plain: Bytes,
    coded: [(Coding, Bytes); 2],
}

impl Asset {
    fn new(extension: &str, media_type: &'static str, plain: &'static [u8]) -> Self {
        let hash: String = Sha256::digest(plain).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let coded = [Coding::Brotli, Coding::Gzip]
            .map(|coding| (coding, coding.compress(plain).map_or_else(|_| Bytes::new(), Bytes::from)));
        Self { path: format!("/dashboard/assets/{hash}.{extension}"), media_type, plain: plain.into(), coded }
    }

    fn respond(&self, headers: &HeaderMap) -> Response {
        let wanted = Coding::accepted(headers);
        let coded = self.coded.iter().find(|(coding, bytes)| Some(*coding) == wanted && !bytes.is_empty());
        let mut response =
            Response::new(Body::from(coded.map_or_else(|| self.plain.clone(), |(_, bytes)| bytes.clone())));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.media_type));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        if let Some((coding, _)) = coded {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding.as_str()));
        }
        response
    }
}

/// Answers with an asset; a path of an earlier release is gone.
pub(super) async fn handle(request: Request) -> Response {
    let path = request.uri().path();
    match [&*STYLE, &*SCRIPT].into_iter().find(|asset| asset.path == path) {
        Some(asset) => asset.respond(request.headers()),
        None => {
            let id = request.extensions().get::<RequestId>().cloned().unwrap_or_else(|| RequestId::from("-"));
            failure::without_visit(&nothing_here(), &id)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_and_style_sheet_stay_small() {
        for (asset, most) in [(&*SCRIPT, 20 * 1024), (&*STYLE, 30 * 1024)] {
            for (coding, bytes) in &asset.coded {
                assert!((1..=most).contains(&bytes.len()), "{} {coding:?}: {} bytes", asset.path, bytes.len());
            }
        }
    }

    #[test]
    fn no_asset_loads_anything_from_elsewhere() {
        for asset in [&*SCRIPT, &*STYLE] {
            let text = std::str::from_utf8(&asset.plain).unwrap();
            for forbidden in ["http://", "https://", "@import", "url(//", "eval(", "new Function", "innerHTML"] {
                assert!(!text.contains(forbidden), "{}: {forbidden}", asset.path);
            }
        }
    }
}
