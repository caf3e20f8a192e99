//! The public routes, as caches and browsers use them: entity tags, caching, CORS, `HEAD`, plain UTF-8.

use http::Method;
use serde_json::json;

use super::files::{file, file_in};
use crate::checks::public::{file_route, route};
use crate::cx::{Call, CheckedExchange, Cx};
use crate::outcome::{CheckResult, Stop};

/// The public routes of a project that was just published: each with a name, and its path.
struct PublicRoutes {
    routes: Vec<(&'static str, String)>,
}

impl PublicRoutes {
    /// Publishes, and reads the manifest, as a positive control.
    async fn of_a_publish(cx: &Cx) -> Result<Self, Stop> {
        let version = cx.publish().await?.version_id;
        let (project, templates) = (cx.lane(), &cx.profile().routes);
        let filled = |template: &str, version: &str, path: &str| file_route(template, project, version, path);
        let manifest = route(&templates.manifest, project);
        let read = cx.shown(&manifest, &version).await?.control("the manifest of a published project")?;
        let file = read.json()?["files"][0]["path"].as_str().unwrap_or_default().to_owned();
        cx.control(!file.is_empty(), "a manifest that names a file")?;
        let nowhere = cx.at(Method::GET, &filled(&templates.bundle, &version, "no-such-file")).send().await?;
        cx.control(nowhere.status == 404, "that a file that is not there is 404")?;
        let mut routes = vec![
            ("the manifest", manifest),
            ("a file of a version", filled(&templates.bundle, &version, &file)),
            ("a file of the live version", filled(&templates.bundle, "live", &file)),
            ("the manifest by names", route(&templates.named_manifest, project)),
        ];
        if let Some(names) = templates.named_manifest.strip_suffix("/manifest") {
            let bundle = filled(&format!("{names}/bundles/{{versionId}}/{{path}}"), "live", &file);
            routes.push(("a file by names", bundle));
        }
        Ok(Self { routes })
    }

