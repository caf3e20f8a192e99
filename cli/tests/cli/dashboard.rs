//! An agent's call that a person approves in the dashboard, in a browser. The browser is that of the server's own tests.

#[path = "../../../server/tests/dashboard/browser/chromedriver.rs"]
mod chromedriver;
#[path = "../../../server/tests/dashboard/browser/chromium.rs"]
#[expect(dead_code, reason = "the server's tests check more of a page")]
mod chromium;
#[path = "../../../server/tests/dashboard/browser/driver.rs"]
#[expect(dead_code, reason = "the server's tests press more keys")]
mod driver;

use l10n_client::api::operations::OperationStatus;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::links::LinkValidity;
use l10n_server::domain::people::{SignInClient, members, passwords, sign_in, users};
use l10n_server::domain::{Actor, operations};
use l10n_server::service::Service;
use l10n_server::testing::TestStore;
use secrecy::ExposeSecret as _;

use self::chromium::Chromium;
use self::driver::Key;
use crate::support::World;

both_engines!(an_agent_asks_a_person_approves_in_the_browser_and_the_agent_goes_on);

const EMAIL: &str = "ada@example.com";
const PASSWORD: &str = "a pony in the attic";

/// A manager of the workspace, with a password.
async fn manager(world: &World) {
    let Service { store, clock, .. } = &world.app.service;
    let (parts, now) = (world.app.service.people(), clock.now());
    let operator = Actor::Operator { name: "root".to_owned() };
    let mut tx = store.begin_write().await.unwrap();
    let (person, _) = users::create(&mut tx, now, EMAIL, "Ada").await.unwrap();
    let workspace = &world.app.project.workspace;
    members::put(&mut tx, now, &operator, workspace, &person, Role::Manager).await.unwrap();
    let link = users::sign_in_link(&mut tx, now, &operator, EMAIL, LinkValidity::Brief).await.unwrap();
    tx.commit().await.unwrap();
    let client = SignInClient { address: [127, 0, 0, 1].into(), user_agent: String::new() };
    let session = sign_in::with_link(parts, link.expose_secret(), &client).await.unwrap().unwrap();
    passwords::set(parts, &session.session, None, PASSWORD).await.unwrap();
}

/// OPS-1 to OPS-4: the program asks and waits, the person comes by the URL that it printed.
async fn an_agent_asks_a_person_approves_in_the_browser_and_the_agent_goes_on(store: TestStore) {
    let world = World::on(&store).await;
    let origin = format!("http://{}", world.app.address);
    let Some(chromium) = Chromium::start(&store, &origin).await else { return };
    manager(&world).await;
    world.ok(&["sync"]).await;

    let agent = &world.app.project.keys.agent;
    let call = world.l10n(&["publish", "--request-approval", "--note", "Release 2", "--json"]).key(agent);
    let (tell, told) = tokio::sync::oneshot::channel();
    let running = tokio::spawn(call.run_until("/dashboard/operations/", move || tell.send(()).unwrap()));
    told.await.unwrap();
    let Service { store, clock, settings, .. } = &world.app.service;
    let mut tx = store.begin_read().await.unwrap();
    let pending = Some(OperationStatus::Pending);
    let asked = operations::list(&mut tx, settings, clock.now(), None, pending, 1).await.unwrap().remove(0).1;
    tx.rollback().await.unwrap();
    let path = asked.approval_url.strip_prefix(&origin).unwrap();

    // Who is not signed in signs in, and comes back to what was asked.
    chromium.sign_in(path, EMAIL, PASSWORD).await;
    let words = chromium.run("return document.body.innerText", Vec::new()).await;
    let words = words.as_str().unwrap();
    assert!(words.contains("Release 2") && words.contains("Publish the strings of the project"), "{words}");
    chromium.tab_to("button[value=approve]").await;
    chromium.press(Key::Enter).await;
    chromium.focus_says("You approved the request.").await;

    // The program goes on by itself.
    let published = running.await.unwrap();
    assert_eq!(published.status, 0, "{}", published.stderr);
    assert_eq!(published.json()["label"], "v1");
    assert!(published.stderr.contains(&asked.approval_url), "{}", published.stderr);
    chromium.open(path).await;
    let words = chromium.run("return document.body.innerText", Vec::new()).await;
    assert!(words.as_str().unwrap().contains("It was approved, and has been used."), "{words}");
    chromium.quit().await;
}
