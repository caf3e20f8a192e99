//! Members of a workspace, without script.

use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::audit::{self, AuditFilter};
use l10n_server::domain::people::{invitations, members};
use l10n_server::testing::TestStore;

use crate::support::{PASSWORD, Site, Visitor};

both_engines!(
    everybody_sees_the_members_and_owners_manage_them,
    an_owner_changes_a_role_and_its_languages,
    an_owner_removes_a_member_at_once,
    the_last_owner_is_neither_removed_nor_demoted,
    owners_who_demote_each_other_at_once_leave_one,
    a_role_that_somebody_has_changed_meanwhile_is_not_undone,
    invitations_of_who_may_invite_no_more_are_withdrawn,
    a_member_leaves,
    what_no_invitation_has_is_refused_beside_its_field,
    an_invitation_goes_on_after_the_password_was_asked_for,
    an_invitation_is_withdrawn_once,
    open_invitations_are_limited,
    people_of_another_workspace_are_not_there,
    members_come_in_pages_with_when_they_were_last_seen,
    the_list_after_a_late_withdrawal_leads_to_its_next_page,
    names_are_shown_and_never_interpreted,
);

const MEMBERS: &str = "/dashboard/@acme/-/members";

/// Actions and subjects of the log, oldest first, without those of the fixtures.
async fn told(site: &Site) -> Vec<String> {
    let page = audit::list(site.service.people(), &site.project.workspace, &AuditFilter::default(), 100).await.unwrap();
    let by_people = page.entries.into_iter().rev().filter(|entry| entry.actor != "root");
    by_people
        .map(|entry| format!("{} {} {}", entry.actor, entry.action.as_str(), entry.subject.unwrap_or_default()))
        .collect()
}

async fn roles(site: &Site) -> Vec<(String, Role)> {
    let listed = members::list(site.service.people(), &site.project.workspace).await.unwrap();
    listed.into_iter().map(|member| (member.email, member.role)).collect()
}

async fn everybody_sees_the_members_and_owners_manage_them(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    let form = owner.get(MEMBERS).await.html().form("/-/members").set("email", "new@example.com");
    owner.send(form).await.says("It is shown only once.");
    for role in [Role::Viewer, Role::Translator, Role::Reviewer, Role::Manager] {
        let mut visitor = site.as_role(role).await;
        let page = visitor.get(MEMBERS).await;
        page.says("owner@example.com").says("Last seen").says("You");
        assert!(!page.text().contains("new@example.com"), "who is invited is the owners' business");
        assert!(
            page.html().actions().iter().all(|action| !action.contains("/-/members")),
            "{:?}",
            page.html().actions()
        );
        assert!(page.html().links.iter().all(|link| !link.contains("/-/members/usr_")));
        let before = roles(&site).await;
        for (path, fields) in [
            (MEMBERS.to_owned(), vec![("email", "eve@example.com"), ("role", "owner")]),
            (format!("{MEMBERS}/withdraw"), vec![("invitation", "inv_1")]),
            (format!("{MEMBERS}/usr_1/role"), vec![("role", "owner")]),
            (format!("{MEMBERS}/usr_1/remove"), vec![]),
        ] {
            assert_eq!(visitor.post(&path, &fields).await.status, 403, "{path}");
        }
        assert_eq!(roles(&site).await, before);
    }
    owner.get(MEMBERS).await.says("new@example.com").says("viewer@example.com").says("Invite a person");
}

async fn an_owner_changes_a_role_and_its_languages(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Viewer).await;
    let mut owner = site.as_role(Role::Owner).await;
    let path = format!("{MEMBERS}/{}", ada.id);
    let form = owner.get(&path).await.html().form("/role");
    assert_eq!(form.value("role"), Some("viewer"));
    let wrong = owner.send(form.clone().set("role", "translator").set("languages", "de, ../x")).await;
    assert_eq!((wrong.status, wrong.html().form("/role").value("languages")), (422, Some("de, ../x")));
    assert_eq!(owner.post(&format!("{path}/role"), &[("role", "root")]).await.status, 422);
    owner.send(form.set("role", "translator").set("languages", "de; pt_br")).await.says("The role was saved.");
    let page = owner.get(MEMBERS).await;
    page.says("Translator").says("de, pt-BR");
    let form = owner.get(&path).await.html().form("/role");
    assert_eq!((form.value("role"), form.value("languages")), (Some("translator"), Some("de, pt-BR")));
    assert_eq!(told(&site).await, ["owner@example.com member_changed ada@example.com"]);
}

