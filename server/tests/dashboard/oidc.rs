//! Signing in with an identity provider that runs in the test.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::Method;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::config::Settings;
use l10n_server::domain::Actor;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::users;
use l10n_server::testing::{Answer, TestStore};
use serde_json::{Value, json};

use crate::browser::plain_client;
use crate::support::{IdentityProvider, Manner, PASSWORD, Site, Visited, Visitor};

both_engines!(
    who_comes_with_a_verified_address_is_signed_in_and_known_from_then_on,
    an_address_links_nothing_where_the_operator_does_not_say_so,
    an_address_that_is_not_verified_or_not_known_links_nothing,
    an_account_that_an_invitation_made_is_taken_over_by_whom_the_provider_vouches_for,
    what_proves_nothing_signs_nobody_in,
    a_provider_that_fails_is_a_plain_page,
    one_stranger_does_not_keep_others_from_signing_in,
    an_answer_counts_once_in_the_browser_that_began_and_for_some_minutes,
    who_is_disabled_is_not_signed_in,
    only_allowed_domains_sign_in,
    a_person_links_the_provider_and_takes_it_away_again,
    another_persons_account_is_not_linked,
    a_person_without_a_password_confirms_by_a_fresh_sign_in,
    a_person_without_a_password_sets_one_after_a_fresh_sign_in_and_keeps_a_way_to_sign_in,
    without_a_provider_nothing_is_offered,
);

const KEYS: &str = "/dashboard/@acme/app/settings/keys/new";

async fn site(store: &TestStore) -> (Site, IdentityProvider) {
    site_with(store, |_| {}).await
}

async fn site_with(store: &TestStore, change: impl FnOnce(&mut Settings)) -> (Site, IdentityProvider) {
    let provider = IdentityProvider::start().await;
    let site = Site::with(store, |settings| {
        provider.configure(settings);
        change(settings);
    });
    (site.await, provider)
}

/// The address that an answer leads to.
fn location(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{answer:?}");
    answer.header("location").unwrap().to_owned()
}

/// Goes to the provider, and returns the path by which it leads back.
async fn at_provider(address: &str) -> String {
    let client = plain_client(|client| client.redirect(reqwest::redirect::Policy::none()));
    let answer = client.get(address).send().await.unwrap();
    let back = answer.headers()["location"].to_str().unwrap().to_owned();
    back.find("/dashboard").map(|at| back[at..].to_owned()).unwrap()
}

/// Leaves for the provider; returns the path by which it leads back.
async fn leave(visitor: &mut Visitor<'_>, path: &str) -> String {
    let answer = visitor.once(Method::GET, path, None, &[("sec-fetch-site", "same-origin")]).await;
    at_provider(&location(&answer)).await
}

async fn sign_in(visitor: &mut Visitor<'_>) -> Visited {
    let back = leave(visitor, "/dashboard/oidc?next=/dashboard/account").await;
    visitor.get(&back).await
}

async fn has_session(visitor: &mut Visitor<'_>) -> bool {
    visitor.get("/dashboard/account").await.path == "/dashboard/account"
}

