//! One server process.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use super::Plan;

/// A process that ends when this is dropped.
#[derive(Debug)]
pub(super) struct Server {
    /// Under which it says that it is reached.
    pub(super) base_url: String,
    /// Where it listens.
    pub(super) address: SocketAddr,
    /// The URL that moves its clock, where it has one.
    pub(super) clock: Option<String>,
    _process: Child,
}

impl Server {
    pub(super) async fn start(plan: &Plan, config: &Path, name_server: SocketAddr) -> Result<Self> {
        let mut command = Command::new(&plan.server);
        command.arg("serve").arg("--config").arg(config).env("L10N_LAB_CLOCK", "127.0.0.1:0");
        command.env("L10N_LAB_NAME_SERVER", name_server.to_string());
        if let Some(mutant) = &plan.mutant {
            command.env("L10N_LAB_MUTANT", mutant);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().with_context(|| format!("cannot start {}", plan.server.display()))?;
        let mut log = BufReader::new(process.stderr.take().context("the server has no log")?).lines();
        let (mut base_url, mut address, mut clock, mut said) = (None, None, None, Vec::new());
        let reading = async {
            // "listening" is the last line before it serves.
            while let Some(line) = log.next_line().await? {
                let event: Value = serde_json::from_str(&line).unwrap_or(Value::Null);
                let text = |name: &str| event[name].as_str().map(str::to_owned);
                match event["message"].as_str() {
                    Some("lab clock") => clock = text("url"),
                    Some("serving") => base_url = text("base_url"),
                    Some("listening") => {
                        address = text("address").and_then(|address| address.parse().ok());
                        break;
                    }
                    _ => said.push(line),
                }
            }
            anyhow::Ok(())
        };
        tokio::time::timeout(Duration::from_secs(60), reading).await.context("the server does not start")??;
        let (Some(base_url), Some(address)) = (base_url, address) else {
            bail!("the server ended: {}", said.join("\n"))
        };
        // What nobody reads would block it.
        tokio::spawn(async move { while let Ok(Some(_)) = log.next_line().await {} });
        Ok(Self { base_url, address, clock, _process: process })
    }
}
