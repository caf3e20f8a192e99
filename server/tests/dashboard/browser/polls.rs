//! Parts of pages that change by themselves, while somebody fills in a form in them.

use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::testing::TestStore;
use serde_json::json;

use super::chromium::Chromium;
use super::driver::Key;
use crate::approvals;
use crate::support::{PASSWORD, Site};

both_engines!(a_poll_keeps_a_form_that_is_filled_in_until_there_is_another_state);

/// Answers the polls of the page in the place of the server, and lets the one that waits end: `said` is what an answer says.
const ANSWER: &str = r#"
    window.polls = 0;
    window.said = { words: "Told anew", state: "pending" };
    window.fetch = async () => {
        window.polls += 1;
        return new Response(`<p>${window.said.words}</p>`, { headers: { "L10n-State": window.said.state } });
    };
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    Object.defineProperty(document, "hidden", { value: false, configurable: true });
"#;

async fn a_poll_keeps_a_form_that_is_filled_in_until_there_is_another_state(store: TestStore) {
    let site = Site::on(&store).await;
    let Some(chromium) = Chromium::start(&store, &format!("http://{}", site.address)).await else { return };
    let ada = site.member("ada@example.com", Role::Owner).await;
    site.give_password(&ada).await;
    let asked = approvals::ask(&site, &json!({ "kind": "publish" })).await;
    let path = approvals::path(&asked);
    chromium.sign_in(&path, "ada@example.com", PASSWORD).await;

    // What is typed stays, also when the focus has gone elsewhere.
    chromium.tab_to("[name=reason]").await;
    chromium.write("Not on a Friday").await;
    chromium.run("document.activeElement.blur()", Vec::new()).await;
    chromium.run(ANSWER, Vec::new()).await;
    chromium.until("return window.polls >= 2 && arguments[0] !== ''", "another poll").await;
    let typed = "return document.querySelector('[name=reason]')?.value ?? null";
    assert_eq!(chromium.run(typed, Vec::new()).await, json!("Not on a Friday"));

    // Another state takes its place: there is nothing left to decide.
    chromium.run("window.said = { words: 'It is denied.', state: 'denied' }", Vec::new()).await;
    chromium.until("return document.querySelector('main').innerText.includes(arguments[0])", "It is denied.").await;
    assert_eq!(chromium.run(typed, Vec::new()).await, json!(null));

    // A form that was answered with a fault stays, too.
    chromium.open(&path).await;
    let wrong = "document.querySelector('[name=reason]').removeAttribute('maxlength');
        document.querySelector('[name=reason]').value = 'x'.repeat(1001);";
    chromium.run(wrong, Vec::new()).await;
    chromium.tab_to("[name=decision][value=deny]").await;
    chromium.press(Key::Enter).await;
    chromium.focus_says("Nothing was saved.").await;
    chromium.run("document.activeElement.blur()", Vec::new()).await;
    chromium.run(ANSWER, Vec::new()).await;
    chromium.until("return window.polls >= 2 && arguments[0] !== ''", "another poll").await;
    let kept = "return document.querySelector('[name=reason]')?.value.length ?? null";
    assert_eq!(chromium.run(kept, Vec::new()).await, json!(1_001));
    chromium.quit().await;
}
