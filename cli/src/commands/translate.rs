//! `l10n translate`: registers single keys and translates them.
//!
//! Calls `translations::translate`, `translations::get`.

use std::collections::BTreeMap;
use std::path::Path;

use l10n_client::api::operations::{CreateBody, OperationKind};
use l10n_client::api::requests::Receipt;
use l10n_client::api::translations::{KeyDetail, Run, TranslateBody};
use l10n_client::api::{Key, TrackingToken};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::args::{SpendArgs, TranslateArgs, language_codes};
use crate::context::Context;
use crate::error::{CliError, Doing as _, usage};
use crate::exit::ExitStatus;
use crate::input;
use crate::run::{
    Approvals, JobSummary, PaidWork, Totals, Uploaded, ask_outcome, classes, conclude, prepare, print_warnings,
    whole_credits,
};
use crate::session::Session;
use crate::table::{Align, Table};
use crate::words::maker;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Translated<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<&'a Run>,
    /// The receipt instead of the run, if its answer was lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<&'a Receipt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    job: Option<&'a JobSummary>,
    /// The key with its translations, if it was given on the command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a KeyDetail>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// The accepted JSON shapes of keys.
#[derive(Deserialize)]
#[serde(untagged)]
enum Input {
    Wrapped { keys: Vec<Key> },
    List(Vec<Key>),
    Texts(BTreeMap<String, String>),
}

pub(crate) async fn translate(context: &Context, args: &TranslateArgs) -> Result<ExitStatus, CliError> {
    let keys = keys(context, args).await?;
    let session = Session::open(context).await?;
    let spend = &args.spend;
    let body = TranslateBody {
        keys,
        languages: language_codes(&spend.languages),
        retranslate: args.retranslate.then_some(true),
        operation_id: None,
    };
    let work = KeyRun { context, session: &session, spend, body };
    let ran = prepare(context, &session, spend, &work, vec![()]).await?.run(&work, spend.dry_run).await;
    let ran = ran.unless_it_failed()?;
    let done = ran.done().next().cloned();
    let done = done.as_ref();
    let (_, mut ended) = ran.end(context, &session, spend, &work).await;
    let mut detail = None;
    let is_over = !spend.no_wait || done.and_then(Uploaded::job).is_none();
    if let Some(key) = args.key.as_ref().filter(|_| is_over && !spend.dry_run) {
        match session.project.translations().key(key.as_str()).await.doing(format!("reading the key {key}")) {
            Ok(read) => detail = Some(read),
            Err(error) => ended.verdict = ended.verdict.and(Err(error)),
        }
    }
    if let Some(detail) = &detail {
        context.printer.table(&key_table(detail));
    }
    context.printer.json(&Translated {
        run: done.and_then(Uploaded::run),
        receipt: done.and_then(Uploaded::receipt),
        job: ended.jobs.first(),
        key: detail.as_ref(),
        error: ended.verdict.as_ref().err().map(CliError::to_json),
    });
    conclude(context, ended.verdict)
}

/// The keys of a call, which are one run.
struct KeyRun<'a> {
    context: &'a Context,
    session: &'a Session,
    spend: &'a SpendArgs,
    body: TranslateBody,
}

impl PaidWork for KeyRun<'_> {
    type Item = ();

    const ITEMS: [&'static str; 2] = ["call", "calls"];

    const NOTHING: Option<&'static str> = None;

    fn name<'a>(&self, (): &'a ()) -> &'a str {
        "translate"
    }

    async fn run(&self, _: Vec<()>, approvals: &Approvals, dry_run: bool) -> Vec<((), Result<Uploaded, CliError>)> {
        let operation_id = approvals.values().next().filter(|_| !dry_run).cloned();
        let body = TranslateBody { operation_id, ..self.body.clone() };
        let translations = self.session.project.translations();
        let outcome = match dry_run {
            true => translations.translate_dry_run(&body).await.doing("pricing").map(Box::new).map(Uploaded::Run),
            false => match translations.translate(&body).await {
                Ok(run) => Ok(Uploaded::Run(Box::new(run))),
                Err(error) => ask_outcome(self.context, self.session, "translating", error)
                    .await
                    .map(|receipt| Uploaded::Landed(Box::new(receipt))),
            },
        };
        vec![((), outcome)]
    }

    fn has_work(&self, _: &Run) -> bool {
        true
    }

    fn ask(&self, (): &(), quote: &Run, _: bool) -> CreateBody {
        let note = self.spend.approval.note.clone();
        CreateBody {
            max_credits: Some(whole_credits(self.spend.max_credits.unwrap_or(quote.estimated_credits))),
            languages: self.body.languages.clone(),
            note: Some(note.unwrap_or_else(|| format!("translate: {}", classes(quote.classification)))),
            ..CreateBody::new(OperationKind::Translation)
        }
    }

    fn again(&self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn tell(&self, (): &(), run: &Run) {
        self.context.printer.line(classes(run.classification));
        print_warnings(&self.context.printer, "translate", run);
    }

    fn queued(&self, totals: &Totals, jobs: &[TrackingToken]) -> String {
        let jobs: Vec<&str> = jobs.iter().map(TrackingToken::as_str).collect();
        // Without an answer no price is known.
        let price = totals.balance.map(|_| format!(", at most {} credits", totals.estimated_credits));
        format!("Queued as {}{}", jobs.join(", "), price.unwrap_or_default())
    }
}

