//! A project, by its id: where its routes hang.

use l10n_api_types::{ProjectId, ProjectPath, WebhookId};

use crate::Client;
use crate::deliveries::Deliveries;
use crate::delivery::{Address, Delivery};
use crate::languages::Languages;
use crate::output_formats::OutputFormats;
use crate::translations::Translations;
use crate::versions::Versions;
use crate::webhooks::Webhooks;

/// A project of the service. Cheap to clone; made by [`Client::project`], without a request.
///
/// ```no_run
/// # async fn example(client: l10n_client::Client) -> Result<(), l10n_client::Error> {
/// let project = client.project("prj_1");
/// let meta = project.meta().await?;
/// println!("{}: {} keys in {} languages", meta.name, meta.key_count, meta.languages.len());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Project {
    pub(crate) client: Client,
    pub(crate) path: ProjectPath,
}

impl Project {
    pub(crate) fn new(client: Client, project_id: ProjectId) -> Self {
        Self { client, path: ProjectPath { project_id } }
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &ProjectId {
        &self.path.project_id
    }

    /// The client that it is called with.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Its languages.
    #[must_use]
    pub fn languages(&self) -> Languages {
        Languages { project: self.clone() }
    }

    /// The files that a version of it consists of.
    #[must_use]
    pub fn output_formats(&self) -> OutputFormats {
        OutputFormats { project: self.clone() }
    }

    /// Its keys and their translations.
    #[must_use]
    pub fn translations(&self) -> Translations {
        Translations { project: self.clone() }
    }

    /// Its published versions.
    #[must_use]
    pub fn versions(&self) -> Versions {
        Versions { project: self.clone() }
    }

    /// Its webhooks.
    #[must_use]
    pub fn webhooks(&self) -> Webhooks {
        Webhooks { project: self.clone() }
    }

    /// The delivery log of a webhook.
    #[must_use]
    pub fn deliveries(&self, webhook: impl Into<WebhookId>) -> Deliveries {
        Deliveries { project: self.clone(), webhook: webhook.into() }
    }

    /// Its published files, which need no key.
    #[must_use]
    pub fn delivery(&self) -> Delivery {
        Delivery { client: self.client.clone(), address: Address::Id(self.path.project_id.clone()) }
    }
}
