//! The scopes and kind of the calling key.

use l10n_api_types::credential::{Credential, Read};
use l10n_api_types::{NoBody, NoQuery};

use crate::error::Result;
use crate::project::Project;

impl Project {
    /// `GET /projects/{projectId}/credential` (§4): the scopes and the kind of the client's key.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// if project.credential().await?.requires_operation_approval {
    ///     println!("this key is an agent's: a person approves what it spends");
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `unauthorized` for a key that is not of this project.
    pub async fn credential(&self) -> Result<Credential> {
        self.call::<Read>(&self.path, &NoQuery {}, &NoBody {}).await
    }
}