async fn who_comes_with_a_verified_address_is_signed_in_and_known_from_then_on(store: TestStore) {
    let (site, provider) = site(&store).await;
    site.member("ada@example.com", Role::Manager).await;
    let mut visitor = site.stranger();
    let login = visitor.get("/dashboard/@acme/app/approvals").await;
    login.says("Sign in with Example ID");
    let link = login.html().links.into_iter().find(|link| link.starts_with("/dashboard/oidc?")).unwrap();
    let back = leave(&mut visitor, &link).await;
    let page = visitor.get(&back).await;
    assert_eq!((page.status, page.path.as_str()), (200, "/dashboard/@acme/app/approvals"), "she comes back");
    visitor.get("/dashboard/account").await.says("You can sign in with Example ID.").says("ada@example.com");
    // The address is another one now, and somebody else has the old one: the account is still the same person's.
    provider.claims(json!({"email": "countess@example.com", "email_verified": false}));
    for manner in [Manner::Well, Manner::Rsa, Manner::NoAuthTime] {
        provider.behave(manner);
        let mut again = site.stranger();
        let page = sign_in(&mut again).await;
        assert_eq!((page.status, page.path.as_str()), (200, "/dashboard/account"), "{manner:?}");
        page.says("ada@example.com");
    }
    // The provider changes its keys: they are read again.
    provider.behave(Manner::Well);
    provider.change_keys();
    let mut signed_in = false;
    while !signed_in {
        // Keys that were read a moment ago are not read again at once.
        signed_in = sign_in(&mut site.stranger()).await.path == "/dashboard/account";
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn an_address_links_nothing_where_the_operator_does_not_say_so(store: TestStore) {
    let off = |settings: &mut Settings| settings.oidc.as_mut().unwrap().link_verified_email = false;
    let (site, provider) = site_with(&store, off).await;
    site.member("ada@example.com", Role::Owner).await;
    let mut visitor = site.stranger();
    let page = sign_in(&mut visitor).await;
    assert_eq!(page.status, 403);
    page.says("Nobody here has this account");
    assert!(!has_session(&mut visitor).await);
    assert_eq!(provider.issuer(), site.service.settings.oidc.as_ref().unwrap().issuer);
}

async fn an_address_that_is_not_verified_or_not_known_links_nothing(store: TestStore) {
    let (site, provider) = site(&store).await;
    site.member("ada@example.com", Role::Owner).await;
    for claims in [
        json!({"email_verified": false}),
        json!({"email_verified": null}),
        json!({"email": null}),
        json!({"email": "nobody@example.com"}),
        json!({"email": "no address"}),
    ] {
        provider.claims(claims.clone());
        let mut visitor = site.stranger();
        let page = sign_in(&mut visitor).await;
        assert_eq!(page.status, 403, "{claims}");
        page.says("Nobody here has this account");
        assert!(!has_session(&mut visitor).await, "{claims}");
    }
}

/// Whoever invited may have made the account, and know its password.
async fn an_account_that_an_invitation_made_is_taken_over_by_whom_the_provider_vouches_for(store: TestStore) {
    let (site, _provider) = site(&store).await;
    let owner = site.member("eve@example.com", Role::Owner).await;
    let parts = site.service.people();
    let workspace = &site.project.workspace;
    let made = l10n_server::domain::people::invitations::create(
        parts,
        &owner,
        workspace,
        "ada@example.com",
        Role::Viewer,
        None,
    );
    let token = secrecy::ExposeSecret::expose_secret(&made.await.unwrap().token).to_owned();
    let client =
        l10n_server::domain::people::SignInClient { address: [127, 0, 0, 1].into(), user_agent: String::new() };
    let accepted = l10n_server::domain::people::invitations::accept_with_account(parts, &token, "", PASSWORD, &client);
    let (session, _) = accepted.await.unwrap();
    let old = secrecy::ExposeSecret::expose_secret(&session.token).to_owned();
    let mut before = site.stranger();
    before.set_cookie("__Host-l10n", &old);
    assert!(has_session(&mut before).await);
    let mut ada = site.stranger();
    assert_eq!(sign_in(&mut ada).await.path, "/dashboard/account");
    assert!(!has_session(&mut before).await, "the session of whoever made the account has ended");
    let mut eve = site.stranger();
    let login = eve.get("/dashboard/login").await.html().form("/login");
    let page = eve.send(login.set("frame-email", "ada@example.com").set("frame-password", PASSWORD)).await;
    assert_eq!(page.status, 422, "and so has the password");
}

async fn what_proves_nothing_signs_nobody_in(store: TestStore) {
    let (site, provider) = site(&store).await;
    site.member("ada@example.com", Role::Owner).await;
    let now = site.clock.now().as_millis() / 1_000;
    let claims: Vec<(&str, Value)> = vec![
        ("another audience", json!({"aud": "somebody-else"})),
        ("one audience more", json!({"aud": ["l10n-dashboard", "somebody-else"]})),
        ("another issuer", json!({"iss": "https://evil.example"})),
        ("it has expired", json!({"exp": now - 1})),
        ("no end", json!({"exp": null})),
        ("another nonce", json!({"nonce": "x"})),
        ("no nonce", json!({"nonce": null})),
        ("no subject", json!({"sub": null})),
        ("an empty subject", json!({"sub": ""})),
        ("a subject without end", json!({"sub": "x".repeat(256)})),
        ("a subject that is no text", json!({"sub": "a\u{0}b"})),
    ];
    for (what, claims) in claims {
        provider.claims(claims);
        let mut visitor = site.stranger();
        let page = sign_in(&mut visitor).await;
        assert!([403, 503].contains(&page.status), "{what}: {}", page.status);
        page.says("Nothing was done.");
        assert!(!has_session(&mut visitor).await, "{what}");
    }
    provider.claims(json!({}));
    for manner in [Manner::WrongKey, Manner::Hmac, Manner::Unsigned, Manner::Refuses, Manner::Denies] {
        provider.behave(manner);
        let mut visitor = site.stranger();
        let page = sign_in(&mut visitor).await;
        assert!([403, 503].contains(&page.status), "{manner:?}: {}", page.status);
        assert!(!has_session(&mut visitor).await, "{manner:?}");
    }
    provider.behave(Manner::Well);
    assert_eq!(sign_in(&mut site.stranger()).await.path, "/dashboard/account", "the same with nothing wrong");
}

async fn a_provider_that_fails_is_a_plain_page(store: TestStore) {
    let (site, provider) = site(&store).await;
    site.member("ada@example.com", Role::Owner).await;
    provider.behave(Manner::Broken);
    let mut visitor = site.stranger();
    let page = visitor.get("/dashboard/oidc").await;
    assert_eq!(page.status, 503);
    page.says("Example ID cannot be reached").says("sign in with a password");
    // It is asked again after a while.
    provider.behave(Manner::Well);
    while visitor.once(Method::GET, "/dashboard/oidc", None, &[]).await.status != 303 {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for manner in [Manner::Hangs, Manner::Endless, Manner::Garbage, Manner::Broken] {
        provider.behave(manner);
        let mut visitor = site.stranger();
        let page = sign_in(&mut visitor).await;
        assert_eq!(page.status, 503, "{manner:?}");
        page.says("Example ID cannot be reached").says("Nothing was done.");
        assert!(!has_session(&mut visitor).await, "{manner:?}");
    }
    // Nobody listens there.
    let unused = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap().local_addr().unwrap();
    let down = |settings: &mut Settings| settings.oidc.as_mut().unwrap().issuer = format!("http://{unused}");
    let (site, _) = site_with(&TestStore::sqlite().await, down).await;
    assert_eq!(site.stranger().get("/dashboard/oidc").await.status, 503);
    // It lies where the settings do not let the server go.
    let inside = |settings: &mut Settings| settings.oidc.as_mut().unwrap().egress.allow_targets.clear();
    let (site, _) = site_with(&TestStore::sqlite().await, inside).await;
    assert_eq!(site.stranger().get("/dashboard/oidc").await.status, 503);
}

async fn one_stranger_does_not_keep_others_from_signing_in(store: TestStore) {
    let behind_a_proxy =
        |settings: &mut Settings| settings.http.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    let (site, provider) = site_with(&store, behind_a_proxy).await;
    let mut begun = Vec::new();
    for _ in 0..12 {
        let mut stranger = site.stranger();
        let back = leave(&mut stranger, "/dashboard/oidc").await;
        begun.push((stranger, back));
    }
    provider.behave(Manner::Hangs);
    let refused = AtomicUsize::new(0);
    let from = |address| [("x-forwarded-for", address)];
    let strangers = begun.into_iter().map(async |(mut stranger, back)| {
        let answer = stranger.once(Method::GET, &back, None, &from("192.0.2.1")).await;
        assert_eq!(answer.status, 503);
        if answer.text().contains("Too many people are signing in") {
            refused.fetch_add(1, Ordering::SeqCst);
        }
    });
    let other = async {
        // Four of the stranger's wait for the provider now.
        while refused.load(Ordering::SeqCst) < 8 {
            tokio::task::yield_now().await;
        }
        let mut other = site.stranger();
        let answer = other.once(Method::GET, "/dashboard/oidc", None, &from("192.0.2.2")).await;
        assert_eq!(answer.status, 303, "{answer:?}");
        let own = site.stranger().once(Method::GET, "/dashboard/oidc", None, &from("192.0.2.1")).await;
        assert!(own.text().contains("Too many people are signing in"), "the stranger's own share is taken");
    };
    futures_util::future::join(futures_util::future::join_all(strangers), other).await;
    assert_eq!(refused.load(Ordering::SeqCst), 8);
}

async fn an_answer_counts_once_in_the_browser_that_began_and_for_some_minutes(store: TestStore) {
    let (site, provider) = site(&store).await;
    site.member("ada@example.com", Role::Owner).await;
    let mut visitor = site.stranger();
    let back = leave(&mut visitor, "/dashboard/oidc").await;
    // Somebody else is led to the answer, who has begun nothing or something else.
    let mut other = site.stranger();
    assert_eq!(other.get(&back).await.status, 403);
    leave(&mut other, "/dashboard/oidc").await;
    let page = other.get(&back).await;
    assert_eq!(page.status, 403);
    page.says("This sign-in no longer works");
    // The browser sends its answer twice, with the cookie that it had.
    let cookie = visitor.cookie("__Host-l10n-sign-in").unwrap().to_owned();
    assert_eq!(visitor.get(&back).await.status, 200);
    assert_eq!(visitor.cookie("__Host-l10n-sign-in"), None);
    let mut again = site.stranger();
    assert_eq!(again.get(&back).await.status, 403);
    again.set_cookie("__Host-l10n-sign-in", &cookie);
    assert_eq!(again.get(&back).await.status, 403);
    assert!(!has_session(&mut again).await);
    // Nonsense, and nothing.
    for query in ["", "?state=x&code=y", "?error=access_denied", "?code=", "?state=&code=&state="] {
        let mut visitor = site.stranger();
        leave(&mut visitor, "/dashboard/oidc").await;
        assert_eq!(visitor.get(&format!("/dashboard/oidc/callback{query}")).await.status, 403, "{query}");
    }
    let mut visitor = site.stranger();
    leave(&mut visitor, "/dashboard/oidc").await;
    visitor.set_cookie("__Host-l10n-sign-in", "bm90IHNlYWxlZA");
    assert_eq!(visitor.get(&back).await.status, 403);
    // Too late.
    let mut visitor = site.stranger();
    let back = leave(&mut visitor, "/dashboard/oidc").await;
    for clock in [&site.clock, provider.clock()] {
        clock.advance(Duration::from_secs(600));
    }
    assert_eq!(visitor.get(&back).await.status, 403);
}

async fn who_is_disabled_is_not_signed_in(store: TestStore) {
    let (site, _provider) = site(&store).await;
    site.member("ada@example.com", Role::Owner).await;
    assert_eq!(sign_in(&mut site.stranger()).await.path, "/dashboard/account");
    let mut tx = site.service.store.begin_write().await.unwrap();
    let operator = Actor::Operator { name: "root".to_owned() };
    assert!(users::disable(&mut tx, site.clock.now(), &operator, "ada@example.com").await.unwrap());
    tx.commit().await.unwrap();
    let mut visitor = site.stranger();
    let page = sign_in(&mut visitor).await;
    assert_eq!(page.status, 403);
    page.says("Nobody here has this account");
    assert!(!has_session(&mut visitor).await);
}

async fn only_allowed_domains_sign_in(store: TestStore) {
    let only = |settings: &mut Settings| {
        settings.oidc.as_mut().unwrap().allowed_email_domains = vec!["example.org".to_owned()];
    };
    let (site, provider) = site_with(&store, only).await;
    for email in ["ada@example.com", "ada@example.org", "ada@sub.example.org"] {
        site.member(email, Role::Owner).await;
        provider.claims(json!({"email": email, "sub": email}));
        let page = sign_in(&mut site.stranger()).await;
        let is_allowed = email == "ada@example.org";
        assert_eq!(page.status, if is_allowed { 200 } else { 403 }, "{email}");
    }
    // Known, and with an address that is not verified any more.
    provider.claims(json!({"email": "ada@example.org", "sub": "ada@example.org", "email_verified": false}));
    assert_eq!(sign_in(&mut site.stranger()).await.status, 403);
}

async fn a_person_links_the_provider_and_takes_it_away_again(store: TestStore) {
    let off = |settings: &mut Settings| settings.oidc.as_mut().unwrap().link_verified_email = false;
    let (site, provider) = site_with(&store, off).await;
    provider.claims(json!({"email": "ada@home.example"}));
    let ada = site.member("ada@example.com", Role::Owner).await;
    site.give_password(&ada).await;
    let mut visitor = site.signed_in(&ada).await;
    let account = visitor.get("/dashboard/account").await;
    account.says("Link your account at Example ID");
    let page = visitor.send(account.html().form("/account/oidc")).await;
    assert_eq!(page.status, 200);
    let address = page.html().links.into_iter().find(|link| link.starts_with(&provider.issuer())).unwrap();
    let back = at_provider(&address).await;
    let page = visitor.get(&back).await;
    page.says("Your account is linked.").says("You can sign in with Example ID.");
    assert_eq!(sign_in(&mut site.stranger()).await.path, "/dashboard/account");
    let page = visitor.send(page.html().form("/account/oidc/remove")).await;
    page.says("The link was removed.").says("Link your account at Example ID");
    assert_eq!(sign_in(&mut site.stranger()).await.status, 403);
    // Without a confirmation nothing is linked.
    let form = visitor.get("/dashboard/account").await.html().form("/account/oidc");
    site.clock.advance(Duration::from_secs(3_600));
    assert_eq!(visitor.send(form).await.status, 403);
}

async fn another_persons_account_is_not_linked(store: TestStore) {
    let (site, provider) = site(&store).await;
    site.member("ada@example.com", Role::Owner).await;
    assert_eq!(sign_in(&mut site.stranger()).await.path, "/dashboard/account");
    let mut tom = site.signed_in(&site.member("tom@example.com", Role::Viewer).await).await;
    let page = tom.post("/dashboard/account/oidc", &[]).await;
    let address = page.html().links.into_iter().find(|link| link.starts_with(&provider.issuer())).unwrap();
    let back = at_provider(&address).await;
    let page = tom.get(&back).await;
    assert_eq!(page.status, 403);
    page.says("This is another person’s account");
    assert!(tom.get("/dashboard/account").await.says("tom@example.com").text().contains("/account/oidc\""));
    // An answer that links is for the session that asked for it.
    let page = tom.post("/dashboard/account/oidc", &[]).await;
    let address = page.html().links.into_iter().find(|link| link.starts_with(&provider.issuer())).unwrap();
    provider.claims(json!({"sub": "tom"}));
    let back = at_provider(&address).await;
    tom.post("/dashboard/logout", &[]).await;
    assert_eq!(tom.get(&back).await.status, 403);
}

async fn a_person_without_a_password_sets_one_after_a_fresh_sign_in_and_keeps_a_way_to_sign_in(store: TestStore) {
    let (site, provider) = site(&store).await;
    site.member("ada@example.com", Role::Owner).await;
    let mut ada = site.stranger();
    let account = sign_in(&mut ada).await;
    account.says("Set a password first, or you cannot sign in again.");
    assert!(!account.html().has_form("/account/oidc/remove"), "the last way to sign in is not offered to be removed");
    let refused = ada.post("/dashboard/account/oidc/remove", &[]).await;
    assert_eq!(refused.status, 409);
    refused.says("This is your only way to sign in").says("Set a password first, or you cannot sign in again.");
    assert_eq!(sign_in(&mut site.stranger()).await.path, "/dashboard/account", "the link is still there");

    for clock in [&site.clock, provider.clock()] {
        clock.advance(Duration::from_secs(61 * 60));
    }
    let account = ada.get("/dashboard/account").await;
    account.says("You signed in more than an hour ago. Sign in once more in another tab");
    assert!(account.html().links.iter().any(|link| link == "/dashboard/oidc/confirm"));
    let form = account.html().form("/account/password").set("new-password", PASSWORD);
    let late = ada.send(form).await;
    assert_eq!(late.status, 422);
    late.says("Sign in once more in another tab");
    assert!(!late.text().contains("Enter your password."));
    let form = late.html().form("/account/password").set("new-password", PASSWORD);
    let back = leave(&mut ada, "/dashboard/oidc/confirm").await;
    ada.get(&back).await.says("You have confirmed that it is you");
    let saved = ada.send(form).await;
    saved.says("The password was saved.");
    // Now there is another way.
    ada.send(saved.html().form("/account/oidc/remove")).await.says("The link was removed.");
}

async fn a_person_without_a_password_confirms_by_a_fresh_sign_in(store: TestStore) {
    let (site, provider) = site(&store).await;
    site.member("ada@example.com", Role::Owner).await;
    let mut ada = site.stranger();
    sign_in(&mut ada).await;
    for clock in [&site.clock, provider.clock()] {
        clock.advance(Duration::from_secs(3_600));
    }
    let form = [("label", "ci"), ("scope", "read"), ("kind", "ci"), ("expires", "")];
    let page = ada.post(KEYS, &form).await;
    assert_eq!(page.status, 403);
    page.says("Confirm that it is you").says("Sign in once more in another tab");
    let html = page.html();
    assert!(!page.text().contains("frame-confirm-password"), "there is none");
    assert!(html.links.iter().any(|link| link == "/dashboard/oidc/confirm"));
    let kept = html.form("/settings/keys/new");
    assert_eq!(kept.value("label"), Some("ci"));
    // A provider that does not ask anew, or does not say so, confirms nothing; nor does somebody else's account.
    let asked_long_ago = (site.clock.now().as_millis() / 1_000) - 3_600;
    for (manner, claims) in [
        (Manner::NoAuthTime, json!({})),
        (Manner::Well, json!({"auth_time": asked_long_ago})),
        (Manner::Well, json!({"sub": "somebody-else"})),
    ] {
        provider.behave(manner);
        provider.claims(claims.clone());
        let back = leave(&mut ada, "/dashboard/oidc/confirm").await;
        assert_eq!(ada.get(&back).await.status, 403, "{manner:?} {claims}");
        assert_eq!(ada.send(kept.clone()).await.status, 403, "{manner:?} {claims}");
    }
    provider.behave(Manner::Well);
    provider.claims(json!({}));
    let back = leave(&mut ada, "/dashboard/oidc/confirm").await;
    ada.get(&back).await.says("You have confirmed that it is you");
    let page = ada.send(kept).await;
    assert_ne!(page.status, 403, "{}", page.text());
    assert!(!page.html().text.contains("Confirm that it is you"));
}

async fn without_a_provider_nothing_is_offered(store: TestStore) {
    let site = Site::on(&store).await;
    let mut visitor = site.as_role(Role::Owner).await;
    assert!(!visitor.get("/dashboard/account").await.text().contains("oidc"));
    for path in ["/dashboard/oidc", "/dashboard/oidc/callback?state=x&code=y"] {
        let page = site.stranger().get(path).await;
        assert_eq!((page.status, page.path.as_str()), (200, "/dashboard/login"), "{path}");
    }
    for path in ["/dashboard/account/oidc", "/dashboard/account/oidc/remove"] {
        assert_eq!(visitor.post(path, &[]).await.path, "/dashboard/account");
    }
}
