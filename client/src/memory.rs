//! Translation memory.

use l10n_api_types::NoBody;
use l10n_api_types::memory::{MemoryMatches, Suggest, SuggestQuery};

use crate::error::Result;
use crate::project::Project;

/// Translation memory: earlier translations of the project and its workspace. Made by [`Project::memory`].
#[derive(Debug, Clone)]
pub struct Memory {
    pub(crate) project: Project,
}

impl Project {
    /// Earlier translations of the project and its workspace.
    #[must_use]
    pub fn memory(&self) -> Memory {
        Memory { project: self.clone() }
    }
}

impl Memory {
    /// `GET /projects/{projectId}/memory`: translations of the same text and of similar ones, people's first.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// use l10n_client::api::memory::SuggestQuery;
    ///
    /// let query = SuggestQuery { text: "Save the file".into(), language: "de".into(), percent: None };
    /// for found in project.memory().suggest(&query).await?.matches {
    ///     println!("{} % {}: {}", found.percent, found.source, found.translation);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid_argument` for a text of more than 1,000 characters and a language that the project does not have, `forbidden`
    /// without scope `read`.
    pub async fn suggest(&self, query: &SuggestQuery) -> Result<MemoryMatches> {
        self.project.call::<Suggest>(&self.project.path, query, &NoBody {}).await
    }
}
