//! The server with a large and a small project, both published, and the same files for its peers.

use std::fmt::Write as _;
use std::io::Write as _;

use anyhow::{Context as _, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use l10n_client::api::publish::Publish;
use l10n_client::{file_upload, sync_body};
use tempfile::TempDir;

use super::child::{Provisioned, Server, provision};
use super::database::{Database, Engine};
use super::reads::{self, Request};

/// Keys of the large file.
const KEYS: usize = 8_000;

/// The running server, with the paths that are read.
pub(crate) struct Site {
    pub(crate) server: Server,
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

impl Site {
    /// `None` where there is no PostgreSQL, after saying so.
    pub(crate) async fn start(engine: Engine, program: &str, log_level: &str) -> Result<Option<Self>> {
        let Some(database) = Database::fresh(engine).await? else { return Ok(None) };
        let url = database.url();
        let made = provision(program, &url, &["large", "small"].map(str::to_owned), &[])?;
        let [of_large, of_small] = made.as_slice() else { anyhow::bail!("provision made another number of projects") };
        let server = Server::start_with(program, &url, &["--log-level", log_level]).await?;
        let large = published(&server, of_large, &large_file()).await?;
        let small = published(&server, of_small, "{\"hello\": \"Hello\"}").await?;
        Ok(Some(Self {
            small: format!("/v1/projects/{}/bundles/{small}/en.json", of_small.project_id),
            live: format!("/v1/projects/{}/bundles/live/en.json", of_small.project_id),
            large: format!("/v1/projects/{}/bundles/{large}/en.json", of_large.project_id),
            manifest: format!("/v1/projects/{}/manifest", of_large.project_id),
            server,
            database,
        }))
    }

    /// A folder with the files that are read, plain and compressed.
    pub(crate) async fn files(&self) -> Result<TempDir> {
        let folder = tempfile::tempdir()?;
        for (name, path) in
            [("small.json", &self.small), ("large.json", &self.large), ("manifest.json", &self.manifest)]
        {
            let body = reads::once(self.server.address, &Request::new(path, false, None)).await?.body;
            std::fs::write(folder.path().join(name), &body)?;
            let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
            gzip.write_all(&body)?;
            std::fs::write(folder.path().join(format!("{name}.gz")), gzip.finish()?)?;
        }
        Ok(folder)
    }
}

fn large_file() -> String {
    let mut file = String::from("{\n");
    for key in 0..KEYS {
        let comma = if key + 1 == KEYS { "" } else { "," };
        let (group, device) = (key / 30, key * 7);
        let _ = writeln!(file, "  \"group_{group}.key_{key}\": \"Device {device} could not be saved now\"{comma}");
    }
    file.push_str("}\n");
    file
}

/// Registers a file and publishes it; returns the version.
async fn published(server: &Server, made: &Provisioned, file: &str) -> Result<String> {
    let project = server.client(&made.api_key)?.project(made.project_id.as_str());
    project.translations().sync(&sync_body(file_upload("en.json", file.as_bytes())?)).await?;
    let version = project.publish(&Publish::default()).await.context("nothing was published")?.version_id;
    Ok(version.to_string())
}
