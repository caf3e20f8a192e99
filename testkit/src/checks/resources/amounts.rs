//! Amounts of credits.

use serde_json::{Value, json};

use crate::cx::{CheckedExchange, Cx};
use crate::outcome::{CheckResult, NotRun, Stop};
use crate::profile::Identity;

/// Millicredits in a credit (§2).
const CREDIT: u64 = 1000;

/// The names of amounts in responses.
const AMOUNTS: [&str; 3] = ["estimatedCredits", "creditsCharged", "balance"];

/// RES-12. The run holds every other exchange to it as well.
pub(super) async fn integers(cx: Cx) -> CheckResult {
    let body = cx.filled(&cx.profile().bodies.translate);
    let preview = cx.post("/translate?dryRun=true").json(&body).send().await?;
    let preview = preview.control("POST /translate?dryRun=true")?.json()?;
    let run = cx.translated().await?;
    let meta = cx.get("/meta").send().await?.control("GET /meta")?.json()?;
    crate::checks::routes::authenticated(&cx).await?;
    let shown = preview.get("estimatedCredits").is_some();
    cx.ensure(shown, "a preview with estimatedCredits", "it has none")?;
    for (name, answer) in [("the preview", preview), ("the job", run.answer), ("the poll", run.job), ("meta", meta)] {
        cx.case(name, async {
            for (name, value) in amounts(&answer) {
                let whole = value.is_null() || value.is_u64();
                cx.ensure(whole, format!("{name}: an integer of millicredits"), format!("{name}: {value}"))?;
            }
            Ok(())
        })
        .await?;
    }
    Ok(())
}

/// Every amount in a body, at whatever depth.
fn amounts(value: &Value) -> Vec<(&str, &Value)> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, value)| match AMOUNTS.contains(&name.as_str()) {
                true => vec![(name.as_str(), value)],
                false => amounts(value),
            })
            .collect(),
        Value::Array(entries) => entries.iter().flat_map(amounts).collect(),
        _ => Vec::new(),
    }
}

/// RES-13: against the price that the deployment states.
pub(super) async fn millicredits(cx: Cx) -> CheckResult {
    let Some(price) = cx.profile().expect.estimated_millicredits else {
        let unstated = "expect.estimated_millicredits: the price of bodies.translate".to_owned();
        return Err(Stop::NotRun(NotRun::NotClaimed(unstated)));
    };
    let body = cx.filled(&cx.profile().bodies.translate);
    let preview = cx.post("/translate?dryRun=true").json(&body).send().await?;
    let preview = preview.control("POST /translate?dryRun=true")?.json()?;
    cx.equal("estimatedCredits", &Value::from(price), &preview["estimatedCredits"])
}

/// RES-14: an approval of one credit covers 1,000 millicredits and no more.
pub(super) async fn whole_credits(cx: Cx) -> CheckResult {
    let one = quote(&cx, 1).await?;
    cx.control((1..=CREDIT).contains(&one), "a key costs something, and no more than a credit")?;
    let fits = usize::try_from(CREDIT / one).unwrap_or(1);
    cx.case("a run of at most a credit", async { run(&cx, fits).await?.expect_in(200..=299).map(drop) }).await?;
    cx.case("a run of more than a credit", async {
        run(&cx, fits + 1).await?.expect_error(403, "authorization_required").map(drop)
    })
    .await
}

/// So many of the keys of `bodies.translate`.
fn keys(cx: &Cx, count: usize) -> Result<Value, Stop> {
    let template = &cx.profile().bodies.translate;
    let Some(key) = template["keys"].get(0) else {
        let unknown = "bodies.translate has no `keys`, so that it cannot be made longer".to_owned();
        return Err(Stop::NotRun(NotRun::CapabilityMissing(unknown)));
    };
    let mut body = template.clone();
    body["keys"] = (0..count).map(|_| cx.filled(key)).collect();
    Ok(body)
}

async fn quote(cx: &Cx, count: usize) -> Result<u64, Stop> {
    let preview = cx.post("/translate?dryRun=true").json(&keys(cx, count)?).send().await?;
    let preview = preview.control("POST /translate?dryRun=true")?.json()?;
    Ok(preview["estimatedCredits"].as_u64().unwrap_or_default())
}

/// An agent's run of so many keys, by an approval of one credit.
async fn run(cx: &Cx, count: usize) -> Result<CheckedExchange, Stop> {
    let asked = json!({ "kind": "translation", "max_credits": 1 });
    let operation = cx.post("/operations").key(Identity::Agent)?.json(&asked).send().await?;
    let id = operation.control("POST /operations by an agent")?.text("/operationId")?;
    cx.hook("approve", &cx.profile().hooks.approve, &[&id]).await?;
    let mut body = keys(cx, count)?;
    body["operationId"] = id.into();
    cx.post("/translate").key(Identity::Agent)?.json(&body).send().await
}
