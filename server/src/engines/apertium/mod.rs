//! Apertium on this machine: rules and dictionaries, without a network. `docs/engines.md` says what to install.

mod modes;
mod pipe;
mod stream;

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::Mutex;
use tokio::time::Instant;

use self::modes::Modes;
use self::pipe::Pipe;
use self::stream::Encoded;
use super::{Batch, EngineError, Limits, Segment, Translator, UnitError};

/// The engine `apertium`.
#[derive(Debug)]
pub struct Apertium {
    name: String,
    modes: Modes,
    folder: String,
    timeout: Duration,
    /// Pipes that are open, by their modes. Batches of the same server take turns.
    pipes: Mutex<HashMap<String, Pipe>>,
}

impl Apertium {
    /// The engine with the modes that are in `folder` now, and the time that it has for a batch.
    #[must_use]
    pub fn new(name: &str, folder: &Path, timeout: Duration) -> Self {
        let modes = Modes::in_folder(folder);
        let folder = folder.display().to_string();
        Self { name: name.to_owned(), modes, folder, timeout, pipes: Mutex::default() }
    }

    /// Returns the names of the modes that are installed, such as `eng-spa`.
    #[must_use]
    pub fn modes(&self) -> Vec<String> {
        self.modes.names().map(str::to_owned).collect()
    }

    fn open(&self, mode: &str) -> Result<Pipe, EngineError> {
        let programs = self.modes.programs(mode).map_err(EngineError::Refused)?;
        Pipe::start(&programs).map_err(|error| EngineError::Unavailable(format!("Apertium: {error}")))
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

    fn limits(&self) -> Limits {
        Limits { max_items: 500, max_characters: 50_000 }
    }

    fn problem(&self) -> Option<String> {
        let none = self.modes.names().next().is_none();
        none.then(|| {
            format!("there is no mode in {}: install a pair of languages, such as apertium-eng-spa", self.folder)
        })
    }

    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<Segment>, UnitError>>, EngineError> {
        let Some(mode) = self.modes.find(&batch.source, &batch.target) else {
            return Err(EngineError::Refused(format!("it has no mode for {}-{}", batch.source, batch.target)));
        };
        let deadline = Instant::now() + self.timeout;
        let texts: Vec<Encoded> = batch.items.iter().map(|item| Encoded::new(&item.segments)).collect();
        let mut results: Vec<Result<Vec<Segment>, UnitError>> = Vec::with_capacity(texts.len());
        let mut pipes = self.pipes.lock().await;
        // The text at which the pipe ended. It goes alone then, since a later one may have been the cause.
        let mut suspect = None;
        while results.len() < texts.len() {
            // Taken out while it is at work: a batch that is given up on takes it along, with the answers that it owes.
            let mut pipe = match pipes.remove(mode) {
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
                pipes.insert(mode.to_owned(), pipe);
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
                results.push(Err(UnitError("Apertium's pipe ends at it".to_owned())));
                suspect = None;
            } else {
                suspect = Some(results.len());
            }
        }
        Ok(results)
    }
}
