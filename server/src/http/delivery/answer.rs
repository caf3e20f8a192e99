//! Answers of the four delivery routes: bytes under their hash, or 304 if the client has them.

use http::header::{CACHE_CONTROL, CONTENT_ENCODING, ETAG, IF_NONE_MATCH, VARY, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue};
use l10n_api_types::VersionId;
use l10n_api_types::delivery::{FileBytes, LIVE, ManifestBody};
use sha2::{Digest as _, Sha256};

use crate::delivery::coding::Coding;
use crate::delivery::{etag, media_type};
use crate::domain::ServiceError;
use crate::domain::delivery::{self, ProjectAddress};
use crate::http::{PublicContext, Reply};

/// Of what a later publish changes.
const LIVE_FOR: &str = "public, max-age=60, stale-while-revalidate=600";
/// Of what never changes.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// The manifest of the live version. Its tag is the hash of its body.
pub(super) async fn manifest(
    cx: &PublicContext,
    headers: &HeaderMap,
    project: ProjectAddress,
) -> Result<Reply<ManifestBody>, ServiceError> {
    let mut tx = cx.service.store.begin_read().await?;
    let manifest = delivery::live_manifest(&mut tx, &cx.service, &project).await?;
    let body = serde_json::to_vec(&manifest).map_err(ServiceError::internal)?;
    let sha256 = Sha256::digest(&body);
    match held(headers, &sha256) {
        Some(tag) => described(Reply::not_modified(), &tag, LIVE_FOR),
        None => {
            let json = HeaderValue::from_static("application/json");
            described(Reply::bytes(json, body), &etag::strong(&sha256), LIVE_FOR)
        }
    }
}

/// One file of a version, or of the live one.
pub(super) async fn bundle(
    cx: &PublicContext,
    headers: &HeaderMap,
    project: ProjectAddress,
    version: &VersionId,
    path: &str,
) -> Result<Reply<FileBytes>, ServiceError> {
    let cache = if version.as_str() == LIVE { LIVE_FOR } else { FOR_EVER };
    let mut tx = cx.service.store.begin_read().await?;
    let file = delivery::find(&mut tx, &project, version, path).await?;
    if let Some(tag) = held(headers, &file.sha256) {
        return described(Reply::not_modified(), &tag, cache);
    }
    let content = delivery::content(tx, &cx.service, file, Coding::asked_for(headers)).await?;
    let mut reply = Reply::bytes(HeaderValue::from_static(media_type::of(file.format)), content.bytes);
    if let Some(coding) = content.coding {
        reply = reply.header(CONTENT_ENCODING, HeaderValue::from_static(coding.as_str()));
    }
    described(reply, &etag::strong(&file.sha256), cache)
}

/// The tag under which the client has these bytes already.
fn held(headers: &HeaderMap, sha256: &[u8]) -> Option<String> {
    let sent = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    etag::held(sent, &etag::strong(sha256))
}

fn described<T>(reply: Reply<T>, tag: &str, cache: &'static str) -> Result<Reply<T>, ServiceError> {
    Ok(reply
        .header(ETAG, HeaderValue::from_str(tag).map_err(ServiceError::internal)?)
        .header(CACHE_CONTROL, HeaderValue::from_static(cache))
        .header(VARY, HeaderValue::from_static("accept-encoding"))
        .header(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")))
}
