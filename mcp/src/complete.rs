//! Completion: the values that an argument of a resource template or of a prompt may have.

use rmcp::ErrorData;
use rmcp::model::{ArgumentInfo, CompleteResult};

use crate::completions::Completions;
use crate::failure::Failure;
use crate::nearest::unknown;
use crate::prompt::Prompt;
use crate::reading::ReadContext;
use crate::resources;

/// Completes the name in a template.
pub(crate) async fn of_template(
    reading: ReadContext<'_>,
    template: &str,
    argument: ArgumentInfo,
) -> Result<CompleteResult, ErrorData> {
    let entry = resources::with_template(template)?;
    let known = entry.each.as_slice();
    if !known.contains(&argument.name.as_str()) {
        let problem = unknown("argument", &argument.name, known);
        return Err(ErrorData::invalid_params(format!("{}: {problem}", entry.uri()), None));
    }
    (entry.complete)(reading, argument.value).await.map_err(Failure::error)?.answer()
}

/// Completes an argument of a prompt.
pub(crate) async fn of_prompt(
    reading: ReadContext<'_>,
    prompt: &Prompt,
    argument: ArgumentInfo,
) -> Result<CompleteResult, ErrorData> {
    let completions = match prompt.argument(&argument.name)?.is_language {
        true => (resources::LANGUAGE.complete)(reading, argument.value).await.map_err(Failure::error)?,
        false => Completions::default(),
    };
    completions.answer()
}
