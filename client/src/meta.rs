//! A project's facts, state and limits.

use l10n_api_types::meta::{Meta, Read};
use l10n_api_types::{NoBody, NoQuery};

use crate::error::Result;
use crate::project::Project;

impl Project {
    /// `GET /projects/{projectId}/meta` (§4): languages, output formats, counts, live version, balance and limits.
    ///
    /// # Errors
    ///
    /// `forbidden` without scope `read`.
    pub async fn meta(&self) -> Result<Meta> {
        self.call::<Read>(&self.path, &NoQuery {}, &NoBody {}).await
    }
}
