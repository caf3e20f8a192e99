//! Reporting keys that an app misses.

use l10n_api_types::NoQuery;
use l10n_api_types::capture::{Captured, Create, CreateBody};

use crate::error::Result;
use crate::project::Project;

impl Project {
    /// `POST /projects/{projectId}/capture` (§4): reports keys that an app misses, 1 to 500 of them.
    ///
    /// Refs that the project has already are counted separately, so the call may be repeated, and is after a connection
    /// failure.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// use l10n_client::api::capture::{CapturedKey, CreateBody};
    ///
    /// let missing = CapturedKey { r#ref: "cart.empty".into(), text: Some("Your cart is empty".into()), ..Default::default() };
    /// let answer = project.capture(&CreateBody { keys: vec![missing], ..CreateBody::default() }).await?;
    /// println!("{} new, {} more today", answer.counts.new, answer.remaining_today);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid_argument`, naming the key; `capture_quota_exceeded` if the call exceeds the daily limit of 5,000 new
    /// keys (nothing of it is written then); `forbidden` without scope `capture`.
    pub async fn capture(&self, body: &CreateBody) -> Result<Captured> {
        self.call::<Create>(&self.path, &NoQuery {}, body).await
    }
}
