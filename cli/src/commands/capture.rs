//! `l10n capture`: reports keys that an app misses.
//!
//! Calls `capture::create`.

use std::collections::HashSet;
use std::path::Path;

use l10n_client::api::LanguageCode;
use l10n_client::api::capture::{CapturedCounts, CapturedKey, CreateBody, MOST_CAPTURED_KEYS};
use serde::Serialize;
use serde_json::Value;

use crate::args::CaptureArgs;
use crate::context::Context;
use crate::error::{CliError, Doing as _, usage};
use crate::exit::ExitStatus;
use crate::input;
use crate::session::Session;

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Reported {
    counts: CapturedCounts,
    captured: Vec<String>,
    /// The number in the last answer.
    remaining_today: Option<u32>,
    /// The reason why the rest was not reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

pub(crate) async fn capture(context: &Context, args: &CaptureArgs) -> Result<ExitStatus, CliError> {
    let keys = keys(&context.folder, args).await?;
    let session = Session::open(context).await?;
    let mut reported = Reported::default();
    let mut verdict = Ok(ExitStatus::Success);
    for keys in keys.chunks(MOST_CAPTURED_KEYS) {
        let answer = session.project.capture(&CreateBody { keys: keys.to_vec() }).await.doing("reporting keys");
        match answer {
            Ok(answer) => {
                let (sum, more) = (&mut reported.counts, answer.counts);
                sum.new += more.new;
                sum.known += more.known;
                sum.conflicting += more.conflicting;
                reported.captured.extend(answer.captured);
                reported.remaining_today = Some(answer.remaining_today);
            }
            Err(error) => {
                verdict = Err(error);
                break;
            }
        }
    }
    let printer = &context.printer;
    for name in &reported.captured {
        printer.line(format!("+ {name}"));
    }
    if let Some(left) = reported.remaining_today {
        let CapturedCounts { new, known, conflicting } = reported.counts;
        printer.done(format!("{new} new, {known} known, {conflicting} known with another text; {left} left today"));
    }
    match verdict {
        // No key was reported: the failure alone is the result.
        Err(error) if reported.remaining_today.is_none() => Err(error),
        Err(error) => {
            reported.error = Some(error.to_json());
            printer.json(&reported);
            printer.error_text(&error);
            Ok(error.status())
        }
        Ok(status) => {
            printer.json(&reported);
            Ok(status)
        }
    }
}

/// The keys of the call, each ref once.
async fn keys(folder: &Path, args: &CaptureArgs) -> Result<Vec<CapturedKey>, CliError> {
    if args.text.is_some() && args.refs.len() != 1 {
        return Err(usage("--text is for one key", "use --from-file for several keys with their texts"));
    }
    let named = args.refs.iter().map(|name| CapturedKey { text: args.text.clone(), ..named(name) });
    let mut keys: Vec<CapturedKey> = named.collect();
    if let Some(path) = &args.from_file {
        let (name, text) = input::text(folder, path).await?;
        keys.extend(lines(&name, &text)?);
    }
    if keys.is_empty() {
        return Err(usage("there is no key to report", "name keys, or use a file that contains some"));
    }
    let mut seen = HashSet::new();
    keys.retain(|key| seen.insert(key.r#ref.clone()));
    for key in keys.iter_mut().filter(|key| key.language.is_none()) {
        key.language = args.language.as_deref().map(LanguageCode::new);
    }
    Ok(keys)
}

fn named(name: &str) -> CapturedKey {
    CapturedKey { r#ref: name.to_owned(), ..CapturedKey::default() }
}

/// Reads one key per line. Other fields of a line are ignored, so that a log of the app can be used.
fn lines(name: &str, text: &str) -> Result<Vec<CapturedKey>, CliError> {
    let hint = "write a line such as {\"ref\": \"cart.empty\", \"text\": \"Your cart is empty\"}; nothing was reported";
    let read = |(index, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| usage(format!("{name}:{}: not a key: {error}", index + 1), hint))
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(refs: &[&str]) -> CaptureArgs {
        CaptureArgs {
            refs: refs.iter().map(|name| (*name).to_owned()).collect(),
            text: None,
            language: None,
            from_file: None,
        }
    }

    #[tokio::test]
    async fn each_ref_is_reported_once_and_lines_may_say_more() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let log = "{\"ref\":\"a\",\"level\":\"warn\"}\n\n{\"ref\":\"b\",\"text\":\"B\",\"language\":\"de\"}\r\n{\"ref\":\"a\"}\n";
        std::fs::write(file.path(), log).unwrap();
        let language = Some("fr".to_owned());
        let args = CaptureArgs { from_file: Some(file.path().to_owned()), language, ..args(&["c", "c"]) };
        let all = keys(Path::new("."), &args).await.unwrap();
        let shown: Vec<_> =
            all.iter().map(|key| (key.r#ref.as_str(), key.language.as_ref().unwrap().as_str())).collect();
        assert_eq!(shown, [("c", "fr"), ("a", "fr"), ("b", "de")]);
        assert_eq!(all[2].text.as_deref(), Some("B"));
    }

    #[tokio::test]
    async fn a_line_that_is_no_key_is_named() {
        let error = lines("log.jsonl", "{\"ref\":\"a\"}\n{\"key\":\"b\"}\n").unwrap_err();
        assert!(error.to_string().starts_with("log.jsonl:2: not a key: missing field `ref`"), "{error}");
        let args = CaptureArgs { text: Some("A".into()), ..args(&["a", "b"]) };
        let error = keys(Path::new("."), &args).await.unwrap_err();
        assert_eq!(error.to_string(), "--text is for one key");
    }
}
