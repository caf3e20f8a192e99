//! Sessions: their length and what ends them.

use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::people::links::LinkValidity;
use l10n_server::domain::people::{passwords, sessions, sign_in, users};
use l10n_server::testing::TestStore;
use l10n_server::workers::expired;
use secrecy::ExposeSecret as _;

use crate::people::fixtures::{PASSWORD, World, client, operator};

both_engines!(
    a_session_ends_after_fourteen_days_without_use,
    a_session_ends_after_thirty_days_however_much_it_is_used,
    the_use_of_a_session_is_noted_once_a_minute,
    a_disabled_person_has_no_session,
    people_end_their_sessions_one_by_one_or_all_at_once,
    a_person_has_fifty_sessions_at_most,
    only_the_hash_of_a_token_is_stored
);

const DAY: Duration = Duration::from_secs(86_400);

async fn a_session_ends_after_fourteen_days_without_use(store: TestStore) {
    let world = World::on(&store).await;
    let person = world.person("ada@example.com").await;
    let session = world.signed_in(&person).await;
    world.clock.advance(14 * DAY - Duration::from_millis(1));
    assert!(world.find(&session).await.is_some());
    world.clock.advance(14 * DAY - Duration::from_millis(1));
    assert!(world.find(&session).await.is_some(), "its use counts");
    let idle = world.signed_in(&person).await;
    world.clock.advance(14 * DAY);
    assert!(world.find(&idle).await.is_none());
    assert_eq!(sessions::list(world.people(), &person).await.unwrap(), []);
    expired::sweep(&world.service).await.unwrap();
    world.clock.advance(Duration::ZERO);
    assert!(world.find(&idle).await.is_none());
}

async fn a_session_ends_after_thirty_days_however_much_it_is_used(store: TestStore) {
    let world = World::on(&store).await;
    let person = world.person("ada@example.com").await;
    let session = world.signed_in(&person).await;
    for _ in 0..29 {
        world.clock.advance(DAY);
        assert!(world.find(&session).await.is_some());
        expired::sweep(&world.service).await.unwrap();
    }
    world.clock.advance(DAY - Duration::from_millis(1));
    assert!(world.find(&session).await.is_some());
    world.clock.advance(Duration::from_millis(1));
    assert!(world.find(&session).await.is_none());
    expired::sweep(&world.service).await.unwrap();
    assert_eq!(sessions::end_all(world.people(), &person).await.unwrap(), 0, "the sweep has deleted it");
}

async fn the_use_of_a_session_is_noted_once_a_minute(store: TestStore) {
    let world = World::on(&store).await;
    let session = world.signed_in(&world.person("ada@example.com").await).await;
    let began = world.clock.now();
    world.clock.advance(Duration::from_millis(59_999));
    world.find(&session).await.unwrap();
    assert_eq!(world.find(&session).await.unwrap().seen_at, began);
    let later = world.clock.advance(Duration::from_millis(1));
    world.find(&session).await.unwrap();
    assert_eq!(world.find(&session).await.unwrap().seen_at, later);
}

async fn a_disabled_person_has_no_session(store: TestStore) {
    let world = World::on(&store).await;
    let (person, session) = world.with_password("ada@example.com").await;
    let link = world.link(&person, LinkValidity::UntilUsed).await;
    let mut tx = world.service.store.begin_write().await.unwrap();
    users::disable(&mut tx, world.clock.now(), &operator(), &person.email).await.unwrap();
    tx.commit().await.unwrap();
    assert!(world.find(&session).await.is_none());
    assert!(sign_in::with_link(world.people(), &link, &client("::1")).await.unwrap().is_none());
    let mut tx = world.service.store.begin_write().await.unwrap();
    users::sign_in_link(&mut tx, world.clock.now(), &operator(), &person.email, LinkValidity::Brief).await.unwrap_err();
    users::enable(&mut tx, world.clock.now(), &operator(), &person.email).await.unwrap();
    tx.commit().await.unwrap();
    assert!(world.find(&session).await.is_none(), "what has ended does not come back");
}

async fn people_end_their_sessions_one_by_one_or_all_at_once(store: TestStore) {
    let world = World::on(&store).await;
    let (person, first) = world.with_password("ada@example.com").await;
    let (stranger, of_stranger) = world.with_password("eve@example.com").await;
    let second = sign_in::with_password(world.people(), "ada@example.com", PASSWORD, &client("::1")).await.unwrap();
    let third = sign_in::with_password(world.people(), "ada@example.com", PASSWORD, &client("::1")).await.unwrap();
    assert_ne!(first.token.expose_secret(), second.token.expose_secret());
    let listed: Vec<_> = sessions::list(world.people(), &person).await.unwrap().into_iter().map(|one| one.id).collect();
    assert_eq!(listed, [&third, &second, &first].map(|session| session.session.id.clone()));

    sessions::end(world.people(), &first.session).await.unwrap();
    assert!(world.find(&first).await.is_none());
    assert!(!sessions::end_one(world.people(), &stranger, &second.session.id).await.unwrap(), "it is another person's");
    assert!(sessions::end_one(world.people(), &person, &second.session.id).await.unwrap());
    assert!(world.find(&second).await.is_none());
    assert!(world.find(&third).await.is_some());

    let fourth = sign_in::with_password(world.people(), "ada@example.com", PASSWORD, &client("::1")).await.unwrap();
    passwords::set(world.people(), &fourth.session, Some(PASSWORD), "a mule in the cellar").await.unwrap();
    assert!(world.find(&third).await.is_none(), "a new password ends the others");
    assert!(world.find(&fourth).await.is_some());
    assert_eq!(sessions::end_all(world.people(), &person).await.unwrap(), 1);
    assert!(world.find(&fourth).await.is_none());
    assert!(world.find(&of_stranger).await.is_some());
}

async fn a_person_has_fifty_sessions_at_most(store: TestStore) {
    let world = World::on(&store).await;
    let person = world.person("ada@example.com").await;
    let first = world.signed_in(&person).await;
    for _ in 0..49 {
        world.signed_in(&person).await;
    }
    assert!(world.find(&first).await.is_some());
    let last = world.signed_in(&person).await;
    assert!(world.find(&first).await.is_none());
    assert!(world.find(&last).await.is_some());
    assert_eq!(sessions::list(world.people(), &person).await.unwrap().len(), 50);
}

async fn only_the_hash_of_a_token_is_stored(store: TestStore) {
    let world = World::on(&store).await;
    let session = world.signed_in(&world.person("ada@example.com").await).await;
    let token = session.token.expose_secret();
    assert_eq!(token.len(), 43);
    assert!(!format!("{session:?}").contains(token));
    let mut tx = world.service.store.begin_read().await.unwrap();
    let sql = "SELECT token_hash FROM sessions";
    let stored: Vec<u8> = match &mut tx {
        l10n_server::store::Tx::Sqlite(tx) => sqlx::query_scalar(sql).fetch_one(&mut **tx).await.unwrap(),
        l10n_server::store::Tx::Postgres(tx) => sqlx::query_scalar(sql).fetch_one(&mut **tx).await.unwrap(),
    };
    assert_eq!(stored, <sha2::Sha256 as sha2::Digest>::digest(token).to_vec());
}
