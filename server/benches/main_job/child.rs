//! The release server as a process of its own, and what the system says of it.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use l10n_client::Client;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::process;

/// `serve` needs one, and seals nothing of worth with it here.
const MASTER_KEY: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";

/// The server that was built with this program.
pub(crate) const BUILT: &str = env!("CARGO_BIN_EXE_l10n-server");

/// The command line of a server program, without settings from outside.
fn command(program: &str, database_url: &str) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("L10N_SERVER_") || name == "RUST_LOG") {
        command.env_remove(name);
    }
    command.current_dir(std::env::temp_dir()).env("L10N_SERVER_DATABASE_URL", database_url);
    command.env("L10N_SERVER_SECRETS_MASTER_KEY", MASTER_KEY);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// A project and the key for it.
pub(crate) struct Provisioned {
    pub(crate) workspace_id: String,
    pub(crate) project_id: String,
    pub(crate) api_key: String,
}

/// Makes a workspace with one project for each handle.
pub(crate) fn provision(
    program: &str,
    database_url: &str,
    handles: &[String],
    languages: &[&str],
) -> Result<Vec<Provisioned>> {
    let workspaces: Vec<Value> = handles
        .iter()
        .map(|handle| {
            serde_json::json!({"handle": handle, "credits": 4_000_000, "projects": [{
                "slug": "app", "name": "App", "baseLanguage": "en", "languages": languages,
                "keys": [{"label": "bench", "scopes": ["admin"], "kind": "ci"}],
            }]})
        })
        .collect();
    let file = tempfile::NamedTempFile::new()?;
    std::fs::write(file.path(), serde_json::json!({ "workspaces": workspaces }).to_string())?;
    let mut command = command(program, database_url);
    let output = command.arg("provision").arg(file.path()).stderr(Stdio::inherit()).stdout(Stdio::piped()).output()?;
    let made: Value = serde_json::from_slice(&output.stdout).context("provision failed")?;
    let text = |value: &Value| value.as_str().map(str::to_owned).context("provision says less than it did");
    let workspaces = made["workspaces"].as_array().context("provision made no workspaces")?;
    workspaces
        .iter()
        .map(|workspace| {
            let project = &workspace["projects"][0];
            Ok(Provisioned {
                workspace_id: text(&workspace["workspaceId"])?,
                project_id: text(&project["projectId"])?,
                api_key: text(&project["keys"][0]["key"])?,
            })
        })
        .collect()
}

/// A server that serves. It ends when this is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    /// From the start of the process to the first answer of `/health`.
    pub(crate) started_in: Duration,
}

impl Server {
    pub(crate) async fn start(program: &str, database_url: &str) -> Result<Self> {
        Self::start_with(program, database_url, &[]).await
    }

    /// Starts it with more arguments.
    pub(crate) async fn start_with(program: &str, database_url: &str, more: &[&str]) -> Result<Self> {
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let began = Instant::now();
        let child = command(program, database_url)
            .args(["serve", "--listen", &address.to_string(), "--limits-requests-per-minute", "4000000000"])
            .args(["--limits-publishes-per-day", "4000000000"])
            .args(more)
            .spawn()?;
        let mut server = Self { child, address, started_in: Duration::ZERO };
        while !answers(address).await {
            if began.elapsed() > Duration::from_secs(30) || server.child.try_wait()?.is_some() {
                bail!("the server does not start");
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        server.started_in = began.elapsed();
        Ok(server)
    }

    pub(crate) fn client(&self, api_key: &str) -> Result<Client> {
        let hour = Duration::from_secs(3_600);
        Ok(Client::builder(format!("http://{}/v1", self.address))
            .api_key(api_key.to_owned())
            .request_timeout(hour)
            .total_timeout(hour)
            .max_retries(0)
            .build()?)
    }

    /// Its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to end and waits until it has.
    pub(crate) async fn stop(mut self) -> Result<()> {
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status()?;
        let began = Instant::now();
        while self.child.try_wait()?.is_none() {
            if began.elapsed() > Duration::from_secs(30) {
                bail!("the server does not stop");
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }

    /// Memory that it holds now, in MiB.
    pub(crate) fn memory(&self) -> f64 {
        self.status("VmRSS:")
    }

    /// The most memory that it has held since the last [`forget_peak`](Self::forget_peak), in MiB.
    pub(crate) fn peak(&self) -> f64 {
        self.status("VmHWM:")
    }

    /// The next peak is of what follows.
    pub(crate) fn forget_peak(&self) {
        // Where it is not allowed, peaks are of the whole life; the table then never falls.
        let _ = std::fs::write(format!("/proc/{}/clear_refs", self.child.id()), "5");
    }

    /// Processor time that it has used, in seconds.
    pub(crate) fn processor(&self) -> f64 {
        process::processor(self.child.id())
    }

    /// A line of `/proc/PID/status` in MiB; not a number where the system does not say.
    fn status(&self, name: &str) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or(f64::NAN) / 1024.0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn answers(address: SocketAddr) -> bool {
    let ask = async {
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(b"GET /v1/health HTTP/1.1\r\nhost: bench\r\nconnection: close\r\n\r\n").await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        std::io::Result::Ok(answer.starts_with(b"HTTP/1.1 200"))
    };
    ask.await.unwrap_or(false)
}
