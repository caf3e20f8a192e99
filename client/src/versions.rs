//! Published versions of a project.

use l10n_api_types::publish::{DocumentsPublished, PublishAnswer, Published};
use l10n_api_types::versions::{List, ListQuery, Restore, RestoreBody, Version, VersionPath, Versions as Page};
use l10n_api_types::{NoBody, NoQuery, VersionId};

use crate::error::Result;
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

    /// `POST /projects/{projectId}/versions/{versionId}/restore` (§4) with a `ver_…`: makes an earlier version of the keys
    /// live again. A `cvr_…` is a version of a document: [`restore_document`](Self::restore_document) rolls it back. The
    /// server restores a version of either kind, so the wrong method fails only afterwards, with
    /// [`Error::Decode`](crate::Error::Decode).
    ///
    /// Never resent while its outcome is unknown, unless it has an idempotency key ([`Project::outcome_of_failed`]
    /// finds the outcome).
    ///
    /// # Errors
    ///
    /// `version_not_found`, `version_live` if it is live already, `authorization_required` for an agent's key,
    /// `rate_limited` also when the daily limit of 30 is reached, `forbidden` without scope `publish`.
    pub async fn restore(&self, version: impl Into<VersionId>, body: &RestoreBody) -> Result<Published> {
        let problem = "it restored a version of a document, which is for `restore_document`";
        self.restored(version.into(), body, PublishAnswer::strings, problem).await
    }

    /// `POST /projects/{projectId}/versions/{versionId}/restore` (§4) with a `cvr_…`: makes an earlier version of a
    /// document live again. A `ver_…` is a version of the keys and belongs to [`restore`](Self::restore), which explains
    /// what happens otherwise, and how both are resent.
    ///
    /// # Errors
    ///
    /// The errors of [`restore`](Self::restore).
    pub async fn restore_document(
        &self,
        version: impl Into<VersionId>,
        body: &RestoreBody,
    ) -> Result<DocumentsPublished> {
        let problem = "it restored a version of the keys, which is for `restore`";
        self.restored(version.into(), body, PublishAnswer::content, problem).await
    }

    async fn restored<T>(
        &self,
        version_id: VersionId,
        body: &RestoreBody,
        pick: impl FnOnce(PublishAnswer) -> Option<T>,
        problem: &str,
    ) -> Result<T> {
        let path = VersionPath { project_id: self.project.id().clone(), version_id };
        self.project.call_for::<Restore, T>(&path, &NoQuery {}, body, pick, problem).await
    }
}