async fn an_owner_removes_a_member_at_once(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Manager).await;
    let mut hers = site.signed_in(&ada).await;
    assert_eq!(hers.get("/dashboard/@acme").await.status, 200);
    let mut owner = site.as_role(Role::Owner).await;
    let form = owner.get(&format!("{MEMBERS}/{}", ada.id)).await.html().form("/remove");
    owner.send(form.clone()).await.says("The person is no longer a member.");
    assert_eq!(hers.get("/dashboard/@acme").await.status, 404);
    assert_eq!(owner.send(form).await.status, 404, "the same form once more");
    assert_eq!(told(&site).await, ["owner@example.com member_removed ada@example.com"]);
}

async fn the_last_owner_is_neither_removed_nor_demoted(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Owner).await;
    let mut owner = site.signed_in(&ada).await;
    let page = owner.get(&format!("{MEMBERS}/{}", ada.id)).await.html();
    let leave = owner.get(&format!("{MEMBERS}/leave")).await.html().form("/leave").check("sure", "yes");
    for form in [page.form("/role").set("role", "manager"), page.form("/remove"), leave] {
        let refused = owner.send(form).await;
        assert_eq!(refused.status, 422);
        refused.says("A workspace needs an owner.");
    }
    assert_eq!(roles(&site).await, [("ada@example.com".to_owned(), Role::Owner)]);
    assert_eq!(told(&site).await, Vec::<String>::new());
}

async fn owners_who_demote_each_other_at_once_leave_one(store: TestStore) {
    let site = Site::on(&store).await;
    let people = [site.member("a@example.com", Role::Owner).await, site.member("b@example.com", Role::Owner).await];
    let (mut a, mut b) = (site.signed_in(&people[0]).await, site.signed_in(&people[1]).await);
    let path = |of: usize| format!("{MEMBERS}/{}", people[of].id);
    let (to_b, to_a) = (path(1), path(0));
    let of_a = a.get(&to_b).await.html().form("/role").set("role", "viewer");
    let of_b = b.get(&to_a).await.html().form("/role").set("role", "viewer");
    let (one, other) = tokio::join!(a.send(of_a), b.send(of_b));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 403], "whoever comes second is no owner any more");
    assert_eq!(roles(&site).await.iter().filter(|(_, role)| *role == Role::Owner).count(), 1);
}

async fn a_role_that_somebody_has_changed_meanwhile_is_not_undone(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Viewer).await;
    let mut owner = site.as_role(Role::Owner).await;
    let path = format!("{MEMBERS}/{}", ada.id);
    let form = owner.get(&path).await.html().form("/role");
    let limited = form.clone().set("role", "translator").set("languages", "de, fr");
    owner.send(limited.clone()).await.says("The role was saved.");
    // The same once more undoes nothing.
    owner.send(limited).await.says("The role was saved.");
    let faulty = owner.send(form.clone().set("role", "reviewer").set("languages", "../x")).await;
    assert_eq!(faulty.status, 422);
    for form in [form.set("role", "reviewer"), faulty.html().form("/role").set("languages", "")] {
        let late = owner.send(form).await;
        assert_eq!(late.status, 409);
        late.says("Somebody has changed the role meanwhile.").says("de, fr");
        assert!(roles(&site).await.contains(&("ada@example.com".to_owned(), Role::Translator)));
    }
    // The languages alone, too; and a form that does not say what was shown.
    let form = owner.get(&path).await.html().form("/role");
    owner.send(form.clone().set("languages", "de")).await.says("The role was saved.");
    assert_eq!(owner.send(form.clone().set("role", "reviewer")).await.status, 409);
    assert_eq!(owner.post(&format!("{path}/role"), &[("role", "viewer")]).await.status, 409);
    let late = owner.send(form.set("role", "reviewer")).await;
    let again = late.html().form("/role");
    assert_eq!(again.value("role"), Some("reviewer"), "what was chosen is kept");
    owner.send(again).await.says("The role was saved.");
    assert!(roles(&site).await.contains(&("ada@example.com".to_owned(), Role::Reviewer)));
}

