//! `l10n keys`: the project's keys with their translations, all of them or those with a text. Changes nothing.
//!
//! Calls `translations::get`.

use l10n_client::api::translations::{GetQuery, KeyDetail};
use l10n_client::api::{Plural, State};
use serde::Serialize;

use crate::args::KeysArgs;
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::session::Session;
use crate::words::{counted, maker, shortened};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Keys {
    keys: Vec<KeyDetail>,
    /// True if there may be more than `--limit`.
    has_more: bool,
}

pub(crate) async fn keys(context: &Context, args: &KeysArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let query = GetQuery {
        query: args.query.clone(),
        language: args.language.as_deref().map(Into::into),
        state: args.state.map(Into::into),
        stale: args.stale.then_some(true),
        namespace: args.namespace.clone(),
        prefix: args.prefix.clone(),
        limit: Some(args.limit.min(500)),
        ..GetQuery::default()
    };
    let wanted = usize::try_from(args.limit).unwrap_or(usize::MAX);
    let mut pages = session.project.translations().pages(query);
    let (mut keys, mut has_more) = (Vec::new(), true);
    // A page of a search may hold less than was asked for.
    while keys.len() < wanted && has_more {
        match pages.next_page().await.doing("reading the keys")? {
            Some(page) => keys.extend(page),
            None => has_more = false,
        }
    }
    if keys.len() > wanted {
        keys.truncate(wanted);
        has_more = true;
    }
    let printer = &context.printer;
    for key in &keys {
        printer.line(&key.r#ref);
        said(key.text.as_deref(), key.plural.as_ref()).iter().for_each(|text| printer.line(format!("  {text}")));
        for translation in &key.translations {
            let state = match (translation.state, translation.stale) {
                (State::Missing, _) => continue,
                (State::NeedsReview, _) => ", held back",
                (_, true) => ", stale",
                _ => "",
            };
            let by = maker(translation.engine.as_deref(), translation.origin);
            for text in said(translation.text.as_deref(), translation.plural.as_ref()) {
                printer.line(format!("  {}: {text} ({by}{state})", translation.language));
            }
        }
    }
    match (keys.len(), has_more) {
        (0, _) => printer.note("No key matches."),
        (_, true) => printer.note(format!("The first {} are shown; see --limit.", counted(keys.len() as u64, "key"))),
        (count, false) => printer.note(format!("{}.", counted(count as u64, "key"))),
    }
    printer.json(&Keys { keys, has_more });
    Ok(ExitStatus::Success)
}

/// A line for each text.
fn said(text: Option<&str>, plural: Option<&Plural>) -> Vec<String> {
    let forms = plural.into_iter().flat_map(|plural| plural.forms.iter());
    let forms = forms.map(|(category, text)| format!("{category}: {}", shortened(text)));
    text.map(shortened).into_iter().chain(forms).collect()
}
