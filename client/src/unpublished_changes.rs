//! The difference between the live version and a publish now.

use l10n_api_types::NoBody;
use l10n_api_types::unpublished_changes::{List, ListQuery, UnpublishedChange, UnpublishedChanges as Page};

use crate::error::Result;
use crate::pages::Pages;
use crate::project::Project;

/// The difference between the live version and a publish now. Made by [`Project::unpublished_changes`].
#[derive(Debug, Clone)]
pub struct UnpublishedChanges {
    pub(crate) project: Project,
}

impl Project {
    /// The difference between the live version and a publish now.
    #[must_use]
    pub fn unpublished_changes(&self) -> UnpublishedChanges {
        UnpublishedChanges { project: self.clone() }
    }
}

impl UnpublishedChanges {
    /// `GET /projects/{projectId}/unpublished-changes`: a page of changes, with the counts of each language.
    ///
    /// # Errors
    ///
    /// `invalid_argument` for a language that the project does not have, `forbidden` without scope `read`.
    pub async fn list(&self, query: &ListQuery) -> Result<Page> {
        self.project.call::<List>(&self.project.path, query, &NoBody {}).await
    }

    /// Lists the changes from `query.cursor` on, page by page.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// for change in project.unpublished_changes().pages(Default::default()).all().await? {
    ///     println!("{} {}: {}", change.language, change.r#ref, change.class);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn pages(&self, query: ListQuery) -> Pages<UnpublishedChange> {
        let changes = self.clone();
        Pages::new::<List, _, _>(query.cursor.clone(), move |cursor| {
            let (changes, query) = (changes.clone(), ListQuery { cursor, ..query.clone() });
            async move { changes.list(&query).await.map(|page| (page.items, page.next_cursor)) }
        })
    }
}
