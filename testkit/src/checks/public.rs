//! Routes that take no key (§4, §5.8).

use http::Method;
use serde_json::{Value, json};

use super::routes;
use crate::check;
use crate::check::Check;
use crate::cx::{CheckedExchange, Cx};
use crate::outcome::CheckResult;
use crate::profile::Project;

pub(super) const CHECKS: &[Check] = &[
    check! { id: "PUB-1", needs: [], run: health_needs_no_key },
    check! { id: "PUB-2", needs: [Delivery, Publish], publishes: 1, run: delivery_needs_no_key },
    check! { id: "PUB-3", needs: [], run: a_bad_key_changes_nothing },
    check! { id: "PUB-4", needs: [Delivery, Publish, Translate], publishes: 1, run: drafts_stay_inside },
];

/// PUB-1
async fn health_needs_no_key(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let answer = cx.at(Method::GET, &cx.profile().routes.health).send().await?.expect_in(200..=299)?;
    answer.ensure(answer.header("x-correlation-id").is_some(), "x-correlation-id")
}

/// The path of a project's public route.
pub(super) fn route(template: &str, project: &Project) -> String {
    let by_id = template.replace("{projectId}", &project.id);
    by_id.replace("{handle}", &project.handle).replace("{slug}", &project.slug)
}

/// The path of a file of a version.
pub(super) fn file_route(template: &str, project: &Project, version: &str, path: &str) -> String {
    route(template, project).replace("{versionId}", version).replace("{path}", path)
}

/// The files of the version that is live: their paths.
fn files(manifest: &Value) -> Vec<String> {
    let files = manifest["files"].as_array().into_iter().flatten();
    files.filter_map(|file| file["path"].as_str().map(str::to_owned)).collect()
}

/// A control: a project that is not there has no manifest, so an answer is not given to everything.
async fn nowhere_else(cx: &Cx) -> CheckResult {
    let route = cx.profile().routes.manifest.replace("{projectId}", "prj_none").replace("{handle}", "none");
    let answer = cx.at(Method::GET, &route.replace("{slug}", "none")).send().await?;
    cx.control(answer.status >= 400, "a project that is not there has no manifest")
}

/// PUB-2
async fn delivery_needs_no_key(cx: Cx) -> CheckResult {
    let published = cx.publish().await?;
    nowhere_else(&cx).await?;
    let templates = &cx.profile().routes;
    let read = |path: String| cx.at(Method::GET, &path).send();
    let manifest = read(route(&templates.manifest, cx.lane())).await?.expect_one_of(&["200", "404"])?;
    cx.case("the manifest by names", async {
        read(route(&templates.named_manifest, cx.lane())).await?.expect_one_of(&["200", "404"]).map(drop)
    })
    .await?;
    let listed = manifest.json().map(|manifest| files(&manifest)).unwrap_or_default();
    let path = listed.first().cloned().unwrap_or_else(|| "none.json".to_owned());
    cx.case("a bundle", async {
        let answer = read(file_route(&templates.bundle, cx.lane(), &published.version_id, &path)).await?;
        answer.expect_one_of(&["200", "404"]).map(drop)
    })
    .await
}

/// PUB-3
async fn a_bad_key_changes_nothing(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let health = || cx.at(Method::GET, &cx.profile().routes.health);
    let without = health().send().await?.control("the route of health")?;
    for (name, form) in [("a key that never was", "Bearer nonsense"), ("another scheme", "Basic bm9uc2Vuc2U=")] {
        cx.case(name, async { health().authorization(form).send().await?.expect(without.status).map(drop) }).await?;
    }
    Ok(())
}

/// PUB-4: of what was registered after a publish, nothing is to be had without a key.
async fn drafts_stay_inside(cx: Cx) -> CheckResult {
    let published = cx.publish().await?;
    nowhere_else(&cx).await?;
    let draft = cx.filled(&cx.profile().bodies.translate);
    // Once its job has ended, there are translations of it as well.
    cx.run_to_its_end(cx.lane(), cx.post("/translate").json(&draft), "POST /translate").await?;
    let marker = cx.unique();
    let marker = marker.split('-').next().unwrap_or_default();
    let named = draft["keys"][0]["ref"].as_str().unwrap_or(marker).to_owned();
    let templates = &cx.profile().routes;
    // Another process may show the version before for a moment.
    let manifest = route(&templates.manifest, cx.lane());
    let manifest = async || cx.at(Method::GET, &manifest).send().await?.control("the manifest of a published project");
    let is_live = |manifest: &CheckedExchange| {
        manifest.json().is_ok_and(|manifest| manifest["versionId"] == json!(published.version_id))
    };
    let manifest = cx.eventually("the published version in the manifest", manifest, is_live).await?;
    let holds_none = |answer: &CheckedExchange, what: &str| {
        answer.ensure(!String::from_utf8_lossy(&answer.body).contains(&named), what)
    };
    holds_none(&manifest, "no draft in the manifest")?;
    cx.case("the manifest by names", async {
        let by_names = cx.at(Method::GET, &route(&templates.named_manifest, cx.lane())).send().await?;
        holds_none(&by_names.expect_one_of(&["200", "404"])?, "no draft in the manifest by names")
    })
    .await?;
    for path in files(&manifest.json()?) {
        for version in [published.version_id.as_str(), "live"] {
            cx.case(format!("{path} of {version}"), async {
                let file = file_route(&templates.bundle, cx.lane(), version, &path);
                let file = cx.at(Method::GET, &file).send().await?.control("a file of the version")?;
                holds_none(&file, "only what was published")
            })
            .await?;
        }
    }
    Ok(())
}
