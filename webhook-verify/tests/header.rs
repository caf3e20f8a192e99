//! The grammar of the signature header.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use l10n_webhook_verify::{HeaderError, MAX_HEADER_BYTES, MAX_SIGNATURES, Verifier, VerifyError, sign};

const SECRET: &str = "whsec_5vhKqPbDCLWQWJLTWqkqTvAqZx1V5RkSBnHy8c4tSPo";
const NOW: i64 = 1_800_000_000;
const BODY: &[u8] = b"{}";
const NONE: &str = "0000000000000000000000000000000000000000000000000000000000000000";

fn right() -> String {
    sign::header(&[SECRET], NOW, BODY).split_once(",v1=").unwrap().1.to_owned()
}

fn verify(header: impl AsRef<[u8]>) -> Result<(), VerifyError> {
    Verifier::new(SECRET).unwrap().verify_at(header, BODY, NOW).map(drop)
}

/// SIG-9: one right `v1` is enough, wherever it is; other schemes do not count.
#[test]
fn headers_with_a_right_v1_are_accepted() {
    let right = right();
    for header in [
        format!("t={NOW},v1={right}"),
        format!("t={NOW},v1={NONE},v1={right}"),
        format!("t={NOW},v1={right},v1={NONE}"),
        format!("v1={right},t={NOW}"),
        format!("t={NOW},v1={right},v2=abc=="),
        format!("t={NOW},v0={NONE},v1={right},x="),
        format!("t={NOW},v1=,v1={right}"),
        format!("t={NOW},v1=short,v1={right}"),
        // Where a signature would end, another part does.
        format!("v1=,t={NOW},x={},v1={right}", "x".repeat(48)),
        format!("t={NOW}{},v1={right}", format!(",v1={NONE}").repeat(MAX_SIGNATURES - 1)),
    ] {
        assert_eq!(verify(&header), Ok(()), "{header}");
    }
}

/// SIG-9.
#[test]
fn headers_without_a_right_v1_are_not() {
    let right = right();
    for header in [format!("t={NOW},v1={NONE}"), format!("t={NOW},v1={NONE},v2={right},v1={NONE}")] {
        assert_eq!(verify(&header), Err(VerifyError::Signature), "{header}");
    }
}

#[test]
fn what_is_wrong_with_a_header_is_said() {
    use HeaderError as E;
    let right = right();
    for (header, expected) in [
        (String::new(), E::Missing),
        (format!("t={NOW},v1={right},x={}", "x".repeat(MAX_HEADER_BYTES)), E::TooLong),
        (format!("t={NOW}, v1={right}"), E::Character),
        (format!(" t={NOW},v1={right}"), E::Character),
        (format!("t={NOW},v1={right} "), E::Character),
        (format!("t={NOW},v1={right}\0"), E::Character),
        (format!("t={NOW},v1={right},n=é"), E::Character),
        (format!("t={NOW},v1={right},"), E::Part),
        (format!("t={NOW},,v1={right}"), E::Part),
        (format!("t={NOW},v1={right},v1"), E::Part),
        (format!("t={NOW},v1={right},=x"), E::Part),
        (format!("t={NOW};v1={right}"), E::TimeFormat),
        (right.clone(), E::Part),
        (format!("v1={right}"), E::NoTime),
        (format!("T={NOW},v1={right}"), E::NoTime),
        (format!("t={NOW},t={NOW},v1={right}"), E::RepeatedTime),
        (format!("t=,v1={right}"), E::TimeFormat),
        (format!("t=0{NOW},v1={right}"), E::TimeFormat),
        (format!("t=+{NOW},v1={right}"), E::TimeFormat),
        (format!("t=-1,v1={right}"), E::TimeFormat),
        (format!("t=1_800_000_000,v1={right}"), E::TimeFormat),
        (format!("t=180000000:,v1={right}"), E::TimeFormat),
        (format!("t=180000000/,v1={right}"), E::TimeFormat),
        (format!("t=9223372036854775808,v1={right}"), E::TimeFormat),
        (format!("t=18446744073709551617800000000,v1={right}"), E::TimeFormat),
        (format!("t={NOW}"), E::NoSignature),
        (format!("t={NOW},v0={right},V1={right}"), E::NoSignature),
        (format!("t={NOW},v1={}", right.to_uppercase()), E::SignatureFormat),
        (format!("t={NOW},v1={}", &right[1..]), E::SignatureFormat),
        (format!("t={NOW},v1=g{}", &right[1..]), E::SignatureFormat),
        (format!("t={NOW},v1={}:", &right[1..]), E::SignatureFormat),
        (format!("t={NOW},v1={right}0"), E::SignatureFormat),
        (format!("t={NOW},v1={right}{}", format!(",v1={right}").repeat(MAX_SIGNATURES)), E::TooManySignatures),
    ] {
        assert_eq!(verify(&header), Err(VerifyError::Header(expected)), "{header}");
    }
    assert_eq!(verify([0xff]), Err(VerifyError::Header(E::Character)));
}

/// A header of the maximum length is accepted, so a change of the limit would show.
#[test]
fn the_longest_header_is_accepted() {
    let start = format!("t={NOW},v1={},x=", right());
    let header = format!("{start}{}", "x".repeat(MAX_HEADER_BYTES - start.len()));
    assert_eq!(verify(header), Ok(()));
}

/// A developer has to find the problem from the text alone.
#[test]
fn errors_say_which_part_is_wrong_and_repeat_nothing_of_it() {
    let said = verify(format!("t=marker,v1={}", right())).unwrap_err().to_string();
    assert!(said.contains("x-service-signature") && said.contains("`t`") && !said.contains("marker"), "{said}");
    let said = verify(format!("t={NOW},v1={NONE}")).unwrap_err().to_string();
    assert!(said.contains("secret") && said.contains("body") && !said.contains(NONE), "{said}");
    let said = verify(sign::header(&[SECRET], NOW - 301, BODY)).unwrap_err().to_string();
    assert!(said.contains("301 s ago") && said.contains("300 s") && said.contains("clock"), "{said}");
    let said = verify(sign::header(&[SECRET], NOW + 400, BODY)).unwrap_err().to_string();
    assert!(said.contains("400 s") && said.contains("clock"), "{said}");
}

/// SIG-10: a header of any length is refused or read in one pass on a small stack.
#[test]
fn the_worst_headers_take_no_more_stack_than_any_other() {
    let right = right();
    let units = ["t=1,", "v1=,", "v0=,", ",", "=", "t=", "v1=", "a=b,", "a", "9", "\u{e9}", " ", "\0"];
    let signature = format!("v1={right},");
    let run = move || {
        for unit in units.into_iter().chain([signature.as_str()]) {
            for size in [MAX_HEADER_BYTES - 80, MAX_HEADER_BYTES, MAX_HEADER_BYTES + 1, 1 << 20] {
                let filler = unit.repeat(size / unit.len());
                for header in [filler.clone(), format!("t={NOW},{filler}"), format!("{filler}t={NOW},v1={NONE}")] {
                    let verdict = verify(&header);
                    assert!(verdict.is_err() || header.contains(&signature), "{unit}");
                    assert!(header.len() <= MAX_HEADER_BYTES || verdict.is_err(), "{unit}");
                }
            }
        }
    };
    std::thread::Builder::new().stack_size(512 * 1024).spawn(run).unwrap().join().unwrap();
}
