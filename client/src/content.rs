//! Documents: pushed, translated segment by segment, published and read.

use l10n_api_types::content::{
    Create, Document, DocumentPath, DocumentUpdate, Documents, DocumentsPushed, List, ListQuery, NewDocument,
    PushAnswer, Read, ReadQuery, Run as Translate, RunBody, Update,
};
use l10n_api_types::translations::{Job, Progress, Run};
use l10n_api_types::{DocumentId, LanguageCode, NoBody, NoQuery, TrackingToken, VersionId};

use crate::error::Result;
use crate::pages::Pages;
use crate::project::Project;

/// Documents of a project. Made by [`Project::content`]. Published by [`Project::publish_content`], rolled back by
/// [`Versions::restore_document`](crate::Versions::restore_document).
///
/// ```no_run
/// # async fn example(project: l10n_client::Project) -> Result<(), Box<dyn std::error::Error>> {
/// use l10n_client::api::content::{DocumentFormat, NewDocument};
/// use l10n_client::api::publish::Publish;
///
/// let content = project.content();
/// let intro = content
///     .create(&NewDocument {
///         external_id: Some("docs/intro.md".into()),
///         ..NewDocument::new(DocumentFormat::Markdown, std::fs::read_to_string("docs/intro.md")?)
///     })
///     .await?;
/// let run = content.run(intro.doc_id.clone(), &Default::default()).await?;
/// if let Some(token) = run.tracking_token {
///     content.wait(&token, |at| eprintln!("{}/{}", at.done, at.total)).await?;
/// }
/// project.publish_content(&Publish::default()).await?;
/// let german = content.published(intro.doc_id, "de").await?;
/// println!("{}", german.body.unwrap_or_default());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Content {
    pub(crate) project: Project,
}

impl Project {
    /// Its documents.
    #[must_use]
    pub fn content(&self) -> Content {
        Content { project: self.clone() }
    }
}

impl Content {
    /// `POST /projects/{projectId}/content` (§4): pushes a new document. Nothing is translated and nothing is paid for
    /// until it is [`run`](Self::run).
    ///
    /// Never resent while its outcome is unknown, unless it has an idempotency key
    /// ([`CallOptions`](crate::CallOptions::idempotent)).
    ///
    /// # Errors
    ///
    /// `external_id_exists` if a document has that name (`details.docId` is its id: [`update`](Self::update) it),
    /// `document_unparseable` with the place, `import_quota_exceeded` when the daily limit of 500 is reached,
    /// `plan_limit`, `forbidden` without scope `write`. `InvalidArgument` for a body over 256 KB, which is not sent.
    pub async fn create(&self, document: &NewDocument) -> Result<Document> {
        let (path, body) = (&self.project.path, document.clone().into());
        let problem = "it is about several documents";
        self.project.call_for::<Create, _>(path, &NoQuery {}, &body, PushAnswer::document, problem).await
    }

