//! The first page and a workspace's page, without script.

use http::Method;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::members;
use l10n_server::testing::TestStore;

use crate::support::Site;

both_engines!(
    a_manager_makes_a_project,
    a_project_that_cannot_be_made_is_refused_beside_the_field,
    what_a_role_may_not_do_is_not_offered,
    many_projects_are_shown_page_by_page,
    the_start_page_says_what_it_leaves_out,
);

async fn a_manager_makes_a_project(store: TestStore) {
    let site = Site::on(&store).await;
    let mut visitor = site.as_role(Role::Manager).await;
    let page = visitor.get("/dashboard/@acme").await;
    page.says("Test project").says("1,000,000");
    let form = page.html().form("/dashboard/@acme").set("name", " Web shop ").set("slug", "web-shop");
    let form = form.set("base", "en_us").set("languages", "de, pt_br de;ja");
    let made = visitor.send(form.clone()).await;
    made.says("The project was created.");
    visitor.get("/dashboard").await.says("Web shop").says("4 languages");
    let again = visitor.send(form).await;
    assert_eq!(again.status, 422);
    again.says("This workspace already has a project with this name.");
    assert_eq!(again.html().form("/dashboard/@acme").value("slug"), Some("web-shop"), "what was typed is kept");
    let named = site.at(Method::GET, "/v1/@acme/web-shop/manifest").send().await;
    assert_eq!(named.outcome(), "404 not_published", "the project is there for the API as well");
}

async fn a_project_that_cannot_be_made_is_refused_beside_the_field(store: TestStore) {
    let site = Site::on(&store).await;
    let mut visitor = site.as_role(Role::Owner).await;
    let long = "x".repeat(101);
    for (field, value, words) in [
        ("name", "", "Fill in this field."),
        ("name", long.as_str(), "Enter at most 100 characters."),
        ("name", "a\u{7}b", "Remove control characters"),
        ("slug", "", "Fill in this field."),
        ("slug", "Web Shop", "Enter 1 to 63 lowercase letters"),
        ("slug", "-", "Enter 1 to 63 lowercase letters"),
        ("base", "", "Fill in this field."),
        ("base", "english!", "is not a BCP 47 language tag"),
        ("base", "xx", "xx"),
        ("languages", "de, x-private", "is not a BCP 47 language tag"),
    ] {
        let form = visitor.get("/dashboard/@acme").await.html().form("/dashboard/@acme");
        let form = form.set("name", "Shop").set("slug", "shop").set(field, value);
        let page = visitor.send(form).await;
        assert_eq!(page.status, 422, "{field} {value}");
        page.says("Nothing was saved.").says(words);
        let fields = page.html();
        let wrong =
            fields.tags.iter().find(|(_, attributes)| attributes.contains(&("aria-invalid".into(), "true".into())));
        assert!(wrong.unwrap().1.contains(&("name".into(), field.into())), "{field} {value}");
    }
    assert!(!visitor.get("/dashboard/@acme").await.html().text.contains("Shop"), "nothing was made");
}

async fn what_a_role_may_not_do_is_not_offered(store: TestStore) {
    let site = Site::on(&store).await;
    for role in Role::ALL {
        let mut visitor = site.as_role(role).await;
        let page = visitor.get("/dashboard/@acme").await;
        assert_eq!(page.html().has_form("/dashboard/@acme"), role >= Role::Manager, "{}", role.as_str());
    }
    let other = site.other_project("unlimited").await;
    let mut visitor = site.as_role(Role::Owner).await;
    assert_eq!(visitor.get(&format!("/dashboard/@{}", other.handle)).await.status, 404);
    assert!(!visitor.get("/dashboard").await.text().contains(&other.handle));
}

async fn many_projects_are_shown_page_by_page(store: TestStore) {
    let site = Site::on(&store).await;
    for number in 0..55 {
        site.project_beside(&format!("project-{number:02}")).await;
    }
    let mut visitor = site.as_role(Role::Viewer).await;
    visitor.get("/dashboard").await.says("and 50 more projects");
    let first = visitor.get("/dashboard/@acme").await;
    first.says("acme/project-48");
    assert!(!first.html().text.contains("acme/project-49"));
    let next = first.html().links.into_iter().find(|link| link.contains("after=")).unwrap();
    let second = visitor.get(&next).await;
    second.says("acme/project-49").says("acme/project-54").says("First page");
    assert!(!second.html().text.contains("acme/project-48"));
}

async fn the_start_page_says_what_it_leaves_out(store: TestStore) {
    let site = Site::on(&store).await;
    let ada = site.member("ada@example.com", Role::Viewer).await;
    let mut visitor = site.signed_in(&ada).await;
    for number in 0..100 {
        site.project_beside(&format!("project-{number:03}")).await;
    }
    let page = visitor.get("/dashboard").await;
    page.says("and more than 94 other projects").says("Only the first 100 projects are included.");
    let operator = l10n_server::domain::Actor::Operator { name: "root".to_owned() };
    let mut handles = vec!["acme".to_owned()];
    for _ in 0..24 {
        let other = site.other_project("unlimited").await;
        let mut tx = site.service.store.begin_write().await.unwrap();
        let now = site.clock.now();
        members::put(&mut tx, now, &operator, &other.workspace, &ada, Role::Viewer).await.unwrap();
        tx.commit().await.unwrap();
        handles.push(other.handle);
    }
    let page = visitor.get("/dashboard").await;
    page.says("More workspaces").says("listed at the end without their projects are not included");
    for handle in handles {
        let path = format!("/dashboard/@{handle}");
        assert!(page.html().links.contains(&path), "{handle} is led to");
    }
}
