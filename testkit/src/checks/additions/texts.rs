//! Texts: keys that are found by them, and those that wait for a publish.

use serde_json::{Value, json};

use super::files::file;
use crate::cx::Cx;
use crate::outcome::{CheckResult, Stop};

/// Pages of a list that a check reads at most.
const PAGES: usize = 200;

/// Syncs a source file with these texts, and waits for the job.
async fn sync(cx: &Cx, name: &str, texts: &Value) -> Result<(), Stop> {
    let body = file(&format!("testkit/{name}/en.json"), texts);
    cx.run_to_its_end(cx.lane(), cx.post("/sync").json(&body), "POST /sync").await.map(drop)
}

/// The refs of the keys that a search finds, page by page.
async fn found(cx: &Cx, query: &str) -> Result<Vec<String>, Stop> {
    let (mut refs, mut cursor) = (Vec::new(), None::<String>);
    for _ in 0..PAGES {
        let mut call = cx.get("/translations").query("query", query);
        if let Some(cursor) = &cursor {
            call = call.query("cursor", cursor);
        }
        let page = call.send().await?.expect(200)?.json()?;
        let keys = page["keys"].as_array().cloned().unwrap_or_default();
        refs.extend(keys.iter().filter_map(|key| key["ref"].as_str().map(str::to_owned)));
        cursor = page["nextCursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            return Ok(refs);
        }
    }
    cx.ensure(false, format!("a search ends within {PAGES} pages"), "it goes on").map(|()| refs)
}

/// ADD-16
pub(super) async fn keys_are_found_by_a_text(cx: Cx) -> CheckResult {
    let (name, of_ref, of_source, of_translation) = (cx.unique(), cx.unique(), cx.unique(), cx.unique());
    let key = |number: u8| format!("found{number}{name}");
    let named = format!("named{of_ref}ä");
    let texts = json!({
        (named.as_str()): "A text",
        key(1): format!("Große Änderung {of_source}"),
        key(2): "Another text",
    });
    sync(&cx, &name, &texts).await?;
    let mut import =
        file(&format!("testkit/{name}/de.json"), &json!({ key(2): format!("ÜBERSETZT {of_translation}") }));
    import["language"] = json!("de");
    cx.run_to_its_end(cx.lane(), cx.post("/sync").json(&import), "POST /sync").await?;
    let upper = |text: &str| text.to_uppercase();
    for (what, query, expected) in [
        ("a ref", named.clone(), vec![named.clone()]),
        ("a ref in capitals", upper(&named), vec![named.clone()]),
        ("a part of a source", format!("derung {of_source}"), vec![key(1)]),
        ("a source in capitals", upper(&format!("änderung {of_source}")), vec![key(1)]),
        ("a translation in small letters", format!("übersetzt {of_translation}"), vec![key(2)]),
        ("a text that none has", cx.unique(), vec![]),
        ("a text with a percent sign", format!("derung%{of_source}"), vec![]),
        ("a text with an underscore", format!("derung_{of_source}"), vec![]),
    ] {
        let refs = found(&cx, &query).await?;
        cx.equal(&format!("the keys with {what}"), &expected, &refs)?;
    }
    let longest = cx.get("/translations").query("query", &"x".repeat(500)).send().await?;
    longest.expect(200)?;
    let too_long = cx.get("/translations").query("query", &"x".repeat(501)).send().await?;
    too_long.expect_error(400, "invalid_argument").map(drop)
}

/// The counts of each language, and all changes.
async fn unpublished(cx: &Cx) -> Result<(Vec<Value>, Vec<Value>), Stop> {
    let (mut items, mut languages, mut cursor) = (Vec::new(), Vec::new(), None::<String>);
    for _ in 0..PAGES {
        let mut call = cx.get("/unpublished-changes").query("limit", "500");
        if let Some(cursor) = &cursor {
            call = call.query("cursor", cursor);
        }
        let page = call.send().await?.expect(200)?.json()?;
        items.extend(page["items"].as_array().cloned().unwrap_or_default());
        languages = page["languages"].as_array().cloned().unwrap_or_default();
        cursor = page["nextCursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    items.retain(|item| item["class"] != "held");
    Ok((languages, items))
}

/// ADD-17
pub(super) async fn unpublished_changes_are_listed(cx: Cx) -> CheckResult {
    let name = cx.unique();
    let (kept, new) = (format!("kept{name}"), format!("new{name}"));
    sync(&cx, &name, &json!({ (kept.as_str()): format!("Before {name}") })).await?;
    let published = cx.publish().await?;
    let live = cx.get("/unpublished-changes").send().await?.expect(200)?;
    live.ensure(live.json()?["liveVersionId"] == published.version_id, "`liveVersionId` is that of the publish")?;
    let (_, items) = unpublished(&cx).await?;
    cx.equal("the changes after a publish", &Vec::<Value>::new(), &items)?;

    let texts = json!({ (kept.as_str()): format!("After {name}"), (new.as_str()): format!("New {name}") });
    sync(&cx, &name, &texts).await?;
    let (languages, items) = unpublished(&cx).await?;
    let of = |key: &str, text: &str| {
        let is_it = |item: &&Value| item["ref"] == key && item["to"] == format!("{text} {name}");
        items.iter().find(is_it).cloned().unwrap_or_default()
    };
    let changed = of(&kept, "After");
    cx.equal("the class of a changed source", &json!("changed"), &changed["class"])?;
    cx.equal("its `from`", &json!(format!("Before {name}")), &changed["from"])?;
    let added = of(&new, "New");
    cx.equal("the class of a new source", &json!("added"), &added["class"])?;
    cx.ensure(added["from"].is_null(), "a new text has no `from`", added["from"].to_string())?;
    for language in &languages {
        for class in ["added", "changed", "removed"] {
            let listed = items.iter().filter(|item| item["language"] == language["code"] && item["class"] == class);
            let what = format!("`{class}` of {}", language["code"]);
            cx.equal(&what, &json!(listed.count()), &language[class])?;
        }
    }
    Ok(())
}
