//! The server with a large and a small project, both published, and the same files for its peers.

use std::fmt::Write as _;
use std::io::Write as _;
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;
use l10n_client::api::publish::Publish;
use l10n_client::{Client, file_upload, sync_body};
use l10n_server::testing::postgres::{self, TestDatabase};
use tempfile::TempDir;

use super::load::{self, Request};
use super::process::Served;

/// Keys of the large file.
const KEYS: usize = 8_000;

/// The running server, with the paths that are read.
pub(crate) struct Site {
    pub(crate) served: Served,
    /// A small file of a version.
    pub(crate) small: String,
    /// The same as the live one.
    pub(crate) live: String,
    /// A large file of a version.
    pub(crate) large: String,
    /// The manifest of the large project.
    pub(crate) manifest: String,
    #[expect(dead_code, reason = "it is removed when this is dropped")]
    database: Database,
}

#[expect(dead_code, reason = "it is removed when this is dropped")]
enum Database {
    Sqlite(TempDir),
    Postgres(TestDatabase),
}

fn command(server: &str, url: &str) -> Command {
    let mut command = Command::new(server);
    command.current_dir(std::env::temp_dir()).env("L10N_SERVER_DATABASE_URL", url);
    // `serve` needs one, and seals nothing of worth with it here.
    command.env("L10N_SERVER_SECRETS_MASTER_KEY", "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

impl Site {
    /// `None` where there is no PostgreSQL, after saying so.
    pub(crate) async fn start(engine: &str, server: &str) -> Result<Option<Self>> {
        let (url, database) = if engine == "sqlite" {
            let folder = tempfile::tempdir()?;
            (format!("sqlite:{}/bench.sqlite", folder.path().display()), Database::Sqlite(folder))
        } else {
            let Some(database) = postgres::database().await else { return Ok(None) };
            (database.url().to_owned(), Database::Postgres(database))
        };
        let made = provision(server, &url)?;
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let child = command(server, &url)
            .args(["serve", "--listen", &address.to_string(), "--limits-requests-per-minute", "4000000000"])
            .spawn()?;
        let served = Served::new(child, address);
        let began = Instant::now();
        while load::once(address, &Request::new("/livez", false, None)).await.is_err() {
            ensure!(began.elapsed() < Duration::from_secs(30), "the server does not start");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let mut large = String::from("{\n");
        for key in 0..KEYS {
            let comma = if key + 1 == KEYS { "" } else { "," };
            let _ = writeln!(
                large,
                "  \"group_{}.key_{key}\": \"Device {} could not be saved now\"{comma}",
                key / 30,
                key * 7
            );
        }
        large.push_str("}\n");
        let (large_project, large_version) = published(&served, &made[0], &large).await?;
        let (small_project, small_version) = published(&served, &made[1], "{\"hello\": \"Hello\"}").await?;
        Ok(Some(Self {
            small: format!("/v1/projects/{small_project}/bundles/{small_version}/en.json"),
            live: format!("/v1/projects/{small_project}/bundles/live/en.json"),
            large: format!("/v1/projects/{large_project}/bundles/{large_version}/en.json"),
            manifest: format!("/v1/projects/{large_project}/manifest"),
            served,
            database,
        }))
    }

    /// A folder with the files that are read, plain and compressed.
    pub(crate) async fn files(&self) -> Result<TempDir> {
        let folder = tempfile::tempdir()?;
        for (name, path) in
            [("small.json", &self.small), ("large.json", &self.large), ("manifest.json", &self.manifest)]
        {
            let body = load::once(self.served.address, &Request::new(path, false, None)).await?.body;
            std::fs::write(folder.path().join(name), &body)?;
            let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
            gzip.write_all(&body)?;
            std::fs::write(folder.path().join(format!("{name}.gz")), gzip.finish()?)?;
        }
        Ok(folder)
    }
}

/// Makes two projects; returns their ids and keys.
fn provision(server: &str, url: &str) -> Result<Vec<(String, String)>> {
    let workspaces = ["large", "small"].map(|handle| {
        serde_json::json!({"handle": handle, "credits": 1_000, "projects": [{
            "slug": "app", "name": "App", "baseLanguage": "en", "languages": [],
            "keys": [{"label": "bench", "scopes": ["admin"], "kind": "ci"}],
        }]})
    });
    let file = tempfile::NamedTempFile::new()?;
    std::fs::write(file.path(), serde_json::json!({ "workspaces": workspaces }).to_string())?;
    let output = command(server, url).arg("provision").arg(file.path()).stdout(Stdio::piped()).output()?;
    let made: serde_json::Value = serde_json::from_slice(&output.stdout).context("provision failed")?;
    let workspaces = made["workspaces"].as_array().context("provision made no workspaces")?;
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned).context("provision says less than it did");
    let of = |workspace: &serde_json::Value| {
        let project = &workspace["projects"][0];
        Ok((text(&project["projectId"])?, text(&project["keys"][0]["key"])?))
    };
    workspaces.iter().map(of).collect()
}

/// Registers a file and publishes it; returns project and version.
async fn published(served: &Served, (project, key): &(String, String), file: &str) -> Result<(String, String)> {
    let client = Client::builder(format!("http://{}/v1", served.address)).api_key(key.clone()).build()?;
    let client = client.project(project.as_str());
    client.translations().sync(&sync_body(file_upload("en.json", file.as_bytes())?)).await?;
    let version = client.publish(&Publish::default()).await?.version_id;
    Ok((project.clone(), version.to_string()))
}
