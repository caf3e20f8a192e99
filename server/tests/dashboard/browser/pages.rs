//! Every page as an owner sees it: no violation of WCAG 2.2 AA, no message, no sideways scrolling; pictures of all of them.

use http::Method;
use l10n_api_types::Content;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::domain::code_changes::edit::Edit;
use l10n_server::domain::people::invitations;
use l10n_server::domain::people::members::{self, MemberRole};
use l10n_server::store::removed_languages::{self, RemovedLanguage};
use l10n_server::store::{keys, languages};
use l10n_server::testing::TestStore;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};

use super::chromium::Chromium;
use super::driver::Key;
use crate::support::{PASSWORD, Site};

both_engines!(pages_with_longer_texts_pass_all_checks);

/// Pages with the names of their pictures. A path begins at `/dashboard`.
const PAGES: &[(&str, &str)] = &[
    ("home", ""),
    ("account", "/account"),
    ("workspace", "/@acme"),
    ("members", "/@acme/-/members"),
    ("members-leave", "/@acme/-/members/leave"),
    ("invite-gone", "/invite/none"),
    ("credits", "/@acme/-/credits"),
    ("credits-cap", "/@acme/-/credits/cap"),
    ("credits-none", "/@acme/-/credits?kind=charge&project=none"),
    ("audit", "/@acme/-/audit"),
    ("audit-none", "/@acme/-/audit?by=nobody@example.com"),
    ("audit-wrong", "/@acme/-/audit?action=none"),
    ("approvals", "/@acme/app/approvals"),
    ("keys", "/@acme/app/settings/keys"),
    ("key-new", "/@acme/app/settings/keys/new"),
    ("settings", "/@acme/app/settings"),
    ("languages", "/@acme/app/settings/languages"),
    ("language-remove", "/@acme/app/settings/languages/de/remove"),
    ("language-base", "/@acme/app/settings/languages/en/remove"),
    ("formats", "/@acme/app/settings/formats"),
    ("format-new", "/@acme/app/settings/formats/new"),
    ("captured", "/@acme/app/captured"),
    ("captured-selected", "/@acme/app/captured?select=all"),
    ("changes", "/@acme/app/changes"),
    ("glossary", "/@acme/app/glossary"),
    ("glossary-none", "/@acme/app/glossary?q=nothing"),
    ("glossary-new", "/@acme/app/glossary/new"),
    ("glossary-workspace", "/@acme/-/glossary"),
    ("missing", "/nowhere"),
    ("versions", "/@acme/app/versions"),
    ("publish", "/@acme/app/publish"),
    ("publish-language", "/@acme/app/publish?language=de"),
    ("overview", "/@acme/app"),
    ("overview-empty", "/@acme/web-shop"),
    ("runs", "/@acme/app/runs"),
    ("run-new", "/@acme/app/runs/new"),
    ("run-new-price", "/@acme/app/runs/new?language=de&language=fr"),
    ("runs-empty", "/@acme/web-shop/runs"),
    ("webhooks", "/@acme/app/webhooks"),
    ("webhook-new", "/@acme/app/webhooks/new"),
    ("formats-empty", "/@acme/web-shop/settings/formats"),
    ("captured-empty", "/@acme/web-shop/captured"),
    ("glossary-empty", "/@acme/web-shop/glossary"),
    ("changes-empty", "/@acme/web-shop/changes"),
];

/// Makes a version live and changes texts after it; one of them is held back by a check.
async fn publish_and_change(site: &Site) {
    let sync = async |language: Option<&str>, path: &str, texts: Value| {
        let file = json!({ "path": path, "content": texts.to_string(), "encoding": "utf8", "format": "json" });
        let answer = site.post("/sync").json(&json!({ "file": file, "language": language })).send().await;
        assert!(answer.status < 300, "{answer:?}");
    };
    sync(None, "en.json", json!({ "greeting": "Hello {name}", "bye": "Bye" })).await;
    assert_eq!(site.post("/publish").json(&json!({ "label": "First" })).send().await.status, 201);
    sync(None, "en.json", json!({ "greeting": "Hi {name}", "bye": "Bye", "<b>new</b>": "New\u{202e}" })).await;
    sync(Some("de"), "de.json", json!({ "greeting": "Hallo", "bye": "Tschüss" })).await;
}

