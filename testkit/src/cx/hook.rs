//! Commands of the deployment.

use std::process::Stdio;

use tokio::process::Command;

use super::Cx;
use crate::outcome::{NotRun, Stop};

impl Cx {
    /// Runs a command of the profile with these arguments behind its own.
    ///
    /// # Errors
    ///
    /// Where the profile has none, and where it does not end with 0 within the run's patience.
    pub async fn hook(&self, name: &str, command: &[String], arguments: &[&str]) -> Result<(), Stop> {
        let Some((program, fixed)) = command.split_first() else {
            return Err(Stop::NotRun(NotRun::CapabilityMissing(format!("the profile has no hooks.{name}"))));
        };
        let mut command = Command::new(program);
        command.args(fixed).args(arguments).stdin(Stdio::null()).kill_on_drop(true);
        let ended = tokio::time::timeout(self.shared().options.patience(), command.output()).await;
        let failed = |why: String| Stop::Error(format!("hooks.{name}: {why}"));
        let output = ended.map_err(|_| failed("it did not end in time".to_owned()))?;
        let output = output.map_err(|error| failed(error.to_string()))?;
        if output.status.success() {
            return Ok(());
        }
        Err(failed(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim())))
    }
}
