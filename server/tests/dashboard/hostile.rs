//! Hostile texts through every page: a project has them wherever somebody can write, each page that any link leads to is read,
//! and each form on the way is sent with them.

use std::collections::{BTreeSet, VecDeque};

use http::Method;
use l10n_api_types::{Content, Millicredits};
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::access::Role;
use l10n_server::domain::code_changes::edit::Edit;
use l10n_server::domain::credits;
use l10n_server::domain::people::{SignInClient, sign_in};
use l10n_server::testing::{TestStore, dashboard_pages};
use l10n_testkit::receiver::Answer;
use serde_json::{Value, json};

use crate::support::{Form, HOSTILE, Hooks, Visited, Visitor, check_is_text};

both_engines!(what_others_wrote_is_text_on_every_page, what_is_typed_is_text_when_a_form_is_shown_again);

/// Pages that are read at most: so many links of one kind lead to pages of one kind.
const OF_ONE_KIND: usize = 40;

/// Texts without control characters, which hardly any field takes.
fn printable() -> impl Iterator<Item = &'static str> {
    HOSTILE.iter().copied().filter(|text| !text.chars().any(char::is_control))
}

/// Writes the texts wherever a program, a person or a receiver can.
async fn write(hooks: &Hooks, owner: &mut Visitor<'_>) {
    let all = HOSTILE.join(" ");
    hooks.receiver.answer("/hook", Answer::status(http::StatusCode::BAD_REQUEST).body(all.clone().into_bytes()));
    hooks.make(owner, "/hook").await;
    let form = owner.get("/dashboard/account").await.html().form("/account/name");
    owner.send(form.set("name", HOSTILE[2])).await.says("Your name was saved.");
    let form = owner.get("/dashboard/@acme/app/settings").await.html().post_form("/settings");
    owner.send(form.set("name", HOSTILE[1])).await.says("The settings were saved.");
    let form = owner.get("/dashboard/@acme/app/settings/formats/new").await.html().form("/formats/new");
    let saved = owner.send(form.set("path", "<svg onload=x>/{language}.json")).await;
    check_is_text(&saved, "a path");

    let keys: Vec<Value> = printable().map(|text| json!({ "ref": text, "text": text, "description": text })).collect();
    let run: Value = hooks.post("/translate").json(&json!({ "keys": keys })).send().await.read();
    hooks.ended(run["trackingToken"].as_str().unwrap()).await;
    let german: Value = printable().map(|text| (text.to_owned(), json!(format!("{text} {{other}}")))).collect();
    let file = json!({ "path": "de.json", "content": german.to_string(), "encoding": "utf8", "format": "json" });
    hooks.post("/sync").json(&json!({ "file": file, "language": "de" })).send().await;
    let captured: Vec<Value> = printable()
        .map(|text| {
            let context = json!({ "url": text, "file": text, "line": 1 });
            json!({ "ref": format!("captured {text}"), "text": text, "context": context })
        })
        .collect();
    assert_eq!(hooks.post("/capture").json(&json!({ "keys": captured })).send().await.status, 200);
    for text in printable() {
        // Each is a version of its own.
        assert_eq!(hooks.post("/publish").json(&json!({ "label": text })).send().await.status, 201, "{text}");
        let asked = json!({ "kind": "publish", "note": text });
        hooks.post("/operations").key(&hooks.project.keys.agent).json(&asked).send().await;
        let form = owner.get("/dashboard/@acme/app/settings/keys/new").await.html().form("/keys/new");
        owner.send(form.set("label", text).check("scope", "read")).await.says("Copy the key now.");
    }
    let terms: Vec<Value> =
        printable().map(|text| json!({ "term": text, "translations": { "de": text }, "note": text })).collect();
    assert_eq!(hooks.call(Method::PUT, "/glossary").json(&json!({ "terms": terms })).send().await.status, 200);
    for text in printable() {
        let form = owner.get("/dashboard/@acme/-/glossary/new").await.html().form("/glossary/new");
        let form = form.set("term", text).set("language", "en").set("translations", &format!("de: {text}"));
        owner.send(form.set("note", text)).await.says("The term was saved.");
    }
    write_beside(hooks, &all).await;
}

/// Writes the texts where neither a page nor the API takes them, or not all of them.
async fn write_beside(hooks: &Hooks, all: &str) {
    let site: &crate::support::Site = hooks;
    let (settings, project, now) = (&site.service.settings, &site.project.id, site.clock.now());
    let mut tx = site.service.store.begin_write().await.unwrap();
    let edit = Edit { clock: site.service.clock.as_ref(), settings, project, by: HOSTILE[0] };
    for text in printable().take(3) {
        edit.text(&mut tx, text, &Content::Text(format!("{text} {text}"))).await.unwrap();
    }
    credits::grant(&mut tx, &site.project.workspace, Millicredits(1), &all.replace('\0', ""), now).await.unwrap();
    tx.commit().await.unwrap();
    let ada = site.member("ada@example.com", Role::Owner).await;
    let token = site.link(&ada).await;
    let client = SignInClient { address: [192, 0, 2, 1].into(), user_agent: HOSTILE[1].to_owned() };
    sign_in::with_link(site.service.people(), &token, &client).await.unwrap().unwrap();
}

