//! Apertium on this machine: rules and dictionaries, without a network. `docs/engines.md` says what to install.

mod modes;
mod pipe;
mod stream;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::Mutex;
use tokio::time::Instant;

use self::modes::Modes;
use self::pipe::Pipe;
use self::stream::Encoded;
use super::{Batch, BatchLimits, EngineError, TextSegment, Translator, UnitError};
use crate::config::OF_PROGRAMS;

/// The turn at a mode, with its pipe where one is open: batches of one mode wait for each other, those of others do not.
type PipeLock = Arc<Mutex<Option<Pipe>>>;

/// The engine `apertium`.
#[derive(Debug)]
pub struct Apertium {
    name: String,
    modes: Modes,
    folder: String,
    timeout: Duration,
    at_once: usize,
    /// Environment variables with keys of engines, which its programs do not get.
    key_variables: Arc<[String]>,
    /// The turn of each mode.
    turns: std::sync::Mutex<HashMap<String, PipeLock>>,
}

impl Apertium {
    /// The engine with the modes that are in `folder` now, and the time that it has for a batch.
    #[must_use]
    pub fn new(name: &str, folder: &Path, timeout: Duration) -> Self {
        let modes = Modes::in_folder(folder);
        let folder = folder.display().to_string();
        let turns = std::sync::Mutex::default();
        let key_variables = Arc::default();
        Self { name: name.to_owned(), modes, folder, timeout, at_once: OF_PROGRAMS, key_variables, turns }
    }

    /// Takes so many batches at once. Those of one mode wait for each other all the same.
    #[must_use]
    pub const fn with_at_once(mut self, at_once: usize) -> Self {
        self.at_once = at_once;
        self
    }

    /// Starts its programs without these environment variables, which have keys of engines.
    #[must_use]
    pub fn without(mut self, key_variables: &Arc<[String]>) -> Self {
        self.key_variables = Arc::clone(key_variables);
        self
    }

    /// Returns the names of the modes that are installed, such as `eng-spa`.
    #[must_use]
    pub fn modes(&self) -> Vec<String> {
        self.modes.names().map(str::to_owned).collect()
    }

    fn turn(&self, mode: &str) -> PipeLock {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(turns.entry(mode.to_owned()).or_default())
    }

    fn open(&self, mode: &str) -> Result<Pipe, EngineError> {
        let programs = self.modes.programs(mode).map_err(EngineError::Misconfigured)?;
        Pipe::start(&programs, &self.key_variables)
            .map_err(|error| EngineError::Unavailable(format!("Apertium: {error}")))
    }
}

#[async_trait]
impl Translator for Apertium {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, source: &str, target: &str) -> bool {
        self.modes.find(source, target).is_some()
    }

    fn limits(&self) -> BatchLimits {
        BatchLimits::of(500, 50_000)
    }

    fn at_once(&self) -> usize {
        self.at_once
    }

    fn problem(&self) -> Option<String> {
        let none = self.modes.names().next().is_none();
        none.then(|| {
            format!("there is no mode in {}: install a pair of languages, such as apertium-eng-spa", self.folder)
        })
    }

    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        let Some(mode) = self.modes.find(&batch.source, &batch.target) else {
            let missing = format!("it has no mode for {}-{}", batch.source, batch.target);
            return Err(EngineError::UnknownLanguages(missing));
        };
        let texts: Vec<Encoded> = batch.items.iter().map(|item| Encoded::new(&item.segments)).collect();
        let mut results: Vec<Result<Vec<TextSegment>, UnitError>> = Vec::with_capacity(texts.len());
        let turn = self.turn(mode);
        let mut open = turn.lock().await;
        let deadline = Instant::now() + self.timeout;
        // The text at which the pipe ended. It goes alone then, since a later one may have been the cause.
        let mut suspect = None;
        while results.len() < texts.len() {
            // Taken out while it is at work: a batch that is given up on takes it along, with the answers that it owes.
            let mut pipe = match open.take() {
                Some(pipe) => pipe,
                None => self.open(mode)?,
            };
            let begin = results.len();
            let end = if suspect == Some(begin) { begin + 1 } else { texts.len() };
            pipe.send(texts[begin..end].iter().flat_map(|text| text.bytes.iter().copied()).collect());
            for text in &texts[begin..end] {
                let Some(segments) = pipe.next(deadline).await.and_then(|answer| text.read(&answer)) else { break };
                results.push(Ok(segments));
            }
            if results.len() == end {
                *open = Some(pipe);
                continue;
            }
            if Instant::now() >= deadline {
                let seconds = self.timeout.as_secs_f32();
                return Err(EngineError::Unavailable(format!(
                    "Apertium has not translated a batch within {seconds} seconds"
                )));
            }
            tracing::warn!(engine = self.name, mode, "Apertium's pipe has ended and is started anew");
            if suspect == Some(results.len()) {
                results.push(Err(UnitError::Refused("Apertium's pipe ends at it".to_owned())));
                suspect = None;
            } else {
                suspect = Some(results.len());
            }
        }
        Ok(results)
    }
}
