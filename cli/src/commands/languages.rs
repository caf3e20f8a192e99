//! `l10n languages [add CODE…]`
//!
//! Calls `languages::add`, `meta::read`.

use l10n_client::api::languages::Language;
use serde::Serialize;

use crate::args::{LanguagesArgs, LanguagesCommand};
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::language_table::languages_table;
use crate::session::Session;

#[derive(Serialize)]
struct Languages<'a> {
    languages: &'a [Language],
}

pub(crate) async fn languages(context: &Context, args: LanguagesArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    match args.command.unwrap_or(LanguagesCommand::List) {
        LanguagesCommand::List => list(context, &session).await,
        LanguagesCommand::Add { codes } => add(context, &session, &codes).await,
    }
}

async fn list(context: &Context, session: &Session) -> Result<ExitStatus, CliError> {
    let meta = session.meta().await?;
    context.printer.json(&Languages { languages: &meta.languages });
    context.printer.table(&languages_table(&meta.languages));
    Ok(ExitStatus::Success)
}

async fn add(context: &Context, session: &Session, codes: &[String]) -> Result<ExitStatus, CliError> {
    let codes = codes.iter().map(String::as_str);
    let answer = session.project.languages().add(codes).await.doing("adding languages")?;
    let printer = &context.printer;
    printer.json(&answer);
    let join = |codes: &[l10n_client::api::LanguageCode]| {
        codes.iter().map(|code| code.as_str()).collect::<Vec<_>>().join(", ")
    };
    if !answer.added.is_empty() {
        printer.done(format!("Added {}", join(&answer.added)));
        printer.note(
            "`l10n import` brings the translations that local files have, free of charge; `l10n sync` translates the others; \
             `l10n sync --dry-run` shows the price.",
        );
    }
    if !answer.existing.is_empty() {
        printer.line(format!("Existing: {}", join(&answer.existing)));
    }
    Ok(ExitStatus::Success)
}
