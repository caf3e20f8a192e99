//! A service of the operator's own: asked in the JSON of the kind `exec`, with `POST`.

use async_trait::async_trait;
use http::header::AUTHORIZATION;

use super::caller::Caller;
use super::{Results, limits};
use crate::config::Remote;
use crate::engines::contract::Asked;
use crate::engines::{Batch, EngineError, Limits, Translator};

/// The engine `http`.
#[derive(Debug)]
pub(crate) struct Own {
    name: String,
    remote: Remote,
    caller: Caller,
}

impl Own {
    /// The engine of this name.
    pub(crate) fn new(name: &str, remote: Remote) -> Self {
        Self { name: name.to_owned(), caller: Caller::new(&remote), remote }
    }
}

#[async_trait]
impl Translator for Own {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, _source: &str, _target: &str) -> bool {
        true
    }

    fn limits(&self) -> Limits {
        limits(&self.remote)
    }

    fn problem(&self) -> Option<String> {
        self.caller.problem()
    }

    async fn translate(&self, batch: &Batch) -> Result<Results, EngineError> {
        let asked = Asked::new(batch)?;
        let headers = self.caller.with_key(AUTHORIZATION, "Bearer ");
        let answer = self.caller.post_bytes(&self.remote.address, headers, asked.json.clone()).await?;
        if !answer.is_success() {
            return Err(answer.fault());
        }
        asked.read(answer.bytes())
    }
}
