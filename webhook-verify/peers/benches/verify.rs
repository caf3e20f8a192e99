//! Compares the verification of one delivery with other crates and with the bare HMAC, in one run:
//!
//! ```text
//! cargo bench --manifest-path webhook-verify/peers/Cargo.toml
//! ```
//!
//! All candidates take turns of some hundred microseconds, so that other load on the machine affects all alike. Ratios
//! are relative to the first line, for the fastest hundredth of the turns and for the median. Each line verifies with
//! everything that it can prepare (the absorbed key, the decoded secret) and reads the header and the clock as its
//! users would.

use std::hint::black_box;
use std::time::{Duration, Instant, SystemTime};

use hmac::{Hmac, KeyInit as _, Mac as _};
use http::{HeaderMap, HeaderValue};
use l10n_webhook_verify::{SIGNATURE_HEADER, Verifier, sign};
use sha2::Sha256;

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OLD_SECRET: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const TURNS: usize = 401;
const TURN: Duration = Duration::from_micros(400);

struct Contender {
    name: &'static str,
    verify: Box<dyn Fn() -> bool>,
    per_turn: u32,
    /// Duration of one verification, in nanoseconds.
    samples: Vec<f64>,
}

fn main() {
    for size in [1024, 65_536] {
        let mut contenders = contenders(size);
        for contender in &mut contenders {
            assert!((contender.verify)(), "{} refuses", contender.name);
            contender.per_turn = 1;
            while contender.turn() < TURN {
                contender.per_turn *= 2;
            }
        }
        for _ in 0..TURNS {
            for contender in &mut contenders {
                let sample = contender.turn().as_nanos() as f64 / f64::from(contender.per_turn);
                contender.samples.push(sample);
            }
        }
        println!("\n{size} bytes\n{:52} {:>10} {:>10} {:>7} {:>7}", "", "fastest ns", "median ns", "ratio", "ratio");
        let at = |contender: &mut Contender, of_100: usize| {
            contender.samples.sort_by(f64::total_cmp);
            contender.samples[contender.samples.len() * of_100 / 100]
        };
        let (least, middle) = (at(&mut contenders[0], 1), at(&mut contenders[0], 50));
        for contender in &mut contenders {
            let (fast, median) = (at(contender, 1), at(contender, 50));
            let name = contender.name;
            println!("{name:52} {fast:10.0} {median:10.0} {:6.3}x {:6.3}x", fast / least, median / middle);
        }
    }
}

impl Contender {
    fn turn(&self) -> Duration {
        let start = Instant::now();
        for _ in 0..self.per_turn {
            assert!(black_box((self.verify)()));
        }
        start.elapsed()
    }
}

fn contenders(size: usize) -> Vec<Contender> {
    let body: Vec<u8> = (0..size).map(|at| b'a' + (at % 26) as u8).collect();
    let now = SystemTime::UNIX_EPOCH.elapsed().expect("after 1970").as_secs() as i64;
    let one = sign::header(&[SECRET], now, &body);
    let two = sign::header(&[SECRET, OLD_SECRET], now, &body);
    let mut list = Vec::new();
    let mut add = |name, verify: Box<dyn Fn() -> bool>| {
        list.push(Contender { name, verify, per_turn: 1, samples: Vec::with_capacity(TURNS) });
    };

    let key = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes()).expect("any length");
    let (raw, t) = (body.clone(), now.to_string());
    let tag = key.clone().chain_update(&t).chain_update(b".").chain_update(&raw).finalize().into_bytes();
    add(
        "hmac 0.13 + sha2 0.11, cached key, nothing parsed",
        Box::new(move || {
            let mac = key.clone().chain_update(&t).chain_update(b".").chain_update(&raw);
            mac.verify_slice(&tag).is_ok()
        }),
    );

    let (ours, header, raw) = (Verifier::new(SECRET).expect("a secret"), one.clone(), body.clone());
    add("l10n-webhook-verify: verify_at", Box::new(move || ours.verify_at(&header, &raw, now).is_ok()));
    let (ours, header, raw) = (Verifier::new(SECRET).expect("a secret"), one.clone(), body.clone());
    add("l10n-webhook-verify: verify", Box::new(move || ours.verify(&header, &raw).is_ok()));
    let (ours, raw) = (Verifier::new(OLD_SECRET).expect("a secret"), body.clone());
    add("l10n-webhook-verify: verify, two v1", Box::new(move || ours.verify(&two, &raw).is_ok()));
    let mut headers = HeaderMap::new();
    headers.insert(SIGNATURE_HEADER, HeaderValue::try_from(one).expect("ASCII"));
    let (ours, raw) = (Verifier::new(SECRET).expect("a secret"), body.clone());
    add("l10n-webhook-verify: verify_request", Box::new(move || ours.verify_request(&headers, &raw).is_ok()));

    let theirs = standardwebhooks::Webhook::new(SECRET).expect("a secret");
    let signature = theirs.sign("msg_1", now, &body).expect("text");
    let (headers, raw) = (their_headers("webhook", now, &signature), body.clone());
    add("standardwebhooks: verify", Box::new(move || theirs.verify(&raw, &headers).is_ok()));
    let theirs = svix::webhooks::Webhook::new(SECRET).expect("a secret");
    let signature = theirs.sign("msg_1", now, &body).expect("text");
    let (headers, raw) = (their_headers("svix", now, &signature), body);
    add("svix: verify", Box::new(move || theirs.verify(&raw, &headers).is_ok()));
    list
}

fn their_headers(prefix: &str, t: i64, signature: &str) -> HeaderMap {
    [("id", "msg_1".to_owned()), ("timestamp", t.to_string()), ("signature", signature.to_owned())]
        .into_iter()
        .map(|(name, value)| {
            let name = format!("{prefix}-{name}").parse().expect("a name");
            (name, HeaderValue::try_from(value).expect("ASCII"))
        })
        .collect()
}
