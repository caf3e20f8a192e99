//! Finding a project.

use l10n_api_types::projects::{self, Resolve, ResolveQuery};
use l10n_api_types::{NoBody, NoQuery};

use crate::Client;
use crate::error::Result;
use crate::project::Project;

/// Finds projects. Made by [`Client::projects`].
#[derive(Debug, Clone)]
pub struct Projects {
    client: Client,
}

impl Client {
    /// Finds projects by workspace handle and project slug.
    #[must_use]
    pub fn projects(&self) -> Projects {
        Projects { client: self.clone() }
    }
}

impl Projects {
    /// `GET /projects/resolve` (§4): resolves workspace handle and project slug to the ids of project and workspace.
    ///
    /// ```no_run
    /// # async fn example(client: l10n_client::Client) -> Result<(), l10n_client::Error> {
    /// let ids = client.projects().resolve("demo", "app").await?;
    /// let project = client.project(ids.project_id);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `not_found` for a name that does not exist and for a project that the key does not belong to.
    pub async fn resolve(&self, workspace: impl Into<String>, project: impl Into<String>) -> Result<projects::Project> {
        let query = ResolveQuery { workspace: workspace.into(), project: project.into() };
        self.client.call::<Resolve>(&NoQuery {}, &query, &NoBody {}).await
    }

    /// Like [`resolve`](Self::resolve), returned as a [`Project`].
    ///
    /// # Errors
    ///
    /// The errors of [`resolve`](Self::resolve).
    pub async fn find(&self, workspace: impl Into<String>, project: impl Into<String>) -> Result<Project> {
        Ok(self.client.project(self.resolve(workspace, project).await?.project_id))
    }
}
