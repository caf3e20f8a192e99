//! `list_code_changes`: people's changes that the code lacks. Calls `pending_code_changes::list`.

use l10n_client::api::Scope;
use l10n_client::api::pending_code_changes::{CodeChange, ListQuery, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::page::page;
use crate::answer::CallOutcome;
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::views::plural::PluralText;
use crate::words::counted;

/// Entries of a page.
const PAGE: u32 = 25;

#[derive(Debug)]
pub(super) enum ListCodeChanges {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    changes: Vec<CodeChangeView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct CodeChangeView {
    change_id: String,
    r#ref: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    by: String,
    created_at: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum Text {
    Plain(String),
    Plural(PluralText),
}

impl From<Side> for Text {
    fn from(side: Side) -> Self {
        match side {
            Side::Text(text) => Self::Plain(text),
            Side::Plural(plural) => Self::Plural(plural.into()),
        }
    }
}

impl From<CodeChange> for CodeChangeView {
    fn from(change: CodeChange) -> Self {
        Self {
            change_id: change.change_id.to_string(),
            r#ref: change.r#ref,
            kind: change.kind.as_str(),
            from: change.from.map(Into::into),
            to: change.to.map(Into::into),
            file: change.file,
            by: change.by,
            created_at: change.created_at.to_string(),
        }
    }
}

impl Tool for ListCodeChanges {
    const NAME: &'static str = "list_code_changes";
    const TITLE: &'static str = "List changes that the code lacks";
    const DESCRIPTION: &'static str = "Source texts that people changed here and the code lacks: from, to and file. Write \
         them into the source files, then call translate. Free.";
    const RESULT: &'static [&'static str] = &["changes", "next_cursor"];
    const EFFECT: Effect = Effect::Reads;
    const SCOPES: &'static [Scope] = &[Scope::Read];
    type Input = Input;
    type Output = Output;

    async fn run(call: &Call<'_>, input: Input) -> Result<CallOutcome<Output>, Failure> {
        let project = call.project().await?;
        let (changes, next_cursor) = page(PAGE, |limit| {
            let (list, cursor) = (project.pending_code_changes(), input.cursor.clone());
            async move {
                let found = list.list(&ListQuery { limit: Some(limit), cursor }).await?;
                Ok((found.changes.into_iter().map(CodeChangeView::from).collect(), found.next_cursor))
            }
        })
        .await?;
        Ok(CallOutcome::done(Output { changes, next_cursor }))
    }

    fn sentence(output: &Output) -> String {
        let more = if output.next_cursor.is_some() { "; there are more" } else { "" };
        format!("{}{more}.", counted(output.changes.len(), "change"))
    }
}
