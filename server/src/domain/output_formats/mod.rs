//! Output formats: which files a published version consists of.

mod files;
mod one;

use std::collections::{HashMap, HashSet};

use l10n_api_types::ProjectId;
use l10n_api_types::output_formats::{
    EmptyAs, MOST_OUTPUT_FORMATS, NewOutputFormat, OutputFormat, OutputFormatsSet, SetOutputFormats,
};
use l10n_formats::files::by_id;

use self::files::{OutputTemplate, check_paths};
pub(crate) use self::one::{DisplayedFormat, FormatError, FormatPaths, FormatUpdate, paths, update};
use super::people::audit;
use super::{ProjectChange, ServiceError};
use crate::ids::{IdKind, new_id};
use crate::store::audit_log::AuditAction;
use crate::store::languages::Language;
use crate::store::output_formats::{self as rows, OutputFormat as Row};
use crate::store::row::Json;
use crate::store::{Tx, languages, lock, projects};

/// Longest name of a namespace, in bytes.
const LONGEST_NAMESPACE: usize = 128;
/// Most namespaces of one output format.
const MOST_NAMESPACES: usize = 500;

/// States the whole list. An output format keeps its id while format and path stay, whatever else changes.
///
/// # Errors
///
/// 400 for a path that is no template, two that could render to one path, or too many files.
pub(crate) async fn set(
    tx: &mut Tx,
    change: ProjectChange<'_>,
    request: &SetOutputFormats,
) -> Result<OutputFormatsSet, ServiceError> {
    let templates = check(request)?;
    let (project, now) = (change.project, change.clock.now());
    lock::project(tx, project).await?;
    let languages = languages::list(tx, project).await?;
    check_paths(&templates, &languages)?;
    let stored = rows::list(tx, project).await?;
    let mut before: HashMap<_, _> = stored.iter().map(|row| ((row.format, row.path.clone()), row.id.clone())).collect();
    let (mut added, mut unchanged, mut list) = (Vec::new(), Vec::new(), Vec::new());
    for asked in &request.output_formats {
        let id = match before.remove(&(asked.format, asked.path.clone())) {
            Some(id) => {
                unchanged.push(id.clone().into());
                id
            }
            None => {
                let id = new_id(IdKind::OutputFormat, now);
                added.push(id.clone().into());
                id
            }
        };
        list.push(Row {
            id,
            format: asked.format,
            path: asked.path.clone(),
            empty_as: asked.empty_as.unwrap_or(EmptyAs::Skip),
            namespaces: asked.namespaces.clone().map(Json),
        });
    }
    let mut removed: Vec<_> = before.into_values().collect();
    removed.sort();
    if list != stored {
        rows::replace(tx, project, &list).await?;
        projects::count_change_of_files(tx, project).await?;
        let paths: Vec<&str> = list.iter().map(|row| row.path.as_str()).collect();
        let (project, action) = (Some(project), AuditAction::OutputFormatsChanged);
        let record = audit::Record { project, action, subject: None, detail: Some(&paths.join(", ")) };
        audit::write(tx, change.workspace, change.by, now, record).await?;
    }
    let removed = removed.into_iter().map(Into::into).collect();
    Ok(OutputFormatsSet { added, removed, unchanged, output_formats: list.into_iter().map(describe).collect() })
}

/// The project's output formats as the API shows them.
pub(crate) async fn list(tx: &mut Tx, project: &ProjectId) -> Result<Vec<OutputFormat>, ServiceError> {
    Ok(rows::list(tx, project).await?.into_iter().map(describe).collect())
}

/// Refuses languages in which two of the stored output formats would meet in one path, or that would make too many files.
///
/// # Errors
///
/// 400.
pub(super) async fn check_stored(tx: &mut Tx, project: &ProjectId, languages: &[Language]) -> Result<(), ServiceError> {
    let stored = rows::list(tx, project).await?;
    let parse = |row: Row| {
        let template = by_id(row.format).template(&row.path).map_err(ServiceError::internal)?;
        Ok(OutputTemplate { template, path: row.path, namespaces: row.namespaces.map(|list| list.0) })
    };
    check_paths(&stored.into_iter().map(parse).collect::<Result<Vec<_>, ServiceError>>()?, languages)
}

fn describe(row: Row) -> OutputFormat {
    OutputFormat {
        output_format_id: row.id.into(),
        format: row.format.into(),
        path: row.path,
        empty_as: row.empty_as,
        namespaces: row.namespaces.map(|list| list.0),
    }
}

fn check(request: &SetOutputFormats) -> Result<Vec<OutputTemplate>, ServiceError> {
    let asked = &request.output_formats;
    if asked.len() > MOST_OUTPUT_FORMATS {
        return Err(ServiceError::InvalidArgument(format!(
            "`outputFormats` must have at most {MOST_OUTPUT_FORMATS} elements"
        )));
    }
    let of_index = |index: usize, (field, what): (FormatField, String)| {
        ServiceError::InvalidArgument(format!("`outputFormats[{index}].{}` {what}", field.as_str()))
    };
    let checked = asked.iter().enumerate();
    checked.map(|(index, format)| check_one(format).map_err(|fault| of_index(index, fault))).collect()
}

/// A field of an output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FormatField {
    Path,
    Namespaces,
}

impl FormatField {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Namespaces => "namespaces",
        }
    }
}

/// Checks an output format by itself. The sentence follows the name of the field.
fn check_one(format: &NewOutputFormat) -> Result<OutputTemplate, (FormatField, String)> {
    let template = by_id(format.format).template(&format.path);
    let template = template.map_err(|error| (FormatField::Path, error.to_string()))?;
    let wrong = |what: String| (FormatField::Namespaces, what);
    if let Some(namespaces) = &format.namespaces {
        if namespaces.is_empty() || namespaces.len() > MOST_NAMESPACES {
            return Err(wrong(format!("must have 1 to {MOST_NAMESPACES} elements, or be left out")));
        }
        let mut seen = HashSet::new();
        for namespace in namespaces {
            let plain = !namespace.chars().any(|c| c.is_control() || matches!(c, '/' | '\\' | ':'));
            if namespace.is_empty()
                || namespace.len() > LONGEST_NAMESPACE
                || !plain
                || matches!(&**namespace, "." | "..")
            {
                return Err(wrong(format!(
                    "must hold names of 1 to {LONGEST_NAMESPACE} bytes without `/`, `\\`, `:` and control characters"
                )));
            }
            if !seen.insert(namespace) {
                return Err(wrong(format!("has `{namespace}` twice")));
            }
        }
    }
    Ok(OutputTemplate { template, path: format.path.clone(), namespaces: format.namespaces.clone() })
}
