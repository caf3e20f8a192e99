//! The test vectors in `vectors/`, which serve other languages, too.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use l10n_webhook_verify::{Verified, Verifier, VerifyError};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vectors {
    number_of_tests: usize,
    tests: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    #[serde(rename = "tcId")]
    id: u32,
    comment: String,
    header: String,
    body_hex: String,
    secrets: Vec<String>,
    now: i64,
    tolerance: u64,
    result: Expected,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Expected {
    Valid,
    Invalid,
    Acceptable,
}

fn vectors() -> Vec<Vector> {
    let Vectors { number_of_tests, tests } = serde_json::from_str(include_str!("../vectors/signature.json")).unwrap();
    assert_eq!(tests.len(), number_of_tests);
    assert_eq!(number_of_tests, 57);
    tests
}

fn verify(vector: &Vector) -> Result<Verified, VerifyError> {
    let body: Vec<u8> = (0..vector.body_hex.len() / 2)
        .map(|at| u8::from_str_radix(&vector.body_hex[2 * at..2 * at + 2], 16).unwrap())
        .collect();
    let mut verifier = Verifier::new(&vector.secrets[0]).unwrap();
    for secret in &vector.secrets[1..] {
        verifier = verifier.or_secret(secret).unwrap();
    }
    verifier.tolerance(Duration::from_secs(vector.tolerance)).verify_at(&vector.header, body, vector.now)
}

/// SIG-9, SIG-10, AMB-8, AMB-9.
#[test]
fn every_vector_has_the_result_that_it_should() {
    let differing: Vec<_> = vectors()
        .iter()
        .filter(|vector| match vector.result {
            Expected::Valid => verify(vector).is_err(),
            Expected::Invalid => verify(vector).is_ok(),
            Expected::Acceptable => false,
        })
        .map(|vector| format!("{} {}: {:?}", vector.id, vector.comment, verify(vector)))
        .collect();
    assert_eq!(differing, Vec::<String>::new());
}

/// The decisions that the vectors leave open: `v1` before `t` is accepted, a blank after the comma and thousands of
/// `v1` are not.
#[test]
fn acceptable_vectors_are_decided() {
    let accepted: Vec<_> = vectors()
        .iter()
        .filter(|vector| vector.result == Expected::Acceptable)
        .map(|vector| (vector.id, verify(vector).is_ok()))
        .collect();
    assert_eq!(accepted, [(48, true), (49, false), (53, false)]);
}