async fn invitations_of_who_may_invite_no_more_are_withdrawn(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    let invite = async |visitor: &mut Visitor<'_>, email: &str| {
        let page = visitor.post(MEMBERS, &[("email", email), ("role", "owner")]).await;
        let link =
            page.html().tags.into_iter().flat_map(|(_, attributes)| attributes).find(|(name, _)| name == "data-copy");
        let (_, link) = link.unwrap();
        link[link.find("/dashboard/invite/").unwrap()..].to_owned()
    };
    let kept = invite(&mut owner, "kept@example.com").await;
    // One is removed, one is demoted, one leaves, and one is demoted by the operator.
    let mut links = Vec::new();
    for name in ["removed", "demoted", "leaves", "operated"] {
        let person = site.member(&format!("{name}@example.com"), Role::Owner).await;
        let mut theirs = site.signed_in(&person).await;
        links.push((name, invite(&mut theirs, &format!("of-{name}@example.com")).await));
        match name {
            "removed" => {
                let form = theirs.get("/dashboard/@acme/app/settings/keys/new").await.html().form("/keys/new");
                let made = theirs.send(form.set("label", "Hers").check("scope", "read")).await;
                made.says("Copy the key now.");
                let page = owner.get(&format!("{MEMBERS}/{}", person.id)).await;
                page.says("the invitations that they made stop working");
                page.says("1 API key that they created goes on working");
                owner.send(page.html().form("/remove")).await.says("The person is no longer a member.");
            }
            "demoted" => {
                let page = owner.get(&format!("{MEMBERS}/{}", person.id)).await;
                owner.send(page.html().form("/role").set("role", "manager")).await.says("The role was saved.");
            }
            "leaves" => {
                let form = theirs.get(&format!("{MEMBERS}/leave")).await.html().form("/leave").check("sure", "yes");
                theirs.send(form).await.says("You have left the workspace.");
            }
            _ => {
                site.member(&person.email, Role::Viewer).await;
            }
        }
    }
    for (name, link) in &links {
        site.stranger().get(link).await.says("This invitation cannot be used");
        let withdrawn = format!("invitation_withdrawn of-{name}@example.com");
        let by =
            audit::list(site.service.people(), &site.project.workspace, &AuditFilter::default(), 100).await.unwrap();
        let mut entries = by
            .entries
            .iter()
            .map(|entry| format!("{} {}", entry.action.as_str(), entry.subject.as_deref().unwrap_or_default()));
        assert!(entries.any(|entry| entry == withdrawn), "{withdrawn}");
    }
    site.stranger().get(&kept).await.says("kept@example.com");
    let open = invitations::list(site.service.people(), &site.project.workspace).await.unwrap();
    assert_eq!(open.iter().map(|one| one.email.as_str()).collect::<Vec<_>>(), ["kept@example.com"]);
}

async fn a_member_leaves(store: TestStore) {
    let site = Site::on(&store).await;
    site.member("owner@example.com", Role::Owner).await;
    let mut viewer = site.as_role(Role::Viewer).await;
    let page = viewer.get(&format!("{MEMBERS}/leave")).await;
    page.says("You lose access to the workspace");
    let form = page.html().form("/leave");
    let unsure = viewer.send(form.clone()).await;
    assert_eq!(unsure.status, 422);
    unsure.says("Tick the box if you want to leave.");
    viewer.send(form.check("sure", "yes")).await.says("You have left the workspace.");
    assert_eq!(viewer.get(MEMBERS).await.status, 404);
    assert_eq!(told(&site).await, ["viewer@example.com member_removed viewer@example.com"]);
}

