//! Misspelled or misplaced preview flags never cause a real run.

use serde_json::{Value, json};

use crate::check::Claim;
use crate::checks::content::a_document;
use crate::checks::push::Push;
use crate::cx::{Call, Cx};
use crate::outcome::{CheckResult, Stop};

/// DRY-4a
pub(super) async fn wrong_place(cx: Cx) -> CheckResult {
    for push in Push::both(&cx) {
        push.preview(&cx).await?;
        for value in [true, false] {
            let name = format!("{} with dryRun: {value} in the body", push.path);
            refused(&cx, name, push.with("dryRun", value).call(&cx)).await?;
        }
        cx.case(push.path, push.has_not_run(&cx)).await?;
    }
    if cx.claims(Claim::Documents) {
        let run = UnrunDocument::new(&cx).await?;
        refused(&cx, "run with ?dryRun=true", run.call(&cx, &json!({})).query("dryRun", "true")).await?;
        run.has_not_run(&cx).await?;
    }
    Ok(())
}

/// DRY-4b
pub(super) async fn other_spellings(cx: Cx) -> CheckResult {
    const SPELLINGS: [&str; 5] = ["dry_run", "dryrun", "DryRun", "DRYRUN", "dry-run"];
    for push in Push::both(&cx) {
        push.preview(&cx).await?;
        for spelling in SPELLINGS {
            let name = |place: &str| format!("{} with {spelling} in the {place}", push.path);
            refused(&cx, name("query"), push.call(&cx).query(spelling, "true")).await?;
            refused(&cx, name("body"), push.with(spelling, true).call(&cx)).await?;
        }
        cx.case(push.path, push.has_not_run(&cx)).await?;
    }
    if cx.claims(Claim::Documents) {
        let run = UnrunDocument::new(&cx).await?;
        for spelling in SPELLINGS {
            refused(&cx, format!("run with {spelling}"), run.call(&cx, &json!({ spelling: true }))).await?;
            let call = run.call(&cx, &json!({})).query(spelling, "true");
            refused(&cx, format!("run with ?{spelling}"), call).await?;
        }
        run.has_not_run(&cx).await?;
    }
    Ok(())
}

/// DRY-4c
pub(super) async fn no_boolean(cx: Cx) -> CheckResult {
    for push in Push::both(&cx) {
        push.preview(&cx).await?;
        for value in ["1", "0", "yes", ""] {
            let name = format!("{}?dryRun={value}", push.path);
            refused(&cx, name, push.call(&cx).query("dryRun", value)).await?;
        }
        cx.case(push.path, push.has_not_run(&cx)).await?;
    }
    if cx.claims(Claim::Documents) {
        let run = UnrunDocument::new(&cx).await?;
        for value in [json!(1), json!(0), json!("true"), json!([]), json!({})] {
            refused(&cx, format!("run with dryRun: {value}"), run.call(&cx, &json!({ "dryRun": value }))).await?;
        }
        run.has_not_run(&cx).await?;
    }
    Ok(())
}

/// DRY-4d
pub(super) async fn almost_boolean(cx: Cx) -> CheckResult {
    let push = Push::translate(&cx);
    push.preview(&cx).await?;
    let call = || push.call(&cx);
    refused(&cx, "true, then false", call().query("dryRun", "true").query("dryRun", "false")).await?;
    refused(&cx, "true twice", call().query("dryRun", "true").query("dryRun", "true")).await?;
    refused(&cx, "TRUE", call().query("dryRun", "TRUE")).await?;
    refused(&cx, "True", call().query("dryRun", "True")).await?;
    refused(&cx, "in both places", push.with("dryRun", true).call(&cx).query("dryRun", "true")).await?;
    push.has_not_run(&cx).await?;
    if cx.claims(Claim::Documents) {
        let run = UnrunDocument::new(&cx).await?;
        refused(&cx, "run with dryRun: null", run.call(&cx, &json!({ "dryRun": null }))).await?;
        let both = run.call(&cx, &json!({ "dryRun": true })).query("dryRun", "true");
        refused(&cx, "run with the flag in both places", both).await?;
        run.has_not_run(&cx).await?;
    }
    Ok(())
}

async fn refused(cx: &Cx, name: impl Into<String>, call: Call) -> CheckResult {
    cx.case(name, async { call.send().await?.expect_error(400, "invalid_argument").map(|_| ()) }).await
}

/// A document that has not been run.
struct UnrunDocument {
    path: String,
    price: Value,
}

impl UnrunDocument {
    async fn new(cx: &Cx) -> Result<Self, Stop> {
        let path = format!("/content/{}/run", a_document(cx).await?);
        let price = Self::quote(cx, &path).await?;
        Ok(Self { path, price })
    }

    fn call(&self, cx: &Cx, body: &Value) -> Call {
        cx.post(&self.path).json(body)
    }

    /// Checks that the price is unchanged: a run would have made the same text free of charge.
    async fn has_not_run(&self, cx: &Cx) -> CheckResult {
        cx.equal("what a run costs, since nothing ran", &self.price, &Self::quote(cx, &self.path).await?)
    }

    async fn quote(cx: &Cx, path: &str) -> Result<Value, Stop> {
        let preview = cx.post(path).json(&json!({ "dryRun": true })).send().await?;
        Ok(preview.control("POST /content/{docId}/run with dryRun: true")?.json()?["estimatedCredits"].clone())
    }
}
