//! Conventions: base URL, UTF-8, correlation ids, plain HTTP (introduction, §1, §4).

mod correlation;
mod http2;
mod plain;
mod utf8;

use http::Method;

use super::routes;
use crate::check;
use crate::check::Check;
use crate::cx::Cx;
use crate::outcome::CheckResult;
use crate::profile::Identity;

pub(super) const CHECKS: &[Check] = &[
    check! { id: "CONV-1", needs: [], run: relative_to_base_url },
    check! { id: "CONV-2", needs: [Webhooks, Receiver], slots: 2, run: utf8::both_ways },
    check! { id: "CONV-3", needs: [Webhooks, Receiver], slots: 2, run: utf8::invalid_is_malformed },
    check! { id: "CONV-4", needs: [], run: paths_carry_ids },
    check! { id: "CONV-5", needs: [], slots: 1, run: correlation::on_every_response },
    check! { id: "CONV-5-429", covers: ["CONV-5"], needs: [Scratch], waits: 61, run: correlation::over_budget },
    check! {
        id: "CONV-5-304", covers: ["CONV-5"], needs: [Publish, Delivery], publishes: 1, run: correlation::not_modified
    },
    check! { id: "CONV-6", needs: [], run: correlation::one_and_another_each_time },
    check! { id: "CONV-7", needs: [], run: correlation::injects_nothing },
    check! { id: "CONV-8", needs: [Webhooks, Receiver], slots: 1, run: plain::plain_requests },
    check! { id: "CONV-9", needs: [Http2, ScopedKeys], run: http2::behaves_the_same },
];

/// CONV-1
async fn relative_to_base_url(cx: Cx) -> CheckResult {
    let credential = cx.get("/credential").send().await?.expect_in(200..=299)?;
    credential.ensure(credential.json()?["scopes"].is_array(), "the credential of the key, below base_url")?;
    cx.at(Method::GET, &cx.profile().routes.health).send().await?.control("the route of health, below base_url")?;
    let nowhere = cx.at(Method::GET, &format!("/{}", cx.unique())).send().await?;
    nowhere.ensure(!(200..300).contains(&nowhere.status), "no success below a path that is none")
}

/// CONV-4
async fn paths_carry_ids(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let project = cx.lane().clone();
    let names = [&project.slug, &project.handle, &format!("{}%2F{}", project.handle, project.slug)];
    for name in names {
        let key = cx.key_of(&project, Identity::Full)?;
        let call = cx.at(Method::GET, &format!("/projects/{name}/credential")).bearer(key);
        cx.case(name.clone(), async { call.send().await?.expect_one_of(&["401 unauthorized", "404"]).map(drop) })
            .await?;
    }
    Ok(())
}
