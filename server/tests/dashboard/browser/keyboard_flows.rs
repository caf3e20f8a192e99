//! Every flow of the dashboard by keyboard alone: signing in, up and out, and making a project are in `flows`, webhooks begin
//! in `webhooks`.

use std::time::Duration;

use l10n_api_types::deliveries::DeliveryStatus;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use super::chromium::Chromium;
use super::keyboard::{Step, at, open, press, write};
use crate::support::{Hooks, PASSWORD};

use Step::{Back, Choose, Enter, Kept, Mark, Pick, Shown, Told};

both_engines!(every_flow_goes_by_keyboard_alone);

/// The password that is chosen on the way.
const NEW_PASSWORD: &str = "a zebra in the attic";
/// The button of a form that changes something.
const SEND: &str = "main form[method=post] button[type=submit]";

/// The ids of what the flows are about.
struct Scene {
    member: String,
    version: String,
    webhook: String,
    to_approve: String,
    to_deny: String,
    failed_run: String,
}

/// A project with something of everything.
async fn set(hooks: &Hooks) -> Scene {
    let ada = hooks.member("ada@example.com", Role::Owner).await;
    hooks.give_password(&ada).await;
    let member = hooks.member("tom@example.com", Role::Viewer).await.id.to_string();
    let mut owner = hooks.signed_in(&ada).await;
    hooks.publish().await;
    let versions: Value = hooks.get("/versions").send().await.read();
    let version = versions["versions"][0]["versionId"].as_str().unwrap().to_owned();
    hooks.sync(&json!({ "a": "A", "b": "B" })).await;
    let (webhook, _) = hooks.make(&mut owner, "/hook").await;
    hooks.publish().await;
    hooks.newest(&webhook, |delivery| delivery.status == DeliveryStatus::Delivered).await;
    let texts = json!({ "keys": [{ "ref": "cart", "text": "{n, plural, other {# items}} in {your cart" }] });
    let run: Value = hooks.post("/translate").json(&texts).send().await.read();
    let failed_run = run["trackingToken"].as_str().unwrap().to_owned();
    hooks.ended(&failed_run).await;
    let keys =
        json!([{ "ref": "c1", "text": "One" }, { "ref": "c2", "text": "Two" }, { "ref": "c3", "text": "Three" }]);
    assert_eq!(hooks.post("/capture").json(&json!({ "keys": keys })).send().await.status, 200);
    let asked = async |body: Value| {
        let asked: Value = hooks.post("/operations").key(&hooks.project.keys.agent).json(&body).send().await.read();
        asked["operationId"].as_str().unwrap().to_owned()
    };
    Scene {
        member,
        version,
        webhook: webhook.to_string(),
        to_approve: asked(json!({ "kind": "translation", "max_credits": 4 })).await,
        to_deny: asked(json!({ "kind": "publish" })).await,
        failed_run,
    }
}

async fn every_flow_goes_by_keyboard_alone(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let Some(chromium) = Chromium::start(&store, &format!("http://{}", hooks.address)).await else { return };
    let scene = set(&hooks).await;
    let files = tempfile::tempdir().unwrap();
    chromium.keep_files_in(files.path()).await;
    for (name, steps) in [
        ("account", account()),
        ("members", members(&scene)),
        ("keys", keys()),
        ("approvals", approvals(&scene)),
        ("publish", publish(&scene)),
        ("webhooks", webhooks(&scene, &hooks.receiver.url("/other"))),
        ("settings", settings()),
        ("formats", formats()),
        ("glossary", glossary()),
        ("captured", captured()),
        ("runs", runs(&scene)),
        ("audit and credits", audit_and_credits()),
    ] {
        chromium.go(name, files.path(), steps).await;
    }
    // It is asked whether it is them, and what was typed is kept.
    chromium
        .go(
            "a form",
            files.path(),
            vec![
                open("/@acme/app/settings/keys/new"),
                write("[name=label]", "later"),
                Mark("[name=scope][value=read]"),
            ],
        )
        .await;
    hooks.clock.advance(Duration::from_secs(61 * 60));
    chromium
        .go(
            "confirming",
            files.path(),
            vec![
                press(SEND),
                Shown("Confirm that it is you"),
                write("[name=frame-confirm-password]", NEW_PASSWORD),
                Enter,
                Shown("Copy the key now."),
                Shown("later"),
            ],
        )
        .await;
    chromium.quit().await;
}

