//! Registering, pricing, translating and reading strings.

use l10n_api_types::translations::{
    Get, GetQuery, Job, JobTranslation, KeyDetail, KeyList, Run, RunQuery, Sync, SyncBody, Translate, TranslateBody,
    TranslationsAnswer, VersionFiles,
};
use l10n_api_types::{NoBody, TrackingToken, VersionId};
use serde::de::DeserializeOwned;

use crate::error::Result;
use crate::options::CallOptions;
use crate::pages::Pages;
use crate::project::Project;

/// Keys of a project and their translations. Made by [`Project::translations`].
///
/// **After a failure** of [`translate`](Self::translate) or [`sync`](Self::sync) with
/// [`Error::must_rerun_from_source`](crate::Error::must_rerun_from_source), read the source files again and run the whole
/// push or sync again; the client never sends such a request twice by itself (§7 rule 1).
#[derive(Debug, Clone)]
pub struct Translations {
    pub(crate) project: Project,
}

const PREVIEW: RunQuery = RunQuery { dry_run: Some(true) };
const REAL: RunQuery = RunQuery { dry_run: None };

impl Project {
    /// Its keys and their translations.
    #[must_use]
    pub fn translations(&self) -> Translations {
        Translations { project: self.clone() }
    }
}

impl Translations {
    /// `POST /projects/{projectId}/translate` (§4): registers keys and translates new and changed ones. Other keys stay
    /// as they are.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// use l10n_client::api::Key;
    /// use l10n_client::api::translations::TranslateBody;
    ///
    /// let body = TranslateBody { keys: vec![Key::text("greeting", "Hello {name}!")], ..Default::default() };
    /// let price = project.translations().translate_dry_run(&body).await?.estimated_credits;
    /// println!("at most {price} credits");
    /// let run = project.translations().translate(&body).await?;
    /// # let _ = run;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `insufficient_credits`, `spend_cap_exceeded`, `plan_limit`, `authorization_required` for an agent's key,
    /// `forbidden` without scope `translate`.
    pub async fn translate(&self, body: &TranslateBody) -> Result<Run> {
        self.project.call::<Translate>(&self.project.path, &REAL, body).await
    }

    /// Previews [`translate`](Self::translate): its effect and price. Nothing is written.
    ///
    /// # Errors
    ///
    /// The errors of `translate`, except for credits, caps and plan, which the answer's `would_fail` reports instead.
    pub async fn translate_dry_run(&self, body: &TranslateBody) -> Result<Run> {
        self.project.call::<Translate>(&self.project.path, &PREVIEW, body).await
    }

    /// `POST /projects/{projectId}/sync` (§4): registers a whole source file and translates its new and changed keys.
    /// [`file_upload`](crate::file_upload) and [`sync_body`](crate::sync_body) make the body.
    ///
    /// # Errors
    ///
    /// The errors of [`translate`](Self::translate), and `format_ambiguous` and `file_unparseable` for the file.
    pub async fn sync(&self, body: &SyncBody) -> Result<Run> {
        self.project.call::<Sync>(&self.project.path, &REAL, body).await
    }

    /// Previews [`sync`](Self::sync): its effect and price. Nothing is written.
    ///
    /// # Errors
    ///
    /// The errors of `sync`, except for credits, caps and plan, which the answer's `would_fail` reports instead.
    pub async fn sync_dry_run(&self, body: &SyncBody) -> Result<Run> {
        self.project.call::<Sync>(&self.project.path, &PREVIEW, body).await
    }

    /// `GET /projects/{projectId}/translations` (§4): reads the variant that the query selects. The methods below read
    /// one each.
    ///
    /// # Errors
    ///
    /// `invalid_argument` for a query that selects two of them.
    pub async fn get(&self, query: &GetQuery) -> Result<TranslationsAnswer> {
        self.project.call::<Get>(&self.project.path, query, &NoBody {}).await
    }

    /// `?trackingToken=`: reads the current state of a translation job, with the first page of its translations.
    ///
    /// # Errors
    ///
    /// `not_found`, `forbidden` without scope `read` or `translate`.
    pub async fn job(&self, token: &TrackingToken) -> Result<Job> {
        self.job_after(token, 0).await
    }

