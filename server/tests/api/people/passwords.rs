//! Setting passwords.

use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::domain::people::passwords::{self, NeededProof, PasswordError};
use l10n_server::domain::people::sign_in;
use l10n_server::testing::TestStore;

use crate::people::fixtures::{PASSWORD, World, client};

both_engines!(
    a_session_by_link_sets_a_password_within_the_hour,
    a_session_by_password_needs_the_present_one,
    a_bad_password_changes_nothing
);

const NEW: &str = "a mule in the cellar";

/// Names the outcome in a word.
fn said(outcome: Result<(), PasswordError>) -> &'static str {
    match outcome {
        Ok(()) => "set",
        Err(PasswordError::OldNeeded) => "old needed",
        Err(PasswordError::TooLate) => "too late",
        Err(PasswordError::WrongOld) => "wrong",
        Err(PasswordError::TooMany { .. }) => "wait",
        Err(other) => panic!("{other}"),
    }
}

async fn a_session_by_link_sets_a_password_within_the_hour(store: TestStore) {
    let world = World::on(&store).await;
    let person = world.person("ada@example.com").await;
    let session = world.signed_in(&person).await.session;
    assert_eq!(passwords::needed_proof(world.people(), &session).await.unwrap(), NeededProof::None);
    assert_eq!(said(passwords::set(world.people(), &session, None, PASSWORD).await), "set");
    // She has forgotten it at once: the link still speaks for her.
    assert_eq!(said(passwords::set(world.people(), &session, None, NEW).await), "set");

    world.clock.advance(Duration::from_secs(3_600));
    let session = world.find(&world.signed_in(&person).await).await.unwrap();
    world.clock.advance(Duration::from_secs(3_600));
    assert_eq!(passwords::needed_proof(world.people(), &session).await.unwrap(), NeededProof::Password);
    assert_eq!(said(passwords::set(world.people(), &session, None, PASSWORD).await), "old needed");
    assert_eq!(said(passwords::set(world.people(), &session, Some(""), PASSWORD).await), "old needed");
    assert_eq!(said(passwords::set(world.people(), &session, Some(NEW), PASSWORD).await), "set");

    let other = world.person("eve@example.com").await;
    let late = world.signed_in(&other).await.session;
    world.clock.advance(Duration::from_secs(3_600));
    for old in [None, Some(NEW)] {
        assert_eq!(said(passwords::set(world.people(), &late, old, NEW).await), "too late", "the proof is too old");
    }
    assert_eq!(passwords::needed_proof(world.people(), &late).await.unwrap(), NeededProof::SignIn);
}

async fn a_session_by_password_needs_the_present_one(store: TestStore) {
    let world = World::on(&store).await;
    world.with_password("ada@example.com").await;
    let session = sign_in::with_password(world.people(), "ada@example.com", PASSWORD, &client("::1")).await.unwrap();
    let set = async |old| said(passwords::set(world.people(), &session.session, old, NEW).await);
    assert_eq!(passwords::needed_proof(world.people(), &session.session).await.unwrap(), NeededProof::Password);
    assert_eq!(set(None).await, "old needed");
    for _ in 0..9 {
        assert_eq!(set(Some("wrong password")).await, "wrong");
    }
    assert_eq!(set(Some(PASSWORD)).await, "set");
    assert_eq!(set(Some(PASSWORD)).await, "wrong", "it is another one now");
    for _ in 0..9 {
        assert_eq!(set(Some("wrong password")).await, "wrong");
    }
    assert_eq!(set(Some(NEW)).await, "wait");
    sign_in::with_password(world.people(), "ada@example.com", NEW, &client("::1")).await.unwrap();
    sign_in::with_password(world.people(), "ada@example.com", PASSWORD, &client("::1")).await.unwrap_err();
}

async fn a_bad_password_changes_nothing(store: TestStore) {
    let world = World::on(&store).await;
    let (_, session) = world.with_password("ada@example.com").await;
    for (bad, reason) in [("short", "at least 12"), ("qwertyuiop123", "too common"), (&*"é".repeat(200), "at most 256")]
    {
        let error = passwords::set(world.people(), &session.session, None, bad).await.unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
    sign_in::with_password(world.people(), "ada@example.com", PASSWORD, &client("::1")).await.unwrap();
}
