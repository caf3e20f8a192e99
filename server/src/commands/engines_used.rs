//! `l10n-server engines used`: what each engine translated in the newest runs of a project, and at which price.

use std::fmt::Write as _;

use crate::config::Config;
use crate::domain::jobs::show::{NEWEST, newest};
use crate::store::job_engines::{self, EngineShare};
use crate::store::jobs::Job;
use anyhow::Result;
use serde_json::{Value, json};

use super::shared::{find_project, open_existing, print};
use crate::words::counted;

/// Shows the newest runs of a project.
pub(super) async fn used(config: &Config, project: &str, most: usize, as_json: bool) -> Result<()> {
    let store = open_existing(config).await?;
    let mut tx = store.begin_read().await?;
    let id = find_project(&mut tx, project).await?;
    let mut runs = Vec::new();
    for job in newest(&mut tx, &id, NEWEST, most).await? {
        let shares = job_engines::list(&mut tx, &job.tracking_token).await?;
        runs.push((job, shares));
    }
    tx.rollback().await?;
    store.close().await;
    if as_json {
        let runs: Vec<Value> = runs.iter().map(|(job, shares)| in_json(job, shares)).collect();
        return print(&json!({ "runs": runs }).to_string());
    }
    for (job, shares) in &runs {
        print(&in_words(job, shares))?;
    }
    Ok(())
}

fn in_words(job: &Job, shares: &[EngineShare]) -> String {
    let mut line = format!("{}  {}  {} of {}", job.tracking_token, job.status.as_str(), job.done, job.total);
    let _ = write!(line, ", {}", counted(job.charged, "credit"));
    for share in shares {
        let (texts, credits) = (counted(share.texts, "text"), counted(share.charged, "credit"));
        let _ = write!(line, "\n    {}: {texts}, {credits}", share.engine);
    }
    line
}

fn in_json(job: &Job, shares: &[EngineShare]) -> Value {
    let engines = shares
        .iter()
        .map(|share| json!({"engine": share.engine, "texts": share.texts, "creditsCharged": share.charged}));
    json!({
        "trackingToken": job.tracking_token, "status": job.status.as_str(), "createdAt": job.created_at,
        "done": job.done, "total": job.total, "creditsCharged": job.charged,
        "engines": engines.collect::<Vec<_>>(),
    })
}
