//! The deliveries that a receiver under test gets.

use bytes::Bytes;
use http::{HeaderName, HeaderValue};

use super::case::{CaseInput, ExpectedReaction, ReceiverCase};
use crate::sample::{Event, Signed};

/// Seconds from the receiver's clock that are certainly more than the 300 of §6.4: clocks are told to the second, and a
/// delivery is on its way for a moment.
const BEYOND: i64 = 305;
/// Seconds that are certainly no more than 300.
const WITHIN: i64 = 290;

const WRONG: &str = "whsec_of_somebody_else_altogether_0000000000000";

/// Every case. The first one is the control of all refusals.
pub const CASES: &[ReceiverCase] = &[
    ReceiverCase {
        id: "valid",
        covers: &["SIG-5", "SIG-9"],
        says: "accepts a delivery that is signed with its secret",
        act: ExpectedReaction::Accepts(|stage| vec![fresh().signed(&stage.secret, stage.now)]),
    },
    ReceiverCase {
        id: "tampered-body",
        covers: &["SIG-5", "SIG-6"],
        says: "refuses a body of which a byte was changed after signing",
        act: ExpectedReaction::Refuses(|stage| {
            let mut delivery = fresh().signed(&stage.secret, stage.now);
            delivery.body =
                String::from_utf8_lossy(&delivery.body).replace("\"keyCount\":128", "\"keyCount\":129").into();
            vec![delivery]
        }),
    },
    ReceiverCase {
        id: "respaced-body",
        covers: &["SIG-6"],
        says: "verifies the bytes as they came, before it parses them: the same JSON with other spaces is refused",
        act: ExpectedReaction::Refuses(|stage| {
            let mut delivery = fresh().signed(&stage.secret, stage.now);
            delivery.body = String::from_utf8_lossy(&delivery.body).replacen(':', ": ", 1).into();
            vec![delivery]
        }),
    },
    ReceiverCase {
        id: "tampered-time",
        covers: &["SIG-5"],
        says: "refuses a timestamp that was changed after signing",
        act: ExpectedReaction::Refuses(|stage| {
            let delivery = fresh().signed(&stage.secret, stage.now);
            let signature =
                signature(&delivery).replacen(&format!("t={}", stage.now), &format!("t={}", stage.now + 1), 1);
            vec![with_signature(delivery, Some(&signature))]
        }),
    },
    ReceiverCase {
        id: "wrong-secret",
        covers: &["SIG-5", "SIG-7"],
        says: "refuses a delivery that is signed with another secret",
        act: ExpectedReaction::Refuses(|stage| vec![fresh().signed(WRONG, stage.now)]),
    },
    ReceiverCase {
        id: "secret-without-prefix",
        covers: &["SIG-5"],
        says: "takes the whole secret as key, whsec_ included: a signature by the rest of it is refused",
        act: ExpectedReaction::Refuses(|stage| {
            vec![fresh().signed(stage.secret.trim_start_matches("whsec_"), stage.now)]
        }),
    },
    ReceiverCase {
        id: "no-signature",
        covers: &["AUTH-18"],
        says: "refuses a delivery without X-Service-Signature",
        act: ExpectedReaction::Refuses(|stage| vec![with_signature(fresh().signed(&stage.secret, stage.now), None)]),
    },
    ReceiverCase {
        id: "broken-signature",
        covers: &["SIG-2"],
        says: "refuses a header that is not t=…,v1=…",
        act: ExpectedReaction::Refuses(|stage| {
            let now = stage.now;
            let fresh_ones =
                [format!("t={now}"), format!("t={now},"), format!("t={now},v1"), format!("t={now},v1=,v1=")];
            let broken = ["", "t=", "v1=00", "t=x,v1=00", "t=1,v1=", ",,,"].map(str::to_owned);
            let broken = broken.into_iter().chain(fresh_ones);
            broken.map(|text| with_signature(fresh().signed(&stage.secret, now), Some(&text))).collect()
        }),
    },
    ReceiverCase {
        id: "empty-signature",
        covers: &["SIG-2", "SIG-5"],
        says: "refuses a v1 with nothing in it, however fresh: every signature starts with nothing",
        act: ExpectedReaction::Refuses(|stage| {
            let text = format!("t={},v1=", stage.now);
            vec![with_signature(fresh().signed(&stage.secret, stage.now), Some(&text))]
        }),
    },
    ReceiverCase {
        id: "shortened-signature",
        covers: &["SIG-5"],
        says: "compares the whole signature: the first digits of the right one are refused",
        act: ExpectedReaction::Refuses(|stage| {
            [1, 8, 32, 63].map(|count| altered(stage, |value| value[..count].to_owned())).into()
        }),
    },
    ReceiverCase {
        id: "lengthened-signature",
        covers: &["SIG-5"],
        says: "compares the whole signature: the right one with more behind it is refused",
        act: ExpectedReaction::Refuses(|stage| {
            ["0", "00", "zz"].map(|more| altered(stage, |value| format!("{value}{more}"))).into()
        }),
    },
    ReceiverCase {
        id: "half-right-signature",
        covers: &["SIG-5"],
        says: "compares every digit: one that is right at the beginning or at the end alone is refused",
        act: ExpectedReaction::Refuses(|stage| {
            let head = |count: usize| altered(stage, |value| value[..count].to_owned() + &changed(&value[count..]));
            let tail = |count: usize| altered(stage, |value| changed(&value[..count]) + &value[count..]);
            vec![head(8), head(16), head(32), head(63), tail(56), tail(32), tail(1)]
        }),
    },
    ReceiverCase {
        id: "upper-case-signature",
        covers: &["SIG-2"],
        says: "refuses a signature in upper-case hex, which is not the form of the header",
        act: ExpectedReaction::ShouldRefuse(|stage| vec![altered(stage, str::to_uppercase)]),
    },
    ReceiverCase {
        id: "stale",
        covers: &["SIG-10"],
        says: "refuses a timestamp of more than 300 seconds ago",
        act: ExpectedReaction::Refuses(|stage| vec![fresh().signed(&stage.secret, stage.now - BEYOND)]),
    },
    ReceiverCase {
        id: "future",
        covers: &["SIG-10"],
        says: "refuses a timestamp of more than 300 seconds ahead",
        act: ExpectedReaction::Refuses(|stage| vec![fresh().signed(&stage.secret, stage.now + BEYOND)]),
    },
    ReceiverCase {
        id: "within-tolerance",
        covers: &["SIG-10"],
        says: "accepts timestamps within 300 seconds of its clock, before and after",
        act: ExpectedReaction::Accepts(|stage| {
            vec![fresh().signed(&stage.secret, stage.now - WITHIN), fresh().signed(&stage.secret, stage.now + WITHIN)]
        }),
    },
    ReceiverCase {
        id: "two-signatures",
        covers: &["SIG-9"],
        says: "accepts a delivery when any v1 is right, at the first place or the second",
        act: ExpectedReaction::Accepts(|stage| {
            let both = |first, second| fresh().signed_by_all(&[first, second], stage.now);
            vec![both(&stage.secret, WRONG), both(WRONG, &stage.secret)]
        }),
    },
    ReceiverCase {
        id: "two-wrong-signatures",
        covers: &["SIG-9"],
        says: "refuses a delivery when no v1 is right",
        act: ExpectedReaction::Refuses(|stage| vec![fresh().signed_by_all(&[WRONG, "whsec_of_a_third"], stage.now)]),
    },
    ReceiverCase {
        id: "duplicate",
        covers: &["DEL-14"],
        says: "accepts the same delivery again, so that no one sends it for hours",
        act: ExpectedReaction::Accepts(|stage| {
            let delivery = fresh().signed(&stage.secret, stage.now);
            vec![delivery.clone(), delivery]
        }),
    },
    ReceiverCase {
        id: "resent",
        covers: &["DEL-14"],
        says: "accepts an event again that is signed anew at a later attempt",
        act: ExpectedReaction::Accepts(|stage| {
            let event = fresh();
            vec![event.signed(&stage.secret, stage.now - 60), event.signed(&stage.secret, stage.now)]
        }),
    },
    ReceiverCase {
        id: "acts-once",
        covers: &["DEL-15"],
        says: "acts once on an event that arrives twice",
        act: ExpectedReaction::CannotBeSeen(
            "this cannot be seen from outside: give your handler one signed delivery twice in a test of your own",
        ),
    },
    ReceiverCase {
        id: "unknown-field",
        covers: &["ENV-12"],
        says: "accepts an event with a member that it does not know",
        act: ExpectedReaction::ShouldAccept(|stage| {
            vec![fresh().with("sequence", serde_json::json!(7)).signed(&stage.secret, stage.now)]
        }),
    },
    ReceiverCase {
        id: "unknown-type",
        covers: &["ENV-12"],
        says: "accepts and ignores an event of a type that it does not know, so that no one sends it for hours",
        act: ExpectedReaction::ShouldAccept(|stage| vec![Event::of_unknown_type().signed(&stage.secret, stage.now)]),
    },
    ReceiverCase {
        id: "content-published",
        covers: &["CP-3"],
        says: "accepts a content.published of 200 rows, the longest there is",
        act: ExpectedReaction::ShouldAccept(|stage| {
            vec![Event::content_published(201).signed(&stage.secret, stage.now)]
        }),
    },
    ReceiverCase {
        id: "huge",
        covers: &["DEL-6"],
        says: "refuses 32 MiB that no secret signs, without reading for ten seconds",
        act: ExpectedReaction::ShouldRefuse(|stage| {
            let mut delivery = fresh().signed(WRONG, stage.now);
            delivery.body = Bytes::from(vec![b' '; 32 * 1024 * 1024]);
            vec![delivery]
        }),
    },
    ReceiverCase {
        id: "still-there",
        covers: &["SIG-5"],
        says: "after all that, accepts a delivery that is in order",
        act: ExpectedReaction::Accepts(|stage| vec![fresh().signed(&stage.secret, stage.now)]),
    },
];

fn fresh() -> Event {
    Event::strings_published()
}

fn signature(delivery: &Signed) -> String {
    let value = delivery.headers.get("x-service-signature").and_then(|value| value.to_str().ok());
    value.unwrap_or_default().to_owned()
}

/// A delivery whose signature was right before `change`.
fn altered(stage: &CaseInput, change: impl FnOnce(&str) -> String) -> Signed {
    let delivery = fresh().signed(&stage.secret, stage.now);
    let header = signature(&delivery);
    let (start, value) = header.split_once("v1=").unwrap_or_default();
    with_signature(delivery, Some(&format!("{start}v1={}", change(value))))
}

/// Every digit replaced by another.
fn changed(digits: &str) -> String {
    let other = |digit: char| if digit == '0' { '1' } else { '0' };
    digits.chars().map(other).collect()
}

fn with_signature(mut delivery: Signed, signature: Option<&str>) -> Signed {
    let name = HeaderName::from_static("x-service-signature");
    match signature.and_then(|text| HeaderValue::from_str(text).ok()) {
        Some(value) => delivery.headers.insert(name, value),
        None => delivery.headers.remove(name),
    };
    delivery
}
