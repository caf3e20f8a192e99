//! One server process, which can be killed and comes back.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio_util::task::AbortOnDropHandle;

use super::config::LabConfig;

/// Kills the processes whose ids are in the files that are its arguments, and waits until each is gone: until the lab, whose
/// children they are, has seen it.
#[cfg(unix)]
const RESTART: &str = r#"for file; do
  process=$(cat "$file") && kill -9 "$process" || exit 1
  while kill -0 "$process" 2>/dev/null; do sleep 0.02; done
done"#;

/// The same where there is no `kill`.
#[cfg(not(unix))]
const RESTART: &str = r#"foreach ($file in $args) {
  $process = Get-Process -Id (Get-Content $file) -ErrorAction Stop
  $process.Kill(); $process.WaitForExit()
}"#;

/// A command that kills servers without warning, by the files with their ids. The lab starts them again.
pub(super) fn restart(servers: &[Server]) -> Vec<String> {
    let files = servers.iter().map(|server| server.id_file.display().to_string());
    #[cfg(unix)]
    let command = ["sh", "-c", RESTART, "restart"].map(str::to_owned);
    #[cfg(not(unix))]
    let command =
        ["powershell", "-NoProfile", "-Command"].map(str::to_owned).into_iter().chain([format!("& {{ {RESTART} }}")]);
    command.into_iter().chain(files).collect()
}

/// A process that ends when this is dropped. Killed by others, it is started again, with the address and the time that it
/// had; ended in another way, it stays so.
#[derive(Debug)]
pub(super) struct Server {
    /// Under which it says that it is reached.
    pub(super) base_url: String,
    /// Its address.
    pub(super) address: SocketAddr,
    /// The URL that moves its clock, where it has one.
    pub(super) clock: Option<String>,
    /// The file with the id of its process.
    id_file: PathBuf,
    _watch: AbortOnDropHandle<()>,
}

/// The arguments and environment of each start of a server.
#[derive(Debug)]
struct LaunchCommand {
    program: PathBuf,
    rules: Option<String>,
    config: PathBuf,
    name_server: SocketAddr,
    id_file: PathBuf,
    kept_clock: PathBuf,
}

/// The server's report of its start.
#[derive(Debug)]
struct Started {
    process: Child,
    base_url: String,
    address: SocketAddr,
    clock: Option<String>,
}

impl Server {
    /// Starts it. `folder` is the lab's, and `number` tells it from the others there.
    pub(super) async fn start(
        plan: &LabConfig,
        config: &Path,
        name_server: SocketAddr,
        folder: &Path,
        number: usize,
    ) -> Result<Self> {
        let recipe = LaunchCommand {
            program: plan.server.clone(),
            rules: plan.rules.clone(),
            config: config.to_owned(),
            name_server,
            id_file: folder.join(format!("server-{number}.pid")),
            kept_clock: folder.join(format!("server-{number}.clock")),
        };
        let any: SocketAddr = ([127, 0, 0, 1], 0).into();
        let Started { process, base_url, address, clock } = recipe.start(any, any).await?;
        let id_file = recipe.id_file.clone();
        let clock_at = clock.as_deref().and_then(authority).unwrap_or(any);
        let watch = tokio::spawn(async move {
            let mut process = process;
            while process.wait().await.is_ok_and(is_kill) {
                match recipe.start(address, clock_at).await {
                    Ok(again) => process = again.process,
                    // The check that waits for it says that it is not back.
                    Err(_) => return,
                }
            }
        });
        Ok(Self { base_url, address, clock, id_file, _watch: AbortOnDropHandle::new(watch) })
    }
}

/// Returns true if the command of [`restart`] has ended it.
fn is_kill(ended: ExitStatus) -> bool {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&ended) == Some(9);
    #[cfg(not(unix))]
    return ended.code() == Some(-1);
}

fn authority(url: &str) -> Option<SocketAddr> {
    url.strip_prefix("http://")?.split('/').next()?.parse().ok()
}

impl LaunchCommand {
    /// Starts a process that listens at these addresses for the API and for its clock.
    async fn start(&self, listen: SocketAddr, clock: SocketAddr) -> Result<Started> {
        let mut command = Command::new(&self.program);
        command.arg("serve").arg("--config").arg(&self.config).arg("--listen").arg(listen.to_string());
        command.env("L10N_LAB_CLOCK", clock.to_string()).env("L10N_LAB_CLOCK_KEPT", &self.kept_clock);
        command.env("L10N_LAB_NAME_SERVER", self.name_server.to_string());
        if let Some(rules) = &self.rules {
            command.env("L10N_LAB_RULES", rules);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().with_context(|| format!("cannot start {}", self.program.display()))?;
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
        let id = process.id().context("the server ended")?;
        std::fs::write(&self.id_file, id.to_string())?;
        // What nobody reads would block it.
        tokio::spawn(async move { while let Ok(Some(_)) = log.next_line().await {} });
        Ok(Started { process, base_url, address, clock })
    }
}
