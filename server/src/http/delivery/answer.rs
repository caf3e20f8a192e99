//! Answers of the four delivery routes: bytes under their hash, or 304 if the client has them.

use http::header::{CACHE_CONTROL, CONTENT_ENCODING, ETAG, IF_NONE_MATCH, VARY, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue};
use l10n_api_types::VersionId;
use l10n_api_types::delivery::{FileBytes, LIVE, ManifestBody};
use l10n_formats::files::by_id;

use crate::delivery::coding::Coding;
use crate::delivery::etag::EntityTag;
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
    let tag = |sha256: &[u8; 32]| tag(headers, sha256);
    Ok(reply(delivery::manifest(cx.service.reads(), &project, Coding::accepted(headers), tag).await?, LIVE_FOR))
}

/// One file of a version, or of the live one.
pub(super) async fn bundle(
    cx: &PublicContext,
    headers: &HeaderMap,
    project: ProjectAddress,
    version: &VersionId,
    path: &str,
) -> Result<Reply<FileBytes>, ServiceError> {
    let tag = |sha256: &[u8; 32]| tag(headers, sha256);
    let read = delivery::bundle(cx.service.reads(), &project, version, path, Coding::accepted(headers), tag).await?;
    Ok(reply(read, if version.as_str() == LIVE { LIVE_FOR } else { FOR_EVER }))
}

fn reply<T>(read: Read, cache: &'static str) -> Reply<T> {
    let Read { file, tag, content } = read;
    let Some(content) = content else {
        return described(Reply::not_modified(), tag.value, cache);
    };
    let reply = Reply::bytes(HeaderValue::from_static(by_id(file.format).media_type()), content.bytes);
    match content.coding {
        None => described(reply, tag.value, cache),
        // The strong tag names the plain bytes. `If-None-Match` finds both.
        Some(coding) => {
            let coded = reply.header(CONTENT_ENCODING, HeaderValue::from_static(coding.as_str()));
            described(coded, tag.weak(), cache)
        }
    }
}

fn tag(headers: &HeaderMap, sha256: &[u8; 32]) -> EntityTag {
    EntityTag::of(sha256, headers.get_all(IF_NONE_MATCH))
}

fn described<T>(reply: Reply<T>, tag: HeaderValue, cache: &'static str) -> Reply<T> {
    reply
        .header(ETAG, tag)
        .header(CACHE_CONTROL, HeaderValue::from_static(cache))
        .header(VARY, HeaderValue::from_static("accept-encoding"))
        .header(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"))
}
