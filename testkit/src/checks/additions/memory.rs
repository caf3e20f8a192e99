//! Translation memory: earlier translations of the same text and of similar ones, and files of them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
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

/// A unit of a TMX file with texts by their languages, on a line of its own.
fn unit(texts: &[(&str, &str)]) -> String {
    let text = |(language, text): &(&str, &str)| format!("<tuv xml:lang=\"{language}\"><seg>{text}</seg></tuv>");
    format!("<tu>{}</tu>\n", texts.iter().map(text).collect::<String>())
}

/// ADD-21
pub(super) async fn a_file_goes_into_memory_and_comes_out(cx: Cx) -> CheckResult {
    let name = cx.unique();
    let (text, other) = (format!("Leave the house {{x}} {name} &amp; go"), format!("Stay in the house {{x}} {name}"));
    let import = async |content: &str, encoding: &str| {
        cx.post("/memory/import").json(&json!({ "content": content, "encoding": encoding })).send().await
    };
    let units = [
        unit(&[("en-US", &text), ("de", "Das Haus <ph>{x}</ph> verlassen")]),
        unit(&[("fr", "Maison")]),
        unit(&[("en", &other), ("tlh", "qach")]),
        // It has lost a placeholder.
        unit(&[("en", &other), ("de", "Im Haus bleiben")]),
    ];
    let file =
        format!("<?xml version=\"1.0\"?>\n<tmx version=\"1.4\"><header/><body>\n{}</body></tmx>\n", units.concat());
    let numbers = import(&file, "utf8").await?.control("POST /memory/import")?.json()?;
    cx.equal("`added`", &json!(1), &numbers["added"])?;
    cx.equal("`unchanged`", &json!(0), &numbers["unchanged"])?;
    let refused = numbers["refused"].as_array().cloned().unwrap_or_default();
    let is_named = |line: u64| refused.iter().any(|one| one["line"] == line && one["message"].is_string());
    let expected = "what is refused is named with its line and the reason";
    cx.ensure((4..=6).all(is_named) && !is_named(3), expected, numbers.to_string())?;

    // The same in UTF-16, as tools write it.
    let wide: Vec<u8> = std::iter::once(0xfeff).chain(file.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let again = import(&STANDARD.encode(wide), "base64").await?.expect(200)?.json()?;
    cx.equal("`added` of the same file", &json!(0), &again["added"])?;
    cx.equal("`unchanged` of the same file", &json!(1), &again["unchanged"])?;

    let found = suggested(&cx, &text.replace("&amp;", "&"), None).await?;
    let found = found.into_iter().find(|one| one["percent"] == 100).unwrap_or_default();
    cx.equal("the suggested translation", &json!("Das Haus {x} verlassen"), &found["translation"])?;
    cx.equal("its `origin`", &json!("human"), &found["origin"])?;
    cx.ensure(found["project"].is_string(), "an imported translation is the project's own", found.to_string())?;

    let export = cx.get("/memory/export").send().await?.expect(200)?;
    let exported = String::from_utf8_lossy(&export.body).into_owned();
    let has_it = exported.contains(&text) && exported.contains("Das Haus {x} verlassen");
    export.ensure(has_it, "the export has what was imported")?;
    let is_whole = exported.contains("<tmx version=\"1.4\"") && exported.trim_end().ends_with("</tmx>");
    export.ensure(is_whole, "the export is TMX 1.4, to its end")?;
    for bad in ["{}", "<xliff/>", "<tmx><body>", "<!DOCTYPE tmx [<!ENTITY x SYSTEM \"a\">]><tmx><body/></tmx>"] {
        import(bad, "utf8").await?.expect_error(400, "file_unparseable")?;
    }
    import("<tmx><body/></tmx>", "latin1").await?.expect_error(400, "invalid_argument").map(drop)
}