    /// Like [`job`](Self::job), answered when the job has ended or after this many seconds, at most 25.
    ///
    /// # Errors
    ///
    /// The errors of [`job`](Self::job).
    pub async fn job_after(&self, token: &TrackingToken, wait_seconds: u32) -> Result<Job> {
        let wait = (wait_seconds > 0).then_some(wait_seconds);
        let query = GetQuery { tracking_token: Some(token.clone()), wait_seconds: wait, ..GetQuery::default() };
        self.read(&query, &self.project.holding(wait_seconds)).await
    }

    /// Lists the translations that a job has made so far, page by page.
    #[must_use]
    pub fn job_pages(&self, token: &TrackingToken) -> Pages<JobTranslation> {
        let (translations, token) = (self.clone(), token.clone());
        Pages::new::<Get, _, _>(None, move |cursor| {
            let (translations, tracking_token) = (translations.clone(), Some(token.clone()));
            let query = GetQuery { tracking_token, cursor, limit: Some(500), ..GetQuery::default() };
            async move {
                let job: Job = translations.read(&query, &translations.project.options).await?;
                Ok((job.translations, job.next_cursor))
            }
        })
    }

    /// `?ref=`: reads one key with all its translations.
    ///
    /// # Errors
    ///
    /// `key_not_found`, `forbidden` without scope `read` or `translate`.
    pub async fn key(&self, r#ref: impl Into<String>) -> Result<KeyDetail> {
        let query = GetQuery { r#ref: Some(r#ref.into()), ..GetQuery::default() };
        self.read(&query, &self.project.options).await
    }

    /// `?version=`: reads the files of a published version, with their contents. `filter` narrows them by `language`
    /// and `format`; its `content: Some(false)` leaves out the contents. An answer holds at most 32 MiB of contents: of a
    /// larger version, read one language or format at a time, or each file with [`Delivery::bundle`](crate::Delivery::bundle).
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// use l10n_client::api::translations::GetQuery;
    ///
    /// let german = GetQuery { language: Some("de".into()), ..GetQuery::default() };
    /// let version = project.translations().version("ver_1", &german).await?;
    /// # let _ = version;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `version_not_found`, `invalid_argument` for more contents than an answer holds, `forbidden` without scope `read`.
    pub async fn version(&self, version: impl Into<VersionId>, filter: &GetQuery) -> Result<VersionFiles> {
        let query = GetQuery { version: Some(version.into()), ..filter.clone() };
        self.read(&query, &self.project.options).await
    }

    /// Without any of these parameters: lists a page of keys in the order of their refs, narrowed by `query`.
    ///
    /// # Errors
    ///
    /// `forbidden` without scope `read`.
    pub async fn list(&self, query: &GetQuery) -> Result<KeyList> {
        self.read(query, &self.project.options).await
    }

    /// Lists the keys from `query.cursor` on, page by page.
    #[must_use]
    pub fn pages(&self, query: GetQuery) -> Pages<KeyDetail> {
        let translations = self.clone();
        Pages::new::<Get, _, _>(query.cursor.clone(), move |cursor| {
            let (translations, query) = (translations.clone(), GetQuery { cursor, ..query.clone() });
            async move { translations.list(&query).await.map(|page| (page.keys, page.next_cursor)) }
        })
    }

    /// Lists all keys that match `query`, in memory.
    ///
    /// # Errors
    ///
    /// The errors of [`list`](Self::list).
    pub async fn list_all(&self, query: GetQuery) -> Result<Vec<KeyDetail>> {
        self.pages(GetQuery { limit: Some(query.limit.unwrap_or(500)), ..query }).all().await
    }

    /// Reads the variant that the query selects, so that an answer that does not match its declaration is reported by
    /// field rather than as none of four.
    async fn read<T: DeserializeOwned>(&self, query: &GetQuery, options: &CallOptions) -> Result<T> {
        let client = &self.project.client;
        client.decode(&client.send::<Get>(&self.project.path, query, &NoBody {}, options, None).await?)
    }
}
