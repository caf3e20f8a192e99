//! A command of the operator's own: started for each batch, asked and answering in JSON.
//!
//! One process for each batch, rather than one that stays: a script of a few lines is an engine then, one that fails leaves
//! nothing behind, and the end of its output is the end of its answer.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::contract::BatchRequest;
use super::{Batch, BatchLimits, EngineError, SupportedHints, TextSegment, Translator, UnitError, process};

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
    pub limits: BatchLimits,
    /// Batches at once, each with a process of its own.
    pub at_once: usize,
    /// Environment variables with keys of engines, which the command does not get.
    pub key_variables: Arc<[String]>,
}

#[async_trait]
impl Translator for Exec {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, _source: &str, _target: &str) -> bool {
        true
    }

    fn limits(&self) -> BatchLimits {
        self.limits
    }

    fn at_once(&self) -> usize {
        self.at_once
    }

    fn supported_hints(&self) -> SupportedHints {
        SupportedHints::All
    }

    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        let asked = BatchRequest::new(batch)?;
        let [program, arguments @ ..] = &self.command[..] else {
            return Err(EngineError::Refused("it has no command".to_owned()));
        };
        let mut command = process::command(program, &self.key_variables);
        command.args(arguments);
        let answer = process::answer(&mut command, asked.json.clone(), MOST_BYTES, self.timeout);
        let answer = answer.await.map_err(|error| EngineError::Unavailable(format!("its command: {error}")))?;
        asked.read(&answer)
    }
}
