//! Published versions of a project.

use l10n_api_types::publish::{DocumentsPublished, PublishAnswer, Published};
use l10n_api_types::versions::{List, ListQuery, Restore, RestoreBody, Version, VersionPath, Versions as Page};
use l10n_api_types::{Endpoint as _, NoBody, NoQuery, VersionId};

use crate::error::{InvalidArgument, Result};
use crate::pages::Pages;
use crate::project::Project;

/// Published versions of a project. Made by [`Project::versions`].
#[derive(Debug, Clone)]
pub struct Versions {
    pub(crate) project: Project,
}

impl Project {
    /// Its published versions.
    #[must_use]
    pub fn versions(&self) -> Versions {
        Versions { project: self.clone() }
    }
}

impl Versions {
    /// `GET /projects/{projectId}/versions`: a page of versions, newest first.
    ///
    /// # Errors
    ///
    /// `forbidden` without scope `read`.
    pub async fn list(&self, query: &ListQuery) -> Result<Page> {
        self.project.call::<List>(&self.project.path, query, &NoBody {}).await
    }

    /// Lists all versions from `query.cursor` on, page by page, newest first.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// let versions = project.versions().pages(Default::default()).all().await?;
    /// let before = versions.iter().find(|version| !version.live);
    /// # let _ = before;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn pages(&self, query: ListQuery) -> Pages<Version> {
        let versions = self.clone();
        Pages::new::<List, _, _>(query.cursor.clone(), move |cursor| {
            let (versions, query) = (versions.clone(), ListQuery { cursor, ..query.clone() });
            async move { versions.list(&query).await.map(|page| (page.versions, page.next_cursor)) }
        })
    }

    /// Lists all versions, newest first.
    ///
    /// # Errors
    ///
    /// The errors of [`list`](Self::list).
    pub async fn list_all(&self) -> Result<Vec<Version>> {
        self.pages(ListQuery { limit: Some(500), cursor: None }).all().await
    }

    /// `POST /projects/{projectId}/versions/{versionId}/restore` (§4): makes an earlier version of the keys live again;
    /// [`restore_document`](Self::restore_document) rolls back a document.
    ///
    /// Never resent while its outcome is unknown, unless it has an idempotency key ([`Project::outcome_of_failed`]
    /// finds the outcome).
    ///
    /// # Errors
    ///
    /// `version_not_found`, `version_live` if it is live already, `authorization_required` for an agent's key,
    /// `rate_limited` also when the daily limit of 30 is reached, `forbidden` without scope `publish`.
    pub async fn restore(&self, version: impl Into<VersionId>, body: &RestoreBody) -> Result<Published> {
        self.restored(version.into(), body).await?.strings().ok_or_else(|| other("the server answered for a document"))
    }

    /// `POST /projects/{projectId}/versions/{versionId}/restore` (§4) with a `cvr_…`: makes an earlier version of a
    /// document live again. Resent like [`restore`](Self::restore).
    ///
    /// # Errors
    ///
    /// The errors of [`restore`](Self::restore).
    pub async fn restore_document(
        &self,
        version: impl Into<VersionId>,
        body: &RestoreBody,
    ) -> Result<DocumentsPublished> {
        self.restored(version.into(), body).await?.content().ok_or_else(|| other("the server answered for the keys"))
    }

    async fn restored(&self, version_id: VersionId, body: &RestoreBody) -> Result<PublishAnswer> {
        let path = VersionPath { project_id: self.project.id().clone(), version_id };
        self.project.call::<Restore>(&path, &NoQuery {}, body).await
    }
}

fn other(problem: &str) -> crate::Error {
    InvalidArgument::new(Restore::NAME, problem).into()
}
