//! People's changes of source texts that the code lacks.

use l10n_api_types::NoBody;
use l10n_api_types::pending_code_changes::{CodeChange, CodeChanges, List, ListQuery};

use crate::error::Result;
use crate::pages::Pages;
use crate::project::Project;

/// People's changes of source texts that the code lacks. Made by [`Project::pending_code_changes`].
#[derive(Debug, Clone)]
pub struct PendingCodeChanges {
    pub(crate) project: Project,
}

impl Project {
    /// People's changes of source texts that the code lacks.
    #[must_use]
    pub fn pending_code_changes(&self) -> PendingCodeChanges {
        PendingCodeChanges { project: self.clone() }
    }
}

impl PendingCodeChanges {
    /// `GET /projects/{projectId}/pending-code-changes` (§4): a page of changes, oldest first.
    ///
    /// # Errors
    ///
    /// `forbidden` without scope `read`.
    pub async fn list(&self, query: &ListQuery) -> Result<CodeChanges> {
        self.project.call::<List>(&self.project.path, query, &NoBody {}).await
    }

    /// Lists all changes from `query.cursor` on, page by page, oldest first.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// for change in project.pending_code_changes().pages(Default::default()).all().await? {
    ///     println!("{} in {:?}: {:?} is {:?} now", change.r#ref, change.file, change.from, change.to);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn pages(&self, query: ListQuery) -> Pages<CodeChange> {
        let changes = self.clone();
        Pages::new::<List, _, _>(query.cursor.clone(), move |cursor| {
            let (changes, query) = (changes.clone(), ListQuery { cursor, ..query.clone() });
            async move { changes.list(&query).await.map(|page| (page.changes, page.next_cursor)) }
        })
    }
}
