//! Invitations.

use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::invitations::{self, AcceptError, InviteError, IssuedInvitation};
use l10n_server::domain::people::members::MemberError;
use l10n_server::domain::people::passwords::PasswordError;
use l10n_server::domain::people::{Person, members, memberships, sign_in, users};
use l10n_server::testing::TestStore;
use l10n_server::workers::expired;
use secrecy::ExposeSecret as _;

use crate::people::fixtures::{PASSWORD, World, client, operator};

both_engines!(
    an_invitation_makes_an_account_and_a_member_once,
    a_person_with_an_account_accepts_signed_in_with_that_address,
    an_invitation_ends_after_seven_days_or_when_it_is_withdrawn,
    only_owners_invite_and_nobody_twice,
    the_operators_word_takes_an_account_from_whoever_made_it_by_an_invitation
);

async fn invite(world: &World, by: &Person, email: &str, role: Role) -> Result<IssuedInvitation, InviteError> {
    invitations::create(world.people(), by, &world.workspace(), email, role, None).await
}

async fn an_invitation_makes_an_account_and_a_member_once(store: TestStore) {
    let world = World::on(&store).await;
    let owner = world.member("owner@example.com", Role::Owner).await;
    let new = invite(&world, &owner, "Ada@example.com", Role::Translator).await.unwrap();
    let token = new.token.expose_secret();
    let open = invitations::find(world.people(), token).await.unwrap().unwrap();
    assert_eq!((open.invitation.email.as_str(), open.invitation.handle.as_str()), ("ada@example.com", "acme"));
    assert_eq!((open.invitation.invited_by.as_str(), open.has_account), ("owner@example.com", false));
    let accept = async |name, password| {
        invitations::accept_with_account(world.people(), token, name, password, &client("::1")).await
    };
    assert!(matches!(accept("Ada", "short").await, Err(AcceptError::Password(PasswordError::TooShort))));
    assert!(matches!(accept("A\nda", PASSWORD).await, Err(AcceptError::Name(_))));
    let (one, other) = tokio::join!(accept("Ada", PASSWORD), accept("Eve", "another password"));
    let (session, membership) = match (one, other) {
        (Ok(joined), Err(AcceptError::Gone | AcceptError::HasAccount))
        | (Err(AcceptError::Gone | AcceptError::HasAccount), Ok(joined)) => joined,
        other => panic!("{other:?}"),
    };
    assert_eq!((membership.handle.as_str(), membership.role), ("acme", Role::Translator));
    let found = memberships::in_workspace(world.people(), &session.session.person, "acme").await.unwrap();
    assert_eq!(found, Some(membership));
    assert!(world.find(&session).await.is_some());
    assert!(matches!(accept("Ada", PASSWORD).await, Err(AcceptError::Gone)));
    assert_eq!(invitations::list(world.people(), &world.workspace()).await.unwrap(), []);
}

async fn a_person_with_an_account_accepts_signed_in_with_that_address(store: TestStore) {
    let world = World::on(&store).await;
    let owner = world.member("owner@example.com", Role::Owner).await;
    let (ada, session) = world.with_password("ada@example.com").await;
    let (_, of_stranger) = world.with_password("eve@example.com").await;
    let new = invite(&world, &owner, "ada@example.com", Role::Manager).await.unwrap();
    let token = new.token.expose_secret();
    let made = invitations::accept_with_account(world.people(), token, "Eve", PASSWORD, &client("::1")).await;
    assert!(matches!(made, Err(AcceptError::HasAccount)));
    let other = invitations::accept(world.people(), &of_stranger.session, token).await;
    assert!(matches!(other, Err(AcceptError::OtherAddress(email)) if email == "ada@example.com"));
    let membership = invitations::accept(world.people(), &session.session, token).await.unwrap();
    assert_eq!(membership.role, Role::Manager);
    let again = invitations::accept(world.people(), &session.session, token).await;
    assert!(matches!(again, Err(AcceptError::Gone)));
    assert_eq!(memberships::workspaces(world.people(), &ada).await.unwrap(), [membership]);
}

