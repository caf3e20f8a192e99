//! One output format of the list, as a person changes it, and the paths that it makes.

use l10n_api_types::ProjectId;
use l10n_api_types::output_formats::{MOST_OUTPUT_FORMATS, NewOutputFormat, SetOutputFormats};

use super::{FormatField, check_one, set};
use crate::domain::{ProjectChange, ServiceError};
use crate::store::output_formats::{self as rows, OutputFormat as Row};
use crate::store::{Tx, languages, lock};

/// A change of one output format.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FormatUpdate<'a> {
    /// Another one at the end of the list.
    Add(&'a NewOutputFormat),
    /// Something else in the place of one.
    Change(DisplayedFormat<'a>, &'a NewOutputFormat),
    /// One goes.
    Remove(DisplayedFormat<'a>),
}

/// An output format as the person was shown it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DisplayedFormat<'a> {
    /// Its id.
    pub id: &'a str,
    /// The output format; `None` where it is known to have changed since.
    pub format: Option<&'a NewOutputFormat>,
}

/// The reason why an output format was not changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FormatError {
    /// The path is no template. The sentence follows the name of the field.
    #[error("The path {0}")]
    Path(String),
    /// Namespaces cannot be these. The sentence follows the name of the field.
    #[error("The list of namespaces {0}")]
    Namespaces(String),
    /// Two files would have one path.
    #[error("{0}")]
    Clash(String),
    /// The project has as many as it may have.
    #[error("A project has at most {MOST_OUTPUT_FORMATS} output formats")]
    TooMany,
    /// Somebody has removed it meanwhile, or given it another path.
    #[error("this output format was changed or removed meanwhile")]
    Gone,
    /// Somebody has changed it meanwhile.
    #[error("this output format was changed meanwhile")]
    Moved,
    /// The datastore.
    #[error(transparent)]
    Service(ServiceError),
}

from_store_error!(FormatError);

impl From<(FormatField, String)> for FormatError {
    fn from((field, words): (FormatField, String)) -> Self {
        match field {
            FormatField::Path => Self::Path(words),
            FormatField::Namespaces => Self::Namespaces(words),
        }
    }
}

/// Changes one output format of the list; the others stay.
///
/// # Errors
///
/// [`FormatError`]; nothing was written then.
pub(crate) async fn update(
    tx: &mut Tx,
    change: ProjectChange<'_>,
    update: FormatUpdate<'_>,
) -> Result<(), FormatError> {
    if let FormatUpdate::Add(new) | FormatUpdate::Change(_, new) = update {
        check_one(new)?;
    }
    lock::project(tx, change.project).await?;
    let stored = rows::list(tx, change.project).await?;
    let mut all: Vec<NewOutputFormat> = stored.iter().map(stated).collect();
    let place = |id: &str| stored.iter().position(|row| row.id == id).ok_or(FormatError::Gone);
    let is_as_shown = |shown: DisplayedFormat<'_>, present: &NewOutputFormat| match shown.format == Some(present) {
        true => Ok(()),
        false => Err(FormatError::Moved),
    };
    match update {
        FormatUpdate::Add(_) if all.len() >= MOST_OUTPUT_FORMATS => return Err(FormatError::TooMany),
        FormatUpdate::Add(new) => all.push(new.clone()),
        FormatUpdate::Change(shown, new) => {
            let place = place(shown.id)?;
            // Who wants what it is already, as with a form that was sent twice, undoes nothing.
            if let Some(changed) = all.get_mut(place).filter(|present| *present != new) {
                is_as_shown(shown, changed)?;
                changed.clone_from(new);
            }
        }
        FormatUpdate::Remove(shown) => {
            let removed = all.remove(place(shown.id)?);
            is_as_shown(shown, &removed)?;
        }
    }
    match set(tx, change, &SetOutputFormats { output_formats: all }).await {
        Ok(_) => Ok(()),
        // Each was found to be right by itself.
        Err(ServiceError::InvalidArgument(words)) => Err(FormatError::Clash(words)),
        Err(error) => Err(FormatError::Service(error)),
    }
}

fn stated(row: &Row) -> NewOutputFormat {
    NewOutputFormat {
        format: row.format,
        path: row.path.clone(),
        empty_as: Some(row.empty_as),
        namespaces: row.namespaces.as_ref().map(|list| list.0.clone()),
    }
}

/// The paths of an output format in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FormatPaths {
    /// BCP 47
    pub language: String,
    /// The first of the paths; `{namespace}` stands for each namespace that the project has.
    pub paths: Vec<String>,
    /// Paths beyond those.
    pub more: usize,
}

/// The paths that an output format makes in each language of a project: at most `most` of a language.
///
/// # Errors
///
/// [`FormatError`] for what is no output format.
pub(crate) async fn paths(
    tx: &mut Tx,
    project: &ProjectId,
    format: &NewOutputFormat,
    most: usize,
) -> Result<Vec<FormatPaths>, FormatError> {
    let template = check_one(format)?;
    let languages = languages::list(tx, project).await?;
    let of = |language: languages::Language| {
        let files = template.files(&language.code.as_str().into());
        let paths: Vec<String> = files.take(most).map(|file| file.to_string()).collect();
        FormatPaths { language: language.code, more: template.count() - paths.len(), paths }
    };
    Ok(languages.into_iter().map(of).collect())
}
