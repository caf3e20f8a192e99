//! Each event is handled once.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use l10n_webhook_verify::dedup::{
    Claim, ClaimToken, DEFAULT_LEASE, DEFAULT_TIME_TO_LIVE, Deduplicator, DeliveryKey, InMemory, MAX_ID_BYTES, Once,
    OnceError, once,
};

fn key(webhook_id: &str, event_id: &str) -> DeliveryKey {
    DeliveryKey::new(webhook_id, event_id).unwrap()
}

fn is_granted<T>(claim: &Claim<T>) -> bool {
    matches!(claim, Claim::Granted(_))
}

fn token(claim: Claim<ClaimToken>) -> ClaimToken {
    let Claim::Granted(token) = claim else { panic!("{claim:?}") };
    token
}

/// DEL-15.
#[test]
fn one_event_for_two_webhooks_is_two_deliveries() {
    assert_ne!(key("whk_1", "evt_1"), key("whk_2", "evt_1"));
    assert_ne!(key("whk_1", "evt_1"), key("whk_1", "evt_2"));
    assert_eq!(key("whk_1", "evt_1"), key("whk_1", "evt_1"));
    // The boundary between the two ids counts.
    assert_ne!(key("whk_1e", "vt_1"), key("whk_1", "evt_1"));
    let (seen, now) = (InMemory::default(), Instant::now());
    for (webhook, event) in [("whk_1", "evt_1"), ("whk_2", "evt_1"), ("whk_1", "evt_2")] {
        assert!(is_granted(&seen.claim_at(&key(webhook, event), now)));
        seen.handled_at(&key(webhook, event), now);
    }
    assert_eq!(seen.claim_at(&key("whk_1", "evt_1"), now), Claim::Duplicate);
}

#[test]
fn what_cannot_be_an_id_is_no_key() {
    let long = "x".repeat(MAX_ID_BYTES + 1);
    for id in ["", " ", "a b", "é", "a\n", &long] {
        assert!(DeliveryKey::new(id, "evt_1").is_err(), "{id:?}");
        assert!(DeliveryKey::new("whk_1", id).is_err(), "{id:?}");
    }
    assert!(DeliveryKey::new(&long[1..], &long[1..]).is_ok());
}

#[test]
fn a_key_gives_back_its_ids() {
    let key = key("whk_1", "evt_1");
    assert_eq!((key.webhook_id(), key.event_id()), ("whk_1", "evt_1"));
}

/// DEL-15: a delivery counts as handled after its handler has succeeded, not on arrival.
#[tokio::test]
async fn a_handler_that_fails_is_run_again_and_one_that_succeeds_is_not() {
    let (seen, key) = (InMemory::default(), key("whk_1", "evt_1"));
    let runs = AtomicUsize::new(0);
    let run = async |result: Result<u8, &'static str>| {
        once(&seen, &key, async {
            runs.fetch_add(1, Ordering::Relaxed);
            result
        })
        .await
    };
    assert!(matches!(run(Err("database is away")).await, Err(OnceError::Handler("database is away"))));
    assert_eq!(run(Ok(7)).await.unwrap(), Once::Handled(7));
    assert_eq!(run(Ok(8)).await.unwrap(), Once::Duplicate);
    assert_eq!(run(Err("is not run")).await.unwrap(), Once::Duplicate);
    assert_eq!(runs.load(Ordering::Relaxed), 2);
}

/// DEL-15: a handler that was dropped, or has panicked, has not succeeded: the next delivery need not wait for its lease.
#[tokio::test]
async fn a_handler_that_does_not_come_to_its_end_gives_its_claim_back() {
    let (seen, key) = (Arc::new(InMemory::default()), key("whk_1", "evt_1"));
    let dropped = once(&*seen, &key, std::future::pending::<Result<(), ()>>()).now_or_never();
    assert!(dropped.is_none() && seen.is_empty(), "{dropped:?}");

    let (theirs, same) = (Arc::clone(&seen), key.clone());
    let bug = || -> Result<(), ()> { panic!("a bug") };
    let panicking = async move { once(&*theirs, &same, async { bug() }).await };
    assert!(tokio::spawn(panicking).await.unwrap_err().is_panic());

    assert_eq!(once(&*seen, &key, async { Ok::<_, ()>(7) }).await.unwrap(), Once::Handled(7));
    assert_eq!(once(&*seen, &key, async { Ok::<_, ()>(8) }).await.unwrap(), Once::Duplicate);
}

#[tokio::test]
async fn while_one_handles_it_another_does_not() {
    let (seen, key) = (InMemory::default(), key("whk_1", "evt_1"));
    let outer = once(&seen, &key, async { once(&seen, &key, async { Ok::<_, ()>(()) }).await });
    assert_eq!(outer.await.unwrap(), Once::Handled(Once::InProgress));
}

