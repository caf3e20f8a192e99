//! Holds what is translated against glossaries that have changed. It costs no one a pause: each step is short, and between two of
//! them the worker rests for as long as the first one took.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use l10n_api_types::ProjectId;
use tokio_util::sync::CancellationToken;

use crate::domain::{ServiceError, glossary};
use crate::service::Service;
use crate::store::Store;

/// Time after which it looks again. Terms that a person changes one after the other are taken together.
const EVERY: Duration = Duration::from_secs(1);
/// A check that has failed is left alone for so many times as long as it took. Where somebody changes a project for long, others
/// wait for its check a fifth of the time.
const REST: u32 = 4;

/// Checks until `shutdown`.
pub(crate) async fn run(service: Service, shutdown: CancellationToken) {
    let work = async {
        let mut checks = GlossaryChecks::default();
        loop {
            if let Err(error) = checks.check_all(&service.store).await {
                tracing::warn!(?error, "cannot hold translations against a changed glossary; trying again");
            }
            tokio::time::sleep(EVERY).await;
        }
    };
    shutdown.run_until_cancelled(work).await;
}

/// The checks of all projects.
#[derive(Debug, Default)]
pub struct GlossaryChecks {
    /// Projects whose check has failed, and until when they are left alone.
    failed: HashMap<ProjectId, Instant>,
}

impl GlossaryChecks {
    /// Checks all that is to be checked, some keys of each project after the other. A project whose check fails keeps no other
    /// from being checked.
    ///
    /// # Errors
    ///
    /// Returns an error if the datastore fails.
    pub async fn check_all(&mut self, store: &Store) -> Result<(), ServiceError> {
        while self.check_each(store).await? {}
        Ok(())
    }

    /// Checks some keys of each project; returns false if none is left that can be checked now.
    ///
    /// # Errors
    ///
    /// Returns an error if the datastore fails.
    pub async fn check_each(&mut self, store: &Store) -> Result<bool, ServiceError> {
        self.failed.retain(|_, until| *until > Instant::now());
        let (mut last, mut is_any) = (String::new(), false);
        while let Some(check) = glossary::next_check(store, &last).await? {
            check.project_id.as_str().clone_into(&mut last);
            if self.failed.contains_key(&check.project_id) {
                continue;
            }
            let began = Instant::now();
            match glossary::check_some(store, &check).await {
                Ok(()) => {
                    is_any = true;
                    tokio::time::sleep(began.elapsed()).await;
                }
                Err(error) => {
                    let project = check.project_id;
                    tracing::warn!(%project, ?error, "cannot check translations by a changed glossary; trying again");
                    self.failed.insert(project, Instant::now() + EVERY.max(began.elapsed() * REST));
                }
            }
        }
        Ok(is_any)
    }
}