async fn what_no_invitation_has_is_refused_beside_its_field(store: TestStore) {
    let site = Site::on(&store).await;
    site.member("ada@example.com", Role::Viewer).await;
    let mut owner = site.as_role(Role::Owner).await;
    let long = format!("{}@example.com", "x".repeat(250));
    for (email, role, languages, words) in [
        ("", "viewer", "", "Fill in this field."),
        (long.as_str(), "viewer", "", "Enter at most 254 characters."),
        ("no address", "viewer", "", "Enter an address of the form"),
        ("a\u{7}@example.com", "viewer", "", "Remove control characters"),
        ("a\u{202e}@example.com", "viewer", "", "Enter an address of the form"),
        ("new@example.com", "", "", "Choose a role."),
        ("new@example.com", "root", "", "Choose a role."),
        ("new@example.com", "translator", "de, <b>", "`<b>` is not a BCP 47 language tag"),
        (" ADA@example.com ", "viewer", "", "This person is a member already."),
    ] {
        let fields = [("email", email), ("role", role), ("languages", languages)];
        let page = owner.post(MEMBERS, &fields).await;
        assert_eq!(page.status, 422, "{fields:?}");
        page.says(words);
        assert_eq!(page.html().form("/-/members").value("email"), Some(email), "what was typed is kept");
    }
    assert_eq!(invitations::list(site.service.people(), &site.project.workspace).await.unwrap(), []);
    assert_eq!(told(&site).await, Vec::<String>::new());
}

async fn an_invitation_goes_on_after_the_password_was_asked_for(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Owner).await;
    site.give_password(&ada).await;
    let mut owner = site.signed_in(&ada).await;
    let form =
        owner.get(MEMBERS).await.html().form("/-/members").set("email", "new@example.com").set("role", "manager");
    site.clock.advance(Duration::from_secs(60 * 60 + 1));
    let asked = owner.send(form).await;
    assert_eq!(asked.status, 403);
    let form = asked.html().form("/-/members").set("frame-confirm-password", "wrong password");
    let wrong = owner.send(form).await;
    assert_eq!(wrong.status, 422);
    let form = wrong.html().form("/-/members").set("frame-confirm-password", PASSWORD);
    owner.send(form).await.says("Invitation for new@example.com").says("Manager");
}

async fn an_invitation_is_withdrawn_once(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    let fields = [("email", "new@example.com"), ("role", "viewer")];
    assert!(!owner.post(MEMBERS, &fields).await.text().contains("An earlier invitation"));
    owner.post(MEMBERS, &fields).await.says("An earlier invitation for this address no longer works.");
    let form = owner.get(MEMBERS).await.html().form("/withdraw");
    owner.send(form.clone()).await.says("The invitation was withdrawn.");
    let again = owner.send(form).await;
    assert_eq!(again.status, 409);
    again.says("this invitation has been accepted or withdrawn");
    for wrong in ["", "inv_none", "%00", "'"] {
        assert_eq!(owner.post(&format!("{MEMBERS}/withdraw"), &[("invitation", wrong)]).await.status, 409);
    }
    let expected = ["invited", "invited", "invitation_withdrawn"];
    assert_eq!(told(&site).await, expected.map(|what| format!("owner@example.com {what} new@example.com")));
}

async fn open_invitations_are_limited(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    let ada = site.member("ada@example.com", Role::Owner).await;
    let (people, workspace) = (site.service.people(), &site.project.workspace);
    for number in 0..invitations::MOST_INVITATIONS {
        let email = format!("{number}@example.com");
        invitations::create(people, &ada, workspace, &email, Role::Viewer, None).await.unwrap();
    }
    let page = owner.post(MEMBERS, &[("email", "new@example.com"), ("role", "viewer")]).await;
    assert_eq!(page.status, 422);
    page.says("200 invitations are open, which is the limit.");
    assert!(!page.text().contains("/invite/"), "no link is made");
    // An address that has one already takes no further place.
    owner.post(MEMBERS, &[("email", "0@example.com"), ("role", "viewer")]).await.says("It is shown only once.");
}

