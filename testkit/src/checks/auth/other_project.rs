//! A key opens its own project and no other.

use crate::checks::routes;
use crate::cx::Cx;
use crate::outcome::CheckResult;
use crate::profile::Identity;

/// AUTH-4
pub(super) async fn refused(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let other = cx.other()?.clone();
    let known = cx.call_on(&other, http::Method::GET, "/credential").send().await?;
    known.control("GET /credential of the other project with a key of that project")?;
    for route in routes::needed(&cx) {
        routes::reachable(&cx, route).await?;
        cx.case(route.name(), async {
            let call = route.call(&cx).key_of(&other, Identity::Full)?;
            let answer = call.send().await?;
            // Who belongs to no path: a project that is another's is as one that does not exist (AMB-3).
            if route.bare() == "/projects/resolve" {
                return answer.expect_one_of(&["401 unauthorized", "404"]).map(drop);
            }
            answer.expect_error(401, "unauthorized").map(drop)
        })
        .await?;
    }
    Ok(())
}
