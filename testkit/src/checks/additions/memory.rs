//! Translation memory: earlier translations of the same text and of similar ones.

use serde_json::{Value, json};

use super::files::file;
use crate::cx::Cx;
use crate::outcome::{CheckResult, Stop};

/// The suggestions for a text in German.
async fn suggested(cx: &Cx, text: &str, percent: Option<&str>) -> Result<Vec<Value>, Stop> {
    let mut call = cx.get("/memory").query("language", "de").query("text", text);
    if let Some(percent) = percent {
        call = call.query("percent", percent);
    }
    let answer = call.send().await?.expect(200)?.json()?;
    Ok(answer["matches"].as_array().cloned().unwrap_or_default())
}

/// ADD-20
pub(super) async fn earlier_translations_are_suggested(cx: Cx) -> CheckResult {
    let name = cx.unique();
    let text = format!("Leave the room {name} and close all of its doors and windows");
    let translation = format!("Den Raum {name} verlassen");
    let source = file(&format!("testkit/{name}/en.json"), &json!({ (name.as_str()): text }));
    cx.run_to_its_end(cx.lane(), cx.post("/sync").json(&source), "POST /sync").await?;
    let mut import = file(&format!("testkit/{name}/de.json"), &json!({ (name.as_str()): translation }));
    import["language"] = json!("de");
    cx.run_to_its_end(cx.lane(), cx.post("/sync").json(&import), "POST /sync").await?;

    let of = |found: &[Value]| found.iter().find(|one| one["translation"] == translation).cloned();
    let same = of(&suggested(&cx, &text, None).await?);
    cx.ensure(same.is_some(), "the same text finds the translation", "it is not among the suggestions")?;
    let same = same.unwrap_or_default();
    cx.equal("its `percent`", &json!(100), &same["percent"])?;
    cx.equal("its `source`", &json!(text), &same["source"])?;
    cx.equal("its `origin`", &json!("human"), &same["origin"])?;
    cx.ensure(same["project"].is_string(), "`project` says whose an imported translation is", same.to_string())?;

    // Memory may index a new text a moment later.
    let similar = text.replace("and windows", "and blinds");
    let ask = async || Ok(of(&suggested(&cx, &similar, None).await?));
    let found = cx.eventually("a similar text finds the translation", ask, Option::is_some).await?;
    let percent = found.unwrap_or_default()["percent"].as_u64().unwrap_or(0);
    cx.ensure((80..99).contains(&percent), "`percent` says how alike the texts are", percent.to_string())?;
    let capitals = of(&suggested(&cx, &text.to_uppercase(), None).await?).unwrap_or_default();
    cx.equal("`percent` of the text in capitals", &json!(99), &capitals["percent"])?;
    let higher = of(&suggested(&cx, &similar, Some("99")).await?);
    cx.ensure(higher.is_none(), "a text that is less alike than `percent` is not suggested", "it is")?;

    let longest = cx.get("/memory").query("language", "de").query("text", &"x".repeat(1_000)).send().await?;
    longest.expect(200)?;
    let too_long = cx.get("/memory").query("language", "de").query("text", &"x".repeat(1_001)).send().await?;
    too_long.expect_error(400, "invalid_argument").map(drop)
}
