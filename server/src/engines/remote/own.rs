//! A service of the operator's own: asked in the JSON of the kind `exec`, with `POST`.

use async_trait::async_trait;
use http::header::AUTHORIZATION;

use super::client::EngineClient;
use super::service::{BatchResults, TranslationService};
use crate::engines::contract::BatchRequest;
use crate::engines::{Batch, EngineError, SupportedHints};

/// The service of the kind `http`.
#[derive(Debug)]
pub(crate) struct HttpEngine;

#[async_trait]
impl TranslationService for HttpEngine {
    fn supported_hints(&self) -> SupportedHints {
        SupportedHints::All
    }

    async fn ask(&self, caller: &EngineClient, batch: &Batch) -> Result<BatchResults, EngineError> {
        let asked = BatchRequest::new(batch)?;
        let headers = caller.with_key(AUTHORIZATION, "Bearer ");
        let answer = caller.post_bytes(&caller.url(""), headers, asked.json.clone()).await?;
        if !answer.is_success() {
            return Err(answer.fault());
        }
        asked.read(answer.bytes())
    }
}