/// A handler that died must not lose its event.
#[test]
fn a_claim_without_a_report_lapses() {
    let (seen, start) = (InMemory::default(), Instant::now());
    let key = key("whk_1", "evt_1");
    let first = token(seen.claim_at(&key, start));
    assert_eq!(seen.claim_at(&key, start + DEFAULT_LEASE - Duration::from_millis(1)), Claim::InProgress);
    let second = token(seen.claim_at(&key, start + DEFAULT_LEASE));
    assert_ne!(first, second);
    seen.handled_at(&key, start);
    // Whoever reports a failure late: the delivery stays handled.
    seen.release(&key, first);
    seen.release(&key, second);
    assert_eq!(seen.claim_at(&key, start + DEFAULT_LEASE), Claim::Duplicate);
}

/// DEL-15: a handler that fails after its claim has lapsed does not free the claim of the one that runs now, or a third would
/// run beside it.
#[test]
fn a_late_failure_leaves_the_claim_of_the_next_holder() {
    let (seen, start) = (InMemory::default(), Instant::now());
    let key = key("whk_1", "evt_1");
    let first = token(seen.claim_at(&key, start));
    let second = token(seen.claim_at(&key, start + DEFAULT_LEASE));
    seen.release(&key, first);
    assert_eq!(seen.claim_at(&key, start + DEFAULT_LEASE), Claim::InProgress);
    seen.release(&key, second);
    assert!(is_granted(&seen.claim_at(&key, start + DEFAULT_LEASE)));
}

/// A token stays unequal to later ones although the store has forgotten its claim.
#[test]
fn a_late_failure_of_a_forgotten_claim_frees_nothing() {
    let (seen, now) = (InMemory::new(1, DEFAULT_TIME_TO_LIVE), Instant::now());
    let key_1 = key("whk_1", "evt_1");
    let first = token(seen.claim_at(&key_1, now));
    assert!(is_granted(&seen.claim_at(&key("whk_1", "evt_2"), now)));
    assert!(is_granted(&seen.claim_at(&key_1, now)));
    seen.release(&key_1, first);
    assert_eq!(seen.claim_at(&key_1, now), Claim::InProgress);
}

