//! Publishing.

use l10n_api_types::publish::{Create, DocumentsPublished, Publish, PublishAnswer, PublishTarget, Published};
use l10n_api_types::{Endpoint as _, NoQuery};

use crate::error::{InvalidArgument, Result};
use crate::project::Project;

impl Project {
    /// `POST /projects/{projectId}/publish` (§4): freezes the keys and their publishable translations as a version and
    /// makes it live. Documents are published by [`publish_content`](Self::publish_content).
    ///
    /// Never resent while its outcome is unknown, unless it has an idempotency key
    /// ([`CallOptions`](crate::CallOptions::idempotency_key)). [`outcome_of_failed`](Self::outcome_of_failed) finds the
    /// outcome.
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
    /// `nothing_to_publish`, `authorization_required` for an agent's key, `rate_limited` also when the daily limit of
    /// 30 is reached, `forbidden` without scope `publish`.
    pub async fn publish(&self, body: &Publish) -> Result<Published> {
        if body.target == Some(PublishTarget::Content) {
            return Err(InvalidArgument::new(Create::NAME, "publish documents with `publish_content`").into());
        }
        let problem = "it is about documents";
        self.call_for::<Create, _>(&self.path, &NoQuery {}, body, PublishAnswer::strings, problem).await
    }

    /// `POST /projects/{projectId}/publish` with `target: "content"` (§4), regardless of `body.target`: makes the
    /// present source of documents and their translations live. The answer has the outcome for each document; it is
    /// possible that none was published.
    ///
    /// Never resent while its outcome is unknown, like [`publish`](Self::publish).
    ///
    /// # Errors
    ///
    /// `not_found` for a document, `authorization_required` for an agent's key, `rate_limited` also when the daily
    /// limit of 30 publishes is reached, `forbidden` without scope `publish`.
    pub async fn publish_content(&self, body: &Publish) -> Result<DocumentsPublished> {
        let body = Publish { target: Some(PublishTarget::Content), ..body.clone() };
        let problem = "it is about the keys";
        self.call_for::<Create, _>(&self.path, &NoQuery {}, &body, PublishAnswer::content, problem).await
    }
}
