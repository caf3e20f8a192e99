//! Output formats of a project: the files of a version.

use l10n_api_types::NoQuery;
use l10n_api_types::output_formats::{NewOutputFormat, OutputFormatsSet, Set, SetOutputFormats};

use crate::error::Result;
use crate::project::Project;

/// Output formats of a project. Made by [`Project::output_formats`].
#[derive(Debug, Clone)]
pub struct OutputFormats {
    pub(crate) project: Project,
}

impl Project {
    /// The files of its versions.
    #[must_use]
    pub fn output_formats(&self) -> OutputFormats {
        OutputFormats { project: self.clone() }
    }
}

impl OutputFormats {
    /// `POST /projects/{projectId}/output-formats` (§4): sets the **whole** list. Formats that it leaves out are
    /// removed; translations are not affected. [`Project::meta`] reads the list.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// use l10n_client::api::FormatId;
    /// use l10n_client::api::output_formats::NewOutputFormat;
    ///
    /// let format = NewOutputFormat::new(FormatId::Json, "locales/{language}.json");
    /// project.output_formats().set(vec![format]).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid_argument` for a template that cannot be used or two that render to one path, `forbidden` without scope
    /// `write`.
    pub async fn set(&self, output_formats: Vec<NewOutputFormat>) -> Result<OutputFormatsSet> {
        self.project.call::<Set>(&self.project.path, &NoQuery {}, &SetOutputFormats { output_formats }).await
    }
}
