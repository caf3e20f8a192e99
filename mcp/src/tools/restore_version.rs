//! `restore_version`: lists versions, or makes one live again. Calls `versions::list` and `versions::restore`.

use l10n_client::api::content::ListQuery as DocumentsQuery;
use l10n_client::api::operations::{CreateBody, OperationKind, OperationTarget};
use l10n_client::api::versions::{ListQuery, RestoreBody};
use l10n_client::api::{OperationId, Scope, VersionId};
use l10n_client::{Error, ErrorCode, Project};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::published::PublishedView;
use crate::answer::CallOutcome;
use crate::approval::{self, ApprovalOutcome};
use crate::arguments::limit;
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::words::counted;
use crate::write;

#[derive(Debug)]
pub(super) enum RestoreVersion {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Lists versions if left out. A document's (cvr_…) rolls that document back
    version_id: Option<String>,
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
    cursor: Option<String>,
    /// One sentence for the approver; needed with version_id
    reason: Option<String>,
    operation_id: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    restored: Option<PublishedView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    versions: Option<Vec<VersionView>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct VersionView {
    version_id: String,
    number: u64,
    label: String,
    keys: u64,
    published_at: String,
    live: bool,
}

impl Tool for RestoreVersion {
    const NAME: &'static str = "restore_version";
    const TITLE: &'static str = "Restore a version";
    const DESCRIPTION: &'static str = "Without version_id: lists versions, newest first. With it: makes that version live \
         again at once; drafts stay. Free, 30 a day. May answer needs_approval.";
    const RESULT: &'static [&'static str] = &["status", "versions"];
    const EFFECT: Effect = Effect::Restores;
    const SCOPES: &'static [Scope] = &[Scope::Publish];
    type Input = Input;
    type Output = Output;

    async fn run(call: &Call<'_>, input: Input) -> Result<CallOutcome<Output>, Failure> {
        let Some(version) = input.version_id else { return list(call, input.limit, input.cursor).await };
        if input.limit.is_some() || input.cursor.is_some() {
            return Err(call.wrong("`limit` and `cursor` belong to the list, without `version_id`"));
        }
        let reason = approval::reason(call, input.reason.as_deref().unwrap_or_default())?;
        let (project, version) = (call.writing().await?, VersionId::from(version));
        if is_live(&project, &version).await? {
            return Ok(CallOutcome::done(already(&version)));
        }
        let operation = match approval::granted(call, input.operation_id.as_deref()).await? {
            ApprovalOutcome::Run(operation) => operation,
            ApprovalOutcome::Ask(asked) => return Ok(asked.into()),
        };
        match restore(&project, &version, operation).await {
            Ok(restored) => {
                Ok(CallOutcome::done(Output { restored: Some(restored), versions: None, next_cursor: None }))
            }
            Err(error) if error.code() == Some(&ErrorCode::VersionLive) => Ok(CallOutcome::done(already(&version))),
            Err(error) if approval::is_missing(&error) => {
                if is_live_document(&project, &version).await? {
                    return Ok(CallOutcome::done(already(&version)));
                }
                let target = if is_document(&version) { OperationTarget::Content } else { OperationTarget::Strings };
                let ask = CreateBody {
                    target: Some(target),
                    version_id: Some(version),
                    note: Some(reason),
                    ..CreateBody::new(OperationKind::Rollback)
                };
                Ok(approval::ask(call, None, ask).await?.into())
            }
            Err(error) => Err(write::failed(&project, error).await),
        }
    }

    fn sentence(output: &Output) -> String {
        match (&output.restored, &output.versions) {
            (Some(restored), _) => restored.sentence(),
            (None, Some(versions)) => format!("{}.", counted(versions.len(), "version")),
            (None, None) => String::new(),
        }
    }
}

async fn list(call: &Call<'_>, wanted: Option<u32>, cursor: Option<String>) -> Result<CallOutcome<Output>, Failure> {
    let limit = limit(wanted, 25, 100).map_err(|problem| call.wrong(problem))?;
    let page = call.project().await?.versions().list(&ListQuery { limit: Some(limit), cursor }).await?;
    let view = |version: l10n_client::api::versions::Version| VersionView {
        version_id: version.version_id.to_string(),
        number: version.number,
        label: version.label,
        keys: version.key_count,
        published_at: version.published_at.to_string(),
        live: version.live,
    };
    let versions = Some(page.versions.into_iter().map(view).collect());
    Ok(CallOutcome::done(Output { restored: None, versions, next_cursor: page.next_cursor }))
}

fn is_document(version: &VersionId) -> bool {
    version.as_str().starts_with("cvr_")
}

/// Returns true if a version of the keys is live. The service says so too, but asks an agent for an approval first.
async fn is_live(project: &Project, version: &VersionId) -> Result<bool, Failure> {
    if is_document(version) {
        return Ok(false);
    }
    match project.meta().await {
        Ok(meta) => Ok(meta.live.is_some_and(|live| live.version_id == *version)),
        Err(error) if error.code() == Some(&ErrorCode::Forbidden) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Returns true if a version of a document is live. Only an agent's call has to find it among the documents.
async fn is_live_document(project: &Project, version: &VersionId) -> Result<bool, Failure> {
    if !is_document(version) {
        return Ok(false);
    }
    let mut documents = project.content().pages(DocumentsQuery::default());
    loop {
        match documents.next_page().await {
            Ok(Some(page)) => {
                let mut live = page.into_iter().filter_map(|document| document.live);
                if live.any(|live| live.version_id == *version) {
                    return Ok(true);
                }
            }
            Ok(None) => return Ok(false),
            Err(error) if error.code() == Some(&ErrorCode::Forbidden) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
    }
}

async fn restore(
    project: &Project,
    version: &VersionId,
    operation_id: Option<OperationId>,
) -> Result<PublishedView, Error> {
    let body = RestoreBody { operation_id };
    if is_document(version) {
        project.versions().restore_document(version.clone(), &body).await.map(PublishedView::of_documents)
    } else {
        project.versions().restore(version.clone(), &body).await.map(PublishedView::of)
    }
}

fn already(version: &VersionId) -> Output {
    let live = PublishedView::already(version.to_string(), None, None);
    Output { restored: Some(live), versions: None, next_cursor: None }
}
