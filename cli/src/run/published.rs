//! The outcome of a publish or a restore in words.

use l10n_client::api::publish::{DocumentsPublished, PublishAnswer, Published};
use l10n_client::api::requests::Receipt;
use serde::Serialize;

use super::write_outcome::made;
use crate::context::Context;
use crate::words::{counted, time};

/// Prints the version that is live now.
pub(crate) fn print_answer(context: &Context, answer: &PublishAnswer, verb: &str) {
    match answer {
        PublishAnswer::Strings(published) => print_published(context, published, verb),
        PublishAnswer::Content(published) => print_documents(context, published, verb),
    }
}

/// Prints the outcome for documents.
fn print_documents(context: &Context, published: &DocumentsPublished, verb: &str) {
    let summary = &published.summary;
    context.printer.done(format!("{verb} {} ({})", counted(summary.docs_published, "document"), published.publish_id));
    context.printer.line(format!(
        "{} unchanged, {} held back, {} without a translation",
        summary.docs_unchanged, summary.docs_held, summary.docs_skipped
    ));
}

/// Prints the version that is live now.
fn print_published(context: &Context, published: &Published, verb: &str) {
    let languages: Vec<&str> = published.languages.iter().map(|language| language.code.as_str()).collect();
    let printer = &context.printer;
    printer.done(format!("{verb} {} ({})", published.label, published.version_id));
    printer.line(format!(
        "{}, {}, languages {}, published {}",
        counted(published.key_count, "key"),
        counted(published.files, "file"),
        languages.join(", "),
        time(published.published_at)
    ));
    if published.issues.error > 0 {
        printer.warn(format!(
            "not in it: {}, held back until a person has reviewed them; `l10n status` shows where",
            counted(published.issues.error, "translation")
        ));
    }
}

/// Prints that nothing was done this time.
pub(crate) fn print_replayed(context: &Context, replayed: bool) {
    if replayed {
        context.printer.note("This was done before with the same --idempotency-key; nothing was done again.");
    }
}

/// A publish or restore whose answer was lost: the facts in its receipt.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UnconfirmedPublish<'a> {
    version_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    publish_id: Option<&'a str>,
    receipt: &'a Receipt,
}

/// Like [`print_published`], with the facts that are known without the answer.
pub(crate) fn print_unconfirmed(context: &Context, receipt: &Receipt, verb: &str) {
    let (version_id, publish_id) = (made(receipt, "version"), made(receipt, "publish"));
    context.printer.json(&UnconfirmedPublish { version_id, publish_id, receipt });
    let shown = match (version_id, publish_id) {
        (Some(version_id), _) => version_id.to_owned(),
        (None, Some(publish_id)) => format!("documents ({publish_id})"),
        (None, None) => "a version".to_owned(),
    };
    context.printer.done(format!("{verb} {shown}"));
}