/// The row of the table that a path belongs to.
fn template(path: &str) -> Option<&'static str> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let segments: Vec<&str> = path.split('/').collect();
    let fits = |template: &str| {
        let parts: Vec<&str> = template.split('/').collect();
        parts.len() == segments.len()
            && parts.iter().zip(&segments).all(|(part, segment)| match part.split_once('{') {
                Some((prefix, _)) => segment.starts_with(prefix) && (!prefix.is_empty() || !segment.starts_with('@')),
                None => part == segment,
            })
    };
    let pages = dashboard_pages();
    // `new` is no id.
    let found = pages.iter().filter(|page| page.method == "GET" && fits(page.path)).map(|page| page.path);
    found.min_by_key(|template| template.matches('{').count())
}

/// Opens every page that a link leads to, at most so many of one kind, and looks at each.
async fn crawl(owner: &mut Visitor<'_>, mut look: impl FnMut(&Visited)) -> BTreeSet<&'static str> {
    let mut waiting = VecDeque::from(["/dashboard".to_owned()]);
    let (mut seen, mut kinds) = (BTreeSet::new(), std::collections::BTreeMap::<_, usize>::new());
    while let Some(path) = waiting.pop_front() {
        let Some(kind) = template(&path) else { continue };
        let count = kinds.entry(kind).or_default();
        if !seen.insert(path.clone()) || *count >= OF_ONE_KIND || kind.contains("/oidc") {
            continue;
        }
        *count += 1;
        let page = owner.get(&path).await;
        assert!(page.status < 500, "{path}");
        if kind.ends_with("/csv") {
            continue;
        }
        look(&page);
        let links = page.html().links.into_iter().filter(|link| !link.starts_with('#'));
        waiting.extend(links.map(|link| if link.starts_with('?') { format!("{path}{link}") } else { link }));
    }
    kinds.into_keys().collect()
}

async fn what_others_wrote_is_text_on_every_page(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let ada = hooks.member("ada@example.com", Role::Owner).await;
    hooks.member("tom@example.com", Role::Translator).await;
    let mut owner = hooks.signed_in(&ada).await;
    write(&hooks, &mut owner).await;
    let mut shown = BTreeSet::new();
    let seen = crawl(&mut owner, |page| {
        check_is_text(page, "what others wrote");
        let html = page.html();
        for link in &html.links {
            assert!(!link.contains(':'), "{}: {link} leads elsewhere", page.path);
        }
        shown.extend(printable().filter(|text| html.text.contains(text)));
    })
    .await;
    // Those that strangers see, and what has another way to it.
    let is_exempt = |path: &str| ["/login", "/invite/", "/oidc", "/logout"].iter().any(|part| path.contains(part));
    for page in dashboard_pages().iter().filter(|page| page.method == "GET" && !is_exempt(page.path)) {
        assert!(seen.contains(page.path), "no link leads to {}", page.path);
    }
    // A text is not shown where its characters are named, or stand apart.
    assert!(shown.len() >= 8, "{shown:?}");
}

/// Forms that end the session, or change who the person is.
fn ends_something(form: &Form) -> bool {
    ["/logout", "/sessions/end", "/leave", "/account/password"].iter().any(|part| form.action.contains(part))
}

async fn what_is_typed_is_text_when_a_form_is_shown_again(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let ada = hooks.member("ada@example.com", Role::Owner).await;
    hooks.member("tom@example.com", Role::Translator).await;
    let mut owner = hooks.signed_in(&ada).await;
    write(&hooks, &mut owner).await;
    let (mut forms, mut kinds) = (Vec::new(), BTreeSet::new());
    crawl(&mut owner, |page| {
        let kind = template(&page.path);
        for form in page.html().posts() {
            let name = form.action.rsplit('/').next().unwrap_or_default().to_owned();
            if !ends_something(&form) && kinds.insert((kind, name)) {
                forms.push(form);
            }
        }
    })
    .await;
    assert!(forms.len() >= 20, "{}", forms.len());
    for form in forms {
        for hostile in HOSTILE {
            let page = owner.send(form.clone().fill(hostile)).await;
            assert!(page.status < 500, "{} {hostile}", form.action);
            check_is_text(&page, hostile);
        }
    }
    // The same in the addresses of lists and filters.
    let fields = ["q", "after", "with", "language", "kind", "project", "by", "action", "from", "to", "status", "event"];
    for page in [
        "/-/audit",
        "/-/credits",
        "/-/members",
        "/-/glossary",
        "/app/glossary",
        "/app/runs",
        "/app/runs/new",
        "/app/versions",
        "/app/captured",
        "/app/changes",
        "/app/approvals",
        "/app/publish",
        "/app/settings/keys",
    ] {
        for hostile in HOSTILE {
            let value: String = url::form_urlencoded::byte_serialize(hostile.as_bytes()).collect();
            let query: Vec<String> = fields.iter().map(|field| format!("{field}={value}")).collect();
            let page = owner.get(&format!("/dashboard/@acme{page}?{}", query.join("&"))).await;
            assert!(page.status < 500, "{page:?}");
            check_is_text(&page, hostile);
        }
    }
}