/// A store that remembers which claims were given back, and how.
#[derive(Default)]
struct Recorder {
    claims: AtomicUsize,
    given_back: Mutex<Vec<(&'static str, String)>>,
}

impl Deduplicator for Recorder {
    type Error = Infallible;
    type Token = String;
    async fn claim(&self, _: &DeliveryKey) -> Result<Claim<String>, Infallible> {
        Ok(Claim::Granted(format!("claim {}", self.claims.fetch_add(1, Ordering::Relaxed))))
    }
    async fn handled(&self, _: &DeliveryKey) -> Result<(), Infallible> {
        Ok(())
    }
    async fn failed(&self, _: &DeliveryKey, token: String) -> Result<(), Infallible> {
        self.given_back.lock().unwrap().push(("failed", token));
        Ok(())
    }
    fn dropped(&self, _: &DeliveryKey, token: String) {
        self.given_back.lock().unwrap().push(("dropped", token));
    }
}

/// DEL-15: the claim that is given back is the one that was granted, whatever others were granted meanwhile.
#[tokio::test]
async fn a_handler_gives_back_its_own_claim_and_no_other() {
    let (seen, key) = (Recorder::default(), key("whk_1", "evt_1"));
    let inner = async { once(&seen, &key, async { Err::<(), _>("inner") }).await };
    let outer = once(&seen, &key, async {
        assert!(inner.await.is_err());
        Err::<(), _>("outer")
    });
    assert!(matches!(outer.await, Err(OnceError::Handler("outer"))));
    assert!(once(&seen, &key, std::future::pending::<Result<(), ()>>()).now_or_never().is_none());
    assert_eq!(once(&seen, &key, async { Ok::<_, ()>(7) }).await.unwrap(), Once::Handled(7));
    let expected = [("failed", "claim 1"), ("failed", "claim 0"), ("dropped", "claim 2")];
    assert_eq!(*seen.given_back.lock().unwrap(), expected.map(|(how, token)| (how, token.to_owned())));
}

#[test]
fn a_claim_lapses_after_the_lease_that_was_asked_for() {
    let (seen, start) = (InMemory::default().lease(Duration::from_secs(5)), Instant::now());
    let key = key("whk_1", "evt_1");
    assert!(is_granted(&seen.claim_at(&key, start)));
    assert_eq!(seen.claim_at(&key, start + Duration::from_secs(4)), Claim::InProgress);
    assert!(is_granted(&seen.claim_at(&key, start + Duration::from_secs(5))));
}

/// Handled deliveries are remembered for longer than claims, so that older ones may hold when a newer claim lapses.
#[test]
fn a_claim_lapses_behind_an_older_delivery_that_is_still_remembered() {
    let (seen, start) = (InMemory::default(), Instant::now());
    let (older, newer) = (key("whk_1", "evt_1"), key("whk_1", "evt_2"));
    assert!(is_granted(&seen.claim_at(&older, start)));
    seen.handled_at(&older, start);
    assert!(is_granted(&seen.claim_at(&newer, start)));
    assert!(is_granted(&seen.claim_at(&newer, start + DEFAULT_LEASE)));
    assert_eq!(seen.claim_at(&older, start + DEFAULT_LEASE), Claim::Duplicate);
    assert!(!seen.is_empty());
}

#[test]
fn a_delivery_is_remembered_for_its_time_and_no_longer() {
    let (seen, start) = (InMemory::default(), Instant::now());
    for id in ["evt_1", "evt_2", "evt_3"] {
        assert!(is_granted(&seen.claim_at(&key("whk_1", id), start)));
        seen.handled_at(&key("whk_1", id), start);
    }
    let end = start + DEFAULT_TIME_TO_LIVE;
    assert_eq!(seen.claim_at(&key("whk_1", "evt_2"), end - Duration::from_millis(1)), Claim::Duplicate);
    assert_eq!(seen.len(), 3);
    assert!(is_granted(&seen.claim_at(&key("whk_1", "evt_2"), end)));
    assert_eq!(seen.len(), 1);
}

/// The longest time of all retries: 25,950 s of waiting and six attempts of at most 15 s (DEL-9, AMB-24).
#[test]
fn the_default_time_is_longer_than_all_retries() {
    assert!(DEFAULT_TIME_TO_LIVE > Duration::from_secs(25_950 + 6 * 15));
}

#[test]
fn no_more_than_the_capacity_is_remembered_and_the_oldest_go_first() {
    let (seen, now) = (InMemory::new(100, DEFAULT_TIME_TO_LIVE), Instant::now());
    for at in 0..10_000 {
        let key = key("whk_1", &format!("evt_{at}"));
        assert!(is_granted(&seen.claim_at(&key, now)));
        seen.handled_at(&key, now);
        assert!(seen.len() <= 100);
    }
    assert_eq!(seen.len(), 100);
    assert_eq!(seen.claim_at(&key("whk_1", "evt_9900"), now), Claim::Duplicate);
    assert!(is_granted(&seen.claim_at(&key("whk_1", "evt_9899"), now)));
    assert!(is_granted(&seen.claim_at(&key("whk_1", "evt_9900"), now)));
    let none = InMemory::new(0, DEFAULT_TIME_TO_LIVE);
    assert!(is_granted(&none.claim_at(&key("whk_1", "evt_1"), now)));
    assert_eq!(none.len(), 1);
}

/// A delivery is remembered as handled even if its claim was pushed out.
#[test]
fn what_has_been_handled_is_remembered_although_its_claim_had_to_go() {
    let (seen, now) = (InMemory::new(1, DEFAULT_TIME_TO_LIVE), Instant::now());
    assert!(seen.is_empty());
    assert!(is_granted(&seen.claim_at(&key("whk_1", "evt_1"), now)));
    assert!(is_granted(&seen.claim_at(&key("whk_1", "evt_2"), now)));
    seen.handled_at(&key("whk_1", "evt_1"), now);
    assert_eq!(seen.claim_at(&key("whk_1", "evt_1"), now), Claim::Duplicate);
    assert_eq!(seen.len(), 1);
}

/// Only one of many threads gets the claim of a delivery.
#[test]
fn a_claim_is_granted_to_one_alone() {
    let (seen, key) = (InMemory::default(), key("whk_1", "evt_1"));
    let (granted, now) = (AtomicUsize::new(0), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                if is_granted(&seen.claim_at(&key, now)) {
                    granted.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(granted.into_inner(), 1);
}

/// The trait can be implemented for a store of one's own, here an unavailable one.
#[tokio::test]
async fn a_store_that_fails_is_told_from_a_handler_that_does() {
    struct Away;
    impl Deduplicator for Away {
        type Error = &'static str;
        type Token = ();
        async fn claim(&self, _: &DeliveryKey) -> Result<Claim<()>, &'static str> {
            Ok(Claim::Granted(()))
        }
        async fn handled(&self, _: &DeliveryKey) -> Result<(), &'static str> {
            Err("away")
        }
        async fn failed(&self, _: &DeliveryKey, (): ()) -> Result<(), &'static str> {
            Err("away")
        }
    }
    let key = key("whk_1", "evt_1");
    assert!(matches!(once(&Away, &key, async { Ok::<_, ()>(()) }).await, Err(OnceError::Dedup("away"))));
    assert!(matches!(once(&Away, &key, async { Err::<(), _>("no") }).await, Err(OnceError::Handler("no"))));
}