/// Settings, captured keys and a pending change; returns the paths of the pages about one of them.
async fn fill_settings(site: &Site) -> Vec<(&'static str, String)> {
    let formats = json!({ "outputFormats": [{ "format": "json", "path": "locales/{language}.json" }] });
    let set: Value = site.post("/output-formats").json(&formats).send().await.read();
    let format = set["added"][0].as_str().expect("an id");
    let context = json!({ "url": "https://shop.example/cart", "file": "src/cart.ts", "line": 7 });
    let keys = json!([{ "ref": "cart.empty", "text": "Your cart is empty", "context": context },
        { "ref": "cart.<b>total</b>", "language": "de", "text": "Summe" }]);
    assert_eq!(site.post("/capture").json(&json!({ "keys": keys })).send().await.status, 200);
    let terms = json!({ "terms": [
        { "term": "cart", "translations": { "de": "Warenkorb", "fr": "panier" }, "note": "What a customer has chosen to buy" },
        { "term": "Acme <b>Pay</b>", "rule": "keep", "caseSensitive": true },
        { "term": "Einkaufswagen", "language": "de", "rule": "forbidden" },
    ] });
    assert_eq!(site.call(Method::PUT, "/glossary").json(&terms).send().await.status, 200);
    let terms: Value = site.get("/glossary").send().await.read();
    let term = terms["terms"][1]["termId"].as_str().expect("an id");
    let languages = json!({ "languages": [{ "code": "ar" }] });
    assert_eq!(site.post("/languages").json(&languages).send().await.status, 200);
    let mut tx = site.service.store.begin_write().await.expect("a transaction");
    let (clock, settings, project) = (site.service.clock.as_ref(), &site.service.settings, &site.project.id);
    let edit = Edit { clock, settings, project, by: "ada@example.com" };
    edit.text(&mut tx, "bye", &Content::Text("Goodbye".to_owned())).await.expect("an edit");
    languages::remove(&mut tx, project, "ar").await.expect("a language");
    let removed = RemovedLanguage {
        project_id: project.clone(),
        code: "ar".to_owned(),
        removed_by: "ada@example.com".to_owned(),
        removed_at: clock.now(),
    };
    removed_languages::insert(&mut tx, &removed).await.expect("a removed language");
    let key = keys::captured(&mut tx, project, "", 1).await.expect("captured keys").remove(0).id;
    tx.commit().await.expect("a commit");
    let changes: Value = site.get("/pending-code-changes").send().await.read();
    let change = changes["changes"][0]["changeId"].as_str().expect("an id");
    vec![
        ("format", format!("/@acme/app/settings/formats/{format}")),
        ("captured-key", format!("/@acme/app/captured/{key}")),
        ("change-withdraw", format!("/@acme/app/changes/{change}")),
        ("glossary-term", format!("/@acme/app/glossary/{term}")),
    ]
}

/// Agents ask for one thing of each kind; returns the paths of the pages on which they are decided.
async fn ask(site: &Site) -> Vec<(&'static str, String)> {
    let versions: Value = site.get("/versions").send().await.read();
    let first = &versions["versions"][0]["versionId"];
    assert_eq!(site.post("/publish").json(&json!({ "label": "Second" })).send().await.status, 201);
    let later = json!({ "keys": [{ "ref": "later", "text": "Later" }, { "ref": "bye", "text": "Bye, bye" }] });
    assert!(site.post("/translate").json(&later).send().await.status < 300);
    let wanted = [
        ("approval-translation", json!({ "kind": "translation", "max_credits": 4, "note": "The new checkout" })),
        ("approval-publish", json!({ "kind": "publish" })),
        ("approval-rollback", json!({ "kind": "rollback", "versionId": first })),
    ];
    let mut paths = Vec::new();
    for (name, body) in wanted {
        let asked: Value = site.post("/operations").key(&site.project.keys.agent).json(&body).send().await.read();
        let id = asked["operationId"].as_str().expect("an id");
        paths.push((name, format!("/operations/{id}")));
    }
    paths.push(("approval-documents", ask_about_documents(site).await));
    paths
}

