//! Published versions of a project.

use l10n_api_types::publish::Published;
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

impl Versions {
    /// `GET /projects/{projectId}/versions`: a page of versions, newest first.
    ///
    /// # Errors
    ///
    /// `forbidden` without scope `read`.
    pub async fn list(&self, query: &ListQuery) -> Result<Page> {
        self.project.call::<List>(&self.project.path, query, &NoBody {}).await
    }

    /// All versions from `query.cursor` on, page by page, newest first.
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
        Pages::new("versions::list", query.cursor.clone(), move |cursor| {
            let (versions, query) = (versions.clone(), ListQuery { cursor, ..query.clone() });
            async move { versions.list(&query).await.map(|page| (page.versions, page.next_cursor)) }
        })
    }

    /// All versions, newest first.
    ///
    /// # Errors
    ///
    /// As [`list`](Self::list).
    pub async fn list_all(&self) -> Result<Vec<Version>> {
        self.pages(ListQuery { limit: Some(500), cursor: None }).all().await
    }

    /// `POST /projects/{projectId}/versions/{versionId}/restore` (§4): makes an earlier version the live one again.
    /// Never sent again when it is open whether it was carried out, unless it has an idempotency key
    /// ([`Project::outcome_of_failed`] tells).
    ///
    /// # Errors
    ///
    /// `version_not_found`, `version_live` when it is live already, `authorization_required` for an agent's key,
    /// `rate_limited` also when the day's 30 are used up, `forbidden` without scope `publish`.
    pub async fn restore(&self, version: impl Into<VersionId>, body: &RestoreBody) -> Result<Published> {
        let path = VersionPath { project_id: self.project.id().clone(), version_id: version.into() };
        self.project.call::<Restore>(&path, &NoQuery {}, body).await
    }
}
