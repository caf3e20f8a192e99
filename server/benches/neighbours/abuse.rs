//! Tenants that ask too much.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use futures_util::future::{join_all, try_join, try_join_all};
use l10n_server::ids::ApiKeyText;
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::Notify;

use super::body;
use super::child::Provisioned;

/// Languages of all projects of a case, the first so many.
pub(crate) const LANGUAGES: [&str; 42] = [
    "de", "fr", "ja", "es", "it", "pt", "nl", "pl", "ru", "tr", "ar", "he", "hi", "th", "vi", "ko", "zh", "cs", "da",
    "el", "fi", "hu", "id", "ms", "nb", "ro", "sk", "sl", "sv", "uk", "bg", "hr", "lt", "lv", "et", "sr", "ca", "fa",
    "bn", "ta", "te", "ur",
];

/// An abuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// Previews of large files in many languages, several at a time.
    DryRuns,
    /// Publishes of many keys, languages and formats.
    Publish,
    /// Syncs of large files.
    Sync,
    /// Syncs of large files, and many small writes of the same project.
    OneProject,
    /// Publishes that wait for each other, with many blanks behind.
    Padded,
    /// Reads of projects that are not there.
    Invented,
    /// Wrong keys, half of them well-formed.
    WrongKeys,
    /// Jobs of many texts.
    Jobs,
    /// Texts that memory has in many languages, again and again, in a project with as many long terms as it may have.
    Glossaries,
    /// Connections that send nothing, or send slowly, or read nothing.
    Connections,
}

impl Case {
    pub(crate) const ALL: [Self; 10] = [
        Self::DryRuns,
        Self::Publish,
        Self::Sync,
        Self::OneProject,
        Self::Padded,
        Self::Invented,
        Self::WrongKeys,
        Self::Jobs,
        Self::Glossaries,
        Self::Connections,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::DryRuns => "heavy dry runs",
            Self::Publish => "large publishes",
            Self::Sync => "large syncs",
            Self::OneProject => "writes of one project",
            Self::Padded => "padded requests",
            Self::Invented => "invented projects",
            Self::WrongKeys => "wrong keys",
            Self::Jobs => "large jobs",
            Self::Glossaries => "large glossaries",
            Self::Connections => "idle connections",
        }
    }

    /// The number of languages of the projects.
    pub(crate) const fn languages(self) -> usize {
        match self {
            Self::DryRuns => 32,
            Self::Publish | Self::Padded | Self::Glossaries => 42,
            Self::Jobs => 10,
            _ => 1,
        }
    }
}

pub(crate) struct Abuser {
    client: Client,
    address: SocketAddr,
    projects: [Provisioned; 2],
    case: Case,
    scale: f64,
    count: AtomicUsize,
}

impl Abuser {
    pub(crate) fn new(address: SocketAddr, projects: [Provisioned; 2], case: Case, scale: f64) -> Result<Self> {
        let client = Client::builder().timeout(Duration::from_secs(600)).no_proxy().build()?;
        Ok(Self { client, address, projects, case, scale, count: AtomicUsize::new(0) })
    }

    /// Prepares the data that exists before the victim is measured alone.
    pub(crate) async fn prepare(&self) -> Result<()> {
        let projects = match self.case {
            Case::Publish => &self.projects[..1],
            Case::Padded => &self.projects,
            Case::Glossaries => return self.fill_glossary().await,
            _ => return Ok(()),
        };
        for project in projects {
            let formats: Vec<Value> = (0..50)
                .map(|number| json!({ "format": "json", "path": format!("{number}/{{language}}.json") }))
                .collect();
            self.taken(self.post_to(project, "/output-formats").json(&json!({ "outputFormats": formats }))).await?;
            let keys = body::many("en.json", 0, self.scaled(10_000));
            let run = self.taken(self.post_to(project, "/sync").json(&keys)).await?;
            self.ended(project, &run).await?;
        }
        Ok(())
    }

