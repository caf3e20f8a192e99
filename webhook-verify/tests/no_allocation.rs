//! Verifying never allocates, whatever its result: a hostile request costs no memory.

use allocation_counter::measure;
use http::{HeaderMap, HeaderValue};
use l10n_webhook_verify::{MAX_SIGNATURES, SIGNATURE_HEADER, Verifier, sign};

const NOW: i64 = 1_800_000_000;

#[test]
fn verifying_allocates_nothing() {
    let verifier = Verifier::new("whsec_new").unwrap().or_secret("whsec_old").unwrap().clock(|| NOW);
    let body = vec![b'x'; 65_536];
    let accepted = sign::header(&["whsec_new", "whsec_old"], NOW, &body);
    let of_the_old_one = sign::header(&["whsec_old"], NOW, &body);
    let forged = sign::header(&["whsec_other"; MAX_SIGNATURES], NOW, &body);
    let stale = sign::header(&["whsec_new"], NOW - 301, &body);
    let malformed = format!("{accepted},");
    for (header, is_accepted) in
        [(&accepted, true), (&of_the_old_one, true), (&forged, false), (&stale, false), (&malformed, false)]
    {
        let mut result = None;
        let used = measure(|| result = Some(verifier.verify(header, &body)));
        assert_eq!((used.count_total, used.bytes_total), (0, 0), "{header}");
        assert_eq!(result.unwrap().is_ok(), is_accepted, "{header}");
    }
    let headers = HeaderMap::from_iter([(SIGNATURE_HEADER.parse().unwrap(), HeaderValue::try_from(accepted).unwrap())]);
    let mut result = None;
    let used = measure(|| result = Some(verifier.verify_request(&headers, &body)));
    assert_eq!((used.count_total, used.bytes_total), (0, 0));
    assert!(result.unwrap().is_ok());
}

#[test]
fn the_counter_counts() {
    assert_eq!(measure(|| drop(vec![0_u8; 10])).count_total, 1);
}