fn account() -> Vec<Step> {
    vec![
        open("/account"),
        write("[name=frame-email]", "ada@example.com"),
        write("[name=frame-password]", PASSWORD),
        Enter,
        Shown("Browsers that are signed in to your account."),
        // Another browser, which the project was set up with.
        press("[action$='/sessions/end'] button"),
        Told("The session was ended."),
        write("[action$='/account/name'] [name=name]", "Ada Lovelace"),
        Enter,
        Told("Your name was saved."),
        write("[name=old-password]", PASSWORD),
        write("[name=new-password]", "short"),
        Enter,
        Told("Nothing was saved."),
        write("[name=old-password]", PASSWORD),
        write("[name=new-password]", NEW_PASSWORD),
        Enter,
        Told("The password was saved."),
        Choose("[name=language]", "English"),
        Pick("[name=scheme][value=dark]"),
        Mark("[name=shortcuts]"),
        press("[action$='/account/looks'] button"),
        Told("The appearance was saved."),
    ]
}

fn members(scene: &Scene) -> Vec<Step> {
    vec![
        open("/@acme/-/members"),
        write("#invite [name=email]", "no address"),
        Enter,
        Told("Nothing was saved."),
        write("#invite [name=email]", "new.person@example.com"),
        Pick("#invite [name=role][value=reviewer]"),
        press("#invite button"),
        Shown("Copy the link now."),
        open("/@acme/-/members"),
        press("[action$='/members/withdraw'] button"),
        Told("The invitation was withdrawn."),
        press(format!("a[href$='/{}']", scene.member)),
        at(&scene.member),
        Pick("[name=role][value=translator]"),
        write("[name=languages]", "de"),
        Enter,
        Told("The role was saved."),
        press(format!("a[href$='/{}']", scene.member)),
        at(&scene.member),
        press("[action$='/remove'] button"),
        Told("The person is no longer a member."),
        press("a[href$='/members/leave']"),
        at("/leave"),
        Mark("[name=sure]"),
        press(SEND),
        Told("owner"),
    ]
}

fn keys() -> Vec<Step> {
    vec![
        open("/@acme/app/settings/keys"),
        press("a[href$='/keys/new']"),
        at("/keys/new"),
        write("[name=label]", "pipeline"),
        Enter,
        Told("Nothing was saved."),
        Mark("[name=scope][value=read]"),
        Pick("[name=kind][value=agent]"),
        Choose("[name=ends]", "After 90 days"),
        press(SEND),
        Shown("Copy the key now."),
        press("main a[href$='/settings/keys']"),
        at("/settings/keys"),
        press("a[href$='/replace']"),
        at("/replace"),
        press(SEND),
        Shown("Copy the key now."),
        press("main a[href$='/settings/keys']"),
        at("/settings/keys"),
        press("a[href$='/revoke']"),
        at("/revoke"),
        press(SEND),
        Told("The key is revoked."),
    ]
}

fn approvals(scene: &Scene) -> Vec<Step> {
    vec![
        open("/@acme/app/approvals"),
        press(format!("a[href$='/{}']", scene.to_approve)),
        at(&scene.to_approve),
        press("[value=approve]"),
        Told("You approved the request."),
        press("main a[href$='/approvals']"),
        at("/approvals"),
        press(format!("a[href$='/{}']", scene.to_deny)),
        at(&scene.to_deny),
        write("[name=reason]", "Not on a Friday"),
        press("[value=deny]"),
        Told("You denied the request."),
    ]
}

fn publish(scene: &Scene) -> Vec<Step> {
    vec![
        open("/@acme/app/publish"),
        write("[name=label]", "By keyboard"),
        Enter,
        Told("The version is live now."),
        open(format!("/@acme/app/versions/{}", scene.version)),
        Choose("#f-with", "#2"),
        press("#compare form button"),
        at("with="),
        open("/@acme/app/versions"),
        press(format!("a[href$='/{}']", scene.version)),
        at(&scene.version),
        press("[action$='/restore'] button"),
        Told("This version is live again."),
    ]
}

fn webhooks(scene: &Scene, other: &str) -> Vec<Step> {
    let page = format!("/@acme/app/webhooks/{}", scene.webhook);
    vec![
        open("/@acme/app/webhooks"),
        press(format!("main a[href$='/{}']", scene.webhook)),
        at(&scene.webhook),
        write("[name=url]", "http://"),
        Enter,
        Told("Nothing was saved."),
        write("[name=url]", other),
        Enter,
        Told("The webhook was saved."),
        press("[action$='/disable'] button"),
        Told("The webhook is disabled."),
        press("[action$='/enable'] button"),
        Told("The webhook is enabled."),
        press("a[href$='/rotate']"),
        at("/rotate"),
        press(SEND),
        Shown("Copy the secret now."),
        open(format!("{page}/deliveries")),
        Choose("[name=status]", "Delivered"),
        press("main form[method=get] button"),
        at("status=delivered"),
        press("a[href*='/deliveries/dlv_']"),
        at("/deliveries/dlv_"),
        press("[action$='/resend'] button"),
        Told("The delivery will be sent again now."),
        open(format!("{page}/deliveries")),
        Choose("[name=since]", "In the last day"),
        press("[action$='/deliveries/resend'] button"),
        Told("No delivery had failed in that time."),
        open(page),
        press("a[href$='/delete']"),
        at("/delete"),
        press(SEND),
        Told("The webhook was deleted."),
    ]
}

