//! Output formats: compares those of `l10n.toml` with the project's. Formats that others have set are never removed
//! here.

use l10n_client::api::Scope;
use l10n_client::api::credential::Credential;
use l10n_client::api::output_formats::{NewOutputFormat, OutputFormat};
use serde::Serialize;

use crate::context::Context;
use crate::error::{CliError, Doing as _, Failure, usage};
use crate::exit::ExitStatus;
use crate::session::Session;
use crate::source_files::{SourceFile, SourceFiles};

/// The project's output formats, compared with those of `l10n.toml`.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct FormatsState {
    /// Paths that were added or changed.
    pub(crate) set: Vec<String>,
    /// Paths that the project still lacks.
    pub(crate) missing: Vec<String>,
}

/// The key cannot do what this command needs.
#[derive(Debug, thiserror::Error)]
#[error("{what} needs a key with the scope `{scope}`")]
struct MissingScope {
    what: String,
    scope: Scope,
    hint: String,
}

impl Failure for MissingScope {
    fn status(&self) -> ExitStatus {
        ExitStatus::Auth
    }

    fn code(&self) -> &str {
        "forbidden"
    }

    fn hint(&self) -> Option<String> {
        Some(self.hint.clone())
    }
}

/// Adds output formats of `l10n.toml` that the project lacks, if the key has the scope; otherwise prints a note.
pub(crate) async fn register_formats(
    context: &Context,
    session: &Session,
    credential: &Credential,
    files: &SourceFiles,
    base: &[SourceFile],
    dry_run: bool,
) -> Result<FormatsState, CliError> {
    let wanted = files.output_formats(base)?;
    let may = |scope| Scope::grants(&credential.scopes, &[scope]);
    if !may(Scope::Read) {
        if files.uses_namespaces() {
            context
                .printer
                .note("the key cannot read the output formats; set them with another key and `l10n formats set`");
        }
        return Ok(FormatsState::default());
    }
    let present = session.meta().await?.output_formats;
    let missing: Vec<String> =
        wanted.iter().filter(|format| !is_there(format, &present)).map(|format| format.path.clone()).collect();
    if missing.is_empty() {
        return Ok(FormatsState::default());
    }
    let plural = if missing.len() == 1 { "" } else { "s" };
    let named = format!("output format{plural} {}", missing.join(", "));
    if dry_run {
        context.printer.note(format!("Would set the {named}."));
        return Ok(FormatsState { set: Vec::new(), missing });
    }
    if !may(Scope::Write) {
        if files.uses_namespaces() {
            // Without them, keys would be registered under wrong refs.
            return Err(MissingScope {
                what: format!("setting the {named}"),
                scope: Scope::Write,
                hint: "run `l10n formats set` once with a key that has `write`, then run this again".into(),
            }
            .into());
        }
        if !present.is_empty() {
            context.printer.warn(format!(
                "the project lacks the {named}; `l10n formats set` adds what is missing, with a key that has `write`"
            ));
        }
        return Ok(FormatsState { set: Vec::new(), missing });
    }
    session.project.output_formats().set(merged(&wanted, &present)?).await.doing("setting the output formats")?;
    context.printer.note(format!("Set the {named}."));
    Ok(FormatsState { set: missing, missing: Vec::new() })
}

/// Returns true if the project has an output format.
fn is_there(wanted: &NewOutputFormat, present: &[OutputFormat]) -> bool {
    present.iter().any(|format| {
        format.path == wanted.path
            && format.format == wanted.format
            && wanted.empty_as.is_none_or(|empty_as| empty_as == format.empty_as)
    })
}

/// The project's formats, with the wanted ones replacing those of the same path or added at the end.
///
/// # Errors
///
/// A format that this version does not know cannot be stated again, and would be removed.
pub(crate) fn merged(wanted: &[NewOutputFormat], present: &[OutputFormat]) -> Result<Vec<NewOutputFormat>, CliError> {
    let again = |format: &OutputFormat| {
        let (path, name) = (&format.path, &format.format);
        let known = name.known().ok_or_else(|| {
            usage(
                format!(
                    "the project has the output format `{path}` in `{name}`, which this version of `l10n` does not know"
                ),
                "update `l10n`: this version would remove that output format",
            )
        });
        Ok(NewOutputFormat {
            format: known?,
            path: path.clone(),
            empty_as: Some(format.empty_as),
            namespaces: format.namespaces.clone(),
        })
    };
    let mut list = present.iter().map(again).collect::<Result<Vec<_>, CliError>>()?;
    for format in wanted {
        match list.iter_mut().find(|known| known.path == format.path) {
            Some(known) => {
                known.format = format.format;
                known.empty_as = format.empty_as.or(known.empty_as);
            }
            None => list.push(format.clone()),
        }
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use l10n_client::api::output_formats::EmptyAs;
    use l10n_client::api::{FormatId, FormatName, OutputFormatId};

    use super::*;

    /// Two repositories may share a project: a sync of one never removes the other's files.
    #[test]
    fn what_others_have_set_stays() {
        let present = [OutputFormat {
            output_format_id: OutputFormatId::new("fmt_1"),
            format: FormatId::Arb.into(),
            path: "app_{language}.arb".into(),
            empty_as: EmptyAs::Base,
            namespaces: None,
        }];
        let wanted = [NewOutputFormat {
            format: FormatId::Json,
            path: "l/{language}.json".into(),
            empty_as: None,
            namespaces: None,
        }];
        let paths: Vec<String> = merged(&wanted, &present).unwrap().into_iter().map(|format| format.path).collect();
        assert_eq!(paths, ["app_{language}.arb", "l/{language}.json"]);
        assert!(!is_there(&wanted[0], &present));

        // Also one that only a later version of this program could set.
        let later = [OutputFormat { format: FormatName::Other("catkeys".into()), ..present[0].clone() }];
        assert!(merged(&wanted, &later).unwrap_err().to_string().contains("catkeys"));
    }
}
