//! Authentication: `Authorization: Bearer <API_KEY>` (§5).

use http::HeaderMap;
use http::header::AUTHORIZATION;
use l10n_api_types::{RequestId, Scope};

use crate::domain::api_keys::has_ended;
use crate::domain::{Caller, ServiceError};
use crate::ids::ApiKeyText;
use crate::service::Service;
use crate::store::api_keys::{self, KeyWithProject};

const NO_KEY: ServiceError = ServiceError::Unauthorized("send one header `Authorization: Bearer <API_KEY>`");
/// The refusal of a key, whatever is wrong with it.
pub(super) const BAD_KEY: ServiceError =
    ServiceError::Unauthorized("the key is not one of this project: check it and the project id");

/// The text of the key in the headers.
///
/// # Errors
///
/// 401: none, two of them, another scheme, or a text that cannot be a key (its checksum says so, without a query).
pub(super) fn key_text(headers: &HeaderMap) -> Result<ApiKeyText, ServiceError> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return Err(NO_KEY) };
    let text = value.to_str().map_err(|_| NO_KEY)?;
    let (scheme, key) = text.split_once(' ').ok_or(NO_KEY)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(NO_KEY);
    }
    ApiKeyText::parse(key).ok_or(BAD_KEY)
}

/// The caller behind the key whose text has this hash.
///
/// # Errors
///
/// 401 for a key that is unknown or revoked, and as [`caller_with`]; the store's.
pub(super) async fn caller(service: &Service, hash: &[u8; 32], request: &RequestId) -> Result<Caller, ServiceError> {
    let found = service.store.read_once(async |tx| api_keys::with_projects(tx, &[hash]).await).await?;
    let key = found.into_iter().next().ok_or(BAD_KEY)?;
    caller_with(service, key, request)
}

/// The caller behind a key that was just read.
///
/// # Errors
///
/// 401 when the project is archived, and when the key has come to its end.
pub(super) fn caller_with(service: &Service, key: KeyWithProject, request: &RequestId) -> Result<Caller, ServiceError> {
    let now = service.clock.now();
    // An archived project answers as if it were gone, and its keys with it.
    if key.archived_at.is_some() || has_ended(key.ends_at, now) {
        return Err(BAD_KEY);
    }
    service.key_uses.note(&key, now);
    Ok(Caller {
        project: key.project_id,
        workspace: key.workspace_id,
        key: key.id.into(),
        scopes: key.scopes.0,
        kind: key.kind,
        request: request.clone(),
    })
}

/// Requires one of `accepted` (§5.4); none is asked for where a route takes any key.
///
/// # Errors
///
/// 403 `forbidden`.
pub(super) fn require(caller: &Caller, accepted: &[Scope]) -> Result<(), ServiceError> {
    if accepted.is_empty() || Scope::grants(&caller.scopes, accepted) {
        return Ok(());
    }
    let accepted: Vec<_> = accepted.iter().map(|scope| scope.as_str()).collect();
    Err(ServiceError::Forbidden(format!("this needs a key with the scope `{}`", accepted.join("` or `"))))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn read(values: &[&[u8]]) -> bool {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(AUTHORIZATION, HeaderValue::from_bytes(value).unwrap());
        }
        key_text(&headers).is_ok()
    }

    /// AUTH-2, AUTH-3, AUTH-16, HOSTILE-INPUTS S4
    #[test]
    fn one_header_of_the_right_scheme_with_a_key_of_the_right_form() {
        let key = ApiKeyText::generate();
        let key = key.expose();
        for scheme in ["Bearer", "bearer", "BEARER"] {
            assert!(read(&[format!("{scheme} {key}").as_bytes()]));
        }
        let bearer = format!("Bearer {key}");
        let long = format!("Bearer eik_{}", "a".repeat(8192));
        let bad = [
            "",
            "Bearer",
            "Bearer ",
            &format!("Bearer  {key}"),
            &format!("Bearer\t{key}"),
            &format!("Basic {key}"),
            key,
            &bearer[..bearer.len() - 1],
            &format!("{bearer}a"),
            &format!("{bearer}%00"),
            &bearer.to_uppercase(),
            "Bearer eik_",
            &long,
            &format!("{bearer}, {bearer}"),
            "Bearer ' OR 1=1 --",
        ];
        for value in bad {
            assert!(!read(&[value.as_bytes()]), "{value}");
        }
        assert!(!read(&["Bearer eik_ä".as_bytes()]));
        assert!(!read(&[bearer.as_bytes(), bearer.as_bytes()]));
        assert!(!read(&[bearer.as_bytes(), b"Bearer nonsense"]));
        assert!(!read(&[]));
    }
}
