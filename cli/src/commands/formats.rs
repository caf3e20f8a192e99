//! `l10n formats [set]`: the output formats, which are the files of a published version.
//!
//! Calls `output_formats::set`, `meta::read`.

use l10n_client::api::meta::FormatSupport;
use l10n_client::api::output_formats::OutputFormat;
use serde::Serialize;

use crate::args::{FormatsArgs, FormatsCommand};
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::run::merged;
use crate::session::Session;
use crate::source_files::SourceFiles;
use crate::table::{Align, Table};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Formats<'a> {
    output_formats: &'a [OutputFormat],
    formats: &'a [FormatSupport],
}

pub(crate) async fn formats(context: &Context, args: FormatsArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    match args.command.unwrap_or(FormatsCommand::List) {
        FormatsCommand::List => list(context, &session).await,
        FormatsCommand::Set { prune } => set(context, &session, prune).await,
    }
}

async fn list(context: &Context, session: &Session) -> Result<ExitStatus, CliError> {
    let meta = session.meta().await?;
    let printer = &context.printer;
    printer.json(&Formats { output_formats: &meta.output_formats, formats: &meta.formats });
    if meta.output_formats.is_empty() {
        printer.line("No output formats: each synced file gets one translated file for each language, beside it.");
    }
    printer.table(&output_table(&meta.output_formats));
    let mut known = Table::new([
        ("FORMAT", Align::Left),
        ("EXTENSIONS", Align::Left),
        ("PLURALS", Align::Left),
        ("PLACEHOLDERS", Align::Left),
    ]);
    for format in &meta.formats {
        let FormatSupport { format, extensions, plurals, placeholders } = format;
        known.row([format.to_string(), extensions.join(", "), plurals.clone(), placeholders.clone()]);
    }
    printer.line("\nFile formats that the server supports:");
    printer.table(&known);
    Ok(ExitStatus::Success)
}

async fn set(context: &Context, session: &Session, prune: bool) -> Result<ExitStatus, CliError> {
    let (path, config) = session.settings.config()?;
    let files = SourceFiles::of(config, path)?;
    let meta = session.meta().await?;
    let base = config.base_language.clone().unwrap_or_else(|| meta.base_language.to_string());
    let wanted = files.output_formats(&files.base(&base)?)?;
    let list = if prune { wanted } else { merged(&wanted, &meta.output_formats)? };
    let answer = session.project.output_formats().set(list).await.doing("setting the output formats")?;
    let printer = &context.printer;
    printer.json(&answer);
    printer.table(&output_table(&answer.output_formats));
    printer.done(format!(
        "{} added, {} removed, {} unchanged",
        answer.added.len(),
        answer.removed.len(),
        answer.unchanged.len()
    ));
    Ok(ExitStatus::Success)
}

fn output_table(formats: &[OutputFormat]) -> Table {
    let mut table = Table::new([
        ("PATH", Align::Left),
        ("FORMAT", Align::Left),
        ("WITHOUT TRANSLATION", Align::Left),
        ("NAMESPACES", Align::Left),
    ]);
    for format in formats {
        let namespaces = format.namespaces.as_ref().map_or("all".to_owned(), |names| names.join(", "));
        table.row([format.path.clone(), format.format.to_string(), format.empty_as.to_string(), namespaces]);
    }
    table
}
