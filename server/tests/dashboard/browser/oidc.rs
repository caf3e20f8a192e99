//! Signing in with an identity provider, by keyboard alone.

use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::testing::TestStore;
use serde_json::json;

use super::chromium::Chromium;
use super::driver::Key;
use crate::support::{IdentityProvider, PASSWORD, Site};

both_engines!(a_person_signs_in_with_the_provider_by_keyboard_and_comes_back);

async fn a_person_signs_in_with_the_provider_by_keyboard_and_comes_back(store: TestStore) {
    let provider = IdentityProvider::start().await;
    let site = Site::with(&store, |settings| provider.configure(settings)).await;
    let Some(chromium) = Chromium::start(&store, &format!("http://{}", site.address)).await else { return };
    site.member("ada@example.com", Role::Owner).await;

    // Somebody whom nobody here knows.
    provider.claims(json!({"sub": "stranger", "email": "stranger@example.com"}));
    chromium.open("/dashboard/@acme").await;
    chromium.check("login-oidc").await;
    chromium.tab_to("a[href^='/dashboard/oidc']").await;
    chromium.press(Key::Enter).await;
    chromium.path_is("/dashboard/oidc/callback").await;
    chromium.check("oidc-unknown").await;
    chromium.tab_to("main a.button").await;
    chromium.press(Key::Enter).await;
    chromium.path_is("/dashboard/login").await;

    // The person, who comes back to the page.
    provider.claims(json!({}));
    chromium.open("/dashboard/@acme").await;
    chromium.tab_to("a[href^='/dashboard/oidc']").await;
    chromium.press(Key::Enter).await;
    chromium.path_is("/dashboard/@acme").await;
    chromium.open("/dashboard/account").await;
    chromium.check("account-oidc").await;

    // The link is taken away, once there is another way to sign in, and made anew.
    chromium.tab_to("[name=new-password]").await;
    chromium.write(PASSWORD).await;
    chromium.press(Key::Enter).await;
    chromium.focus_says("The password was saved.").await;
    chromium.tab_to("form[action='/dashboard/account/oidc/remove'] button").await;
    chromium.press(Key::Enter).await;
    chromium.focus_says("The link was removed.").await;
    chromium.tab_to("form[action='/dashboard/account/oidc'] button").await;
    chromium.press(Key::Enter).await;
    chromium.path_is("/dashboard/account/oidc").await;
    chromium.check("oidc-link").await;
    chromium.tab_to("main a.button").await;
    chromium.press(Key::Enter).await;
    chromium.focus_says("Your account is linked.").await;
    chromium.quit().await;
}
