//! The page that an invitation leads to, without script.

use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::members;
use l10n_server::testing::TestStore;

use crate::support::{PASSWORD, Site, Visited, Visitor};

both_engines!(
    a_new_person_sets_a_password_and_is_a_member,
    a_person_with_an_account_signs_in_and_comes_back,
    the_page_does_not_tell_whether_there_is_an_account,
    somebody_else_signs_out_first,
    a_link_that_was_used_withdrawn_or_is_too_old_says_so,
    what_no_account_has_is_refused_beside_its_field,
    two_who_use_a_link_at_once_make_one_account,
    a_form_that_comes_without_its_session_changes_nothing,
);

const MEMBERS: &str = "/dashboard/@acme/-/members";

/// The path of the link that the page shows.
fn link(page: &Visited) -> String {
    let tags = page.html().tags;
    let mut attributes = tags.iter().flat_map(|(_, attributes)| attributes);
    let (_, url) = attributes.find(|(name, _)| name == "data-copy").unwrap();
    url[url.find("/dashboard/invite/").unwrap()..].to_owned()
}

async fn invited(owner: &mut Visitor<'_>, email: &str, role: &str) -> String {
    let page = owner.post(MEMBERS, &[("email", email), ("role", role), ("languages", "")]).await;
    page.says("It is shown only once.").says("in 7 days");
    link(&page)
}

async fn a_new_person_sets_a_password_and_is_a_member(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    let path = invited(&mut owner, "Ada@example.com", "translator").await;
    assert!(!owner.get(MEMBERS).await.text().contains("/invite/"), "the link is shown once");
    let mut ada = site.stranger();
    let page = ada.get(&path).await;
    page.says("owner@example.com invites you").says("acme").says("Translator").says("ada@example.com");
    let form = page.html().form("/invite/").set("name", "Ada").set("new-password", PASSWORD);
    let there = ada.send(form).await;
    assert_eq!((there.status, there.path.as_str()), (200, "/dashboard/@acme?done=workspace.joined"));
    there.says("You are a member of this workspace now.").says("Translator");
    ada.get("/dashboard").await.says("Hello, Ada");
    let mut later = site.stranger();
    let form = later.get("/dashboard/login").await.html().form("/login");
    later.send(form.set("frame-email", "ada@example.com").set("frame-password", PASSWORD)).await.says("Hello, Ada");
    owner.get(MEMBERS).await.says("Ada").says("Translator");
}

async fn a_person_with_an_account_signs_in_and_comes_back(store: TestStore) {
    let site = Site::on(&store).await;
    let other = site.other_project("unlimited").await;
    let ada = site.member_of(&other, "ada@example.com", Role::Viewer).await;
    site.give_password(&ada).await;
    let mut owner = site.as_role(Role::Owner).await;
    let path = invited(&mut owner, "ada@example.com", "manager").await;
    let mut visitor = site.stranger();
    let login = visitor.get(&path).await.html().links.into_iter().find(|link| link.contains("/login?")).unwrap();
    let form = visitor.get(&login).await.html().form("/login").set("frame-email", "ada@example.com");
    let back = visitor.send(form.set("frame-password", PASSWORD)).await;
    assert_eq!(back.path, path);
    back.says("You are signed in as ada@example.com.");
    let form = back.html().form("/invite/");
    visitor.send(form.clone()).await.says("You are a member of this workspace now.").says("Manager");
    let again = visitor.send(form).await;
    assert_eq!(again.status, 403);
    again.says("This invitation cannot be used");
    assert_eq!(visitor.get("/dashboard/@acme").await.status, 200);
}

async fn the_page_does_not_tell_whether_there_is_an_account(store: TestStore) {
    let site = Site::on(&store).await;
    let other = site.other_project("unlimited").await;
    site.member_of(&other, "here@example.com", Role::Viewer).await;
    let mut owner = site.as_role(Role::Owner).await;
    let mut said = Vec::new();
    for email in ["here@example.com", "none@example.com"] {
        let path = invited(&mut owner, email, "viewer").await;
        let mut stranger = site.stranger();
        let page = stranger.get(&path).await;
        // Nor does an attempt that makes no account.
        let form = page.html().form("/invite/").set("name", "Eve").set("new-password", "short");
        let refused = stranger.send(form).await;
        assert_eq!(refused.status, 422);
        said.push([page, refused].map(|page| page.html().text.replace(email, "")));
    }
    assert_eq!(said[0], said[1]);
    // Who tries to make a second account is told.
    let path = invited(&mut owner, "here@example.com", "viewer").await;
    let mut stranger = site.stranger();
    let form = stranger.get(&path).await.html().form("/invite/").set("name", "Eve").set("new-password", PASSWORD);
    let refused = stranger.send(form).await;
    assert_eq!((refused.status, stranger.cookie("__Host-l10n")), (422, None));
    refused.says("This address has an account.");
    assert_eq!(stranger.get(&path).await.status, 200, "the invitation is still good");
}

