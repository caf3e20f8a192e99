//! Translation memory.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures_util::stream::{self, Stream};
use l10n_api_types::memory::{
    Export, Import, ImportMemory, MemoryImport, MemoryMatches, Suggest, SuggestQuery, TMX_CAP,
};
use l10n_api_types::translations::Encoding;
use l10n_api_types::{Endpoint as _, NoBody, NoQuery};

use crate::arriving::Arriving;
use crate::error::{InvalidArgument, Result};
use crate::project::Project;

/// Translation memory: earlier translations of the project and its workspace. Made by [`Project::memory`].
#[derive(Debug, Clone)]
pub struct Memory {
    pub(crate) project: Project,
}

/// A file in TMX 1.4 on its way. Made by [`Memory::export`].
pub struct MemoryFile {
    body: Arriving,
    /// The bytes that came last.
    last: Vec<u8>,
    has_ended: bool,
}

/// The end of a whole file.
const END: &[u8] = b"</tmx>";
/// Bytes that are looked at for the end of a file: white space may follow it.
const LAST: usize = 64;

impl MemoryFile {
    /// Returns the next bytes of the file; `None` at its end, and after an error. The file may be of any size:
    /// `max_response_bytes` does not hold for it, and `request_timeout` holds for each piece.
    ///
    /// The future may be dropped before it is ready, as `tokio::select!` does: no bytes are lost, and the next call waits for
    /// the same ones.
    ///
    /// # Errors
    ///
    /// `Transport` if the file breaks off or no more of it comes, `Decode` at the end of a file that is not whole.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>> {
        if self.has_ended {
            return Ok(None);
        }
        // Set after the wait, not before: a future that is dropped while it waits is not the end. An error is.
        let next = self.body.next().await;
        self.has_ended = !matches!(next, Ok(Some(_)));
        let Some(bytes) = next? else {
            return match self.last.trim_ascii_end().ends_with(END) {
                true => Ok(None),
                false => Err(self.body.not_as_declared("the file does not end with `</tmx>`: it is not whole").into()),
            };
        };
        self.last.extend_from_slice(bytes.get(bytes.len().saturating_sub(LAST)..).unwrap_or_default());
        self.last.drain(..self.last.len().saturating_sub(LAST));
        Ok(Some(bytes))
    }

    /// Converts into a stream of bytes, which ends after an error.
    pub fn into_stream(self) -> impl Stream<Item = Result<Bytes>> + Send {
        stream::try_unfold(self, |mut file| async move { Ok(file.chunk().await?.map(|bytes| (bytes, file))) })
    }
}

impl fmt::Debug for MemoryFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryFile").field("has_ended", &self.has_ended).finish_non_exhaustive()
    }
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
    /// let query = SuggestQuery::new("Save the file", "de");
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

    /// `GET /projects/{projectId}/memory/export`: memory as a file in TMX 1.4, which is read as it arrives and may be of any
    /// length.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), Box<dyn std::error::Error>> {
    /// use std::io::Write as _;
    ///
    /// let mut to = std::fs::File::create("memory.tmx.part")?;
    /// let mut file = project.memory().export().await?;
    /// while let Some(bytes) = file.chunk().await? {
    ///     to.write_all(&bytes)?;
    /// }
    /// std::fs::rename("memory.tmx.part", "memory.tmx")?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `forbidden` without scope `read`.
    pub async fn export(&self) -> Result<MemoryFile> {
        let Project { client, path, options } = &self.project;
        let body = client.open::<Export>(path, &NoQuery {}, &NoBody {}, options).await?;
        Ok(MemoryFile { body, last: Vec::new(), has_ended: false })
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
