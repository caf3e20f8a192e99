//! A tenant who asks for little, and how long it takes.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};

use super::abuse::Case;
use super::body;
use super::child::Provisioned;

/// Pauses between the rounds, in milliseconds, one after the other: the victim is no load of its own, and keeps step with nothing.
const PAUSES: [u64; 8] = [2, 11, 5, 17, 3, 23, 7, 13];

/// The victim's steps, with the durations of each in milliseconds.
#[derive(Debug, Default)]
pub(crate) struct Waits {
    pub(crate) kinds: Vec<(&'static str, Vec<f64>)>,
    /// Requests that were not answered with success.
    pub(crate) refused: usize,
}

pub(crate) struct Victim {
    client: Client,
    project: String,
    key: String,
    waits_for_jobs: bool,
    /// True if its writes have large bodies, too.
    pads: bool,
    texts: AtomicUsize,
}

impl Victim {
    pub(crate) fn new(address: SocketAddr, made: &Provisioned, case: Case) -> Result<Self> {
        let client = Client::builder().timeout(Duration::from_secs(120)).no_proxy();
        // Beside idle connections it matters how long a new one takes.
        let client = if case == Case::Connections { client.pool_max_idle_per_host(0) } else { client };
        Ok(Self {
            client: client.build()?,
            project: format!("http://{address}/v1/projects/{}", made.project_id),
            key: made.api_key.clone(),
            waits_for_jobs: case == Case::Jobs,
            pads: case == Case::Padded,
            texts: AtomicUsize::new(0),
        })
    }

    /// Works for a while.
    pub(crate) async fn probe(&self, time: Duration) -> Result<Waits> {
        let (began, mut waits) = (Instant::now(), Waits::default());
        let (mut number, mut pauses) = (0, PAUSES.into_iter().cycle());
        while began.elapsed() < time || number < 5 {
            number += 1;
            let read = self.client.get(format!("{}/credential", self.project));
            self.timed(&mut waits, "read", read).await;
            let captured = json!({ "keys": [{ "ref": "missing", "text": "Missing" }] });
            let captured = if self.pads { body::padded(&captured) } else { captured.to_string() };
            let write = self.client.post(format!("{}/capture", self.project));
            let write = write.header("content-type", "application/json").body(captured);
            self.timed(&mut waits, "write", write).await;
            if self.waits_for_jobs {
                self.job(&mut waits).await?;
            }
            tokio::time::sleep(Duration::from_millis(pauses.next().unwrap_or_default())).await;
        }
        Ok(waits)
    }

    async fn timed(&self, waits: &mut Waits, kind: &'static str, request: RequestBuilder) -> Option<Value> {
        let began = Instant::now();
        let answer = match request.bearer_auth(&self.key).send().await {
            Ok(answer) if answer.status().is_success() => answer.json().await.ok(),
            _ => None,
        };
        waits.refused += usize::from(answer.is_none());
        waits.add(kind, began.elapsed());
        answer
    }

    /// Has one text translated, and waits for it.
    async fn job(&self, waits: &mut Waits) -> Result<()> {
        let began = Instant::now();
        let text = format!("Text number {}", self.texts.fetch_add(1, Ordering::Relaxed));
        let body = body::file("victim.json", [("one".to_owned(), text)]);
        let sync = self.client.post(format!("{}/sync", self.project)).json(&body).bearer_auth(&self.key);
        let run: Value = sync.send().await?.error_for_status()?.json().await?;
        let token = run["trackingToken"].as_str().context("a changed text makes a job")?;
        loop {
            let url = format!("{}/translations?trackingToken={token}&waitSeconds=25", self.project);
            let job: Value =
                self.client.get(url).bearer_auth(&self.key).send().await?.error_for_status()?.json().await?;
            if !matches!(job["status"].as_str(), Some("queued" | "running")) {
                break;
            }
        }
        waits.add("one text translated", began.elapsed());
        Ok(())
    }
}

impl Waits {
    fn add(&mut self, kind: &'static str, wait: Duration) {
        let wait = wait.as_secs_f64() * 1_000.0;
        match self.kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, waits)) => waits.push(wait),
            None => self.kinds.push((kind, vec![wait])),
        }
    }
}