async fn somebody_else_signs_out_first(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    let path = invited(&mut owner, "ada@example.com", "viewer").await;
    let page = owner.get(&path).await;
    page.says("You are signed in as owner@example.com.").says("The invitation is for another address.");
    // Neither accepting nor making an account works for somebody who is signed in as another.
    for fields in [vec![], vec![("name", "Ada"), ("new-password", PASSWORD)]] {
        assert_eq!(owner.post(&path, &fields).await.status, 403);
    }
    let out = owner.send(page.html().form("/sign-out")).await;
    assert_eq!((out.status, out.path.as_str(), owner.cookie("__Host-l10n")), (200, path.as_str(), None));
    out.says("You are new here");
    // A link that is not good signs nobody out.
    let mut viewer = site.as_role(Role::Viewer).await;
    assert_eq!(viewer.post("/dashboard/invite/none/sign-out", &[]).await.status, 403);
    assert_eq!(viewer.get("/dashboard").await.path, "/dashboard");
}

async fn a_link_that_was_used_withdrawn_or_is_too_old_says_so(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    let replaced = invited(&mut owner, "ada@example.com", "viewer").await;
    let withdrawn = invited(&mut owner, "ada@example.com", "viewer").await;
    let form = owner.get(MEMBERS).await.html().form("/withdraw");
    owner.send(form).await;
    let used = invited(&mut owner, "ada@example.com", "viewer").await;
    let fields = [("name", "Ada"), ("new-password", PASSWORD)];
    assert_eq!(site.stranger().post(&used, &fields).await.status, 200);
    let old = invited(&mut owner, "late@example.com", "viewer").await;
    site.clock.advance(Duration::from_secs(7 * 24 * 60 * 60));
    let guessed = format!("/dashboard/invite/{}", "A".repeat(43));
    let mut said = Vec::new();
    for path in [replaced, withdrawn, used, old, guessed, "/dashboard/invite/x".to_owned()] {
        let mut stranger = site.stranger();
        for page in [stranger.get(&path).await, stranger.post(&path, &fields).await] {
            assert_eq!(page.status, 403, "{path}");
            said.push(page.html().text);
        }
        assert_eq!(stranger.cookie("__Host-l10n"), None);
    }
    said.dedup();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("This invitation cannot be used"), "{said:?}");
}

async fn what_no_account_has_is_refused_beside_its_field(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    let path = invited(&mut owner, "ada@example.com", "viewer").await;
    let long = "x".repeat(101);
    let mut stranger = site.stranger();
    for (name, password, words) in [
        ("", PASSWORD, "Fill in this field."),
        (long.as_str(), PASSWORD, "Enter at most 100 characters."),
        ("a\u{7}b", PASSWORD, "Remove control characters"),
        ("a\u{202e}b", PASSWORD, "single line"),
        ("Ada", "", "Fill in this field."),
        ("Ada", "short", "Enter at least 12 characters."),
        ("Ada", "passwordpassword", "Choose another one."),
        ("Ada", &"é".repeat(129), "Enter at most 256 bytes."),
    ] {
        let page = stranger.post(&path, &[("name", name), ("new-password", password)]).await;
        assert_eq!(page.status, 422, "{name} {password}");
        page.says(words);
        let form = page.html().form("/invite/");
        assert_eq!((form.value("name"), form.value("new-password")), (Some(name), Some("")), "no secret is sent back");
    }
    assert_eq!(members::list(site.service.people(), &site.project.workspace).await.unwrap().len(), 1);
}

async fn two_who_use_a_link_at_once_make_one_account(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    let path = invited(&mut owner, "ada@example.com", "viewer").await;
    let (mut one, mut other) = (site.stranger(), site.stranger());
    let fields = [("name", "Ada"), ("new-password", PASSWORD)];
    let (first, second) = tokio::join!(one.post(&path, &fields), other.post(&path, &fields));
    assert_eq!([first.status, second.status].iter().filter(|status| **status == 200).count(), 1);
    assert!([first.status, second.status].iter().all(|status| matches!(status, 200 | 403 | 422)));
    let sessions = [&one, &other].iter().filter(|visitor| visitor.cookie("__Host-l10n").is_some()).count();
    assert_eq!(sessions, 1);
}

async fn a_form_that_comes_without_its_session_changes_nothing(store: TestStore) {
    let site = Site::on(&store).await;
    let other = site.other_project("unlimited").await;
    let ada = site.member_of(&other, "ada@example.com", Role::Viewer).await;
    let mut owner = site.as_role(Role::Owner).await;
    let path = invited(&mut owner, "ada@example.com", "viewer").await;
    let mut visitor = site.signed_in(&ada).await;
    let form = visitor.get(&path).await.html().form("/invite/");
    let account = visitor.get("/dashboard/account").await.html();
    visitor.clone().send(account.form("end-all")).await;
    let page = visitor.send(form).await;
    assert_eq!(page.status, 403);
    page.says("Sign in");
    assert_eq!(members::list(site.service.people(), &site.project.workspace).await.unwrap().len(), 1);
}