    /// `POST /projects/{projectId}/content` (§4): pushes up to 100 documents at once, each under an `external_id` of
    /// its own. Documents that the project has under that name get the new text. Each document is taken as a whole or
    /// fails by itself: check [`PushedDocument::status`](l10n_api_types::content::PushedDocument::status).
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project, documents: Vec<l10n_client::api::content::NewDocument>) -> Result<(), l10n_client::Error> {
    /// for result in project.content().create_many(documents).await?.results {
    ///     println!("{}: {}", result.external_id, result.status);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid_argument` for a document without `external_id` or two with the same one, `forbidden` without scope
    /// `write`. `InvalidArgument` for a body over 256 KB, which is not sent.
    pub async fn create_many(&self, documents: Vec<NewDocument>) -> Result<DocumentsPushed> {
        let (path, body) = (&self.project.path, documents.into());
        let problem = "it is about one document";
        self.project.call_for::<Create, _>(path, &NoQuery {}, &body, PushAnswer::batch, problem).await
    }

    /// `PUT /projects/{projectId}/content/{docId}` (§4): pushes a document's new text.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// use l10n_client::api::content::DocumentUpdate;
    ///
    /// let content = project.content();
    /// let held = content.source("doc_1").await?;
    /// let body = held.body.unwrap_or_default().replace("colour", "color");
    /// // Refused when somebody else has pushed meanwhile.
    /// let update = DocumentUpdate { body, if_version_id: Some(held.source_version_id), ..DocumentUpdate::default() };
    /// let document = content.update("doc_1", &update).await?;
    /// println!("{} of {} segments are new", document.segments.changed, document.segments.total);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `version_conflict` if `if_version_id` is no longer the source, `not_found`, and the errors of
    /// [`create`](Self::create).
    pub async fn update(&self, document: impl Into<DocumentId>, update: &DocumentUpdate) -> Result<Document> {
        self.project.call::<Update>(&self.at(document), &NoQuery {}, update).await
    }

    /// `GET /projects/{projectId}/content/{docId}` (§4): reads the text that the query selects. The methods below read
    /// one each.
    ///
    /// # Errors
    ///
    /// `not_found`, `not_published`, `version_not_found`, `forbidden` without scope `read`.
    pub async fn get(&self, document: impl Into<DocumentId>, query: &ReadQuery) -> Result<Document> {
        self.project.call::<Read>(&self.at(document), query, &NoBody {}).await
    }

    /// Reads a document with its source.
    ///
    /// # Errors
    ///
    /// The errors of [`get`](Self::get).
    pub async fn source(&self, document: impl Into<DocumentId>) -> Result<Document> {
        self.get(document, &ReadQuery::default()).await
    }

    /// Reads a document with its published text in a language.
    ///
    /// # Errors
    ///
    /// The errors of [`get`](Self::get); `not_published` if there is no such text.
    pub async fn published(
        &self,
        document: impl Into<DocumentId>,
        language: impl Into<LanguageCode>,
    ) -> Result<Document> {
        self.get(document, &ReadQuery { language: Some(language.into()), ..ReadQuery::default() }).await
    }

    /// Reads a document with the text that the next publish would take in a language, with the source where a
    /// translation is missing. Its `problems` say why a publish would not take it.
    ///
    /// # Errors
    ///
    /// The errors of [`get`](Self::get).
    pub async fn draft(&self, document: impl Into<DocumentId>, language: impl Into<LanguageCode>) -> Result<Document> {
        self.get(document, &ReadQuery { language: Some(language.into()), draft: Some(true), version: None }).await
    }

    /// Reads a document with the text of a source version or a published version.
    ///
    /// # Errors
    ///
    /// The errors of [`get`](Self::get).
    pub async fn version(
        &self,
        document: impl Into<DocumentId>,
        version: impl Into<VersionId>,
        language: Option<LanguageCode>,
    ) -> Result<Document> {
        self.get(document, &ReadQuery { language, version: Some(version.into()), draft: None }).await
    }

    /// `GET /projects/{projectId}/content` (§4): a page of documents, without their texts.
    ///
    /// # Errors
    ///
    /// `forbidden` without scope `read`.
    pub async fn list(&self, query: &ListQuery) -> Result<Documents> {
        self.project.call::<List>(&self.project.path, query, &NoBody {}).await
    }

    /// Lists the documents from `query.cursor` on, page by page.
    #[must_use]
    pub fn pages(&self, query: ListQuery) -> Pages<Document> {
        let content = self.clone();
        Pages::new::<List, _, _>(query.cursor.clone(), move |cursor| {
            let (content, query) = (content.clone(), ListQuery { cursor, ..query.clone() });
            async move { content.list(&query).await.map(|page| (page.documents, page.next_cursor)) }
        })
    }

    /// Lists all documents that match `query`, in memory.
    ///
    /// # Errors
    ///
    /// The errors of [`list`](Self::list).
    pub async fn list_all(&self, query: ListQuery) -> Result<Vec<Document>> {
        self.pages(ListQuery { limit: Some(query.limit.unwrap_or(500)), ..query }).all().await
    }

    /// Finds the document with this external id.
    ///
    /// # Errors
    ///
    /// The errors of [`list`](Self::list).
    pub async fn find(&self, external_id: impl Into<String>) -> Result<Option<Document>> {
        let query = ListQuery { external_id: Some(external_id.into()), ..ListQuery::default() };
        Ok(self.list(&query).await?.documents.pop())
    }

    /// `POST /projects/{projectId}/content/{docId}/run` (§4): translates a document. [`wait`](Self::wait) waits for its
    /// job.
    ///
    /// Never resent while its outcome is unknown. A new run costs nothing for segments that are translated or being
    /// translated already.
    ///
    /// # Errors
    ///
    /// `insufficient_credits`, `spend_cap_exceeded`, `run_quota_exceeded` when the daily limit of 500 is reached,
    /// `authorization_required` for an agent's key, `not_found`, `forbidden` without scope `translate`.
    pub async fn run(&self, document: impl Into<DocumentId>, body: &RunBody) -> Result<Run> {
        let body = RunBody { dry_run: None, ..body.clone() };
        self.project.call::<Translate>(&self.at(document), &NoQuery {}, &body).await
    }

    /// Previews [`run`](Self::run): its effect and price. Nothing is written, and it does not count as one of the day's
    /// runs.
    ///
    /// # Errors
    ///
    /// The errors of `run`, except for credits and caps, which the answer's `would_fail` reports instead.
    pub async fn run_dry_run(&self, document: impl Into<DocumentId>, body: &RunBody) -> Result<Run> {
        let body = RunBody { dry_run: Some(true), ..body.clone() };
        self.project.call::<Translate>(&self.at(document), &NoQuery {}, &body).await
    }

    /// Waits until the job of a run has ended, like [`Translations::wait`](crate::Translations::wait), which explains
    /// the outcomes that are not errors.
    ///
    /// # Errors
    ///
    /// The errors of [`Translations::wait_for_translation`](crate::Translations::wait_for_translation).
    pub async fn wait(&self, token: &TrackingToken, progress: impl FnMut(&Progress)) -> Result<Job> {
        self.project.translations().wait(token, progress).await
    }

    fn at(&self, document: impl Into<DocumentId>) -> DocumentPath {
        DocumentPath { project_id: self.project.id().clone(), doc_id: document.into() }
    }
}
