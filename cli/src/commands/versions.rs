//! `l10n versions`: published versions, newest first.
//!
//! Calls `versions::list`.

use l10n_client::api::versions::Version;
use serde::Serialize;

use crate::args::VersionsArgs;
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::lookup::newest_versions;
use crate::session::Session;
use crate::table::{Align, Table};
use crate::words::time;

#[derive(Serialize)]
struct Versions<'a> {
    versions: &'a [Version],
}

pub(crate) async fn versions(context: &Context, args: &VersionsArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let versions = newest_versions(&session, args.limit).await?;
    let printer = &context.printer;
    printer.json(&Versions { versions: &versions });
    if versions.is_empty() {
        printer.line("Nothing has been published yet.");
    }
    let mut table = Table::new([
        ("VERSION", Align::Left),
        ("NUMBER", Align::Right),
        ("LABEL", Align::Left),
        ("KEYS", Align::Right),
        ("PUBLISHED", Align::Left),
        ("", Align::Left),
    ]);
    for version in &versions {
        let live = if version.live { "live" } else { "" };
        table.row([
            version.version_id.to_string(),
            format!("#{}", version.number),
            version.label.clone(),
            version.key_count.to_string(),
            time(version.published_at),
            live.into(),
        ]);
    }
    printer.table(&table);
    Ok(ExitStatus::Success)
}
