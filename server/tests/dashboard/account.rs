//! The account of a person, without script.

use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::testing::TestStore;

use crate::support::{PASSWORD, Site};

both_engines!(
    a_person_changes_name_password_and_looks,
    a_password_that_cannot_be_one_is_refused_beside_its_field,
    sessions_are_listed_and_ended,
    who_has_no_password_and_signed_in_long_ago_is_told_what_to_do,
);

async fn a_person_changes_name_password_and_looks(store: TestStore) {
    let site = Site::on(&store).await;
    let mut visitor = site.as_role(Role::Viewer).await;
    let page = visitor.get("/dashboard/account").await;
    let form = page.html().form("/account/name");
    assert_eq!(form.value("name"), Some("viewer"));
    let saved = visitor.send(form.set("name", "Ada \u{202e}Lovelace")).await;
    assert_eq!(saved.status, 422, "characters that change others are refused");
    assert_eq!(saved.html().form("/account/name").value("name"), Some("Ada \u{202e}Lovelace"));
    let form = saved.html().form("/account/name").set("name", "Ada Lovelace");
    visitor.send(form).await.says("Your name was saved.").says("Ada Lovelace");

    let form = page.html().form("/account/password").set("new-password", PASSWORD);
    visitor.send(form).await.says("The password was saved.");
    let mut other = site.stranger();
    let login = other.get("/dashboard/login").await.html().form("/login").set("frame-email", "viewer@example.com");
    other.send(login.set("frame-password", PASSWORD)).await.says("Hello, Ada Lovelace");
    // A session that did not begin with a link needs the present password.
    let form = other.get("/dashboard/account").await.html().form("/account/password");
    let form = form.set("new-password", "another pony in the attic");
    other.send(form.clone()).await.says("Enter your password.");
    other.send(form.clone().set("old-password", "wrong password")).await.says("The password is wrong.");
    other.send(form.set("old-password", PASSWORD)).await.says("The password was saved.");
    assert_eq!(visitor.get("/dashboard").await.path, "/dashboard/login", "other sessions have ended");

    let form = other.get("/dashboard/account").await.html().form("/account/looks");
    let page = other.send(form.set("language", "en-XA").set("scheme", "dark")).await;
    assert!(page.text().contains("lang=\"en-XA\"") && page.text().contains("data-scheme=\"dark\""), "{}", page.text());
    assert!(page.html().text.contains('['), "the pseudo language brackets its texts");
    assert!(page.text().contains("data-shortcuts"));

    // Another browser shows the same, whatever its cookie says.
    let person = site.member("viewer@example.com", Role::Viewer).await;
    let mut elsewhere = site.stranger();
    elsewhere.set_cookie("l10n-looks", "light.en.");
    assert!(elsewhere.get("/dashboard/login").await.text().contains("data-scheme=\"light\""));
    let token = site.link(&person).await;
    let page = elsewhere.get(&format!("/dashboard/login/{token}")).await;
    let home = elsewhere.send(page.html().form("/login/")).await;
    assert!(home.text().contains("lang=\"en-XA\"") && home.text().contains("data-scheme=\"dark\""), "{}", home.text());
    let form = elsewhere.get("/dashboard/account").await.html().form("/account/looks");
    assert_eq!((form.value("shortcuts"), form.value("scheme")), (Some("yes"), Some("dark")));
    let page = elsewhere.post("/dashboard/account/looks", &[("language", ""), ("scheme", "pink")]).await;
    assert!(page.text().contains("data-scheme=\"system\"") && !page.text().contains("data-shortcuts"));
    let there = other.get("/dashboard/account").await;
    assert!(there.text().contains("lang=\"en\"") && there.html().form("/account/looks").value("shortcuts").is_none());
}

