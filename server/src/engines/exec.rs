//! A command of the operator's own: started for each batch, asked and answering in JSON.
//!
//! One process for each batch, rather than one that stays: a script of a few lines is an engine then, one that fails leaves
//! nothing behind, and the end of its output is the end of its answer.

use std::process::Command;
use std::time::Duration;

use async_trait::async_trait;

use super::contract::Asked;
use super::{Batch, EngineError, Heeds, Limits, Segment, Translator, UnitError, process};

/// Most bytes of an answer.
const MOST_BYTES: u64 = 8 * 1024 * 1024;

/// The engine `exec`.
#[derive(Debug, Clone)]
pub struct Exec {
    /// Its name.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The time that the command has for a batch; then it is killed.
    pub timeout: Duration,
    /// The largest batch.
    pub limits: Limits,
    /// Batches at once, each with a process of its own.
    pub at_once: usize,
}

#[async_trait]
impl Translator for Exec {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, _source: &str, _target: &str) -> bool {
        true
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    fn at_once(&self) -> usize {
        self.at_once
    }

    fn heeds(&self) -> Heeds {
        Heeds::All
    }

    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<Segment>, UnitError>>, EngineError> {
        let asked = Asked::new(batch)?;
        let [program, arguments @ ..] = &self.command[..] else {
            return Err(EngineError::Refused("it has no command".to_owned()));
        };
        let mut command = Command::new(program);
        command.args(arguments);
        let answer = process::answer(&mut command, asked.json.clone(), MOST_BYTES, self.timeout);
        let answer = answer.await.map_err(|error| EngineError::Unavailable(format!("its command: {error}")))?;
        asked.read(&answer)
    }
}