async fn an_invitation_ends_after_seven_days_or_when_it_is_withdrawn(store: TestStore) {
    let world = World::on(&store).await;
    let owner = world.member("owner@example.com", Role::Owner).await;
    let viewer = world.member("viewer@example.com", Role::Viewer).await;
    let late = invite(&world, &owner, "late@example.com", Role::Viewer).await.unwrap();
    world.clock.advance(Duration::from_secs(7 * 86_400));
    assert!(invitations::find(world.people(), late.token.expose_secret()).await.unwrap().is_none());
    expired::sweep(&world.service).await.unwrap();

    let replaced = invite(&world, &owner, "ada@example.com", Role::Viewer).await.unwrap();
    let new = invite(&world, &owner, "ada@example.com", Role::Reviewer).await.unwrap();
    assert!(invitations::find(world.people(), replaced.token.expose_secret()).await.unwrap().is_none());
    let listed = invitations::list(world.people(), &world.workspace()).await.unwrap();
    assert_eq!(listed.first(), Some(&new.invitation));
    let (workspace, id) = (world.workspace(), &new.invitation.id);
    let refused = invitations::withdraw(world.people(), &viewer, &workspace, id).await;
    assert!(matches!(refused, Err(MemberError::NotAllowed)));
    let elsewhere = world.other_project("unlimited").await;
    let foreign = invitations::withdraw(world.people(), &owner, &elsewhere.workspace, id).await;
    assert!(matches!(foreign, Err(MemberError::NotAllowed)));
    assert!(invitations::withdraw(world.people(), &owner, &workspace, id).await.unwrap());
    assert!(!invitations::withdraw(world.people(), &owner, &workspace, id).await.unwrap());
    assert!(invitations::find(world.people(), new.token.expose_secret()).await.unwrap().is_none());
    assert!(invitations::find(world.people(), "no token").await.unwrap().is_none());
}

async fn only_owners_invite_and_nobody_twice(store: TestStore) {
    let world = World::on(&store).await;
    let owner = world.member("owner@example.com", Role::Owner).await;
    let manager = world.member("manager@example.com", Role::Manager).await;
    assert!(matches!(invite(&world, &manager, "a@example.com", Role::Viewer).await, Err(InviteError::NotAllowed)));
    assert!(matches!(invite(&world, &owner, "no address", Role::Viewer).await, Err(InviteError::Email(_))));
    assert!(matches!(invite(&world, &owner, "Manager@example.com", Role::Owner).await, Err(InviteError::Member)));
    for number in 0..200 {
        invite(&world, &owner, &format!("{number}@example.com"), Role::Viewer).await.unwrap();
    }
    assert!(matches!(invite(&world, &owner, "201@example.com", Role::Viewer).await, Err(InviteError::TooMany)));
    invite(&world, &owner, "7@example.com", Role::Viewer).await.unwrap();
}

/// Whoever invites can use the link alone. An account that was made so belongs to nobody's address for sure.
async fn the_operators_word_takes_an_account_from_whoever_made_it_by_an_invitation(store: TestStore) {
    let world = World::on(&store).await;
    let owner = world.member("owner@example.com", Role::Owner).await;
    let new = invite(&world, &owner, "victim@example.com", Role::Viewer).await.unwrap();
    let token = new.token.expose_secret();
    let (session, _) =
        invitations::accept_with_account(world.people(), token, "", PASSWORD, &client("::1")).await.unwrap();
    assert_eq!(session.session.person.name, "victim");
    let victim = world.member("victim@example.com", Role::Owner).await;
    assert_eq!(victim.id, session.session.person.id);
    assert!(world.find(&session).await.is_none());
    sign_in::with_password(world.people(), "victim@example.com", PASSWORD, &client("::1")).await.unwrap_err();
    // From now on the account is the person's own.
    let own = world.signed_in(&victim).await;
    let mut tx = world.service.store.begin_write().await.unwrap();
    users::create(&mut tx, world.clock.now(), "victim@example.com", "A Victim").await.unwrap();
    members::put(&mut tx, world.clock.now(), &operator(), &world.workspace(), &victim, Role::Viewer).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(world.find(&own).await.unwrap().person.name, "A Victim");
}
