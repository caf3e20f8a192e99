//! Forms that are interrupted: the session has ended since they were opened, or they are sent a second time, from another tab
//! or after the back button.

use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{Form, Hooks, PASSWORD, Site, Visitor, WEBHOOKS};

both_engines!(
    a_form_goes_on_after_the_session_has_ended_with_all_that_was_typed,
    a_form_that_is_sent_from_two_tabs_is_done_once,
    a_form_that_arrives_after_the_session_has_ended_is_not_carried_out,
    who_signs_in_with_a_form_that_then_fails_is_signed_in,
);

/// A form: its page, the path that it is sent to, what is typed, what is then said, and what is said the second time.
struct Case {
    page: String,
    action: String,
    typed: Vec<(&'static str, String)>,
    done: &'static str,
    again: (u16, &'static str),
}

fn case(
    (page, action): (&str, &str),
    typed: &[(&'static str, &str)],
    done: &'static str,
    again: (u16, &'static str),
) -> Case {
    let typed = typed.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    Case { page: page.to_owned(), action: action.to_owned(), typed, done, again }
}

/// Forms with what each of them is about; `round` tells the forms of two rounds apart.
async fn cases(hooks: &Hooks, manager: &mut Visitor<'_>, round: &str) -> Vec<Case> {
    const APP: &str = "/dashboard/@acme/app";
    let key = |name: &str| json!([{ "ref": format!("{round}.{name}"), "text": "One" }]);
    for name in ["one", "two"] {
        assert_eq!(hooks.post("/capture").json(&json!({ "keys": key(name) })).send().await.status, 200);
    }
    let links = manager.get(&format!("{APP}/captured")).await.html().links;
    let captured = links.iter().find(|link| link.contains("/captured/")).unwrap().clone();
    let asked: Value = hooks
        .post("/operations")
        .key(&hooks.project.keys.agent)
        .json(&json!({ "kind": "publish" }))
        .send()
        .await
        .read();
    let operation = format!("/dashboard/operations/{}", asked["operationId"].as_str().unwrap());
    let (webhook, _) = hooks.make(manager, &format!("/{round}")).await;
    let webhook = format!("{WEBHOOKS}/{webhook}");
    let path = format!("{APP}/settings");
    let new_format = format!("{APP}/settings/formats/new");
    let new_key = format!("{APP}/settings/keys/new");
    let (cap, members) = ("/dashboard/@acme/-/credits/cap", "/dashboard/@acme/-/members");
    let language = if round == "first" { "ko" } else { "ja" };
    let amount = if round == "first" { "11" } else { "12" };
    vec![
        case((&path, &path), &[("name", round)], "The settings were saved.", (200, "The settings were saved.")),
        case(
            (&format!("{path}/languages"), "/settings/languages"),
            &[("code", language)],
            "The language was added.",
            (422, "The project has this language already."),
        ),
        case(
            (&new_format, "/formats/new"),
            &[("path", &format!("{round}/{{language}}.json"))],
            "The output format was saved.",
            (422, "Nothing was saved."),
        ),
        case(
            (&new_key, "/keys/new"),
            &[("label", round), ("scope", "read")],
            "Copy the key now.",
            (422, "Another key has this label."),
        ),
        case(
            (members, members),
            &[("email", &format!("{round}@example.com")), ("role", "reviewer")],
            "Copy the link now.",
            (200, "Copy the link now."),
        ),
        case((cap, cap), &[("cap", amount)], "The monthly cap was saved.", (200, "The monthly cap was saved.")),
        case(
            (&captured, &captured),
            &[("text", "Another text"), ("file", "en.json")],
            "The key was accepted.",
            (409, "decided"),
        ),
        case(
            (&operation, &operation),
            &[("reason", "Why not"), ("decision", "approve")],
            "You approved the request.",
            (409, "Nothing was saved"),
        ),
        case(
            (&format!("{APP}/publish"), "/publish"),
            &[("label", round)],
            "The version is live now.",
            (409, "Another version has become live"),
        ),
        case(
            (&webhook, &webhook),
            &[("url", &hooks.receiver.url(&format!("/{round}-moved")))],
            "The webhook was saved.",
            (409, "changed"),
        ),
    ]
}

fn filled(form: Form, typed: &[(&'static str, String)]) -> Form {
    typed.iter().fold(form, |form, (name, value)| match *name {
        "scope" => form.check(name, value),
        _ => form.set(name, value),
    })
}

async fn open(visitor: &mut Visitor<'_>, case: &Case) -> Form {
    let html = visitor.get(&case.page).await.html();
    let exact = html.posts().into_iter().find(|form| form.action == case.action);
    filled(exact.unwrap_or_else(|| html.post_form(&case.action)), &case.typed)
}

async fn a_form_goes_on_after_the_session_has_ended_with_all_that_was_typed(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let ada = hooks.member("ada@example.com", Role::Owner).await;
    hooks.give_password(&ada).await;
    let mut visitor = hooks.signed_in(&ada).await;
    for case in cases(&hooks, &mut visitor, "first").await {
        let form = open(&mut visitor, &case).await;
        // In another tab, the person signs out.
        let home = visitor.get("/dashboard").await.html();
        visitor.send(home.form("/logout")).await.says("You are signed out.");
        let asked = visitor.send(form).await;
        assert_eq!(asked.status, 403, "{}", case.page);
        asked.says("Your session has ended.");
        let form = asked.html().post_form(&case.action);
        for (name, value) in &case.typed {
            assert_eq!(form.value(name), Some(value.as_str()), "{} keeps {name}", case.page);
        }
        let done = visitor.send(form.set("frame-email", "ada@example.com").set("frame-password", PASSWORD)).await;
        done.says(case.done);
    }
}

async fn a_form_that_is_sent_from_two_tabs_is_done_once(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let ada = hooks.member("ada@example.com", Role::Owner).await;
    let mut visitor = hooks.signed_in(&ada).await;
    for case in cases(&hooks, &mut visitor, "second").await {
        let form = open(&mut visitor, &case).await;
        visitor.send(form.clone()).await.says(case.done);
        let again = visitor.send(form).await;
        assert_eq!(again.status, case.again.0, "{}: {}", case.page, again.html().text);
        again.says(case.again.1);
    }
}

/// The session is looked up before the body is read, which may take a minute.
async fn a_form_that_arrives_after_the_session_has_ended_is_not_carried_out(store: TestStore) {
    let site = Site::on(&store).await;
    let mut visitor = site.as_role(Role::Manager).await;
    let (session, path) = (visitor.cookie("__Host-l10n").unwrap().to_owned(), site.path("/settings"));
    let body = visitor.get(&path).await.html().post_form(&path).set("name", "Renamed").body();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\nsec-fetch-site: same-origin\r\ncookie: __Host-l10n={session}\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\
         connection: close\r\n\r\n",
        site.address,
        body.len(),
    );
    let mut stream = TcpStream::connect(site.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    // `100 Continue`: the session was found, and the body is awaited.
    let mut interim = [0; 25];
    stream.read_exact(&mut interim).await.unwrap();
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    let home = visitor.get("/dashboard").await.html();
    visitor.send(home.form("/logout")).await.says("You are signed out.");
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
    assert!(answer.contains("Your session has ended."), "{answer}");
    assert_eq!(site.get("/meta").send().await.json()["name"], "Test project");
}

async fn who_signs_in_with_a_form_that_then_fails_is_signed_in(store: TestStore) {
    let hooks = Hooks::on(&store).await;
    let ada = hooks.member("ada@example.com", Role::Manager).await;
    hooks.give_password(&ada).await;
    let gone = format!("{WEBHOOKS}/whk_gone/enable");
    for (path, status) in [
        (gone.as_str(), 404),
        // Her role does not allow it, and there is no such workspace.
        ("/dashboard/@acme/-/credits/cap", 403),
        ("/dashboard/@nobody/-/credits/cap", 404),
    ] {
        let mut visitor = hooks.stranger();
        let fields = [("frame-email", "ada@example.com"), ("frame-password", PASSWORD)];
        assert_eq!(visitor.post(path, &fields).await.status, status, "{path}");
        assert!(visitor.cookie("__Host-l10n").is_some(), "{path}");
        assert_eq!(visitor.get("/dashboard").await.path, "/dashboard", "{path}");
    }
}
