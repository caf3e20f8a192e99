//! A project, by its id: the entry point to its routes.

use std::time::Duration;

use l10n_api_types::{Endpoint, ProjectId, ProjectPath};

use crate::Client;
use crate::error::Result;
use crate::options::{CallOptions, Reply};

/// A project of the service. Cheap to clone; made by [`Client::project`], without a request.
///
/// ```no_run
/// # async fn example(client: l10n_client::Client) -> Result<(), l10n_client::Error> {
/// let project = client.project("prj_1");
/// let meta = project.meta().await?;
/// println!("{}: {} keys in {} languages", meta.name, meta.key_count, meta.languages.len());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Project {
    pub(crate) client: Client,
    pub(crate) path: ProjectPath,
    pub(crate) options: CallOptions,
}

impl Client {
    /// A project, by its id. No request is made; [`projects`](Self::projects) finds an id by the names people use.
    #[must_use]
    pub fn project(&self, id: impl Into<ProjectId>) -> Project {
        let path = ProjectPath { project_id: id.into() };
        Project { client: self.clone(), path, options: CallOptions::default() }
    }
}

impl Project {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> &ProjectId {
        &self.path.project_id
    }

    /// The client that makes its calls.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Returns the same project with these options for each call. Use it for a single call if they contain a
    /// correlation id or an idempotency key. Published files, which need no key, are read without the options.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project, commit: &str) -> Result<(), l10n_client::Error> {
    /// use l10n_client::CallOptions;
    /// use l10n_client::api::publish::Publish;
    ///
    /// // However often the pipeline runs for this commit, today it publishes once.
    /// let once = CallOptions::default().idempotency_key(format!("publish-{commit}"));
    /// let version = project.with(once).publish(&Publish::default()).await?;
    /// # let _ = version;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with(&self, options: CallOptions) -> Self {
        Self { options, ..self.clone() }
    }

    /// Calls an endpoint by its declaration, with this project's options ([`with`](Self::with)).
    ///
    /// # Errors
    ///
    /// The errors of [`Client::call`].
    pub async fn call<E: Endpoint>(&self, path: &E::Path, query: &E::Query, body: &E::Body) -> Result<E::Response> {
        Ok(self.reply::<E>(path, query, body).await?.value)
    }

    /// Like [`call`](Self::call), with the answer's status and headers, such as [`replayed`](Reply::replayed).
    ///
    /// # Errors
    ///
    /// The errors of [`Client::call`].
    pub async fn reply<E: Endpoint>(
        &self,
        path: &E::Path,
        query: &E::Query,
        body: &E::Body,
    ) -> Result<Reply<E::Response>> {
        self.client.call_with::<E>(path, query, body, &self.options).await
    }

    /// Calls an endpoint whose answer has several shapes, and takes the one that `pick` accepts. Any other is an answer
    /// that does not match its declaration: the call was carried out, and `problem` says what the answer is about.
    pub(crate) async fn call_for<E: Endpoint, T>(
        &self,
        path: &E::Path,
        query: &E::Query,
        body: &E::Body,
        pick: impl FnOnce(E::Response) -> Option<T>,
        problem: &str,
    ) -> Result<T> {
        let incoming = self.client.send::<E>(path, query, body, &self.options, None).await?;
        pick(self.client.decode(&incoming)?).ok_or_else(|| incoming.not_as_declared(problem).into())
    }

    /// The options of a call whose answer the server may delay by this many seconds.
    pub(crate) fn holding(&self, seconds: u32) -> CallOptions {
        let time = self.options.extra_time.saturating_add(Duration::from_secs(u64::from(seconds)));
        self.options.clone().extra_time(time)
    }
}