async fn people_of_another_workspace_are_not_there(store: TestStore) {
    let site = Site::on(&store).await;
    let other = site.other_project("unlimited").await;
    let eve = site.member_of(&other, "eve@example.com", Role::Viewer).await;
    let of_other = site.member_of(&other, "boss@example.com", Role::Owner).await;
    let new =
        invitations::create(site.service.people(), &of_other, &other.workspace, "x@example.com", Role::Viewer, None);
    let new = new.await.unwrap();
    let mut owner = site.as_role(Role::Owner).await;
    let path = format!("{MEMBERS}/{}", eve.id);
    assert_eq!(owner.get(&path).await.status, 404);
    for (form, fields) in [("role", vec![("role", "viewer")]), ("remove", vec![])] {
        assert_eq!(owner.post(&format!("{path}/{form}"), &fields).await.status, 404, "{form}");
    }
    let id = new.invitation.id.as_str();
    assert_eq!(owner.post(&format!("{MEMBERS}/withdraw"), &[("invitation", id)]).await.status, 409);
    let listed = members::list(site.service.people(), &other.workspace).await.unwrap();
    assert_eq!(listed.len(), 2);
    assert_eq!(invitations::list(site.service.people(), &other.workspace).await.unwrap().len(), 1);
}

async fn members_come_in_pages_with_when_they_were_last_seen(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Owner).await;
    for number in 0..50 {
        site.member(&format!("m{number:02}@example.com"), Role::Viewer).await;
    }
    let mut owner = site.signed_in(&ada).await;
    let first = owner.get(MEMBERS).await;
    first.says("m48@example.com").says("Never");
    assert!(!first.text().contains("m49@example.com"));
    let next = first.html().links.into_iter().find(|link| link.contains("after=")).unwrap();
    let second = owner.get(&next).await;
    second.says("m49@example.com");
    assert!(!second.text().contains("m48@example.com"));
    for odd in ["%00", "zzz", "%ff", "'"] {
        assert_eq!(owner.get(&format!("{MEMBERS}?after={odd}")).await.status, 200);
    }
    // A visit is noted at most once an hour.
    let seen = async || {
        let found = members::find(site.service.people(), &site.project.workspace, &ada.id).await.unwrap();
        found.unwrap().seen_at
    };
    let noted = seen().await;
    assert_eq!(noted, Some(site.clock.now()));
    site.clock.advance(Duration::from_secs(59 * 60));
    owner.get("/dashboard/@acme").await;
    assert_eq!(seen().await, noted);
    site.clock.advance(Duration::from_secs(60));
    owner.get("/dashboard/@acme/app/versions").await;
    assert_eq!(seen().await, Some(site.clock.now()));
}

async fn the_list_after_a_late_withdrawal_leads_to_its_next_page(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    for number in 0..50 {
        site.member(&format!("m{number:02}@example.com"), Role::Viewer).await;
    }
    let late = owner.post(&format!("{MEMBERS}/withdraw"), &[("invitation", "inv_none")]).await;
    assert_eq!(late.status, 409);
    let next = late.html().links.into_iter().find(|link| link.contains("after=")).unwrap();
    let second = owner.get(&next).await;
    assert_eq!(second.status, 200, "{next}");
    second.says("owner@example.com");
}

async fn names_are_shown_and_never_interpreted(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    for (email, name) in [
        ("<img>@example.com", "<script>alert(1)</script>"),
        ("\"onload=x@example.com", "\"><svg onload=alert(1)>"),
        ("&amp;@example.com", "'&lt;"),
    ] {
        let person = site.member(email, Role::Viewer).await;
        l10n_server::domain::people::users::rename(site.service.people(), &person, name).await.unwrap();
        let invited = format!("other{email}");
        let made = owner.post(MEMBERS, &[("email", &invited), ("role", "viewer")]).await;
        made.says(&invited);
        let pages = [made, owner.get(MEMBERS).await, owner.get(&format!("{MEMBERS}/{}", person.id)).await];
        for page in pages {
            let html = page.html();
            assert!(html.tags.iter().all(|(tag, _)| tag != "img"), "{email}");
            assert_eq!(html.tags.iter().filter(|(tag, _)| tag == "script").count(), 1, "{email}");
            let mut names = html.tags.iter().flat_map(|(_, attributes)| attributes).map(|(name, _)| name.as_str());
            assert!(names.all(|name| !name.starts_with("on")), "{email}");
        }
        owner.get(MEMBERS).await.says(name).says(email);
    }
}