/// An agent asks to publish documents, of which one is new; returns the path of the page with what would change.
async fn ask_about_documents(site: &Site) -> String {
    let text = "# A guide\n\nPut it into your [cart](https://shop.example/cart).\n\n```\nshop --cart\n```\n";
    let documents = json!({ "documents": [{ "externalId": "guide.md", "format": "markdown", "body": text }] });
    let pushed: Value = site.post("/content").json(&documents).send().await.read();
    let document = pushed["results"][0]["docId"].as_str().expect("an id");
    let run: Value = site.post(&format!("/content/{document}/run")).json(&json!({})).send().await.read();
    site.ended(run["trackingToken"].as_str().expect("a run")).await;
    let body = json!({ "kind": "publish", "target": "content" });
    let asked: Value = site.post("/operations").key(&site.project.keys.agent).json(&body).send().await.read();
    format!("/operations/{}?comparison=shown", asked["operationId"].as_str().expect("an id"))
}

/// A run of which a text fails; returns the pages about it, and the price of what a new language lacks.
async fn fail(site: &Site) -> Vec<(&'static str, String)> {
    let texts = json!({ "keys": [
        { "ref": "cart.items", "text": "{n, plural, other {# items}} in {your cart" },
        { "ref": "cart.title", "text": "Your cart" },
    ] });
    let run: Value = site.post("/translate").json(&texts).send().await.read();
    let token = run["trackingToken"].as_str().expect("a run");
    assert_eq!(site.ended(token).await["status"], "partial");
    let added = site.post("/languages").json(&json!({ "languages": [{ "code": "ja" }] })).send().await;
    assert!(added.status < 300, "{added:?}");
    vec![
        ("run", format!("/@acme/app/runs/{token}")),
        ("run-retry", format!("/@acme/app/runs/{token}/retry")),
        ("run-new-full", "/@acme/app/runs/new?language=ja".to_owned()),
        ("overview-missing", "/@acme/app".to_owned()),
    ]
}

/// Members with all that a row can have, and open invitations; returns pages whose addresses nobody knows before.
async fn invite_people(site: &Site) -> Vec<(&'static str, String)> {
    let translator =
        site.member("a.translator.with.a.rather.long.address@translations.example.com", Role::Translator).await;
    let (people, workspace) = (site.service.people(), &site.project.workspace);
    let owner = site.member("owner@example.com", Role::Owner).await;
    let languages = ["de", "fr", "pt-BR"].map(str::to_owned);
    let limited = MemberRole { role: Role::Translator, languages: &languages };
    members::set_role(people, &owner, workspace, &translator.id, limited, None).await.unwrap();
    let mut pages = vec![("member", format!("/@acme/-/members/{}", translator.id))];
    for (name, email) in [("invite-own", "ada@example.com"), ("invite-other", "new.person@example.com")] {
        // A member is not invited: the person joins elsewhere.
        let other = site.other_project("unlimited").await;
        let of_other = site.member_of(&other, "owner@example.com", Role::Owner).await;
        let new =
            invitations::create(people, &of_other, &other.workspace, email, Role::Reviewer, Some(&languages)).await;
        pages.push((name, format!("/invite/{}", new.unwrap().token.expose_secret())));
    }
    invitations::create(people, &owner, workspace, "new.person@example.com", Role::Manager, None).await.unwrap();
    pages
}

