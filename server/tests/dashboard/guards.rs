//! The surroundings of every page: files, unknown paths, methods, bodies, cookies.

use http::Method;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::testing::TestStore;

use crate::support::{HOSTILE, Site, check_is_text};

both_engines!(
    files_are_compressed_and_kept_and_an_unknown_one_is_a_page,
    unknown_paths_and_methods_are_pages,
    a_form_has_one_media_type_and_a_bounded_size,
    api_keys_open_no_page_and_sessions_no_route,
    a_cookie_that_is_none_is_nobody,
    what_others_typed_is_text,
);

async fn files_are_compressed_and_kept_and_an_unknown_one_is_a_page(store: TestStore) {
    let site = Site::on(&store).await;
    let login = site.stranger().get("/dashboard/login").await;
    let files: Vec<String> = login
        .html()
        .tags
        .into_iter()
        .flat_map(|(_, attributes)| attributes)
        .map(|(_, value)| value)
        .filter(|value| value.starts_with("/dashboard/assets/"))
        .collect();
    assert_eq!(files.len(), 2, "{files:?}");
    for file in files {
        for (accepted, coding) in [("br, gzip", Some("br")), ("gzip", Some("gzip")), ("", None)] {
            let answer = site.at(Method::GET, &file).header("accept-encoding", accepted).send().await;
            assert_eq!((answer.status, answer.header("content-encoding")), (200, coding), "{file} {accepted}");
            assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"), "{file}");
            assert!(answer.bytes.len() > 500, "{file}");
        }
    }
    let gone = site.at(Method::GET, "/dashboard/assets/0000000000000000.css").send().await;
    assert_eq!((gone.status, gone.is_page(), gone.header("cache-control")), (404, true, Some("no-store")));
}

async fn unknown_paths_and_methods_are_pages(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    for path in ["/dashboard/nowhere", "/dashboard/@acme/-/nowhere", "/dashboard/@acme/app/x/y/z", "/dashboard/login/"]
    {
        let page = owner.get(path).await;
        assert_eq!(page.status, 404, "{path}");
        page.says("Page not found").says("Request id:");
    }
    for (method, path) in
        [(Method::POST, "/dashboard"), (Method::DELETE, "/dashboard/login"), (Method::PUT, "/dashboard")]
    {
        let answer = owner.once(method.clone(), path, None, &[("sec-fetch-site", "same-origin")]).await;
        assert_eq!((answer.status, answer.is_page()), (404, true), "{method} {path}");
    }
    let head = owner.once(Method::HEAD, "/dashboard", None, &[]).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    assert_eq!(owner.get("/dashboard/").await.path, "/dashboard");
}

async fn a_form_has_one_media_type_and_a_bounded_size(store: TestStore) {
    let site = Site::on(&store).await;
    let post = |body: String, media_type: &'static str| {
        let call = site.at(Method::POST, "/dashboard/login").header("sec-fetch-site", "same-origin");
        call.header("content-type", media_type).body(body).send()
    };
    for media_type in ["text/plain", "application/json", "multipart/form-data; boundary=x"] {
        let answer = post("frame-email=a".to_owned(), media_type).await;
        assert_eq!((answer.status, answer.is_page()), (400, true), "{media_type}");
    }
    let form = "application/x-www-form-urlencoded";
    assert_eq!(post(format!("next={}", "x".repeat(64 * 1024)), form).await.status, 413);
    assert_eq!(post("a=1&".repeat(1_001), form).await.status, 400);
    // A form with long texts may be larger: a letter of some scripts takes nine bytes.
    let mut owner = site.as_role(Role::Owner).await;
    let glossary = "/dashboard/@acme/app/glossary/new";
    let large = "詞".repeat(20_000);
    let kept = owner.post(glossary, &[("term", ""), ("note", &large)]).await;
    assert_eq!(kept.status, 422);
    assert_eq!(kept.html().form("/glossary/new").value("note").map(str::len), Some(large.len()), "it is shown again");
    assert_eq!(owner.post(glossary, &[("note", &"詞".repeat(30_000))]).await.status, 413);
    assert_eq!(owner.post("/dashboard/account/name", &[("name", &large)]).await.status, 413);
    for body in ["", "&&&", "=", "%", "%ff=%00", "frame-email=%00&frame-password=%ff", "frame-email"] {
        assert_eq!(post(body.to_owned(), form).await.status, 422, "{body}");
    }
}

async fn api_keys_open_no_page_and_sessions_no_route(store: TestStore) {
    let site = Site::on(&store).await;
    let keyed = site.at(Method::GET, "/dashboard").key(&site.project.keys.admin).send().await;
    assert_eq!((keyed.status, keyed.header("location")), (303, Some("/dashboard/login")));
    let mut owner = site.as_role(Role::Owner).await;
    let meta = format!("/v1/projects/{}/meta", site.project.id);
    let answer = owner.once(Method::GET, &meta, None, &[("sec-fetch-site", "same-origin")]).await;
    assert_eq!(answer.outcome(), "401 unauthorized");
}

async fn a_cookie_that_is_none_is_nobody(store: TestStore) {
    let site = Site::on(&store).await;
    let owner = site.as_role(Role::Owner).await;
    let token = owner.cookie("__Host-l10n").unwrap().to_owned();
    let long = "x".repeat(5_000);
    for wrong in ["", "x", "' OR 1=1 --", &long, &token[1..], &token.to_uppercase(), "a b", "\u{e9}"] {
        let mut visitor = site.stranger();
        visitor.set_cookie("__Host-l10n", wrong);
        let page = visitor.get("/dashboard").await;
        assert_eq!((page.status, page.path.as_str()), (200, "/dashboard/login"), "{wrong}");
    }
    // The name that a server without TLS uses counts for nothing where another one is used.
    let mut visitor = site.stranger();
    visitor.set_cookie("l10n", &token);
    assert_eq!(visitor.get("/dashboard").await.path, "/dashboard/login");
}

/// Every hostile text stands on the page as text, wherever it can be typed.
async fn what_others_typed_is_text(store: TestStore) {
    let site = Site::on(&store).await;
    for (index, hostile) in HOSTILE.iter().enumerate() {
        let mut owner = site.as_role(Role::Owner).await;
        let form = owner.get("/dashboard/account").await.html().form("/account/name").set("name", hostile);
        owner.send(form).await;
        let form = owner.get("/dashboard/@acme").await.html().form("/dashboard/@acme");
        let form = form.set("name", hostile).set("slug", &format!("hostile-{index}"));
        owner.send(form).await;
        let made = owner.get(&format!("/dashboard/@acme/hostile-{index}")).await;
        check_is_text(&made, hostile);
        for path in ["/dashboard", "/dashboard/account", "/dashboard/@acme"] {
            let page = owner.get(path).await;
            assert_eq!(page.status, 200, "{path} {hostile}");
            check_is_text(&page, hostile);
        }
    }
}
