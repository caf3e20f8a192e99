//! `l10n restore VERSION`: makes an earlier version live again.
//!
//! Calls `versions::restore`.

use l10n_client::api::versions::RestoreBody;

use super::publish::print_published;
use super::versions::find;
use crate::args::RestoreArgs;
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::session::Session;

pub(crate) async fn restore(context: &Context, args: &RestoreArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let version = find(&session, &args.version).await?;
    let restored = session
        .project
        .versions()
        .restore(version.clone(), &RestoreBody::default())
        .await
        .doing(format!("restoring {version}"))?;
    context.printer.json(&restored);
    print_published(context, &restored, "Restored");
    context.printer.note("Keys and translations stay as they are; `l10n pull` writes this version's files.");
    Ok(ExitStatus::Success)
}
