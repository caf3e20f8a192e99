//! Properties for any input: no panic, and nothing is accepted that a naive version of the rule of §6 would refuse. The
//! fuzz target in `fuzz/` checks the same property with more inputs.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use l10n_webhook_verify::{Verifier, VerifyError, sign};
use proptest::prelude::*;

const SECRET: &str = "whsec_5vhKqPbDCLWQWJLTWqkqTvAqZx1V5RkSBnHy8c4tSPo";
const NOW: i64 = 1_800_000_000;

fn verifier() -> Verifier {
    Verifier::new(SECRET).unwrap()
}

/// The rule as the specification words it, with the signer as the oracle.
fn naively_accepted(header: &[u8], body: &[u8]) -> bool {
    let Ok(header) = std::str::from_utf8(header) else { return false };
    let parts: Vec<_> = header.split(',').collect();
    let times: Vec<_> = parts.iter().filter_map(|part| part.strip_prefix("t=")).collect();
    let [written] = times[..] else { return false };
    let Ok(t) = written.parse::<i64>() else { return false };
    let right = sign::header(&[SECRET], t, body);
    let right = right.strip_prefix(&format!("t={written},")).unwrap_or("no other spelling of the time is signed");
    (NOW - t).abs() <= 300 && parts.contains(&right)
}

/// Parts of headers, right and nearly right, for a body.
fn parts(body: &[u8]) -> impl Strategy<Value = String> + use<> {
    let signed = |t| sign::header(&[SECRET], t, body).split_once(',').unwrap().1.to_owned();
    let right = signed(NOW);
    let tail = right[3..].to_owned();
    prop_oneof![
        4 => Just(format!("t={NOW}")),
        4 => Just(right.clone()),
        1 => Just(signed(NOW - 300)),
        1 => (-400..400_i64).prop_map(|away| format!("t={}", NOW + away)),
        1 => Just(format!("v1={}", tail.to_uppercase())),
        1 => Just(format!("v0={tail}")),
        1 => (0..64_usize).prop_map(move |cut| format!("v1={}", &tail[cut..])),
        1 => "t=[ +0-]?[0-9]{1,20}",
        1 => "[a-z0-9=]{0,6}",
        1 => "v1=[0-9a-f]{64}",
        1 => "\\PC{0,4}",
    ]
}

fn headers_and_bodies() -> impl Strategy<Value = (String, Vec<u8>)> {
    prop::collection::vec(any::<u8>(), 0..200)
        .prop_flat_map(|body| (prop::collection::vec(parts(&body), 0..6).prop_map(|parts| parts.join(",")), Just(body)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// SIG-9, SIG-10.
    #[test]
    fn what_is_accepted_is_what_the_rule_accepts((header, body) in headers_and_bodies()) {
        let naively = naively_accepted(header.as_bytes(), &body);
        match verifier().verify_at(&header, &body, NOW) {
            Ok(_) => prop_assert!(naively, "{header}"),
            // The grammar is stricter than the naive rule; for a header that follows it, both agree.
            Err(VerifyError::Header(_)) => {}
            Err(error) => prop_assert!(!naively, "{error}: {header}"),
        }
    }

    #[test]
    fn no_bytes_make_it_panic(
        header in prop::collection::vec(any::<u8>(), 0..400),
        body in prop::collection::vec(any::<u8>(), 0..200),
        now: i64,
    ) {
        prop_assert!(verifier().verify_at(header, body, now).is_err());
    }

    #[test]
    fn what_is_signed_is_accepted(body in prop::collection::vec(any::<u8>(), 0..500), t in 0..i64::MAX, away in -300..=300_i64) {
        let now = t.saturating_add(away);
        let header = sign::header(&["whsec_other", SECRET], t, &body);
        prop_assert!(verifier().verify_at(header, body, now).is_ok());
    }

    #[test]
    fn one_changed_bit_is_refused(body in prop::collection::vec(any::<u8>(), 1..200), at: prop::sample::Index, bit in 0..8_u8) {
        let header = sign::header(&[SECRET], NOW, &body).into_bytes();
        let mut changed = body.clone();
        *at.get_mut(&mut changed) ^= 1_u8 << bit;
        prop_assert_eq!(verifier().verify_at(&header, &changed, NOW), Err(VerifyError::Signature));
        let mut changed = header.clone();
        *at.get_mut(&mut changed) ^= 1_u8 << bit;
        prop_assert!(verifier().verify_at(&changed, &body, NOW).is_err());
    }
}