    /// The longest list of the longest terms, each of which ends with what is shorter of all others, and a text that memory has.
    async fn fill_glossary(&self) -> Result<()> {
        let project = &self.projects[0];
        let terms: Vec<Value> = (0..5_000).map(|number| json!({ "term": long_term(number), "rule": "keep" })).collect();
        let put = self.client.put(self.url(project, "/glossary")).bearer_auth(&project.api_key);
        self.taken(put.json(&json!({ "terms": terms }))).await?;
        let run = self.taken(self.post("/translate").json(&recalled("first"))).await?;
        self.ended(project, &run).await
    }

    /// Waits for the job of a first run.
    async fn ended(&self, project: &Provisioned, run: &Value) -> Result<()> {
        let token = run["trackingToken"].as_str().context("a first run makes a job")?;
        loop {
            let job = format!("/translations?trackingToken={token}&waitSeconds=25");
            let job = self.taken(self.get_from(project, &job)).await?;
            if !matches!(job["status"].as_str(), Some("queued" | "running")) {
                return Ok(());
            }
        }
    }

    /// Goes on until it is stopped, and tells when it is under way.
    pub(crate) async fn abuse(&self, begun: &Notify) -> Result<()> {
        match self.case {
            Case::DryRuns => self.dry_runs(begun).await,
            Case::Publish => self.publishes(begun).await,
            Case::Sync => self.syncs(begun).await,
            Case::OneProject => try_join(self.syncs(begun), self.captures()).await.map(drop),
            Case::Padded => self.padded(begun).await,
            Case::Invented => self.invented(begun).await,
            Case::WrongKeys => self.wrong_keys(begun).await,
            Case::Jobs => self.jobs(begun).await,
            Case::Glossaries => self.recalls(begun).await,
            Case::Connections => self.connections(begun).await,
        }
    }

    async fn dry_runs(&self, begun: &Notify) -> Result<()> {
        let body = serde_json::to_vec(&body::many("en.json", 0, self.scaled(100_000)))?;
        let lanes = (0..6).map(|_| async {
            loop {
                let run = self.post("/sync?dryRun=true").header("content-type", "application/json").body(body.clone());
                begun.notify_one();
                // One that is refused is asked again, as an abuser would.
                drop(run.send().await?);
            }
        });
        try_join_all(lanes).await.map(|_: Vec<()>| ())
    }

    async fn publishes(&self, begun: &Notify) -> Result<()> {
        loop {
            begun.notify_one();
            drop(self.post("/publish").json(&json!({})).send().await?);
        }
    }

    /// Several of each workspace, of which one is under way at a time.
    async fn padded(&self, begun: &Notify) -> Result<()> {
        let lanes = self.projects.iter().flat_map(|project| [project; 4]).map(|project| async move {
            loop {
                let publish = self.post_to(project, "/publish").header("content-type", "application/json");
                begun.notify_one();
                drop(publish.body(body::padded(&json!({}))).send().await?);
            }
        });
        try_join_all(lanes).await.map(|_: Vec<()>| ())
    }

    /// Each of as many new keys.
    async fn syncs(&self, begun: &Notify) -> Result<()> {
        for series in 0.. {
            let body = body::many(&format!("{series}.json"), series, self.scaled(100_000));
            begun.notify_one();
            drop(self.post("/sync").json(&body).send().await?);
        }
        Ok(())
    }

    async fn captures(&self) -> Result<()> {
        let lanes = (0..30).map(|lane| async move {
            let captured = json!({ "keys": [{ "ref": format!("missing.{lane}"), "text": "Missing" }] });
            loop {
                drop(self.post("/capture").json(&captured).send().await?);
            }
        });
        try_join_all(lanes).await.map(|_: Vec<()>| ())
    }

    async fn invented(&self, begun: &Notify) -> Result<()> {
        let many = self.scaled(104_000);
        let lanes = (0..8).map(|_| async {
            loop {
                let number = self.count.fetch_add(1, Ordering::Relaxed);
                if number == many {
                    begun.notify_one();
                }
                let url = match number % 2 {
                    0 => format!("http://{}/v1/projects/prj_{number}/manifest", self.address),
                    _ => format!("http://{}/v1/@made/up-{number}/manifest", self.address),
                };
                drop(self.client.get(url).send().await?.bytes().await?);
            }
        });
        try_join_all(lanes).await.map(|_: Vec<()>| ())
    }

