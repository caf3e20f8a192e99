//! `translate_document`: pushes a document, translates it and waits. Calls `content::create` and `content::run`.

use l10n_client::Project;
use l10n_client::api::content::{CONTENT_BODY_CAP, DocumentFormat, NewDocument, PushStatus, RunBody};
use l10n_client::api::operations::{CreateBody, OperationTarget};
use l10n_client::api::{DocumentId, Scope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::file;
use super::run_view::{PreviewView, RunView};
use super::source::languages;
use super::translate::{again, finished, keep_sent, operation_for, texts, translates_nothing};
use crate::answer::CallOutcome;
use crate::approval::{self, ApprovalOutcome};
use crate::call::Call;
use crate::failure::{Failure, FailureFacts};
use crate::tool::{Effect, Tool};
use crate::views::document;
use crate::{what_to_do, write};

#[derive(Debug)]
pub(super) enum TranslateDocument {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Its name, such as docs/intro.md
    external_id: String,
    /// New source text
    content: Option<String>,
    /// File to read it from
    file_path: Option<String>,
    format: Option<Format>,
    languages: Option<Vec<String>>,
    /// Only push and price
    dry_run: Option<bool>,
    /// One sentence for the approver
    reason: String,
    operation_id: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Format {
    Markdown,
    Html,
    Text,
}

/// A price, or a run.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    run: Option<RunView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    preview: Option<PreviewView>,
    document_id: String,
}

impl Output {
    fn of_run(run: RunView, id: &DocumentId) -> Self {
        Self { run: Some(run), preview: None, document_id: id.to_string() }
    }
}

impl Tool for TranslateDocument {
    const NAME: &'static str = "translate_document";
    const TITLE: &'static str = "Translate a document";
    const DESCRIPTION: &'static str = "Pushes a Markdown, HTML or text document by external_id (free), translates new and \
         changed paragraphs, and waits. Costs credits: use dry_run first, which pushes and prices. May answer needs_approval. \
         Then publish with target `content`. 256 KB at most; 500 pushes and 500 runs a day.";
    const RESULT: &'static [&'static str] = &["status", "preview"];
    const EFFECT: Effect = Effect::Translates;
    const SCOPES: &'static [Scope] = &[Scope::Translate];
    // A text is pushed with the one, and a document that is there is found with the other.
    const ALSO: &'static [Scope] = &[Scope::Write, Scope::Read];
    type Input = Input;
    type Output = Output;

    async fn run(call: &Call<'_>, input: Input) -> Result<CallOutcome<Output>, Failure> {
        let reason = approval::reason(call, &input.reason)?;
        let body = RunBody { languages: languages(call, input.languages.clone())?, ..RunBody::default() };
        let project = call.project().await?;
        let id = match source(call, &input).await? {
            Some(document) => push(call, document).await?,
            None => document::id_of(&project, &input.external_id).await?,
        };
        if input.dry_run == Some(true) {
            let preview = PreviewView::of(project.content().run_dry_run(id.clone(), &body).await?);
            return Ok(CallOutcome::done(Output { run: None, preview: Some(preview), document_id: id.to_string() }));
        }
        let operation_id = match approval::granted(call, input.operation_id.as_deref()).await? {
            ApprovalOutcome::Run(operation) => operation,
            ApprovalOutcome::Ask(asked) => return Ok(asked.into()),
        };
        let project = call.writing().await?;
        keep_sent(call, call.work(), operation_id.as_ref());
        match project.content().run(id.clone(), &RunBody { operation_id, ..body.clone() }).await {
            Ok(run) => {
                let run = finished(call, &project, run).await?;
                Ok(CallOutcome::done(Output::of_run(run, &id)))
            }
            Err(error) if approval::is_missing(&error) => ask(call, &project, id, body, reason).await,
            Err(error) => Err(write::failed(&project, error).await),
        }
    }

    fn sentence(output: &Output) -> String {
        match (&output.run, &output.preview) {
            (Some(run), _) => run.sentence(),
            (None, Some(preview)) => preview.sentence(),
            (None, None) => String::new(),
        }
    }
}

/// Asks a person, unless there is nothing to translate: the text itself is pushed already.
async fn ask(
    call: &Call<'_>,
    project: &Project,
    id: DocumentId,
    body: RunBody,
    reason: String,
) -> Result<CallOutcome<Output>, Failure> {
    let preview = project.content().run_dry_run(id.clone(), &body).await?;
    if translates_nothing(&preview) {
        let run = match approval::used(call, project, call.work()).await? {
            Some(operation) => again(call, project, preview, &operation).await?,
            None => finished(call, project, preview).await?,
        };
        return Ok(CallOutcome::done(Output::of_run(run, &id)));
    }
    let ask = CreateBody {
        target: Some(OperationTarget::Content),
        doc_id: Some(id),
        languages: body.languages,
        ..operation_for(&preview, reason)?
    };
    Ok(approval::ask(call, Some(texts(&preview)), ask).await?.into())
}

/// The document to push, if the call brings a text.
async fn source(call: &Call<'_>, input: &Input) -> Result<Option<NewDocument>, Failure> {
    let body = match (&input.content, &input.file_path) {
        (Some(_), Some(_)) => return Err(call.wrong("give either `content` or `file_path`, not both")),
        (Some(content), None) => content.clone(),
        (None, Some(path)) => {
            let bytes = file::read(call, path, CONTENT_BODY_CAP).await?.bytes;
            String::from_utf8(bytes).map_err(|_| call.wrong("the file is not UTF-8"))?
        }
        (None, None) => return Ok(None),
    };
    let format = input.format.map_or_else(|| by_name(&input.external_id), Into::into);
    let external_id = Some(input.external_id.clone());
    Ok(Some(NewDocument { title: None, external_id, format, language: None, body }))
}

async fn push(call: &Call<'_>, document: NewDocument) -> Result<DocumentId, Failure> {
    let project = call.writing().await?;
    let pushed = match project.content().create_many(vec![document]).await {
        Ok(pushed) => pushed.results.into_iter().next(),
        Err(error) => return Err(write::failed(&project, error).await),
    };
    match pushed {
        Some(pushed) if pushed.status == PushStatus::Failed => {
            let Some(body) = pushed.error else { return Err(unexpected()) };
            let advice = what_to_do::of(&body.error, body.error.status().unwrap_or(400));
            let mut told = FailureFacts::new(body.error.as_str(), body.message, advice);
            told.details = body.details.unwrap_or_default();
            Err(told.into())
        }
        Some(pushed) => pushed.doc_id.ok_or_else(unexpected),
        None => Err(unexpected()),
    }
}

fn unexpected() -> Failure {
    FailureFacts::new(
        "unexpected_answer",
        "The service did not say what became of the document.",
        what_to_do::UNEXPECTED,
    )
    .into()
}

fn by_name(name: &str) -> DocumentFormat {
    match name.rsplit('.').next().map(str::to_ascii_lowercase).as_deref() {
        Some("md" | "mdx" | "markdown") => DocumentFormat::Markdown,
        Some("html" | "htm") => DocumentFormat::Html,
        _ => DocumentFormat::Text,
    }
}

impl From<Format> for DocumentFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Markdown => Self::Markdown,
            Format::Html => Self::Html,
            Format::Text => Self::Text,
        }
    }
}
