//! Settings that reach this machine, a name server and an endpoint that says what a test dictates.

pub(crate) mod names;
pub(crate) mod script;

use std::io::Write as _;

use bytes::Bytes;
use http::HeaderMap;
use l10n_api_types::deliveries::DeliveryErrorKind;
use l10n_server::egress::{Egress, EgressSettings, Outgoing, SendOutcome};
use l10n_testkit::receiver::Receiver;

pub(crate) const BODY: &[u8] = br#"{"eventId":"evt_1"}"#;

/// May reach 127.0.0.1 and trusts nobody but the machine's authorities.
pub(crate) fn local_settings() -> EgressSettings {
    EgressSettings { allow_targets: vec!["127.0.0.1/32".parse().unwrap()], ..EgressSettings::default() }
}

/// May reach 127.0.0.1 and trusts the receiver.
pub(crate) fn trusting(receiver: &Receiver, change: impl FnOnce(&mut EgressSettings)) -> Egress {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(receiver.ca_pem().as_bytes()).unwrap();
    let mut settings = EgressSettings { extra_ca: Some(file.path().to_owned()), ..local_settings() };
    change(&mut settings);
    Egress::new(&settings).unwrap()
}

/// May reach 127.0.0.1, without TLS too.
pub(crate) fn plain(change: impl FnOnce(&mut EgressSettings)) -> Egress {
    let mut settings = EgressSettings { plain_http: true, ..local_settings() };
    change(&mut settings);
    Egress::new(&settings).unwrap()
}

/// One attempt at delivering [`BODY`].
pub(crate) async fn send(egress: &Egress, url: &str) -> SendOutcome {
    let delivery = Outgoing { headers: HeaderMap::new(), body: Bytes::from_static(BODY) };
    egress.send(&egress.parse(url).unwrap(), delivery).await
}

/// The kind of a failure without a status, and its text.
pub(crate) fn failed(sent: SendOutcome) -> (DeliveryErrorKind, String) {
    assert_eq!(sent.status, None, "{sent:?}");
    let failure = sent.failure.unwrap();
    (failure.kind, failure.text)
}

/// That the delivery arrived.
pub(crate) fn delivered(sent: &SendOutcome) {
    assert!(sent.failure.is_none() && sent.status == Some(200), "{sent:?}");
}
