//! A tool: its declaration, and the call that reads its arguments and writes its result.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use l10n_client::api::Scope;
use rmcp::ErrorData;
use rmcp::model::{CallToolResponse, ToolAnnotations};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::answer::{CallOutcome, complete};
use crate::approval::NeedsApproval;
use crate::arguments;
use crate::call::Call;
use crate::failure::Failure;
use crate::rights::Rights;
use crate::schema;

/// The effect of a tool on the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It changes nothing.
    Reads,
    /// It adds, and a second equal call adds nothing more.
    Adds,
    /// It takes away what it leaves out, and a second equal call changes nothing more.
    Replaces,
    /// Like `Adds`, by an engine that may be a third party's.
    Translates,
    /// It changes what apps read.
    Publishes,
    /// It changes what apps read, and a second equal call changes nothing more.
    Restores,
}

impl Effect {
    fn annotations(self) -> ToolAnnotations {
        let reads = self == Self::Reads;
        ToolAnnotations::new()
            .read_only(reads)
            .destructive(matches!(self, Self::Replaces | Self::Publishes | Self::Restores))
            .idempotent(self != Self::Publishes)
            .open_world(self == Self::Translates)
    }

    /// Returns true if a person may have to approve it.
    fn needs_approval(self) -> bool {
        matches!(self, Self::Translates | Self::Publishes | Self::Restores)
    }
}

/// The declaration of a tool.
pub(crate) trait Tool: 'static {
    const NAME: &'static str;
    const TITLE: &'static str;
    /// Its effect, its price and the next call, for a model.
    const DESCRIPTION: &'static str;
    /// The fields of its result that its schema names. The others are there, too; the list of tools has to be short.
    const RESULT: &'static [&'static str];
    const EFFECT: Effect;
    /// Scopes any of which lets a key use it. Empty: any key.
    const SCOPES: &'static [Scope];
    /// Scopes of which it needs any one beside those. Empty: none.
    const ALSO: &'static [Scope] = &[];
    /// Offered only where it is asked for.
    const OPTIONAL: bool = false;
    type Input: DeserializeOwned + JsonSchema + Send;
    type Output: Serialize + JsonSchema + Send;

    fn run(
        call: &Call<'_>,
        input: Self::Input,
    ) -> impl Future<Output = Result<CallOutcome<Self::Output>, Failure>> + Send;

    /// The result in a sentence, without texts of others.
    fn sentence(output: &Self::Output) -> String;
}

/// The result of a call.
pub(crate) type ToolFuture<'a> = Pin<Box<dyn Future<Output = Result<CallToolResponse, ErrorData>> + Send + 'a>>;

/// A tool without its types.
#[derive(Debug)]
pub(crate) struct ToolEntry {
    pub(crate) name: &'static str,
    pub(crate) effect: Effect,
    scopes: &'static [Scope],
    also: &'static [Scope],
    pub(crate) is_optional: bool,
    #[cfg(test)]
    pub(crate) result: &'static [&'static str],
    pub(crate) declare: fn() -> rmcp::model::Tool,
    pub(crate) call: for<'a> fn(&'a Call<'a>) -> ToolFuture<'a>,
}

impl ToolEntry {
    pub(crate) const fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME,
            effect: T::EFFECT,
            scopes: T::SCOPES,
            also: T::ALSO,
            is_optional: T::OPTIONAL,
            #[cfg(test)]
            result: T::RESULT,
            declare: declare::<T>,
            call: |call| Box::pin(run::<T>(call)),
        }
    }

    /// Returns true if a key with these rights may use it.
    pub(crate) fn is_allowed(&self, rights: &Rights) -> bool {
        rights.allow(self.scopes) && rights.allow(self.also)
    }
}

fn declare<T: Tool>() -> rmcp::model::Tool {
    let more = T::EFFECT.needs_approval().then(schema::fields::<NeedsApproval>);
    rmcp::model::Tool::new(T::NAME, T::DESCRIPTION, schema::input::<T::Input>())
        .with_title(T::TITLE)
        .with_raw_output_schema(Arc::new(schema::output::<T::Output>(more, T::RESULT)))
        .with_annotations(T::EFFECT.annotations())
}

async fn run<T: Tool>(call: &Call<'_>) -> Result<CallToolResponse, ErrorData> {
    let input = arguments::parse::<T::Input>(T::NAME, call.arguments())?;
    match T::run(call, input).await {
        Ok(CallOutcome::Done(output)) => complete(T::sentence(&output), &output),
        Ok(CallOutcome::NeedsApproval(asked)) => complete(asked.sentence(), &asked),
        Ok(CallOutcome::AskPerson(asked)) => Ok((*asked).into()),
        Err(failure) => failure.answer().map(CallToolResponse::from),
    }
}

#[cfg(test)]
mod tests {
    use crate::tools;

    #[test]
    fn a_schema_names_fields_that_results_have() {
        for tool in tools::ALL {
            let declared = (tool.declare)().output_schema.unwrap();
            let named = declared["properties"].as_object().unwrap().len();
            assert_eq!(named, tool.result.len(), "{}: {:?}", tool.name, tool.result);
        }
    }
}