    /// Holds each route to something, as a case of its own.
    async fn each(&self, cx: &Cx, holds: impl AsyncFn(Call, CheckedExchange) -> CheckResult) -> CheckResult {
        for (name, path) in &self.routes {
            let call = cx.at(Method::GET, path);
            cx.case(*name, async {
                let plain = call.clone().send().await?.expect(200)?;
                holds(call, plain).await
            })
            .await?;
        }
        Ok(())
    }
}

/// Returns true for an entity tag as RFC 9110 §8.8.3 writes it.
fn is_tag(text: &str) -> bool {
    let opaque = text.strip_prefix("W/").unwrap_or(text);
    let inner = opaque.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.is_some_and(|inner| !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"'))
}

/// ADD-6
pub(super) async fn tags_have_their_form(cx: Cx) -> CheckResult {
    PublicRoutes::of_a_publish(&cx)
        .await?
        .each(&cx, async |call, plain| {
            let tag = plain.header_text("etag").to_owned();
            plain.ensure_saw(is_tag(&tag), "ETag: a tag in quotes", tag.clone())?;
            let again = call.send().await?;
            again.ensure_saw(
                again.header_text("etag") == tag,
                "the same tag for the same bytes",
                again.header_text("etag"),
            )
        })
        .await
}

/// ADD-7
pub(super) async fn only_the_right_tag_is_not_modified(cx: Cx) -> CheckResult {
    PublicRoutes::of_a_publish(&cx)
        .await?
        .each(&cx, async |call, plain| {
            let tag = plain.header_text("etag").to_owned();
            let with = |tags: &str| call.clone().header("if-none-match", tags);
            for right in [tag.clone(), format!("\"another\", {tag}")] {
                let answer = with(&right).send().await?.expect(304)?;
                answer.ensure(answer.body.is_empty(), "304 without a body")?;
            }
            for wrong in ["\"another\"".to_owned(), format!("\"{}x\"", tag.trim_matches('"'))] {
                let answer = with(&wrong).send().await?.expect(200)?;
                answer.ensure(answer.body == plain.body, "the whole body to who holds another tag")?;
            }
            Ok(())
        })
        .await
}

/// ADD-8
pub(super) async fn what_changes_is_not_immutable(cx: Cx) -> CheckResult {
    let published = PublicRoutes::of_a_publish(&cx).await?;
    for (name, path) in &published.routes {
        cx.case(*name, async {
            let answer = cx.at(Method::GET, path).send().await?.expect(200)?;
            let control = answer.header_text("cache-control").to_ascii_lowercase();
            if *name == "a file of a version" {
                return answer.ensure_saw(control.contains("immutable"), "Cache-Control: immutable", control);
            }
            let age = control.split(',').find_map(|part| part.trim().strip_prefix("max-age=")?.parse::<u64>().ok());
            let short = age.is_none_or(|age| age <= 3_600) && !control.contains("immutable");
            answer.ensure_saw(short, "Cache-Control of what changes: an hour at most, and not immutable", control)
        })
        .await?;
    }
    Ok(())
}

/// ADD-9
pub(super) async fn pages_of_any_origin_read(cx: Cx) -> CheckResult {
    PublicRoutes::of_a_publish(&cx)
        .await?
        .each(&cx, async |call, plain| {
            let call = call.header("origin", "https://app.example");
            let tag = plain.header_text("etag").to_owned();
            for (what, call) in [("200", call.clone()), ("304", call.header("if-none-match", &tag))] {
                let answer = call.send().await?;
                let open = answer.header_text("access-control-allow-origin").to_owned();
                let holds = matches!(open.as_str(), "*" | "https://app.example");
                answer.ensure_saw(holds, format!("Access-Control-Allow-Origin on {what}"), open)?;
            }
            Ok(())
        })
        .await
}

/// ADD-13: of a source file that has none.
pub(super) async fn no_byte_order_mark(cx: Cx) -> CheckResult {
    let name = cx.unique();
    let body = file(&format!("testkit/{name}/en.json"), &json!({ format!("mark.{name}"): "Grüße" }));
    cx.run_to_its_end(cx.lane(), cx.post("/sync").json(&body), "POST /sync of a file without a byte order mark")
        .await?;
    PublicRoutes::of_a_publish(&cx)
        .await?
        .each(&cx, async |_, plain| {
            plain.ensure(std::str::from_utf8(&plain.body).is_ok(), "UTF-8")?;
            plain.ensure(!plain.body.starts_with(b"\xef\xbb\xbf"), "no byte order mark")
        })
        .await
}

/// ADD-15
pub(super) async fn head_is_get_without_a_body(cx: Cx) -> CheckResult {
    let published = PublicRoutes::of_a_publish(&cx).await?;
    for (name, path) in &published.routes {
        cx.case(*name, async {
            let whole = cx.at(Method::GET, path).send().await?.expect(200)?;
            let head = cx.at(Method::HEAD, path).send().await?.expect(200)?;
            head.ensure(head.body.is_empty(), "no body")?;
            for name in ["etag", "content-type", "cache-control"] {
                let same = head.header_text(name) == whole.header_text(name);
                head.ensure_saw(same, format!("{name}: {}", whole.header_text(name)), head.header_text(name))?;
            }
            Ok(())
        })
        .await?;
    }
    let nowhere = cx.profile().routes.manifest.replace("{projectId}", "prj_none");
    cx.at(Method::HEAD, &nowhere).send().await?.expect(404).map(drop)
}

/// ADD-22
pub(super) async fn a_file_of_all_languages_says_so(cx: Cx) -> CheckResult {
    let name = cx.unique();
    let (table, plain) = (format!("testkit/{name}.csv"), format!("testkit/{name}/en.json"));
    let texts = [format!("Text {name}"), format!("Ein Text {name}")];
    let content = format!("key,en,de\ntable.{name},{},{}\n", texts[0], texts[1]);
    let source = file_in("csv", &table, &content);
    let mut german = source.clone();
    german["language"] = json!("de");
    for body in [source, german, file(&plain, &json!({ format!("plain.{name}"): "A text" }))] {
        cx.run_to_its_end(cx.lane(), cx.post("/sync").json(&body), "POST /sync").await?;
    }
    let version = cx.publish().await?.version_id;
    let manifest = route(&cx.profile().routes.manifest, cx.lane());
    let manifest = cx.shown(&manifest, &version).await?.control("the manifest of a published project")?;
    let listed = manifest.json()?["files"].as_array().cloned().unwrap_or_default();
    let marks = |path: &str| -> Vec<bool> {
        let of = listed.iter().filter(|file| file["path"] == path);
        of.map(|file| file["holdsAllLanguages"] == true).collect()
    };
    cx.equal("`holdsAllLanguages` of a table with a column for each language", &vec![true], &marks(&table))?;
    cx.equal("`holdsAllLanguages` of a file in one language", &vec![false], &marks(&plain))?;
    let bundle = file_route(&cx.profile().routes.bundle, cx.lane(), &version, &table);
    let read = cx.at(Method::GET, &bundle).send().await?.expect(200)?;
    let body = String::from_utf8_lossy(&read.body).into_owned();
    read.ensure(texts.iter().all(|text| body.contains(text.as_str())), "the table has the texts of both languages")
}

#[cfg(test)]
mod tests {
    use super::is_tag;

    #[test]
    fn a_tag_stands_in_quotes() {
        assert!(is_tag("\"ab12\"") && is_tag("W/\"x\""));
        for text in ["", "ab12", "\"\"", "\"a\"b\"", "W/ab", "\"a b\""] {
            assert!(!is_tag(text), "{text}");
        }
    }
}
