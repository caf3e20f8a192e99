//! Every page and every form of the dashboard's table, for strangers, for each role, from elsewhere, and with the names of
//! another workspace. A page that is added to the table is walked over by this.

use http::Method;
use l10n_server::both_engines;
use l10n_server::domain::access::{Role, allows};
use l10n_server::testing::{DashboardPage, TestProject, TestStore, dashboard_pages};

use crate::support::Site;

both_engines!(
    strangers_are_sent_to_the_sign_in_and_change_nothing,
    each_role_opens_what_the_table_of_access_says,
    names_of_another_workspace_lead_nowhere,
    nothing_is_taken_from_a_page_of_another_site,
    what_can_be_no_name_leads_nowhere,
    every_page_has_its_headers_and_all_of_its_texts,
    what_wants_a_confirmation_asks_for_it,
);

/// The path of a page in a project. Other places hold an id that nothing has.
fn path(page: &DashboardPage, project: &TestProject) -> String {
    let parts = page.path.split('/').map(|part| match part {
        "@{handle}" => format!("@{}", project.handle),
        "{slug}" => project.slug.clone(),
        part if part.starts_with('{') => "none_0000000000000000".to_owned(),
        part => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("/")
}

/// Returns true for a page whose path names something besides the workspace and the project.
fn names_more(page: &DashboardPage) -> bool {
    page.path.split('/').any(|part| part.contains('{') && !matches!(part, "@{handle}" | "{slug}"))
}

async fn strangers_are_sent_to_the_sign_in_and_change_nothing(store: TestStore) {
    let site = Site::on(&store).await;
    for page in dashboard_pages().iter().filter(|page| !page.is_public) {
        let path = path(page, &site.project);
        let mut stranger = site.stranger();
        let headers = [("sec-fetch-site", "same-origin")];
        if page.method == "GET" {
            let answer = stranger.once(Method::GET, &path, None, &headers).await;
            assert_eq!(answer.status, 303, "{path}");
            assert!(answer.header("location").unwrap().starts_with("/dashboard/login"), "{path}");
            assert!(answer.bytes.is_empty(), "{path}");
        } else {
            let form = Some("name=kept+text".to_owned());
            let answer = stranger.once(Method::POST, &path, form, &headers).await;
            assert_eq!(answer.status, 403, "{path}");
            assert!(answer.text().contains("frame-password") && answer.text().contains("kept text"), "{path}");
        }
    }
}

async fn each_role_opens_what_the_table_of_access_says(store: TestStore) {
    let site = Site::on(&store).await;
    for role in Role::ALL {
        let mut visitor = site.as_role(role).await;
        for page in dashboard_pages().iter().filter(|page| page.path != "/dashboard/logout") {
            if page.path.ends_with("/sessions/end-all") {
                continue;
            }
            let path = path(page, &site.project);
            let may = page.action.is_none_or(|action| allows(role, action));
            let headers = [("sec-fetch-site", "same-origin")];
            let (method, form) = match page.method {
                "GET" => (Method::GET, None),
                _ => (Method::POST, Some(String::new())),
            };
            let status = visitor.once(method, &path, form, &headers).await.status;
            let expected: &[u16] = match (page.method, may, names_more(page)) {
                // An operation that is not there is no member's.
                (_, false, true) => &[403, 404],
                (_, false, false) => &[403],
                ("GET", true, false) => &[200, 303],
                ("GET", true, true) => &[200, 303, 403, 404],
                // An empty form is refused, or it had nothing to say.
                (_, true, false) => &[303, 409, 422],
                (_, true, true) => &[303, 403, 404, 409, 422],
            };
            assert!(expected.contains(&status), "{} {} {path}: {status}", role.as_str(), page.method);
        }
    }
}

async fn names_of_another_workspace_lead_nowhere(store: TestStore) {
    let site = Site::on(&store).await;
    let other = site.other_project("unlimited").await;
    let mut owner = site.as_role(Role::Owner).await;
    for page in dashboard_pages().iter().filter(|page| page.action.is_some()) {
        let path = path(page, &other);
        let form = (page.method == "POST").then(|| "name=x&slug=x&base=en".to_owned());
        let method = if page.method == "GET" { Method::GET } else { Method::POST };
        let answer = owner.once(method, &path, form, &[("sec-fetch-site", "same-origin")]).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.is_page() && !answer.text().contains(&other.handle), "{path}");
    }
}

async fn nothing_is_taken_from_a_page_of_another_site(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    for page in dashboard_pages().iter().filter(|page| page.method == "POST") {
        let path = path(page, &site.project);
        for headers in [
            vec![("origin", "https://evil.example")],
            vec![("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")],
            vec![("sec-fetch-site", "same-site")],
            vec![("sec-fetch-site", "none")],
            vec![("origin", "null")],
            vec![],
        ] {
            let answer = owner.once(Method::POST, &path, Some("name=x".to_owned()), &headers).await;
            assert_eq!(answer.status, 403, "{path} {headers:?}");
            assert!(answer.is_page() && answer.header("set-cookie").is_none(), "{path} {headers:?}");
        }
    }
    assert_eq!(owner.get("/dashboard").await.status, 200, "the session goes on");
}

async fn what_can_be_no_name_leads_nowhere(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    let long = "x".repeat(65);
    let words = ["%3Cscript%3E", "a%2fb", "%00", "%ff", "a%0d%0ax:y", "..%2f", "a'b", "a;x=1", long.as_str()];
    for word in words {
        for page in dashboard_pages().iter().filter(|page| page.path.contains('{')) {
            let path = page.path.split('/').map(|part| match part.split_once('{') {
                Some((prefix, _)) => format!("{prefix}{word}"),
                None => part.to_owned(),
            });
            let path = path.collect::<Vec<_>>().join("/");
            let form = (page.method == "POST").then(String::new);
            let method = if page.method == "GET" { Method::GET } else { Method::POST };
            let answer = owner.once(method, &path, form, &[("sec-fetch-site", "same-origin")]).await;
            assert_eq!(answer.status, 404, "{path}");
            assert!(!answer.text().contains("<script>") && !answer.text().contains(word), "{path}");
        }
    }
}

async fn every_page_has_its_headers_and_all_of_its_texts(store: TestStore) {
    let site = Site::on(&store).await;
    let mut owner = site.as_role(Role::Owner).await;
    for page in dashboard_pages() {
        let path = path(&page, &site.project);
        let headers = [("sec-fetch-site", "same-origin")];
        // The last of them ends the session.
        if page.path.ends_with("/logout") || page.path.ends_with("/end-all") {
            continue;
        }
        let (method, form) =
            if page.method == "GET" { (Method::GET, None) } else { (Method::POST, Some("a=b".to_owned())) };
        let answer = owner.once(method, &path, form, &headers).await;
        let policy = answer.header("content-security-policy").unwrap();
        for part in ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"] {
            assert!(policy.contains(part) && !policy.contains("unsafe"), "{path}: {policy}");
        }
        for (name, value) in [
            ("referrer-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("x-content-type-options", "nosniff"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{path} {name}");
        }
        if answer.is_page() {
            let text = answer.text();
            assert!(!text.contains('⟦'), "{path}: a text is missing: {text}");
            assert_eq!(text.matches("<h1").count(), 1, "{path}");
            for forbidden in ["<style", "style=", "onclick", "javascript:", "http-equiv"] {
                assert!(!text.contains(forbidden), "{path}: {forbidden}");
            }
        }
    }
}

async fn what_wants_a_confirmation_asks_for_it(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Owner).await;
    site.give_password(&ada).await;
    let mut owner = site.signed_in(&ada).await;
    site.clock.advance(std::time::Duration::from_secs(61 * 60));
    for page in dashboard_pages().iter().filter(|page| page.confirmed && !names_more(page)) {
        let path = path(page, &site.project);
        let form = Some("label=kept+text".to_owned());
        let answer = owner.once(Method::POST, &path, form, &[("sec-fetch-site", "same-origin")]).await;
        assert_eq!(answer.status, 403, "{path}");
        assert!(answer.text().contains("frame-confirm-password") && answer.text().contains("kept text"), "{path}");
    }
}