/// Checks all pages with what a project has when it has something.
pub(super) async fn check_all(site: &Site, chromium: &Chromium) {
    publish_and_change(site).await;
    for (name, path) in fill_settings(site).await {
        chromium.open(&format!("/dashboard{path}")).await;
        chromium.check(name).await;
    }
    for (name, path) in PAGES {
        chromium.open(&format!("/dashboard{path}")).await;
        chromium.check(name).await;
    }
    for (name, path) in ask(site).await {
        chromium.open(&format!("/dashboard{path}")).await;
        chromium.check(name).await;
    }
    for (name, path) in fail(site).await {
        chromium.open(&format!("/dashboard{path}")).await;
        chromium.check(name).await;
    }
    for (name, path) in invite_people(site).await {
        chromium.open(&format!("/dashboard{path}")).await;
        chromium.check(name).await;
    }
    chromium.open("/dashboard/@acme/-/members").await;
    chromium.check("members-full").await;
    check_large(site, chromium).await;
}

/// The pseudo language is a third longer.
async fn pages_with_longer_texts_pass_all_checks(store: TestStore) {
    let site = Site::on(&store).await;
    let Some(chromium) = Chromium::start(&store, &format!("http://{}", site.address)).await else { return };
    let ada = site.member("ada@example.com", Role::Owner).await;
    site.give_password(&ada).await;
    let mut owner = site.signed_in(&ada).await;
    let form = owner.get("/dashboard/@acme").await.html().form("/dashboard/@acme");
    owner.send(form.set("name", "Web shop").set("slug", "web-shop")).await.says("The project was created.");
    publish_and_change(&site).await;
    fill_settings(&site).await;
    ask(&site).await;
    fail(&site).await;
    invite_people(&site).await;
    chromium.sign_in("/dashboard/@acme", "ada@example.com", PASSWORD).await;
    chromium.run("document.cookie = 'l10n-looks=system.en-XA; Path=/dashboard'", Vec::new()).await;
    for (name, path) in PAGES {
        chromium.open(&format!("/dashboard{path}")).await;
        chromium.check_lengths(&format!("{name}-pseudo")).await;
    }
    chromium.quit().await;
}

/// The comparison of a larger project is loaded after the page, beside what was there.
async fn check_large(site: &Site, chromium: &Chromium) {
    let texts: Value =
        (0..=200).map(|number| (format!("key{number}"), json!(format!("Text number {number}")))).collect();
    let file = json!({ "path": "more.json", "content": texts.to_string(), "encoding": "utf8", "format": "json" });
    assert!(site.post("/sync").json(&json!({ "file": file })).send().await.status < 300);
    chromium.open("/dashboard/@acme/app/publish").await;
    chromium.until("return document.body.innerText.includes(arguments[0])", "Text number 0").await;
    chromium.check("publish-large").await;
}

/// Checks what somebody sees who was invited and has not signed in.
pub(super) async fn check_as_stranger(site: &Site, chromium: &Chromium) {
    let owner = site.member("owner@example.com", Role::Owner).await;
    let (people, workspace) = (site.service.people(), &site.project.workspace);
    let new = invitations::create(people, &owner, workspace, "stranger@example.com", Role::Translator, None).await;
    chromium.open(&format!("/dashboard/invite/{}", new.unwrap().token.expose_secret())).await;
    chromium.check("invite").await;
    chromium.tab_to("[name=name]").await;
    chromium.write("A stranger").await;
    chromium.press(Key::Enter).await;
    chromium.focus_says("Fill in this field.").await;
    chromium.check("invite-wrong").await;
    // The name that was typed is still there.
    chromium.tab_to("[name=new-password]").await;
    chromium.write(PASSWORD).await;
    chromium.press(Key::Enter).await;
    chromium.focus_says("You are a member of this workspace now.").await;
    chromium.path_is("/dashboard/@acme").await;
}
