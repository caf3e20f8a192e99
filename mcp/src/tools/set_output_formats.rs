//! `set_output_formats`: the kinds of file in each version. Calls `output_formats::set`.

use l10n_client::api::Scope;
use l10n_client::api::output_formats::NewOutputFormat;
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
         the next version. No translation is lost. Free.";
    const RESULT: &'static [&'static str] = &["paths"];
    const EFFECT: Effect = Effect::Adds;
    const SCOPES: &'static [Scope] = &[Scope::Write];
    const OPTIONAL: bool = true;
    type Input = Input;
    type Output = Output;

    async fn run(call: &Call<'_>, input: Input) -> Result<CallOutcome<Output>, Failure> {
        let format = |wanted: RequestedFormat| {
            let format = wanted.format.parse().map_err(|error| call.wrong(format!("`format`: {error}")))?;
            Ok(NewOutputFormat { format, path: wanted.path, empty_as: None, namespaces: None })
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
