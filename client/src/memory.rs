//! Translation memory.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use l10n_api_types::memory::{
    Export, Import, ImportMemory, MemoryImport, MemoryMatches, Suggest, SuggestQuery, TMX_CAP,
};
use l10n_api_types::translations::Encoding;
use l10n_api_types::{Endpoint as _, NoBody, NoQuery};

use crate::error::{InvalidArgument, Result};
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

    /// `GET /projects/{projectId}/memory/export`: memory as a file in TMX 1.4. A file of more than `max_response_bytes` is an
    /// error.
    ///
    /// # Errors
    ///
    /// `forbidden` without scope `read`.
    pub async fn export(&self) -> Result<Vec<u8>> {
        let options = &self.project.options;
        let answer =
            self.project.client.send::<Export>(&self.project.path, &NoQuery {}, &NoBody {}, options, None).await?;
        Ok(answer.body)
    }

    /// `POST /projects/{projectId}/memory/import`: takes the translations of a TMX file, of at most 1 MiB, into the memory of the
    /// project.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), Box<dyn std::error::Error>> {
    /// let imported = project.memory().import(&std::fs::read("earlier.tmx")?).await?;
    /// for refused in imported.refused {
    ///     println!("line {}: {}", refused.line, refused.message);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `file_unparseable` for what is no TMX, `invalid_argument` for more than 5,000 translations, `forbidden` without scope
    /// `write`.
    pub async fn import(&self, file: &[u8]) -> Result<MemoryImport> {
        if file.len() > TMX_CAP {
            let problem = format!("the file is {} bytes long, the limit is {TMX_CAP}: split it", file.len());
            return Err(InvalidArgument::new(Import::NAME, problem).into());
        }
        let body = ImportMemory { content: STANDARD.encode(file), encoding: Encoding::Base64 };
        self.project.call::<Import>(&self.project.path, &NoQuery {}, &body).await
    }
}