fn settings() -> Vec<Step> {
    vec![
        open("/@acme/app/settings"),
        write("[name=name]", "Another name"),
        Pick("[name=memory][value=project]"),
        press(SEND),
        Told("The settings were saved."),
        press("main a[href$='/settings/languages']"),
        at("/languages"),
        write("[name=code]", "not a language"),
        Enter,
        Told("Nothing was saved."),
        write("[name=code]", "ja"),
        Enter,
        Told("The language was added."),
        // The form of the page before can be sent again.
        Back,
        at("/languages"),
        write("[name=code]", "ko"),
        Enter,
        Told("The language was added."),
        press("a[href$='/ja/remove']"),
        at("/ja/remove"),
        press(SEND),
        Told("The language was removed."),
        press("form.inline button"),
        Told("The language was added again"),
    ]
}

fn formats() -> Vec<Step> {
    vec![
        open("/@acme/app/settings/formats"),
        press("a[href$='/formats/new']"),
        at("/formats/new"),
        write("[name=path]", "no-language.json"),
        Enter,
        Told("Nothing was saved."),
        write("[name=path]", "i18n/{language}.json"),
        press("[name=preview]"),
        Shown("i18n/de.json"),
        press("main form button:not([name])"),
        Told("The output format was saved."),
        press("main td a"),
        at("/formats/"),
        write("[name=path]", "texts/{language}.json"),
        Enter,
        Told("The output format was saved."),
        press("main td a"),
        at("/formats/"),
        press("[action$='/remove'] button"),
        Told("The output format was removed."),
    ]
}

fn glossary() -> Vec<Step> {
    vec![
        open("/@acme/app/glossary"),
        press("a[href$='/glossary/new']"),
        at("/glossary/new"),
        write("[name=term]", "cart"),
        Enter,
        Told("The term was saved."),
        press("main td a"),
        at("/glossary/trm_"),
        Pick("[name=rule][value=keep]"),
        Mark("[name=case]"),
        press(SEND),
        Told("The term was saved."),
        Shown("Only with these capitals"),
        write("[name=q]", "nothing"),
        Enter,
        Shown("No term has this text"),
        write("[name=q]", "CART"),
        Enter,
        Shown("Stays as it is"),
        press("main td a"),
        at("/glossary/trm_"),
        write("[name=translations]", "de"),
        press(SEND),
        Told("Nothing was saved."),
        press("[action$='/remove'] button"),
        Told("The term was removed."),
    ]
}

fn captured() -> Vec<Step> {
    vec![
        open("/@acme/app/captured"),
        press("[name=do][value=accept]"),
        Told("Nothing was"),
        Mark("[name=key]"),
        press("[name=do][value=accept]"),
        Told("The selected keys were accepted."),
        Mark("[name=key]"),
        press("[name=do][value=discard]"),
        Told("The selected keys were discarded."),
        press("main td a"),
        at("/captured/"),
        write("[name=text]", "Three and a half"),
        press(SEND),
        Told("The key was accepted."),
        open("/@acme/app/changes"),
        press("main td a"),
        at("/changes/"),
        press(SEND),
        Told("The change was withdrawn."),
    ]
}

fn runs(scene: &Scene) -> Vec<Step> {
    vec![
        open("/@acme/app/runs"),
        press("a[href$='/runs/new']"),
        at("/runs/new"),
        Mark("[name=language][value=ja]"),
        press("main form[method=get] button"),
        at("language=ja"),
        press(SEND),
        Told("The run was started."),
        open(format!("/@acme/app/runs/{}", scene.failed_run)),
        press("a[href$='/retry']"),
        at("/retry"),
        press(SEND),
        Told("The run was started."),
    ]
}

fn audit_and_credits() -> Vec<Step> {
    vec![
        open("/@acme/-/audit"),
        press("a[href*='/audit/csv']"),
        Kept("audit-acme-"),
        write("[name=by]", "ada@example.com"),
        Choose("[name=action]", "Published"),
        press("main form[method=get] button"),
        at("action=published"),
        Shown("ada@example.com"),
        open("/@acme/-/credits"),
        press("a[href*='/credits/csv']"),
        Kept("credits-acme-"),
        Choose("[name=kind]", "Spent"),
        press("main form[method=get] button"),
        at("kind=charge"),
        press("a[href$='/credits/cap']"),
        at("/credits/cap"),
        write("[name=cap]", "much"),
        Enter,
        Told("Nothing was saved."),
        write("[name=cap]", "250.5"),
        Enter,
        Told("The monthly cap was saved."),
    ]
}
