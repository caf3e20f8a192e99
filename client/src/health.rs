//! The service's health.

use l10n_api_types::health::{Health, Read};
use l10n_api_types::{NoBody, NoQuery};

use crate::Client;
use crate::error::Result;

impl Client {
    /// `GET /health` (§4): needs no key and counts against no budget. Like every read, it is retried before it fails;
    /// for a probe, build the client with `max_retries(0)`.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), l10n_client::Error> {
    /// let client = l10n_client::Client::new("https://l10n.example.com/v1")?;
    /// println!("version {}", client.health().await?.version);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `unavailable` when the service's datastore does not answer.
    pub async fn health(&self) -> Result<Health> {
        self.call::<Read>(&NoQuery {}, &NoQuery {}, &NoBody {}).await
    }
}
