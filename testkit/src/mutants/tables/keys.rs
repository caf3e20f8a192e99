//! Deviations about the key of a request.

use http::Method;

use crate::mutants::exchange::{ApiRequest, ProxyState};
use crate::profile::Identity;

/// The identities of one scope each.
pub(super) const SINGLE: &[Identity] =
    &[Identity::Read, Identity::Translate, Identity::Write, Identity::Publish, Identity::Capture];

/// Lets a key of its project that is one of these through as if it held every scope.
pub(super) fn promote(request: &mut ApiRequest, known: &ProxyState, identities: &[Identity]) {
    if holder(request, known).is_some_and(|identity| identities.contains(&identity)) {
        open(request, known);
    }
}

/// Lets the request through whatever key it has.
pub(super) fn open(request: &mut ApiRequest, known: &ProxyState) {
    let key = known.full_key(request.project()).to_owned();
    if !key.is_empty() {
        request.set_key(&key);
    }
}

/// The identity of the key, if it is of the request's own project.
pub(super) fn holder(request: &ApiRequest, known: &ProxyState) -> Option<Identity> {
    let (project, identity) = known.whose(request.key()?)?;
    (project.id == request.project()).then_some(identity)
}

/// Returns true if the key is of another project.
pub(super) fn is_foreign(request: &ApiRequest, known: &ProxyState) -> bool {
    request.key().and_then(|key| known.whose(key)).is_some_and(|(project, _)| project.id != request.project())
}

/// Returns true if its route reads and needs the scope `read`.
pub(super) fn reads(request: &ApiRequest) -> bool {
    let paths = ["/meta", "/translations", "/pending-code-changes", "/content", "/content/*"];
    request.method == Method::GET && paths.iter().any(|path| request.under(path))
}

/// Returns true if its route needs the scope `write`.
pub(super) fn writes(request: &ApiRequest) -> bool {
    request.is(&Method::POST, "/languages")
        || request.is(&Method::POST, "/output-formats")
        || request.is(&Method::POST, "/content")
        || request.is(&Method::PUT, "/content/*")
}
