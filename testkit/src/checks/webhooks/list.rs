//! `GET /webhooks` (§4).

use serde_json::json;

use super::Cx;
use crate::check;
use crate::check::Check;
use crate::outcome::CheckResult;

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! { id: "WH-LS-1", needs: [Webhooks, Receiver], slots: 2, run: enabled_or_not },
    check! { id: "WH-LS-2", needs: [Webhooks, Receiver, SecondProject], slots: 1, run: of_this_project },
];

async fn enabled_or_not(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let (on, off) = (cx.webhook(&endpoint, &[]).await?, cx.webhook(&endpoint, &[]).await?);
    cx.patch(&off.path("")).json(&json!({ "enabled": false })).send().await?.control("PATCH {enabled: false}")?;
    let (on, off) = (on.read().await?, off.read().await?);
    cx.equal("enabled of the one that is enabled", &json!(true), &on["enabled"])?;
    cx.equal("enabled of the one that is disabled", &json!(false), &off["enabled"])
}

async fn of_this_project(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let theirs = cx.webhook_in(cx.other()?, endpoint.url(), &[]).await?;
    let before = cx.webhooks().await?;
    let strange = before.iter().any(|one| one["webhookId"].as_str() == Some(&theirs.id));
    cx.ensure(!strange, "a project without webhooks lists none of another project", "it lists one")?;
    let mine = cx.webhook(&endpoint, &[]).await?;
    let has = |all: &[serde_json::Value], id: &str| all.iter().any(|one| one["webhookId"].as_str() == Some(id));
    let (here, there) = (cx.webhooks().await?, cx.webhooks_of(cx.other()?).await?);
    cx.ensure(has(&here, &mine.id) && has(&there, &theirs.id), "each project lists its own webhook", "one lacks")?;
    let strange = has(&here, &theirs.id) || has(&there, &mine.id);
    cx.ensure(!strange, "no project lists a webhook of the other", "one does")
}
