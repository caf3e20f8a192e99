//! Proofs of who somebody is.

use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::people::links::LinkValidity;
use l10n_server::domain::people::sign_in::{self, SignInError};
use l10n_server::domain::people::users;
use l10n_server::testing::TestStore;
use l10n_server::workers::expired;

use crate::people::fixtures::{PASSWORD, World, client, operator};

both_engines!(
    a_link_signs_in_once_and_for_fifteen_minutes,
    a_link_for_a_developer_is_good_until_it_is_used_or_replaced,
    the_right_password_signs_in_whatever_the_capitals_of_the_address,
    unknown_account_wrong_password_and_disabled_person_are_one_answer,
    an_account_takes_ten_failures_in_fifteen_minutes,
    an_address_takes_fifty_failures_whatever_the_account,
    attempts_at_the_same_moment_do_not_get_past_the_limit,
    a_success_forgets_the_failures_of_the_account,
    confirming_counts_its_own_failures
);

const MINUTE: Duration = Duration::from_secs(60);

/// One attempt: `in`, `wrong`, or the whole seconds to wait.
async fn attempt(world: &World, email: &str, password: &str, address: &str) -> String {
    match sign_in::with_password(world.people(), email, password, &client(address)).await {
        Ok(session) => {
            assert_eq!(session.session.person.email, email.to_lowercase());
            "in".to_owned()
        }
        Err(SignInError::Wrong) => "wrong".to_owned(),
        Err(SignInError::TooMany { wait }) => wait.as_secs().to_string(),
        Err(SignInError::Service(error)) => error.to_string(),
    }
}

async fn a_link_signs_in_once_and_for_fifteen_minutes(store: TestStore) {
    let world = World::on(&store).await;
    let person = world.person("ada@example.com").await;
    let late = world.link(&person, LinkValidity::Brief).await;
    world.clock.advance(15 * MINUTE);
    assert!(!sign_in::is_good_link(world.people(), &late).await.unwrap());
    assert!(sign_in::with_link(world.people(), &late, &client("203.0.113.1")).await.unwrap().is_none());

    let (replaced, token) =
        (world.link(&person, LinkValidity::Brief).await, world.link(&person, LinkValidity::Brief).await);
    assert!(sign_in::with_link(world.people(), &replaced, &client("203.0.113.1")).await.unwrap().is_none());
    world.clock.advance(15 * MINUTE - Duration::from_millis(1));
    assert!(sign_in::is_good_link(world.people(), &token).await.unwrap());
    let session = sign_in::with_link(world.people(), &token, &client("203.0.113.1")).await.unwrap().unwrap();
    assert_eq!((&session.session.person, session.session.user_agent.as_str()), (&person, "Test/1.0"));
    assert!(session.session.is_confirmed(world.clock.now()));
    assert!(sign_in::with_link(world.people(), &token, &client("203.0.113.1")).await.unwrap().is_none());
    for wrong in ["", "x", &token[1..], &"A".repeat(43)] {
        assert!(sign_in::with_link(world.people(), wrong, &client("203.0.113.1")).await.unwrap().is_none(), "{wrong}");
    }
}

async fn a_link_for_a_developer_is_good_until_it_is_used_or_replaced(store: TestStore) {
    let world = World::on(&store).await;
    let person = world.person("ada@example.com").await;
    let token = world.link(&person, LinkValidity::UntilUsed).await;
    world.clock.advance(Duration::from_secs(400 * 86_400));
    expired::sweep(&world.service).await.unwrap();
    let next = world.link(&person, LinkValidity::UntilUsed).await;
    assert!(sign_in::with_link(world.people(), &token, &client("::1")).await.unwrap().is_none());
    assert!(sign_in::with_link(world.people(), &next, &client("::1")).await.unwrap().is_some());
    assert!(sign_in::with_link(world.people(), &next, &client("::1")).await.unwrap().is_none());
}

async fn the_right_password_signs_in_whatever_the_capitals_of_the_address(store: TestStore) {
    let world = World::on(&store).await;
    world.with_password("ada@example.com").await;
    assert_eq!(attempt(&world, "Ada@Example.COM", PASSWORD, "203.0.113.1").await, "in");
    assert_eq!(attempt(&world, "ada@example.com", &PASSWORD.to_uppercase(), "203.0.113.1").await, "wrong");
    assert_eq!(attempt(&world, "ada@example.com", &format!("{PASSWORD} "), "203.0.113.1").await, "wrong");
}

