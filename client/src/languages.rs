//! Languages of a project.

use l10n_api_types::languages::{Add, AddLanguages, AddedLanguages, NewLanguage};
use l10n_api_types::{LanguageCode, NoQuery};

use crate::error::Result;
use crate::project::Project;

/// Languages of a project. Made by [`Project::languages`].
#[derive(Debug, Clone)]
pub struct Languages {
    pub(crate) project: Project,
}

impl Project {
    /// Its languages.
    #[must_use]
    pub fn languages(&self) -> Languages {
        Languages { project: self.clone() }
    }
}

impl Languages {
    /// `POST /projects/{projectId}/languages` (§4): adds languages. Those that the project has already are reported
    /// separately, so the call may be repeated, and is after a connection failure.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// let answer = project.languages().add(["de", "pt-BR"]).await?;
    /// println!("new: {:?}, there before: {:?}", answer.added, answer.existing);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid_argument` for a code that is not BCP 47 (nothing is added then), `plan_limit`, `forbidden` without
    /// scope `write`.
    pub async fn add<C: Into<LanguageCode>>(&self, codes: impl IntoIterator<Item = C>) -> Result<AddedLanguages> {
        let languages = codes.into_iter().map(|code| NewLanguage { code: code.into() }).collect();
        self.project.call::<Add>(&self.project.path, &NoQuery {}, &AddLanguages { languages }).await
    }
}