async fn a_password_that_cannot_be_one_is_refused_beside_its_field(store: TestStore) {
    let site = Site::on(&store).await;
    let mut visitor = site.as_role(Role::Viewer).await;
    for (password, words) in [
        ("", "Fill in this field."),
        ("short", "Enter at least 12 characters."),
        ("passwordpassword", "Choose another one."),
        (&"é".repeat(129), "Enter at most 256 bytes."),
    ] {
        let form = visitor.get("/dashboard/account").await.html().form("/account/password");
        let page = visitor.send(form.set("new-password", password)).await;
        assert_eq!(page.status, 422, "{password}");
        page.says(words);
        assert!(password.is_empty() || !page.text().contains(&format!("\"{password}\"")), "a secret is not sent back");
    }
}

async fn sessions_are_listed_and_ended(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Viewer).await;
    let (mut here, mut there, mut third) =
        (site.signed_in(&ada).await, site.signed_in(&ada).await, site.signed_in(&ada).await);
    let page = here.get("/dashboard/account").await;
    page.says("This browser").says("Unknown browser");
    let ends = page.html().actions().iter().filter(|action| action.ends_with("/sessions/end")).count();
    assert_eq!(ends, 2, "not for this browser");
    here.send(page.html().form("/sessions/end")).await.says("The session was ended.");
    let open = [there.get("/dashboard").await.path, third.get("/dashboard").await.path];
    assert_eq!(open.iter().filter(|path| *path == "/dashboard").count(), 1, "{open:?}");
    // Another person's session, or none, ends nothing.
    let mut other = site.as_role(Role::Owner).await;
    for id in ["ses_none", "", "%00"] {
        assert_eq!(other.post("/dashboard/account/sessions/end", &[("session", id)]).await.status, 200);
    }
    let form = here.get("/dashboard/account").await.html().form("end-all");
    here.send(form).await.says("You are signed out everywhere.");
    for visitor in [&mut here, &mut there, &mut third] {
        assert_eq!(visitor.get("/dashboard").await.path, "/dashboard/login");
    }
    assert_eq!(other.get("/dashboard").await.path, "/dashboard");
}

async fn who_has_no_password_and_signed_in_long_ago_is_told_what_to_do(store: TestStore) {
    const TOO_LATE: &str =
        "You signed in more than an hour ago. Sign out, then ask somebody who runs this server for a new link.";
    const MEMBERS: &str = "/dashboard/@acme/-/members";
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Owner).await;
    let mut visitor = site.signed_in(&ada).await;
    let password =
        visitor.get("/dashboard/account").await.html().form("/account/password").set("new-password", PASSWORD);
    let invite = visitor.get(MEMBERS).await.html().form(MEMBERS).set("email", "new@example.com");
    site.clock.advance(Duration::from_secs(61 * 60));

    // The home page leads her here.
    visitor.get("/dashboard").await.says("Set a password");
    let page = visitor.get("/dashboard/account").await;
    page.says(TOO_LATE);
    assert!(!page.html().has_form("/account/password"), "no form is offered that does nothing");
    let refused = visitor.send(password.clone()).await;
    assert_eq!(refused.status, 422);
    refused.says(TOO_LATE);
    assert!(!refused.text().contains("Enter your password."), "there is none, and no field for it");
    let asked = visitor.send(invite.clone()).await;
    assert_eq!(asked.status, 403);
    asked.says("Confirm that it is you").says(TOO_LATE);
    assert!(!asked.text().contains("frame-confirm-password") && !asked.html().has_form(MEMBERS));
    let guessed = visitor.post(MEMBERS, &[("email", "new@example.com"), ("frame-confirm-password", PASSWORD)]).await;
    assert_eq!(guessed.status, 403);

    // She does what the page says.
    let out = visitor.get("/dashboard").await.html().form("/logout");
    visitor.send(out).await.says("You are signed out.");
    let mut visitor = site.signed_in(&ada).await;
    visitor.send(password).await.says("The password was saved.");
    visitor.send(invite).await.says("It is shown only once.");
}