    async fn wrong_keys(&self, begun: &Notify) -> Result<()> {
        let url = format!("http://{}/v1/projects/{}/credential", self.address, self.projects[0].project_id);
        let lanes = (0..8).map(|_| async {
            loop {
                let number = self.count.fetch_add(1, Ordering::Relaxed);
                // As many as an address may send in a minute, and one more.
                if number == 601 {
                    begun.notify_one();
                }
                let key = if number.is_multiple_of(2) {
                    "junk".to_owned()
                } else {
                    ApiKeyText::generate().expose().to_owned()
                };
                drop(self.client.get(&url).bearer_auth(key).send().await?.bytes().await?);
            }
        });
        try_join_all(lanes).await.map(|_: Vec<()>| ())
    }

    /// Two jobs, of two projects, each of so many texts in all languages together.
    async fn jobs(&self, begun: &Notify) -> Result<()> {
        let keys = self.scaled(300_000) / Case::Jobs.languages();
        for project in &self.projects {
            self.taken(self.post_to(project, "/sync").json(&body::many("en.json", 0, keys))).await?;
        }
        begun.notify_one();
        std::future::pending().await
    }

    /// New keys with a text that memory has in all languages.
    async fn recalls(&self, begun: &Notify) -> Result<()> {
        let lanes = (0..8).map(|_| async {
            loop {
                let number = self.count.fetch_add(1, Ordering::Relaxed);
                begun.notify_one();
                drop(self.post("/translate").json(&recalled(&format!("k{number}"))).send().await?);
            }
        });
        try_join_all(lanes).await.map(|_: Vec<()>| ())
    }

    /// A third of them silent, a third slow, a third that ask much and read nothing of it.
    async fn connections(&self, begun: &Notify) -> Result<()> {
        // From another address than the victim's: what one address may take is no abuse of its neighbours.
        let opened = (0..self.scaled(9_000)).map(|_| async {
            let socket = TcpSocket::new_v4()?;
            socket.bind(SocketAddr::from(([127, 0, 0, 2], 0)))?;
            socket.connect(self.address).await
        });
        let mut streams: Vec<TcpStream> = join_all(opened).await.into_iter().filter_map(Result::ok).collect();
        ensure!(!streams.is_empty(), "no connection was taken");
        begun.notify_one();
        for round in 0_usize.. {
            for (number, stream) in streams.iter_mut().enumerate() {
                let sent: &[u8] = match (number % 3, round) {
                    (0, _) => continue,
                    (1, 0) => b"GET /v1/health HTTP/1.1\r\nhost: bench\r\nx-slow: ",
                    (1, _) => b"x",
                    // Its answers fill the buffers of both sides.
                    _ => b"GET /openapi.json HTTP/1.1\r\nhost: bench\r\n\r\n",
                };
                let _ = stream.try_write(sent);
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        Ok(())
    }

    fn post(&self, path: &str) -> RequestBuilder {
        self.post_to(&self.projects[0], path)
    }

    fn post_to(&self, project: &Provisioned, path: &str) -> RequestBuilder {
        self.client.post(self.url(project, path)).bearer_auth(&project.api_key)
    }

    fn get_from(&self, project: &Provisioned, path: &str) -> RequestBuilder {
        self.client.get(self.url(project, path)).bearer_auth(&project.api_key)
    }

    fn url(&self, project: &Provisioned, path: &str) -> String {
        format!("http://{}/v1/projects/{}{path}", self.address, project.project_id)
    }

    async fn taken(&self, request: RequestBuilder) -> Result<Value> {
        Ok(request.send().await?.error_for_status()?.json().await?)
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "small")]
    fn scaled(&self, count: usize) -> usize {
        ((count as f64 * self.scale) as usize).max(10)
    }
}

/// A term of which 5,000 make a body as long as it may be.
fn long_term(number: usize) -> String {
    format!("{number:04}{}", "a".repeat(175 - number % 50))
}

/// A key with a text that has a term.
fn recalled(name: &str) -> Value {
    json!({ "keys": [{ "ref": name, "text": long_term(0) }] })
}
