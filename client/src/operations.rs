//! Operations: approvals by people.

use std::time::Duration;

use l10n_api_types::operations::{Create, CreateBody, Operation, OperationPath, OperationStatus, Read, ReadQuery};
use l10n_api_types::{NoBody, NoQuery, OperationId};

use crate::error::Result;
use crate::project::Project;
use crate::wait::WaitOptions;

/// Pause between requests to a server that does not delay its answers.
const PAUSE: Duration = Duration::from_secs(2);

/// A person's approvals for an agent's key, each for one piece of work. Made by [`Project::operations`].
///
/// ```no_run
/// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
/// use l10n_client::api::operations::{CreateBody, OperationKind, OperationStatus};
/// use l10n_client::api::publish::Publish;
///
/// let body = CreateBody { note: Some("the release of Monday".into()), ..CreateBody::new(OperationKind::Publish) };
/// let asked = project.operations().create(&body).await?;
/// println!("please decide: {}", asked.approval_url);
/// let decided = project.operations().wait(asked.operation_id, &Default::default()).await?;
/// if decided.status == OperationStatus::Approved {
///     let operation_id = Some(decided.operation_id);
///     project.publish(&Publish { operation_id, ..Publish::default() }).await?;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Operations {
    pub(crate) project: Project,
}

impl Project {
    /// Operations: approvals by people.
    #[must_use]
    pub fn operations(&self) -> Operations {
        Operations { project: self.clone() }
    }
}

impl Operations {
    /// `POST /projects/{projectId}/operations` (§4): asks a person to approve a run, a publish or a rollback. It is
    /// pending for 24 hours, and approved for one hour more.
    ///
    /// Never resent while its outcome is unknown: people would be asked twice.
    ///
    /// # Errors
    ///
    /// `invalid_argument` naming the field, `version_not_found` for a rollback, `operation_limit` while too many requests of the
    /// key wait for a decision, `forbidden` without scope `translate` for a translation and `publish` for the others.
    pub async fn create(&self, body: &CreateBody) -> Result<Operation> {
        self.project.call::<Create>(&self.project.path, &NoQuery {}, body).await
    }

    /// `GET /projects/{projectId}/operations/{operationId}` (§4): reads an operation.
    ///
    /// # Errors
    ///
    /// `not_found`, even for an operation of another project.
    pub async fn get(&self, operation: impl Into<OperationId>) -> Result<Operation> {
        self.get_after(&operation.into(), 0).await
    }

    /// Like [`get`](Self::get), answered when a person has decided or after this many seconds, at most 25.
    ///
    /// # Errors
    ///
    /// The errors of [`get`](Self::get).
    pub async fn get_after(&self, operation: &OperationId, wait_seconds: u32) -> Result<Operation> {
        let path = OperationPath { project_id: self.project.id().clone(), operation_id: operation.clone() };
        let query = ReadQuery { wait_seconds: (wait_seconds > 0).then_some(wait_seconds) };
        let options = self.project.holding(wait_seconds);
        Ok(self.project.client.call_with::<Read>(&path, &query, &NoBody {}, &options).await?.value)
    }

    /// Waits until a person has decided, by long polls, and returns the operation: `approved`, `denied`, ended
    /// (`expired`, `canceled`, `used`, or a status of a later version), or still `pending` if the time limit is reached.
    ///
    /// # Errors
    ///
    /// The errors of [`get`](Self::get).
    pub async fn wait(&self, operation: impl Into<OperationId>, options: &WaitOptions) -> Result<Operation> {
        let operation = operation.into();
        let first = self.get_after(&operation, 0).await?;
        if first.status != OperationStatus::Pending {
            return Ok(first);
        }
        let ask = |hold| self.get_after(&operation, hold);
        let look = |operation: &Operation| (operation.status == OperationStatus::Pending).then_some(PAUSE);
        let ended = options.at_longest().poll(&self.project, ask, look).await?;
        Ok(ended.unwrap_or_else(|last| last.unwrap_or(first)))
    }
}
