//! Publishing.

use l10n_api_types::NoQuery;
use l10n_api_types::publish::{Create, Publish, Published};

use crate::error::Result;
use crate::project::Project;

impl Project {
    /// `POST /projects/{projectId}/publish` (§4): freezes the keys and their publishable translations as a version and
    /// makes it live.
    ///
    /// Never sent again when it is open whether it was carried out: [`outcome_of_failed`](Self::outcome_of_failed) tells,
    /// and with an idempotency key ([`CallOptions`](crate::CallOptions::idempotency_key)) it may be.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// use l10n_client::api::publish::Publish;
    ///
    /// let version = project.publish(&Publish { label: Some("2.1".into()), ..Publish::default() }).await?;
    /// println!("{} is live with {} files", version.label, version.files);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `nothing_to_publish`, `authorization_required` for an agent's key, `rate_limited` also when the day's 30 are
    /// used up, `forbidden` without scope `publish`.
    pub async fn publish(&self, body: &Publish) -> Result<Published> {
        self.call::<Create>(&self.path, &NoQuery {}, body).await
    }
}
