//! Memberships and roles.

use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::access::{Action, Role};
use l10n_server::domain::lifecycle::{self, LifecycleTarget};
use l10n_server::domain::people::members::{self, MemberError, MemberRole};
use l10n_server::domain::people::memberships;
use l10n_server::domain::people::{Person, users};
use l10n_server::store::memberships as rows;
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::people::fixtures::{World, operator};

both_engines!(
    a_person_finds_the_workspaces_of_which_they_are_a_member,
    what_a_person_is_no_member_of_is_not_there,
    an_archived_workspace_or_project_is_not_there,
    owners_change_roles_and_nobody_else_does,
    the_last_owner_stays,
    two_owners_who_remove_each_other_leave_one,
    a_translator_may_be_limited_to_languages,
    a_full_workspace_takes_nobody_in_and_still_changes_roles
);

async fn a_person_finds_the_workspaces_of_which_they_are_a_member(store: TestStore) {
    let world = World::on(&store).await;
    let ada = world.member("ada@example.com", Role::Reviewer).await;
    let found = memberships::workspaces(world.people(), &ada).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].handle.as_str(), found[0].role, &found[0].workspace),
        ("acme", Role::Reviewer, &world.workspace())
    );
    assert!(found[0].may(Action::Review) && !found[0].may(Action::Publish));
    let (project, membership) = memberships::in_project(world.people(), &ada, "acme", "app").await.unwrap().unwrap();
    assert_eq!((&project.id, &membership), (&world.project.id, &found[0]));
    assert_eq!(memberships::in_workspace(world.people(), &ada, "acme").await.unwrap().as_ref(), Some(&found[0]));
    let listed = members::list(world.people(), &world.workspace()).await.unwrap();
    assert_eq!((listed.len(), &listed[0].user_id, listed[0].created_at), (1, &ada.id, world.clock.now()));
}

async fn what_a_person_is_no_member_of_is_not_there(store: TestStore) {
    let world = World::on(&store).await;
    let ada = world.member("ada@example.com", Role::Owner).await;
    let stranger = world.person("eve@example.com").await;
    let other = world.other_project("unlimited").await;
    let operation = world.post("/operations").key(&world.project.keys.agent);
    let operation = operation.json(&json!({"kind": "publish", "target": "strings"})).send().await.json();
    let operation = operation["operationId"].as_str().unwrap();
    let sees = async |person: &Person, handle: &str, slug: &str| {
        memberships::in_project(world.people(), person, handle, slug).await.unwrap().is_some()
    };
    assert!(sees(&ada, "acme", "app").await);
    for (person, handle, slug) in [
        (&stranger, "acme", "app"),
        (&ada, &*other.handle, "app"),
        (&ada, "acme", "none"),
        (&ada, "none", "app"),
        (&ada, "ACME", "app"),
        (&ada, "acme\0", "app"),
        (&ada, "", ""),
    ] {
        assert!(!sees(person, handle, slug).await, "{handle}/{slug}");
    }
    assert!(memberships::in_workspace(world.people(), &stranger, "acme").await.unwrap().is_none());
    assert_eq!(memberships::workspaces(world.people(), &stranger).await.unwrap(), []);
    let of = async |person: &Person, id: &str| {
        memberships::of_operation(world.people(), person, id).await.unwrap().map(|(project, _)| project.slug)
    };
    assert_eq!(of(&ada, operation).await.as_deref(), Some("app"));
    assert_eq!(of(&stranger, operation).await, None);
    assert_eq!((of(&ada, "op_none").await, of(&ada, "no id").await), (None, None));
}

