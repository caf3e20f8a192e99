//! Flows by keyboard alone.

use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::testing::TestStore;

use super::chromium::Chromium;
use super::driver::Key;
use super::pages;
use crate::support::{PASSWORD, Site};

both_engines!(a_person_uses_the_dashboard_by_keyboard_alone);

async fn a_person_uses_the_dashboard_by_keyboard_alone(store: TestStore) {
    let site = Site::on(&store).await;
    let Some(chromium) = Chromium::start(&store, &format!("http://{}", site.address)).await else { return };
    let ada = site.member("ada@example.com", Role::Owner).await;
    site.give_password(&ada).await;

    // Signs in; the first try fails and says why, with the focus on it.
    chromium.open("/dashboard/@acme").await;
    chromium.check("login").await;
    chromium.tab_to("[name=frame-email]").await;
    chromium.write("ada@example.com").await;
    chromium.press(Key::Tab).await;
    chromium.write("wrong password").await;
    chromium.press(Key::Enter).await;
    chromium.focus_says("The email address or the password is wrong.").await;
    chromium.check("login-wrong").await;
    chromium.tab_to("[name=frame-password]").await;
    chromium.write(PASSWORD).await;
    chromium.press(Key::Enter).await;
    // The person comes back to the page.
    chromium.path_is("/dashboard/@acme").await;

    // Makes a project.
    chromium.tab_to("[name=name]").await;
    chromium.write("Web shop").await;
    chromium.press(Key::Tab).await;
    chromium.write("Not a name").await;
    chromium.press(Key::Enter).await;
    chromium.focus_says("Nothing was saved.").await;
    chromium.check("workspace-wrong").await;
    chromium.tab_to("[name=slug]").await;
    chromium.run("document.activeElement.select()", Vec::new()).await;
    chromium.write("web-shop").await;
    chromium.press(Key::Enter).await;
    chromium.focus_says("The project was created.").await;

    // The menu opens, and closes by Escape with the focus where it was.
    chromium.tab_to(".menu > summary").await;
    chromium.press(Key::Enter).await;
    chromium.press(Key::Tab).await;
    chromium.focus_says("Your account").await;
    chromium.press(Key::Escape).await;
    let closed = "return !document.querySelector('.menu').open && document.activeElement.matches('.menu > summary')";
    assert_eq!(chromium.run(closed, Vec::new()).await, serde_json::json!(true));

    // `g` and a letter go to a page, and are letters in a field.
    chromium.open("/dashboard/@acme/app/settings").await;
    chromium.tab_to("[name=name]").await;
    chromium.write("gv").await;
    chromium.path_is("/dashboard/@acme/app/settings").await;
    chromium.tab_to(".menu > summary").await;
    chromium.write("gv").await;
    chromium.path_is("/dashboard/@acme/app/versions").await;

    pages::check_all(&site, &chromium).await;

    // Signs out.
    chromium.open("/dashboard").await;
    chromium.tab_to(".menu > summary").await;
    chromium.press(Key::Enter).await;
    chromium.tab_to(".menu button").await;
    chromium.press(Key::Enter).await;
    chromium.focus_says("You are signed out.").await;
    pages::check_as_stranger(&site, &chromium).await;
    chromium.quit().await;
}
