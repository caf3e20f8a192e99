//! Webhooks of a project.

use l10n_api_types::webhooks::{
    Create, CreateBody, Created, Delete, List, RotateSecret, Rotated, Update, UpdateBody, Webhook, WebhookPath,
};
use l10n_api_types::{NoBody, NoQuery, WebhookId};

use crate::error::Result;
use crate::project::Project;

/// Webhooks of a project: addresses that are called when it publishes. Made by [`Project::webhooks`].
#[derive(Debug, Clone)]
pub struct Webhooks {
    pub(crate) project: Project,
}

impl Project {
    /// Its webhooks.
    #[must_use]
    pub fn webhooks(&self) -> Webhooks {
        Webhooks { project: self.clone() }
    }
}

impl Webhooks {
    /// `POST /projects/{projectId}/webhooks` (§4): registers an address. Only this answer and that of a rotation show a
    /// secret.
    ///
    /// Never resent while its outcome is unknown ([`Error::may_have_been_carried_out`]): list the webhooks first, and
    /// delete one whose secret did not arrive. With an idempotency key
    /// ([`CallOptions`](crate::CallOptions::idempotency_key)) it may be resent, and the secret arrives.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// use l10n_client::api::events::EventType;
    /// use l10n_client::api::webhooks::CreateBody;
    ///
    /// let body = CreateBody::new("https://example.com/l10n", [EventType::StringsPublished]);
    /// let webhook = project.webhooks().create(&body).await?;
    /// println!("keep the secret of {}: {}", webhook.webhook_id, webhook.secret);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid_argument` for a URL that is not https, carries credentials or does not resolve to public addresses
    /// only; `webhook_limit` if the project has five already; `forbidden` without scope `publish`.
    ///
    /// [`Error::may_have_been_carried_out`]: crate::Error::may_have_been_carried_out
    pub async fn create(&self, body: &CreateBody) -> Result<Created> {
        self.project.call::<Create>(&self.project.path, &NoQuery {}, body).await
    }

    /// `GET /projects/{projectId}/webhooks` (§4): the webhooks, enabled or not, in the order of their registration.
    ///
    /// # Errors
    ///
    /// `forbidden` without scope `publish`.
    pub async fn list(&self) -> Result<Vec<Webhook>> {
        let answer = self.project.call::<List>(&self.project.path, &NoQuery {}, &NoBody {}).await?;
        Ok(answer.webhooks)
    }

    /// `PATCH /projects/{projectId}/webhooks/{webhookId}` (§4): changes the given fields, all or none. It sets values,
    /// so it may be repeated, and is after a connection failure.
    ///
    /// # Errors
    ///
    /// `invalid_argument` for an empty body and for a URL as at [`create`](Self::create), `not_found`, `forbidden`
    /// without scope `publish`.
    pub async fn update(&self, webhook: impl Into<WebhookId>, body: &UpdateBody) -> Result<Webhook> {
        self.project.call::<Update>(&self.path(webhook), &NoQuery {}, body).await
    }

    /// `DELETE /projects/{projectId}/webhooks/{webhookId}` (§4): deletes a webhook with its log. Its planned deliveries
    /// stop.
    ///
    /// It is resent after a connection failure. `not_found` counts as success then: the request whose answer was lost
    /// has deleted the webhook.
    ///
    /// # Errors
    ///
    /// `not_found`, `forbidden` without scope `publish`.
    pub async fn delete(&self, webhook: impl Into<WebhookId>) -> Result<()> {
        self.project.call::<Delete>(&self.path(webhook), &NoQuery {}, &NoBody {}).await?;
        Ok(())
    }

    /// `POST /projects/{projectId}/webhooks/{webhookId}/rotate-secret` (§4): replaces the secret. For 24 hours each
    /// delivery is signed with both the new and the previous secret.
    ///
    /// Never resent while its outcome is unknown: a second rotation drops the secret that receivers know.
    ///
    /// # Errors
    ///
    /// `not_found`, `forbidden` without scope `publish`.
    pub async fn rotate_secret(&self, webhook: impl Into<WebhookId>) -> Result<Rotated> {
        self.project.call::<RotateSecret>(&self.path(webhook), &NoQuery {}, &NoBody {}).await
    }

    fn path(&self, webhook: impl Into<WebhookId>) -> WebhookPath {
        WebhookPath { project_id: self.project.id().clone(), webhook_id: webhook.into() }
    }
}