async fn an_archived_workspace_or_project_is_not_there(store: TestStore) {
    let world = World::on(&store).await;
    let ada = world.member("ada@example.com", Role::Owner).await;
    for subject in [LifecycleTarget::Project(&world.project.id), LifecycleTarget::Workspace(&world.project.workspace)] {
        let mut tx = world.service.store.begin_write().await.unwrap();
        lifecycle::archive(&mut tx, subject, world.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert!(memberships::in_project(world.people(), &ada, "acme", "app").await.unwrap().is_none());
        let is_workspace = matches!(subject, LifecycleTarget::Workspace(_));
        assert_eq!(memberships::in_workspace(world.people(), &ada, "acme").await.unwrap().is_none(), is_workspace);
        assert_eq!(memberships::workspaces(world.people(), &ada).await.unwrap().is_empty(), is_workspace);
        let mut tx = world.service.store.begin_write().await.unwrap();
        lifecycle::restore(&mut tx, subject, world.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert!(memberships::in_project(world.people(), &ada, "acme", "app").await.unwrap().is_some());
    }
}

async fn set(world: &World, by: &Person, member: &Person, role: Role) -> Result<(), String> {
    let to = MemberRole { role, languages: &[] };
    let changed = members::set_role(world.people(), by, &world.workspace(), &member.id, to, None).await;
    changed.map_err(|error| error.to_string())
}

async fn owners_change_roles_and_nobody_else_does(store: TestStore) {
    let world = World::on(&store).await;
    let owner = world.member("owner@example.com", Role::Owner).await;
    let manager = world.member("manager@example.com", Role::Manager).await;
    let stranger = world.person("eve@example.com").await;
    for by in [&manager, &stranger] {
        assert!(set(&world, by, &manager, Role::Owner).await.unwrap_err().contains("Only owners"));
        let removed = members::remove(world.people(), by, &world.workspace(), &owner.id).await;
        assert!(matches!(removed, Err(MemberError::NotAllowed)));
    }
    assert!(set(&world, &owner, &stranger, Role::Viewer).await.unwrap_err().contains("no member"));
    set(&world, &owner, &manager, Role::Viewer).await.unwrap();
    let seen = memberships::in_workspace(world.people(), &manager, "acme").await.unwrap().unwrap();
    assert_eq!(seen.role, Role::Viewer);
    members::remove(world.people(), &manager, &world.workspace(), &manager.id).await.unwrap();
    assert!(memberships::in_workspace(world.people(), &manager, "acme").await.unwrap().is_none());
    let gone = members::remove(world.people(), &owner, &world.workspace(), &manager.id).await;
    assert!(matches!(gone, Err(MemberError::Unknown)));
}

async fn the_last_owner_stays(store: TestStore) {
    let world = World::on(&store).await;
    let owner = world.member("owner@example.com", Role::Owner).await;
    let second = world.member("second@example.com", Role::Owner).await;
    let mut tx = world.service.store.begin_write().await.unwrap();
    users::disable(&mut tx, world.clock.now(), &operator(), "second@example.com").await.unwrap();
    tx.commit().await.unwrap();
    // One who cannot sign in is no owner to rely on.
    assert!(set(&world, &owner, &owner, Role::Manager).await.unwrap_err().contains("needs an owner"));
    let removed = members::remove(world.people(), &owner, &world.workspace(), &owner.id).await;
    assert!(matches!(removed, Err(MemberError::LastOwner)));
    set(&world, &owner, &second, Role::Viewer).await.unwrap();
    assert!(set(&world, &owner, &owner, Role::Viewer).await.is_err());
    let listed = members::list(world.people(), &world.workspace()).await.unwrap();
    assert_eq!(listed.iter().map(|member| member.role).collect::<Vec<_>>(), [Role::Owner, Role::Viewer]);
}

async fn two_owners_who_remove_each_other_leave_one(store: TestStore) {
    let world = World::on(&store).await;
    let one = world.member("one@example.com", Role::Owner).await;
    let other = world.member("other@example.com", Role::Owner).await;
    let (people, workspace) = (world.people(), world.workspace());
    let (first, second) = tokio::join!(
        members::remove(people, &one, &workspace, &other.id),
        members::remove(people, &other, &workspace, &one.id)
    );
    assert_eq!([first.is_ok(), second.is_ok()].iter().filter(|done| **done).count(), 1, "{first:?} {second:?}");
    assert_eq!(members::list(people, &workspace).await.unwrap().len(), 1);
}

async fn a_translator_may_be_limited_to_languages(store: TestStore) {
    let world = World::on(&store).await;
    let owner = world.member("owner@example.com", Role::Owner).await;
    let ada = world.member("ada@example.com", Role::Translator).await;
    let limit = async |role, languages: &[&str]| {
        let languages: Vec<String> = languages.iter().map(|code| (*code).to_owned()).collect();
        let to = MemberRole { role, languages: &languages };
        members::set_role(world.people(), &owner, &world.workspace(), &ada.id, to, None).await
    };
    limit(Role::Translator, &["pt_br", "de", "DE"]).await.unwrap();
    let seen = memberships::in_workspace(world.people(), &ada, "acme").await.unwrap().unwrap();
    assert_eq!(seen.languages.as_deref(), Some(&["pt-BR".to_owned(), "de".to_owned()][..]));
    assert!(seen.may_edit("de") && !seen.may_edit("fr"));
    assert!(matches!(limit(Role::Translator, &["../x"]).await, Err(MemberError::Languages(_))));
    limit(Role::Manager, &["de"]).await.unwrap();
    let seen = memberships::in_workspace(world.people(), &ada, "acme").await.unwrap().unwrap();
    assert!(seen.languages.is_none() && seen.may_edit("fr"), "a manager edits all");
    limit(Role::Viewer, &[]).await.unwrap();
    let seen = memberships::in_workspace(world.people(), &ada, "acme").await.unwrap().unwrap();
    assert!(!seen.may_edit("de"));
}

async fn a_full_workspace_takes_nobody_in_and_still_changes_roles(store: TestStore) {
    let world = World::on(&store).await;
    let ada = world.member("ada@example.com", Role::Viewer).await;
    let eve = world.person("eve@example.com").await;
    let (workspace, now) = (world.workspace(), world.clock.now());
    let mut tx = world.service.store.begin_write().await.unwrap();
    for number in 1..members::MOST_MEMBERS {
        let (other, _) = users::create(&mut tx, now, &format!("p{number}@example.com"), "").await.unwrap();
        rows::put(&mut tx, &workspace, &other.id, Role::Viewer, None, now).await.unwrap();
    }
    tx.commit().await.unwrap();
    let put = async |person: &Person, role| {
        let mut tx = world.service.store.begin_write().await.unwrap();
        let done = members::put(&mut tx, now, &operator(), &workspace, person, role).await;
        tx.commit().await.unwrap();
        done
    };
    assert!(matches!(put(&eve, Role::Viewer).await, Err(MemberError::TooMany)));
    put(&ada, Role::Owner).await.unwrap();
    let seen = memberships::in_workspace(world.people(), &ada, "acme").await.unwrap().unwrap();
    assert_eq!(seen.role, Role::Owner);
}
