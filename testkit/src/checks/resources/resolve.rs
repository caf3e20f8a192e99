//! `GET /projects/resolve`.

use http::Method;

use crate::checks::routes;
use crate::cx::{Call, Cx};
use crate::outcome::{CheckResult, Stop};
use crate::profile::Identity;

/// A resolve by the check's key, of these parameters.
fn resolve(cx: &Cx, query: &[(&str, &str)]) -> Result<Call, Stop> {
    let call = cx.at(Method::GET, "/projects/resolve").bearer(cx.key_of(cx.lane(), Identity::Full)?);
    Ok(query.iter().fold(call, |call, (name, value)| call.query(name, value)))
}

/// RES-1
pub(super) async fn gives_ids(cx: Cx) -> CheckResult {
    let project = cx.lane().clone();
    let call = resolve(&cx, &[("workspace", &project.handle), ("project", &project.slug)])?;
    let answer = call.send().await?.control("GET /projects/resolve")?;
    cx.equal("projectId", &project.id, &answer.text("/projectId")?)?;
    answer.text("/workspaceId").map(drop)
}

/// RES-3
pub(super) async fn needs_both(cx: Cx) -> CheckResult {
    let project = cx.lane().clone();
    let (handle, slug) = (("workspace", project.handle.as_str()), ("project", project.slug.as_str()));
    resolve(&cx, &[handle, slug])?.send().await?.control("GET /projects/resolve with both parameters")?;
    let forms: [(&str, &[(&str, &str)]); 5] = [
        ("without project", &[handle]),
        ("without workspace", &[slug]),
        ("without both", &[]),
        ("with an empty project", &[handle, ("project", "")]),
        ("with an empty workspace", &[("workspace", ""), slug]),
    ];
    for (name, query) in forms {
        let call = resolve(&cx, query)?;
        cx.case(name, async { call.send().await?.expect_error(400, "invalid_argument").map(drop) }).await?;
    }
    Ok(())
}

/// RES-4; AMB-3 leaves both answers.
pub(super) async fn unknown_names(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let project = cx.lane().clone();
    let (handle, slug) = (("workspace", project.handle.as_str()), ("project", project.slug.as_str()));
    resolve(&cx, &[handle, slug])?.send().await?.control("GET /projects/resolve with names that are there")?;
    let unknown = format!("x{}", cx.unique());
    let forms =
        [("slug", [handle, ("project", unknown.as_str())]), ("handle", [("workspace", unknown.as_str()), slug])];
    for (name, query) in forms {
        let call = resolve(&cx, &query)?;
        cx.case(format!("an unknown {name}"), async {
            call.send().await?.expect_one_of(&["404", "401 unauthorized"]).map(drop)
        })
        .await?;
    }
    Ok(())
}
