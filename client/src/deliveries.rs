//! The delivery log of a webhook.

use l10n_api_types::deliveries::{Delivery, DeliveryPath, List, Resend};
use l10n_api_types::webhooks::WebhookPath;
use l10n_api_types::{DeliveryId, NoBody, NoQuery, WebhookId};

use crate::error::Result;
use crate::project::Project;

/// The latest deliveries to a webhook. Made by [`Project::deliveries`].
#[derive(Debug, Clone)]
pub struct Deliveries {
    pub(crate) project: Project,
    pub(crate) webhook: WebhookId,
}

impl Project {
    /// The delivery log of a webhook.
    #[must_use]
    pub fn deliveries(&self, webhook: impl Into<WebhookId>) -> Deliveries {
        Deliveries { project: self.clone(), webhook: webhook.into() }
    }
}

impl Deliveries {
    /// `GET /projects/{projectId}/webhooks/{webhookId}/deliveries` (§4): the last 50, newest first.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// for delivery in project.deliveries("whk_1").list().await? {
    ///     println!("{} {}: {:?}", delivery.event_id, delivery.status, delivery.last_error);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `not_found`, `forbidden` without scope `publish`.
    pub async fn list(&self) -> Result<Vec<Delivery>> {
        let path = WebhookPath { project_id: self.project.id().clone(), webhook_id: self.webhook.clone() };
        Ok(self.project.call::<List>(&path, &NoQuery {}, &NoBody {}).await?.deliveries)
    }

    /// `POST …/deliveries/{deliveryId}/resend` (§4): makes one more attempt at a delivery, whatever its status, with
    /// the same event. The answer comes before the attempt has ended.
    ///
    /// Never resent while its outcome is unknown: the receiver would be called twice.
    ///
    /// # Errors
    ///
    /// `delivery_in_flight` during an attempt, `not_found`, `forbidden` without scope `publish`.
    pub async fn resend(&self, delivery: impl Into<DeliveryId>) -> Result<Delivery> {
        let path = DeliveryPath {
            project_id: self.project.id().clone(),
            webhook_id: self.webhook.clone(),
            delivery_id: delivery.into(),
        };
        self.project.call::<Resend>(&path, &NoQuery {}, &NoBody {}).await
    }
}