async fn keys(context: &Context, args: &TranslateArgs) -> Result<Vec<Key>, CliError> {
    if let (Some(key), Some(text)) = (&args.key, &args.text) {
        let (description, max_length) = (args.description.clone(), args.max_length);
        return Ok(vec![Key { description, max_length, ..Key::text(key, text) }]);
    }
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    let (name, text) = input::text(&context.folder, path).await?;
    parse(&name, &text)
}

fn parse(name: &str, text: &str) -> Result<Vec<Key>, CliError> {
    let hint = "write {\"greeting\": \"Hello\"}, or [{\"ref\": \"greeting\", \"text\": \"Hello\"}]";
    // Two steps: the first finds errors of JSON, the second errors of the shape.
    let value: Value =
        serde_json::from_str(text).map_err(|error| usage(format!("{name} is not valid JSON: {error}"), hint))?;
    let input =
        Input::deserialize(value).map_err(|_| usage(format!("{name} contains no keys in a known shape"), hint))?;
    let keys = match input {
        Input::Wrapped { keys } | Input::List(keys) => keys,
        Input::Texts(texts) => texts.into_iter().map(|(name, text)| Key::text(name, text)).collect(),
    };
    if keys.is_empty() {
        return Err(usage(format!("{name} contains no key"), hint));
    }
    for key in &keys {
        if let Err(error) = key.content() {
            return Err(usage(format!("{name}: key `{}`: {error}", key.r#ref), hint));
        }
    }
    Ok(keys)
}

fn key_table(key: &KeyDetail) -> Table {
    let columns = ["LANGUAGE", "STATE", "BY", "TEXT"];
    let mut table = Table::new(columns.map(|name| (name, Align::Left)));
    for translation in &key.translations {
        let text = translation.text.clone().or_else(|| {
            let plural = translation.plural.as_ref()?;
            let forms: Vec<String> =
                plural.forms.iter().map(|(category, form)| format!("{category}: {form}")).collect();
            Some(forms.join(" | "))
        });
        let by = maker(translation.engine.as_deref(), translation.origin);
        table.row([translation.language.to_string(), translation.state.to_string(), by, text.unwrap_or_default()]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_as_texts_as_a_list_or_wrapped() {
        let refs =
            |text: &str| -> Vec<String> { parse("stdin", text).unwrap().into_iter().map(|key| key.r#ref).collect() };
        assert_eq!(refs(r#"{"a":"A","b":"B"}"#), ["a", "b"]);
        assert_eq!(refs(r#"[{"ref":"a","text":"A","maxLength":3}]"#), ["a"]);
        assert_eq!(refs(r#"{"keys":[{"ref":"a","plural":{"arg":"n","forms":{"other":"A"}}}]}"#), ["a"]);
    }

    #[test]
    fn no_key_is_an_error_and_so_is_what_is_no_key() {
        let error = |text: &str| parse("stdin", text).unwrap_err().to_string();
        assert_eq!(error("{}"), "stdin contains no key");
        assert_eq!(error("[]"), "stdin contains no key");
        assert_eq!(error("[1]"), "stdin contains no keys in a known shape");
        assert!(error("{\"a\":").starts_with("stdin is not valid JSON: EOF while parsing a value at line 1 column 5"));
        assert_eq!(error(r#"[{"ref":"a"}]"#), "stdin: key `a`: one of `text` and `plural` is needed");
    }
}
