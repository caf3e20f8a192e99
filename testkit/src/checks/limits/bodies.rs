//! Caps of bodies, to the byte.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::checks::content::a_document;
use crate::checks::push::Push;
use crate::cx::{Call, Cx};
use crate::outcome::CheckResult;

/// 1 MiB.
pub(super) const MIB: usize = 1024 * 1024;

/// `body`, filled up with blanks to `size` bytes.
pub(super) fn padded(body: &str, size: usize) -> Vec<u8> {
    let mut body = body.as_bytes().to_vec();
    body.resize(size.max(body.len()), b' ');
    body
}

/// A webhook without events: refused, once it is read.
const NO_EVENTS: &str = "{\"url\":\"https://example.com/\"}";

fn sized(call: Call, body: &str, size: usize) -> Call {
    call.bytes(padded(body, size)).content_type("application/json")
}

async fn fits(cx: &Cx, name: impl Into<String>, call: Call) -> CheckResult {
    cx.case(name, async {
        let answer = call.send().await?;
        answer.ensure(answer.status != 413 && answer.status < 500, "not 413: the size is within the cap")
    })
    .await
}

async fn too_large(cx: &Cx, name: impl Into<String>, call: Call) -> CheckResult {
    cx.case(name, async { call.send().await?.expect_error(413, "payload_too_large").map(|_| ()) }).await
}

/// LIM-BODY-1
pub(super) async fn default_cap(cx: Cx) -> CheckResult {
    cx.webhooks().await?;
    let call = |size| sized(cx.post("/webhooks"), NO_EVENTS, size);
    cx.case("1,048,576 bytes", async { call(MIB).send().await?.expect_error(400, "invalid_argument").map(|_| ()) })
        .await?;
    cx.case("1,048,576 bytes in chunks", async {
        call(MIB).chunked().send().await?.expect_error(400, "invalid_argument").map(|_| ())
    })
    .await?;
    too_large(&cx, "1,048,577 bytes", call(MIB + 1)).await?;
    too_large(&cx, "1,048,577 bytes in chunks", call(MIB + 1).chunked()).await?;
    too_large(&cx, "2,000,000 bytes", call(2_000_000)).await?;
    let translate = |size| sized(cx.post("/translate").query("dryRun", "true"), "{}", size);
    if cx.claims(crate::check::Claim::Translate) {
        fits(&cx, "POST /translate of 1,048,576 bytes", translate(MIB)).await?;
        too_large(&cx, "POST /translate of 1,048,577 bytes", translate(MIB + 1)).await?;
    }
    Ok(())
}

/// LIM-BODY-2
pub(super) async fn sync_cap(cx: Cx) -> CheckResult {
    let push = Push::sync(&cx);
    push.preview(&cx).await?;
    let call = |size| sized(cx.post("/sync").query("dryRun", "true"), "{}", size);
    fits(&cx, "1 MiB and a byte", call(MIB + 1)).await?;
    fits(&cx, "4 MiB", call(4 * MIB)).await?;
    too_large(&cx, "4 MiB and a byte", call(4 * MIB + 1)).await?;
    too_large(&cx, "4 MiB and a byte in chunks", call(4 * MIB + 1).chunked()).await
}

/// LIM-BODY-3
pub(super) async fn file_cap(cx: Cx) -> CheckResult {
    let push = Push::sync(&cx);
    push.preview(&cx).await?;
    let file = &push.body["file"];
    let content = file["content"].as_str().unwrap_or("{}").to_owned();
    let call = |size: usize| {
        let mut file = file.clone();
        file["content"] = json!(STANDARD.encode(padded(&content, size)));
        file["encoding"] = json!("base64");
        push.with("file", file).call(&cx).query("dryRun", "true")
    };
    fits(&cx, "a file of 2 MiB", call(2 * MIB)).await?;
    too_large(&cx, "a file of 2 MiB and a byte", call(2 * MIB + 1)).await
}

/// LIM-BODY-4
pub(super) async fn import_cap(cx: Cx) -> CheckResult {
    let path = format!("/content/{}", a_document(&cx).await?);
    let post = |size| sized(cx.post("/content"), "{}", size);
    let put = |size| sized(cx.put(&path), "{}", size);
    fits(&cx, "POST of 256,000 bytes", post(256_000)).await?;
    too_large(&cx, "POST of 262,145 bytes", post(262_145)).await?;
    fits(&cx, "PUT of 256,000 bytes", put(256_000)).await?;
    too_large(&cx, "PUT of 262,145 bytes", put(262_145)).await
}

/// LIM-BODY-5
pub(super) async fn run_cap(cx: Cx) -> CheckResult {
    let path = format!("/content/{}/run", a_document(&cx).await?);
    let call = |size| sized(cx.post(&path), "{\"dryRun\":true}", size);
    fits(&cx, "8,000 bytes", call(8_000)).await?;
    too_large(&cx, "8,193 bytes", call(8_193)).await
}

/// LIM-BODY-7
pub(super) async fn nothing_is_written(cx: Cx) -> CheckResult {
    let own = cx.endpoint().map(|endpoint| endpoint.url().to_owned());
    let url = own.unwrap_or_else(|_| format!("https://example.com/{}", cx.unique()));
    let body = json!({ "url": url, "events": ["strings.published"] }).to_string();
    let before = cx.webhooks().await?;
    sized(cx.post("/webhooks"), &body, MIB + 1).send().await?.expect(413)?;
    sized(cx.post("/webhooks"), &body, MIB + 1).chunked().send().await?.expect(413)?;
    cx.equal("the webhooks after a body too large", &before, &cx.webhooks().await?)?;
    sized(cx.post("/webhooks"), &body, MIB)
        .send()
        .await?
        .control("POST /webhooks with the same body within the cap")?;
    Ok(())
}
