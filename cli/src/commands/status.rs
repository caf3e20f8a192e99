//! `l10n status`: the progress of each language, the live version, the engines with their prices, and the remaining budget.
//!
//! Calls `meta::read`.

use l10n_client::api::Millicredits;
use l10n_client::api::meta::Engine;

use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::language_table::languages_table;
use crate::session::Session;
use crate::words::{counted, time};

pub(crate) async fn status(context: &Context) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let meta = session.meta().await?;
    let printer = &context.printer;
    printer.json(&meta);
    printer.line(format!(
        "{} ({}/{}), {} in {}",
        meta.name,
        meta.handle,
        meta.slug,
        counted(meta.key_count, "key"),
        meta.base_language
    ));
    printer.table(&languages_table(&meta.languages));
    match &meta.live {
        Some(live) => {
            printer.line(format!("Live: {} ({}), published {}", live.label, live.version_id, time(live.published_at)))
        }
        None => printer.line("Live: nothing yet"),
    }
    if meta.unpublished_changes > 0 {
        printer.line(format!(
            "{} not published; `l10n publish` makes them live",
            counted(meta.unpublished_changes, "change")
        ));
    }
    engines(&meta.engine).iter().for_each(|engine| printer.line(engine));
    printer.line(format!("Balance: {} credits", meta.balance));
    if let Some(cap) = meta.remaining.cap {
        printer.line(format!("Remaining of this month's cap: {cap} credits"));
    }
    let review: u64 = meta.languages.iter().map(|language| language.needs_review).sum();
    if review > 0 {
        printer.note(format!("{} held back until a person has reviewed them.", counted(review, "translation")));
    }
    let stale: u64 = meta.languages.iter().map(|language| language.stale).sum();
    if stale > 0 {
        printer.note(format!(
            "{} of a source that has changed since. `l10n sync` replaces those of machines and keeps those of people, which \
             `l10n sync --retranslate` replaces.",
            counted(stale, "translation")
        ));
    }
    Ok(ExitStatus::Success)
}

/// The project's engine, and those of languages that have their own.
fn engines(engine: &Engine) -> Vec<String> {
    let own = engine
        .languages
        .iter()
        .map(|own| format!("Engine for {}: {}", own.language, priced(&own.name, own.millicredits_per_character)));
    let of_project = format!("Engine: {}", priced(&engine.name, engine.millicredits_per_character));
    std::iter::once(of_project).chain(own).collect()
}

/// An engine with its price; of a chain, the price of the dearest one.
fn priced(name: &str, price: Option<i64>) -> String {
    let price = price.map(|price| format!(", at most {} credits per character", Millicredits(price)));
    format!("{name}{}", price.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use l10n_client::api::meta::LanguageEngine;

    use super::*;

    #[test]
    fn engines_are_shown_with_their_prices() {
        let japanese =
            LanguageEngine { language: "ja".into(), name: "model".to_owned(), millicredits_per_character: Some(4) };
        let engine =
            Engine { name: "deepl,model".to_owned(), millicredits_per_character: Some(20), languages: vec![japanese] };
        let of_project = "Engine: deepl,model, at most 0.020 credits per character";
        assert_eq!(engines(&engine), [of_project, "Engine for ja: model, at most 0.004 credits per character"]);
        let earlier = Engine { millicredits_per_character: None, languages: Vec::new(), ..engine };
        assert_eq!(engines(&earlier), ["Engine: deepl,model"]);
    }
}
