//! `report_missing_keys`: keys that an app misses. Calls `capture::create`.

use l10n_client::api::Scope;
use l10n_client::api::capture::{CapturedKey, CreateBody, MOST_CAPTURED_KEYS as MOST, SeenAt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::CallOutcome;
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::write;

#[derive(Debug)]
pub(super) enum ReportMissingKeys {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    keys: Vec<MissingKey>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MissingKey {
    r#ref: String,
    text: Option<String>,
    language: Option<String>,
    file: Option<String>,
    line: Option<u32>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    new: u64,
    known: u64,
    conflicting: u64,
    refs: Vec<String>,
    remaining_today: u32,
}

impl Tool for ReportMissingKeys {
    const NAME: &'static str = "report_missing_keys";
    const TITLE: &'static str = "Report missing keys";
    const DESCRIPTION: &'static str = "Reports up to 500 keys that code uses and the project lacks, with file and line. \
         Changes no text: a person accepts or translate registers them. Free, 5,000 new a day.";
    const RESULT: &'static [&'static str] = &["new"];
    const EFFECT: Effect = Effect::Adds;
    const SCOPES: &'static [Scope] = &[Scope::Capture];
    type Input = Input;
    type Output = Output;

    async fn run(call: &Call<'_>, input: Input) -> Result<CallOutcome<Output>, Failure> {
        if !(1..=MOST).contains(&input.keys.len()) {
            return Err(call.wrong(format!("`keys` has {} entries; it must have 1 to {MOST}", input.keys.len())));
        }
        let project = call.writing().await?;
        let body = CreateBody { keys: input.keys.into_iter().map(Into::into).collect() };
        match project.capture(&body).await {
            Ok(captured) => Ok(CallOutcome::done(Output {
                new: captured.counts.new,
                known: captured.counts.known,
                conflicting: captured.counts.conflicting,
                refs: captured.captured,
                remaining_today: captured.remaining_today,
            })),
            Err(error) => Err(write::failed(&project, error).await),
        }
    }

    fn sentence(output: &Output) -> String {
        format!("{} new, {} known, {} conflicting.", output.new, output.known, output.conflicting)
    }
}

impl From<MissingKey> for CapturedKey {
    fn from(key: MissingKey) -> Self {
        let has_place = key.file.is_some() || key.line.is_some();
        let context = has_place.then_some(SeenAt { url: None, file: key.file, line: key.line });
        Self { r#ref: key.r#ref, text: key.text, language: key.language.map(Into::into), context }
    }
}
