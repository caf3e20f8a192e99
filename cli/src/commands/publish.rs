//! `l10n publish`: freezes a version and makes it live.
//!
//! Calls `publish::create`.

use l10n_client::api::publish::{Publish, Published};

use super::{language_codes, time};
use crate::args::PublishArgs;
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::session::Session;

pub(crate) async fn publish(context: &Context, args: &PublishArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let body = Publish { label: args.label.clone(), languages: language_codes(&args.languages), ..Publish::default() };
    let published = session.project.publish(&body).await.doing("publishing")?;
    context.printer.json(&published);
    print_published(context, &published, "Published");
    context.printer.note("`l10n pull` writes its files.");
    Ok(ExitStatus::Success)
}

/// Says which version is live now.
pub(crate) fn print_published(context: &Context, published: &Published, verb: &str) {
    let languages: Vec<&str> = published.languages.iter().map(|language| language.code.as_str()).collect();
    let printer = &context.printer;
    printer.done(format!("{verb} {} ({})", published.label, published.version_id));
    printer.line(format!(
        "{} keys, {} files, languages {}, published {}",
        published.key_count,
        published.files,
        languages.join(", "),
        time(published.published_at)
    ));
    if published.issues.error > 0 {
        printer.warn(format!(
            "{} translations did not pass the checks and are not in it; `l10n status` shows where",
            published.issues.error
        ));
    }
}
