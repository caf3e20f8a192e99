//! `l10n translate`: registers single keys and translates them.
//!
//! Calls `translations::translate`, `translations::get`.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use l10n_client::api::operations::{CreateBody, OperationKind};
use l10n_client::api::requests::Receipt;
use l10n_client::api::translations::{KeyDetail, Run, TranslateBody};
use l10n_client::api::{Key, OperationId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::language_codes;
use super::sync::conclude;
use crate::args::{SpendArgs, TranslateArgs};
use crate::context::Context;
use crate::error::{CliError, Doing as _, unreadable};
use crate::exit::ExitStatus;
use crate::run::{
    JobSummary, Totals, Uploaded, ask_outcome, classes, enforce_max_credits, finish, obtain, print_warnings, wait_for,
    whole_credits,
};
use crate::session::Session;
use crate::table::{Align, Table};

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
    let keys = keys(args)?;
    let session = Session::open(context).await?;
    let single = args.key.as_ref();
    let mut body = TranslateBody {
        keys,
        languages: language_codes(&args.spend.languages),
        retranslate: args.retranslate.then_some(true),
        operation_id: None,
    };
    let translations = session.project.translations();
    let printer = &context.printer;
    let approval = &args.spend.approval;
    body.operation_id = approval.operation_id.as_deref().map(OperationId::from);
    if args.spend.dry_run || args.spend.max_credits.is_some() || approval.request_approval {
        let quote = translations
            .translate_dry_run(&TranslateBody { operation_id: None, ..body.clone() })
            .await
            .doing("pricing")?;
        let totals = Totals::of([&quote]);
        let mut verdict = match args.spend.max_credits {
            Some(max) => enforce_max_credits(&totals, max),
            None => Ok(()),
        };
        if args.spend.dry_run {
            printer.line(classes(quote.classification));
            print_warnings(printer, "translate", &quote);
            totals.print(printer);
            printer.line("Nothing was changed: this was a dry run.");
            verdict = verdict.and_then(|()| totals.verdict(printer));
            let error = verdict.as_ref().err().map(CliError::to_json);
            printer.json(&Translated { run: Some(&quote), receipt: None, job: None, key: None, error });
            return conclude(context, verdict);
        }
        verdict?;
        if approval.request_approval {
            totals.refusal()?;
            body.operation_id = obtain(context, &session, approval, ask(&args.spend, &quote, &body)).await?;
        }
    }
    let done = match translations.translate(&body).await {
        Ok(run) => Uploaded::Run(Box::new(run)),
        Err(error) => Uploaded::Landed(Box::new(ask_outcome(context, &session, "translating", error).await?)),
    };
    if let Some(run) = done.run() {
        printer.line(classes(run.classification));
        print_warnings(printer, "translate", run);
    }
    let mut verdict = Ok(());
    let mut jobs = Vec::new();
    let mut detail = None;
    match &done.job() {
        Some(token) if args.spend.no_wait => {
            let price = done.run().map(|run| format!(", at most {} credits", run.estimated_credits));
            printer.line(format!("Queued as {token}{}", price.unwrap_or_default()));
        }
        token => {
            if let Some(token) = token {
                let total = done.run().map_or(0, |run| run.per_language.iter().map(|price| price.keys).sum());
                jobs = wait_for(context, &session, std::slice::from_ref(token), total).await?;
                verdict = finish(context, &jobs);
            }
            if let Some(key) = single {
                detail = Some(translations.key(key.as_str()).await.doing(format!("reading the key {key}"))?);
            }
        }
    }
    if let Some(detail) = &detail {
        printer.table(&key_table(detail));
    }
    let error = verdict.as_ref().err().map(CliError::to_json);
    printer.json(&Translated {
        run: done.run(),
        receipt: done.receipt(),
        job: jobs.first(),
        key: detail.as_ref(),
        error,
    });
    conclude(context, verdict)
}

/// The operation to request.
fn ask(args: &SpendArgs, quote: &Run, body: &TranslateBody) -> CreateBody {
    CreateBody {
        max_credits: Some(whole_credits(args.max_credits.unwrap_or(quote.estimated_credits))),
        languages: body.languages.clone(),
        note: Some(format!("translate: {}", classes(quote.classification))),
        ..CreateBody::new(OperationKind::Translation)
    }
}

fn keys(args: &TranslateArgs) -> Result<Vec<Key>, CliError> {
    if let (Some(key), Some(text)) = (&args.key, &args.text) {
        let (description, max_length) = (args.description.clone(), args.max_length);
        return Ok(vec![Key { description, max_length, ..Key::text(key, text) }]);
    }
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    let (name, text) = if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(unreadable(Path::new("stdin")))?;
        ("stdin".to_owned(), text)
    } else {
        (path.display().to_string(), std::fs::read_to_string(path).map_err(unreadable(path))?)
    };
    parse(&name, &text)
}

fn parse(name: &str, text: &str) -> Result<Vec<Key>, CliError> {
    let hint = "write {\"greeting\": \"Hello\"}, or [{\"ref\": \"greeting\", \"text\": \"Hello\"}]";
    // Two steps: the first finds errors of JSON, the second errors of the shape.
    let value: Value = serde_json::from_str(text)
        .map_err(|error| CliError::usage(format!("{name} is not valid JSON: {error}"), hint))?;
    let input = Input::deserialize(value)
        .map_err(|_| CliError::usage(format!("{name} contains no keys in a known shape"), hint))?;
    let keys = match input {
        Input::Wrapped { keys } | Input::List(keys) => keys,
        Input::Texts(texts) => texts.into_iter().map(|(name, text)| Key::text(name, text)).collect(),
    };
    if keys.is_empty() {
        return Err(CliError::usage(format!("{name} contains no key"), hint));
    }
    for key in &keys {
        if let Err(error) = key.content() {
            return Err(CliError::usage(format!("{name}: key `{}`: {error}", key.r#ref), hint));
        }
    }
    Ok(keys)
}

fn key_table(key: &KeyDetail) -> Table {
    let mut table = Table::new([("LANGUAGE", Align::Left), ("STATE", Align::Left), ("TEXT", Align::Left)]);
    for translation in &key.translations {
        let text = translation.text.clone().or_else(|| {
            let plural = translation.plural.as_ref()?;
            let forms: Vec<String> =
                plural.forms.iter().map(|(category, form)| format!("{category}: {form}")).collect();
            Some(forms.join(" | "))
        });
        table.row([translation.language.to_string(), translation.state.to_string(), text.unwrap_or_default()]);
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
