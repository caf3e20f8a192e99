//! `set_output_formats`: the kinds of file in each version. Calls `output_formats::set`, after `meta::read`.

use l10n_client::api::output_formats::NewOutputFormat;
use l10n_client::api::{FormatId, Scope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::CallOutcome;
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::words::counted;
use crate::write;

#[derive(Debug)]
pub(super) enum SetOutputFormats {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    output_formats: Vec<RequestedFormat>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RequestedFormat {
    format: String,
    /// Such as locales/{language}.json
    path: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    paths: Vec<String>,
}

impl Tool for SetOutputFormats {
    const NAME: &'static str = "set_output_formats";
    const TITLE: &'static str = "Set output formats";
    const DESCRIPTION: &'static str = "Sets the whole list of files that each version has; what it leaves out is not in \
         the next version. One of the same format and path keeps its empty_as and namespaces. No translation is lost. Free.";
    const RESULT: &'static [&'static str] = &["paths"];
    const EFFECT: Effect = Effect::Replaces;
    const SCOPES: &'static [Scope] = &[Scope::Write];
    const ALSO: &'static [Scope] = &[Scope::Read];
    const OPTIONAL: bool = true;
    type Input = Input;
    type Output = Output;

    async fn run(call: &Call<'_>, input: Input) -> Result<CallOutcome<Output>, Failure> {
        let present = call.project().await?.meta().await?.output_formats;
        let format = |wanted: RequestedFormat| {
            let format: FormatId = wanted.format.parse().map_err(|error| call.wrong(format!("`format`: {error}")))?;
            let path = wanted.path;
            let kept = present.iter().find(|present| present.format == format && present.path == path);
            Ok(NewOutputFormat {
                format,
                empty_as: kept.map(|kept| kept.empty_as),
                namespaces: kept.and_then(|kept| kept.namespaces.clone()),
                path,
            })
        };
        let formats = input.output_formats.into_iter().map(format).collect::<Result<Vec<_>, Failure>>()?;
        let project = call.writing().await?;
        match project.output_formats().set(formats).await {
            Ok(set) => {
                let paths = set.output_formats.into_iter().map(|format| format.path).collect();
                Ok(CallOutcome::done(Output { paths }))
            }
            Err(error) => Err(write::failed(&project, error).await),
        }
    }

    fn sentence(output: &Output) -> String {
        format!("{}.", counted(output.paths.len(), "output format"))
    }
}
