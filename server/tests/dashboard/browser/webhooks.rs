//! Webhooks in each of their states.

use http::StatusCode;
use l10n_api_types::deliveries::DeliveryStatus;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::testing::TestStore;
use l10n_testkit::receiver::Answer;

use super::chromium::Chromium;
use super::driver::Key;
use crate::support::{Hooks, PASSWORD, WEBHOOKS};

both_engines!(webhooks_are_made_by_keyboard_and_each_state_of_them_can_be_read);

async fn webhooks_are_made_by_keyboard_and_each_state_of_them_can_be_read(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let Some(chromium) = Chromium::start(&store, &format!("http://{}", hooks.address)).await else { return };
    let ada = hooks.member("ada@example.com", Role::Owner).await;
    hooks.give_password(&ada).await;
    chromium.sign_in(&format!("{WEBHOOKS}/new"), "ada@example.com", PASSWORD).await;

    // The first try has a URL that nothing is sent to; the second one shows the secret.
    chromium.tab_to("[name=url]").await;
    chromium.write("https://10.0.0.1/").await;
    chromium.press(Key::Enter).await;
    chromium.focus_says("the URL's address is not public").await;
    chromium.check("webhook-new-wrong").await;
    chromium.tab_to("[name=url]").await;
    chromium.run("document.activeElement.select()", Vec::new()).await;
    chromium.write(&hooks.receiver.url("/enabled")).await;
    chromium.press(Key::Tab).await;
    chromium.press(Key::Tab).await;
    // The other event, too.
    chromium.write(" ").await;
    chromium.press(Key::Enter).await;
    chromium.until("return document.body.innerText.includes(arguments[0])", "It is shown only once.").await;
    chromium.check("webhook-made").await;

    let mut owner = hooks.signed_in(&ada).await;
    hooks
        .receiver
        .answer("/failing", Answer::status(StatusCode::INTERNAL_SERVER_ERROR).body("<h1>Server error</h1>\nLine two"));
    let (failing, _) = hooks.make(&mut owner, "/failing").await;
    hooks.publish().await;
    hooks.newest(&failing, |delivery| delivery.attempts == 1 && delivery.status == DeliveryStatus::Pending).await;
    chromium.open(WEBHOOKS).await;
    chromium.check("webhooks-enabled").await;
    hooks.fail(&failing).await;
    chromium.open(&format!("{WEBHOOKS}/{failing}")).await;
    chromium.check("webhook-failing").await;
    chromium.open(&format!("{WEBHOOKS}/{failing}/deliveries")).await;
    chromium.check("deliveries").await;
    let delivery = hooks.newest(&failing, |_| true).await.delivery_id;
    chromium.open(&format!("{WEBHOOKS}/{failing}/deliveries/{delivery}")).await;
    chromium.run("document.querySelectorAll('main details').forEach((part) => part.open = true)", Vec::new()).await;
    chromium.check("delivery").await;
    chromium.open(&format!("{WEBHOOKS}/{failing}/deliveries?status=delivering")).await;
    chromium.check("deliveries-none").await;
    chromium.open(&format!("{WEBHOOKS}/{failing}/rotate")).await;
    chromium.check("webhook-rotate").await;
    chromium.open(&format!("{WEBHOOKS}/{failing}/delete")).await;
    chromium.check("webhook-delete").await;
    // The delivery that was pending has failed as well, so that this is the third.
    hooks.fail(&failing).await;
    chromium.open(&format!("{WEBHOOKS}/{failing}")).await;
    chromium.check("webhook-disabled").await;
    chromium.open(WEBHOOKS).await;
    chromium.check("webhooks-disabled").await;
    chromium.quit().await;
}
