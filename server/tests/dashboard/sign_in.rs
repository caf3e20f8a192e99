//! Signing in and out, without script.

use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::testing::TestStore;

use crate::support::{PASSWORD, Site};

both_engines!(
    a_person_signs_in_comes_back_to_the_page_and_signs_out,
    an_unknown_address_and_a_wrong_password_say_the_same,
    a_link_is_used_by_its_button_and_once,
    nobody_is_led_to_another_site_after_signing_in,
    a_form_goes_on_after_the_session_has_ended,
    too_many_failures_say_how_long_to_wait,
    over_plain_http_the_cookie_has_another_name,
);

async fn a_person_signs_in_comes_back_to_the_page_and_signs_out(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Viewer).await;
    site.give_password(&ada).await;
    let mut visitor = site.stranger();
    let login = visitor.get("/dashboard/@acme?after=a").await;
    assert_eq!(login.path, "/dashboard/login?next=%2Fdashboard%2F%40acme%3Fafter%3Da");
    let form = login.html().form("/login").set("frame-email", " Ada@Example.com ").set("frame-password", PASSWORD);
    let page = visitor.send(form).await;
    assert_eq!((page.status, page.path.as_str()), (200, "/dashboard/@acme?after=a"));
    assert!(page.html().links.iter().any(|link| link == "/dashboard/account"));
    assert_eq!(visitor.get("/dashboard/login").await.path, "/dashboard", "who is signed in need not sign in");
    let token = visitor.cookie("__Host-l10n").unwrap().to_owned();
    let out = visitor.send(page.html().form("/logout")).await;
    out.says("You are signed out.");
    assert_eq!(visitor.cookie("__Host-l10n"), None);
    // The token is worth nothing any more.
    visitor.set_cookie("__Host-l10n", &token);
    assert_eq!(visitor.get("/dashboard").await.path, "/dashboard/login");
}

async fn an_unknown_address_and_a_wrong_password_say_the_same(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Owner).await;
    site.give_password(&ada).await;
    let mut said = Vec::new();
    let long = "x".repeat(300);
    for (email, password) in [
        ("ada@example.com", "not her password"),
        ("ada@example.com", long.as_str()),
        ("nobody@example.com", PASSWORD),
        ("no address", PASSWORD),
        (long.as_str(), PASSWORD),
    ] {
        let mut visitor = site.stranger();
        let form = visitor.get("/dashboard/login").await.html().form("/login");
        let page = visitor.send(form.set("frame-email", email).set("frame-password", password)).await;
        assert_eq!((page.status, visitor.cookie("__Host-l10n")), (422, None));
        let form = page.html().form("/login");
        assert_eq!((form.value("frame-email"), form.value("frame-password")), (Some(email), Some("")));
        said.push(page.html().text);
    }
    said.dedup();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("The email address or the password is wrong."), "{said:?}");
    let mut visitor = site.stranger();
    let form = visitor.get("/dashboard/login").await.html().form("/login");
    visitor.send(form).await.says("Enter your email address.").says("Enter your password.");
}

async fn a_link_is_used_by_its_button_and_once(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Owner).await;
    let path = format!("/dashboard/login/{}", site.link(&ada).await);
    // A program that looks at links does not use it up.
    for _ in 0..3 {
        site.stranger().get(&path).await.says("This link signs you in once.");
    }
    let mut visitor = site.stranger();
    let form = visitor.get(&path).await.html().form("/login/");
    let home = visitor.send(form.clone()).await;
    home.says("Hello, ada").says("Set a password");
    let mut other = site.stranger();
    let again = other.send(form).await;
    assert_eq!((again.status, other.cookie("__Host-l10n")), (403, None));
    again.says("This link no longer works");
    other.get(&path).await.says("This link no longer works");
    let old = format!("/dashboard/login/{}", site.link(&ada).await);
    site.clock.advance(Duration::from_secs(15 * 60 + 1));
    other.get(&old).await.says("This link no longer works");
}

async fn nobody_is_led_to_another_site_after_signing_in(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Owner).await;
    for wrong in [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "/dashboard@evil.example",
        "/dashboardx",
        "javascript:alert(1)",
        "/dashboard/\r\nset-cookie: x=y",
        "/v1/health",
        "",
    ] {
        let mut visitor = site.stranger();
        let path = format!("/dashboard/login/{}", site.link(&ada).await);
        let form = visitor.get(&path).await.html().form("/login/").set("next", wrong);
        let page = visitor.send(form).await;
        assert_eq!((page.status, page.path.as_str()), (200, "/dashboard"), "{wrong}");
    }
}

async fn a_form_goes_on_after_the_session_has_ended(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Manager).await;
    site.give_password(&ada).await;
    let mut visitor = site.signed_in(&ada).await;
    let form = visitor.get("/dashboard/@acme").await.html().form("/dashboard/@acme");
    let form = form.set("name", "Shop <1>").set("slug", "shop").set("languages", "de, fr");
    // In another tab, everything is ended.
    let account = visitor.get("/dashboard/account").await.html();
    visitor.clone().send(account.form("end-all")).await.says("You are signed out everywhere.");
    let asked = visitor.send(form).await;
    assert_eq!(asked.status, 403);
    asked.says("Your session has ended.");
    let form = asked.html().form("/dashboard/@acme");
    assert_eq!(form.value("name"), Some("Shop <1>"));
    let wrong = visitor.send(form.set("frame-email", "ada@example.com").set("frame-password", "wrong password")).await;
    assert_eq!(wrong.status, 422);
    wrong.says("The email address or the password is wrong.");
    let form = wrong.html().form("/dashboard/@acme").set("frame-password", PASSWORD);
    let made = visitor.send(form.set("frame-email", "ada@example.com")).await;
    assert_eq!(made.status, 200);
    made.says("The project was created.").says("Shop <1>");
}

async fn too_many_failures_say_how_long_to_wait(store: TestStore) {
    let site = Site::on(&store).await;
    let mut visitor = site.stranger();
    let form = visitor.get("/dashboard/login").await.html().form("/login");
    let form = form.set("frame-email", "nobody@example.com").set("frame-password", "wrong password");
    for _ in 0..10 {
        assert_eq!(visitor.send(form.clone()).await.status, 422);
    }
    let page = visitor.send(form.clone()).await;
    assert_eq!(page.status, 429);
    page.says("Too many failed attempts. Try again in 15 minutes.");
    site.clock.advance(Duration::from_secs(15 * 60 + 1));
    assert_eq!(visitor.send(form).await.status, 422);
}

async fn over_plain_http_the_cookie_has_another_name(store: TestStore) {
    let site = Site::with(&store, |settings| settings.base_url = "http://l10n.internal/v1".to_owned()).await;
    let ada = site.member("ada@example.com", Role::Owner).await;
    let visitor = site.signed_in(&ada).await;
    assert!(visitor.cookie("l10n").is_some() && visitor.cookie("__Host-l10n").is_none());
}