async fn unknown_account_wrong_password_and_disabled_person_are_one_answer(store: TestStore) {
    let world = World::on(&store).await;
    world.with_password("ada@example.com").await;
    world.person("without.password@example.com").await;
    world.with_password("gone@example.com").await;
    let mut tx = world.service.store.begin_write().await.unwrap();
    assert!(users::disable(&mut tx, world.clock.now(), &operator(), "gone@example.com").await.unwrap());
    assert!(!users::disable(&mut tx, world.clock.now(), &operator(), "gone@example.com").await.unwrap());
    tx.commit().await.unwrap();
    let long = "x".repeat(100_000);
    for (email, password) in [
        ("ada@example.com", "not her password"),
        ("ada@example.com", ""),
        ("ada@example.com", long.as_str()),
        ("nobody@example.com", PASSWORD),
        ("without.password@example.com", ""),
        ("gone@example.com", PASSWORD),
        ("no address", PASSWORD),
        ("", ""),
        (long.as_str(), "x"),
    ] {
        assert_eq!(attempt(&world, email, password, "203.0.113.1").await, "wrong", "{}", &email[..email.len().min(40)]);
    }
    let mut tx = world.service.store.begin_write().await.unwrap();
    assert!(users::enable(&mut tx, world.clock.now(), &operator(), "gone@example.com").await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(attempt(&world, "gone@example.com", PASSWORD, "203.0.113.1").await, "in");
}

async fn an_account_takes_ten_failures_in_fifteen_minutes(store: TestStore) {
    let world = World::on(&store).await;
    // Another process counts with this one.
    let beside = world.beside(&store).await;
    world.with_password("ada@example.com").await;
    for email in ["ada@example.com", "nobody@example.com"] {
        for number in 0..10 {
            world.clock.advance(MINUTE);
            // Each from elsewhere.
            assert_eq!(attempt(&world, email, "wrong password", &format!("198.51.100.{number}")).await, "wrong");
        }
        // Nine minutes after the first, whoever asks and with which password: it is not looked at.
        assert_eq!(attempt(&world, email, PASSWORD, "203.0.113.1").await, "360");
        world.clock.advance(6 * MINUTE - Duration::from_millis(1));
        let refused = sign_in::with_password(beside.service.people(), email, PASSWORD, &client("203.0.113.1")).await;
        assert!(matches!(refused, Err(SignInError::TooMany { wait }) if wait == Duration::from_millis(1)));
        world.clock.advance(Duration::from_millis(1));
        let now = attempt(&world, email, PASSWORD, "203.0.113.1").await;
        assert_eq!(now, if email.starts_with("ada") { "in" } else { "wrong" });
    }
}

/// An IPv6 client is its network.
async fn an_address_takes_fifty_failures_whatever_the_account(store: TestStore) {
    let world = World::on(&store).await;
    world.with_password("ada@example.com").await;
    for number in 0..50 {
        let address = format!("2001:db8:0:1::{number:x}");
        assert_eq!(attempt(&world, &format!("{number}@example.com"), "wrong password", &address).await, "wrong");
    }
    assert_eq!(attempt(&world, "ada@example.com", PASSWORD, "2001:db8:0:1:ffff::").await, "900");
    assert_eq!(attempt(&world, "ada@example.com", PASSWORD, "2001:db8:0:2::1").await, "in");
    world.clock.advance(15 * MINUTE);
    assert_eq!(attempt(&world, "ada@example.com", PASSWORD, "2001:db8:0:1::1").await, "in");
    expired::sweep(&world.service).await.unwrap();
}

async fn attempts_at_the_same_moment_do_not_get_past_the_limit(store: TestStore) {
    let world = World::on(&store).await;
    world.with_password("ada@example.com").await;
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..40 {
        let service = world.service.clone();
        tasks.spawn(async move {
            let client = client(&format!("198.51.100.{number}"));
            sign_in::with_password(service.people(), "ada@example.com", "wrong password", &client).await
        });
    }
    let outcomes = tasks.join_all().await;
    let wrong = outcomes.iter().filter(|outcome| matches!(outcome, Err(SignInError::Wrong))).count();
    let later = outcomes.iter().filter(|outcome| matches!(outcome, Err(SignInError::TooMany { .. }))).count();
    assert_eq!((wrong, later), (10, 30), "{outcomes:?}");
}

async fn a_success_forgets_the_failures_of_the_account(store: TestStore) {
    let world = World::on(&store).await;
    world.with_password("ada@example.com").await;
    for _ in 0..3 {
        for _ in 0..9 {
            assert_eq!(attempt(&world, "ada@example.com", "wrong password", "203.0.113.1").await, "wrong");
        }
        assert_eq!(attempt(&world, "ada@example.com", PASSWORD, "203.0.113.1").await, "in");
    }
    // Those of the address stay: 27 of 50.
    for number in 0..23 {
        assert_eq!(attempt(&world, &format!("{number}@example.com"), "wrong", "203.0.113.1").await, "wrong");
    }
    assert_eq!(attempt(&world, "ada@example.com", PASSWORD, "203.0.113.1").await, "900");
}

/// A stranger at the sign-in page cannot keep a person who has a session from confirming.
async fn confirming_counts_its_own_failures(store: TestStore) {
    let world = World::on(&store).await;
    let (_, session) = world.with_password("ada@example.com").await;
    for _ in 0..10 {
        attempt(&world, "ada@example.com", "wrong password", "203.0.113.1").await;
    }
    world.clock.advance(Duration::from_secs(1));
    let session = world.find(&session).await.unwrap();
    let confirmed = sign_in::confirm(world.people(), &session, PASSWORD).await.unwrap();
    assert_eq!(confirmed.confirmed_at, Some(world.clock.now()));
    for _ in 0..10 {
        let wrong = sign_in::confirm(world.people(), &session, "wrong password").await;
        assert!(matches!(wrong, Err(SignInError::Wrong)), "{wrong:?}");
    }
    let wait = sign_in::confirm(world.people(), &session, PASSWORD).await;
    assert!(matches!(wait, Err(SignInError::TooMany { .. })), "{wait:?}");
}
