//! Answers of the four delivery routes: bytes under their hash, or 304 if the client has them.

use http::header::{CACHE_CONTROL, CONTENT_ENCODING, ETAG, IF_NONE_MATCH, VARY, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue};
use l10n_api_types::VersionId;
use l10n_api_types::delivery::{FileBytes, LIVE, ManifestBody};

use crate::delivery::coding::Coding;
use crate::delivery::{etag, media_type};
use crate::domain::ServiceError;
use crate::domain::delivery::{self, ProjectAddress, Read};
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
    let is_held = |sha256: &[u8; 32]| held(headers, sha256).is_some();
    let read = delivery::manifest(cx.service.reads(), &project, Coding::asked_for(headers), is_held).await?;
    reply(read, headers, LIVE_FOR)
}

/// One file of a version, or of the live one.
pub(super) async fn bundle(
    cx: &PublicContext,
    headers: &HeaderMap,
    project: ProjectAddress,
    version: &VersionId,
    path: &str,
) -> Result<Reply<FileBytes>, ServiceError> {
    let is_held = |sha256: &[u8; 32]| held(headers, sha256).is_some();
    let read =
        delivery::bundle(cx.service.reads(), &project, version, path, Coding::asked_for(headers), is_held).await?;
    reply(read, headers, if version.as_str() == LIVE { LIVE_FOR } else { FOR_EVER })
}

fn reply<T>(read: Read, headers: &HeaderMap, cache: &'static str) -> Result<Reply<T>, ServiceError> {
    let Read { file, content } = read;
    let Some(content) = content else {
        let tag = held(headers, &file.sha256).unwrap_or_else(|| etag::strong(&file.sha256));
        return described(Reply::not_modified(), &tag, cache);
    };
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
