//! The people of one workspace beside those of others.

use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::testing::TestStore;

use crate::support::Site;

both_engines!(members_of_one_workspace_leave_places_for_the_people_of_others,);

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
