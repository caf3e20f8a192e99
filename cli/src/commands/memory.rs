//! `l10n memory suggest`: translations that memory has. Changes nothing.
//!
//! Calls `memory::suggest`.

use l10n_client::api::memory::SuggestQuery;

use crate::args::{MemoryArgs, MemoryCommand, SuggestArgs};
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::session::Session;
use crate::words::shortened;

pub(crate) async fn memory(context: &Context, args: MemoryArgs) -> Result<ExitStatus, CliError> {
    match args.command {
        MemoryCommand::Suggest(args) => suggest(context, args).await,
    }
}

async fn suggest(context: &Context, args: SuggestArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let query = SuggestQuery { text: args.text, language: args.language.as_str().into(), percent: Some(args.percent) };
    let found = session.project.memory().suggest(&query).await.doing("asking translation memory")?;
    let printer = &context.printer;
    printer.json(&found);
    for one in &found.matches {
        let by = one.engine.as_deref().unwrap_or(one.origin.as_str());
        printer.line(format!("{} % {by}: {}", one.percent, shortened(&one.source)));
        printer.line(format!("  {}", shortened(&one.translation)));
    }
    if found.matches.is_empty() {
        printer.note("Memory has nothing like it.");
    }
    Ok(ExitStatus::Success)
}
