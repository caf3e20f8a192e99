//! The audit log.

use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::audit::{self, ActorKind, AuditAction, AuditFilter};
use l10n_server::domain::people::invitations;
use l10n_server::domain::people::links::LinkValidity;
use l10n_server::domain::people::members::{self, MemberRole};
use l10n_server::testing::TestStore;
use l10n_server::workers::retention;
use secrecy::ExposeSecret as _;

use crate::people::fixtures::World;

both_engines!(
    changes_of_members_are_told_with_who_made_them,
    the_log_is_read_in_pages_and_by_filters,
    entries_are_kept_for_their_time
);

/// Actor, action, subject and detail of each entry, oldest first.
async fn told(world: &World) -> Vec<String> {
    let page = audit::list(world.people(), &world.workspace(), &AuditFilter::default(), 100).await.unwrap();
    let line = |entry: audit::AuditEntry| {
        let (subject, detail) = (entry.subject.unwrap_or_default(), entry.detail.unwrap_or_default());
        format!("{} {} {subject} {detail}", entry.actor, entry.action.as_str()).trim_end().to_owned()
    };
    page.entries.into_iter().rev().map(line).collect()
}

async fn changes_of_members_are_told_with_who_made_them(store: TestStore) {
    let world = World::on(&store).await;
    let owner = world.member("owner@example.com", Role::Owner).await;
    let workspace = world.workspace();
    let new =
        invitations::create(world.people(), &owner, &workspace, "ada@example.com", Role::Viewer, None).await.unwrap();
    let ada = world.person("ada@example.com").await;
    world.link(&ada, LinkValidity::Brief).await;
    let session = world.signed_in(&ada).await;
    invitations::accept(world.people(), &session.session, new.token.expose_secret()).await.unwrap();
    let languages = ["de".to_owned(), "fr".to_owned()];
    for _ in 0..2 {
        let to = MemberRole { role: Role::Translator, languages: &languages };
        members::set_role(world.people(), &owner, &workspace, &ada.id, to, None).await.unwrap();
    }
    members::remove(world.people(), &ada, &workspace, &ada.id).await.unwrap();
    let expected = [
        "root member_added owner@example.com owner",
        "owner@example.com invited ada@example.com viewer",
        "ada@example.com member_added ada@example.com viewer",
        "owner@example.com member_changed ada@example.com translator: de, fr",
        "ada@example.com member_removed ada@example.com",
    ];
    assert_eq!(told(&world).await, expected);
}

async fn the_log_is_read_in_pages_and_by_filters(store: TestStore) {
    let world = World::on(&store).await;
    let owner = world.member("owner@example.com", Role::Owner).await;
    let began = world.clock.now();
    for number in 0..7 {
        // Some of the same millisecond.
        world.clock.advance(Duration::from_millis(number % 2));
        let email = format!("{number}@example.com");
        invitations::create(world.people(), &owner, &world.workspace(), &email, Role::Viewer, None).await.unwrap();
    }
    let read = async |filter: AuditFilter| {
        let (mut filter, mut all) = (filter, Vec::new());
        loop {
            let page = audit::list(world.people(), &world.workspace(), &filter, 3).await.unwrap();
            assert!(page.entries.len() <= 3 && (page.next.is_none() || page.entries.len() == 3));
            all.extend(page.entries);
            match page.next {
                Some(next) => filter.cursor = Some(next),
                None => return all,
            }
        }
    };
    let all = read(AuditFilter::default()).await;
    let subjects: Vec<_> = all.iter().map(|entry| entry.subject.clone().unwrap()).collect();
    let expected: Vec<_> = (0..7).rev().map(|number| format!("{number}@example.com")).collect();
    assert_eq!(subjects[..7], expected);
    assert_eq!((all.len(), all[7].actor_kind, all[7].actor_id.as_deref()), (8, ActorKind::Operator, None));
    assert_eq!(all[0].actor_id.as_deref(), Some(owner.id.as_str()));

    let of = |actor: &str, action| AuditFilter { actor_id: Some(actor.to_owned()), action, ..AuditFilter::default() };
    assert_eq!(read(of(owner.id.as_str(), None)).await.len(), 7);
    assert_eq!(read(of(owner.id.as_str(), Some(AuditAction::Invited))).await.len(), 7);
    assert_eq!(read(of(owner.id.as_str(), Some(AuditAction::MemberAdded))).await, []);
    assert_eq!(read(of("usr_nobody", None)).await, []);
    let added = AuditFilter { action: Some(AuditAction::MemberAdded), ..AuditFilter::default() };
    assert_eq!(read(added).await.len(), 1);
    let second =
        AuditFilter { since: Some(began.plus_millis(1)), until: Some(began.plus_millis(2)), ..AuditFilter::default() };
    let within: Vec<_> = read(second).await.into_iter().map(|entry| entry.subject.unwrap()).collect();
    assert_eq!(within, ["2@example.com", "1@example.com"]);
    for wrong in ["", "x", "1", "1-", "-aud_1", "1-a b"] {
        let filter = AuditFilter { cursor: Some(wrong.to_owned()), ..AuditFilter::default() };
        audit::list(world.people(), &world.workspace(), &filter, 3).await.unwrap_err();
    }
    let other = world.other_project("unlimited").await;
    let page = audit::list(world.people(), &other.workspace, &AuditFilter::default(), 3).await.unwrap();
    assert_eq!((page.entries.len(), page.next), (0, None), "another workspace has its own");
}

async fn entries_are_kept_for_their_time(store: TestStore) {
    let world = World::on(&store).await;
    world.member("owner@example.com", Role::Owner).await;
    world.clock.advance(Duration::from_secs(400 * 86_400));
    retention::sweep(&world.service).await.unwrap();
    assert_eq!(told(&world).await.len(), 1);
    world.clock.advance(Duration::from_millis(1));
    retention::sweep(&world.service).await.unwrap();
    assert_eq!(told(&world).await, Vec::<String>::new());
}
