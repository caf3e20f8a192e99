//! The people of one workspace beside those of others.

use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;
use http::Method;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::store::{Tx, lock};
use l10n_server::testing::{TestProject, TestStore, on_postgres, sql};
use serde_json::json;

use crate::support::{Form, Site, Visitor};

both_engines!(members_of_one_workspace_leave_places_for_the_people_of_others,);

/// Connections that wait for a lock.
const LOCKED: &str = "pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/// Writes of another tenant while forms wait.
const BESIDE: usize = 20;

/// Before, each form took a connection, and with the last one the writes of all others waited, too.
#[test]
fn forms_that_wait_for_a_project_or_workspace_leave_connections_to_others() {
    on_postgres(async |store: TestStore| {
        let site = Site::on(&store).await;
        let other = site.other_project("unlimited").await;
        let reader = site.member("reader@example.com", Role::Viewer).await;
        let mut owner = site.as_role(Role::Owner).await;

        let (keys, webhooks) = (site.path("/settings/keys"), site.path("/webhooks/new"));
        let replace = owner.get(&keys).await.html().links.into_iter().find(|link| link.ends_with("/replace")).unwrap();
        let mut forms = vec![owner.get(&replace).await.html().form("/replace")];
        let (key, webhook) = (owner.get(&format!("{keys}/new")).await.html(), owner.get(&webhooks).await.html());
        for number in 0..3 {
            forms.push(key.form("/settings/keys/new").set("label", &format!("Key {number}")).check("scope", "read"));
        }
        for number in 0..4 {
            let form = webhook.form("/webhooks/new").set("url", &format!("https://93.184.216.34/{number}"));
            forms.push(form.check("event", "strings.published"));
        }
        let mut held = store.begin_write().await.unwrap();
        assert!(lock::project(&mut held, &site.project.id).await.unwrap());
        check_leaves_connections(&site, &other, held, &owner, forms).await;

        let (members, cap) = ("/dashboard/@acme/-/members", "/dashboard/@acme/-/credits/cap");
        let invite = owner.get(members).await.html().form("/-/members");
        let mut forms: Vec<_> =
            (0..4).map(|number| invite.clone().set("email", &format!("new-{number}@example.com"))).collect();
        let role = owner.get(&format!("{members}/{}", reader.id)).await.html().form("/role");
        let term = owner.get("/dashboard/@acme/-/glossary/new").await.html().form("/glossary/new");
        let project = owner.get("/dashboard/@acme").await.html().form("/dashboard/@acme");
        forms.extend([
            role.set("role", "reviewer"),
            term.set("term", "Acme Pay").set("rule", "keep").set("language", "en"),
            project.set("name", "Shop").set("slug", "shop"),
            owner.get(cap).await.html().post_form(cap).set("cap", "100"),
        ]);
        let mut held = store.begin_write().await.unwrap();
        assert!(lock::workspace(&mut held, &site.project.workspace).await.unwrap());
        check_leaves_connections(&site, &other, held, &owner, forms).await;
    });
}

/// Sends forms that wait for `held`. Another tenant's writes wait for none of them.
async fn check_leaves_connections(site: &Site, other: &TestProject, held: Tx, owner: &Visitor<'_>, forms: Vec<Form>) {
    let send = |form: Form| {
        let mut owner = owner.clone();
        async move { owner.send(form).await }
    };
    let beside = async {
        while sql::count(&site.service.store, LOCKED).await == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        for number in 0..BESIDE {
            let body = json!({"keys": [{"ref": format!("missing.{number}"), "text": "Missing"}]});
            let theirs = site.at(Method::POST, &format!("/v1/projects/{}/capture", other.id)).key(&other.keys.admin);
            let answer = theirs.json(&body).send().await;
            assert_eq!(answer.status, 200, "{answer:?}");
        }
        held.commit().await.unwrap();
    };
    let (pages, ()) = tokio::join!(join_all(forms.into_iter().map(send)), beside);
    for page in pages {
        assert_eq!(page.status, 200, "{}: {}", page.path, page.html().text);
    }
}

/// Requests of one person that may be under way or in line.
const OF_ONE_PERSON: usize = 16;

async fn members_of_one_workspace_leave_places_for_the_people_of_others(store: TestStore) {
    let site = Site::on(&store).await;
    let other = site.other_project("unlimited").await;
    let person = site.member_of(&other, "other@example.com", Role::Viewer).await;
    let mut other_person = site.signed_in(&person).await;
    // The pages wait for the workspace's turn to compare.
    let turn = site.service.comparison_turns.take(&site.project.workspace, 1).await.unwrap();
    let publish = site.path("/publish");
    let mut requests = FuturesUnordered::new();
    for number in 0..3 {
        let member = site.member(&format!("member-{number}@example.com"), Role::Manager).await;
        let visitor = site.signed_in(&member).await;
        for _ in 0..OF_ONE_PERSON {
            let (mut visitor, publish) = (visitor.clone(), publish.clone());
            requests.push(async move { visitor.get(&publish).await.status });
        }
    }
    // As many requests as may be under way or in line are so once a third of them is refused.
    for _ in 0..OF_ONE_PERSON {
        let refused = requests.next().await.unwrap();
        assert!(matches!(refused, 429 | 503), "{refused}");
    }
    let page = other_person.get(&format!("/dashboard/@{}/{}", other.handle, other.slug)).await;
    assert_eq!(page.status, 200, "{}", page.text());
    // Who goes away leaves the place.
    drop((turn, requests));
    let mut member = site.as_role(Role::Manager).await;
    while member.get(&publish).await.status != 200 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
