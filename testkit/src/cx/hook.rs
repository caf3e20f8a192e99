//! Commands of the deployment.

use std::io::{self, Read as _, Seek as _};
use std::process::Stdio;

use bytes::Bytes;
use http::{HeaderMap, Method};
use tokio::process::Command;

use super::context::Cx;
use crate::outcome::{CheckResult, NotRun, Stop};
use crate::wire::Request;

/// Answers in a row that say that a deployment is back: who stands before several processes asks them in turn.
const BACK: usize = 10;

impl Cx {
    /// Runs a command of the profile with these arguments after its own.
    ///
    /// # Errors
    ///
    /// Returns an error if the profile has no such command, or if it does not end with 0 within the run's time limit.
    pub async fn hook(&self, name: &str, command: &[String], arguments: &[&str]) -> Result<(), Stop> {
        let Some((program, fixed)) = command.split_first() else {
            return Err(Stop::NotRun(NotRun::CapabilityMissing(format!("the profile has no hooks.{name}"))));
        };
        let failed = |why: String| Stop::Error(format!("hooks.{name}: {why}"));
        let broken = |error: io::Error| failed(error.to_string());
        // A file, not a pipe: what it leaves running, such as a server, keeps a pipe open.
        let mut said = tempfile::tempfile().map_err(broken)?;
        let mut command = Command::new(program);
        command.args(fixed).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
        let mut process = command.stderr(said.try_clone().map_err(broken)?).spawn().map_err(broken)?;
        let ended = tokio::time::timeout(self.session().limits.patience, process.wait()).await;
        let status = ended.map_err(|_| failed("it did not end in time".to_owned()))?.map_err(broken)?;
        if status.success() {
            return Ok(());
        }
        let mut text = Vec::new();
        said.rewind().and_then(|()| said.read_to_end(&mut text)).map_err(broken)?;
        Err(failed(format!("{status}: {}", String::from_utf8_lossy(&text).trim())))
    }

    /// Kills the deployment without warning and starts it again, by its hook, and waits until it answers.
    ///
    /// # Errors
    ///
    /// As [`hook`](Self::hook), and where it does not come back within the run's patience.
    pub async fn restarted(&self) -> CheckResult {
        self.hook("restart", &self.profile().hooks.restart, &[]).await?;
        let (session, health) = (self.session(), &self.profile().routes.health);
        let request = Request {
            method: Method::GET,
            url: format!("{}{health}", self.profile().base_url),
            headers: HeaderMap::new(),
            body: Bytes::new(),
        };
        // Meanwhile who stands before it may answer in its place, and in words of its own: no exchange of the deployment's.
        let answers = async || {
            for _ in 0..BACK {
                let answer = session.http.send(&request, false, self.now()).await;
                if !answer.is_ok_and(|answer| (200..300).contains(&answer.status)) {
                    return Ok::<_, Stop>(false);
                }
            }
            Ok(true)
        };
        self.eventually("the deployment to be back", answers, |answers| *answers).await?;
        self.at(Method::GET, health).send().await?.control("GET /health after a restart")?;
        Ok(())
    }
}
