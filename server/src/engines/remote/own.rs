//! A service of the operator's own: asked in the JSON of the kind `exec`, with `POST`.

use async_trait::async_trait;
use http::header::AUTHORIZATION;

use super::caller::Caller;
use super::service::{Results, Service};
use crate::engines::contract::Asked;
use crate::engines::{Batch, EngineError, Heeds};

/// The service of the kind `http`.
#[derive(Debug)]
pub(crate) struct Own;

#[async_trait]
impl Service for Own {
    fn heeds(&self) -> Heeds {
        Heeds::All
    }

    async fn ask(&self, caller: &Caller, batch: &Batch) -> Result<Results, EngineError> {
        let asked = Asked::new(batch)?;
        let headers = caller.with_key(AUTHORIZATION, "Bearer ");
        let answer = caller.post_bytes(&caller.url(""), headers, asked.json.clone()).await?;
        if !answer.is_success() {
            return Err(answer.fault());
        }
        asked.read(answer.bytes())
    }
}
