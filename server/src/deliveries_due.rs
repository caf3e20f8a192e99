//! Hints for the delivery worker of this process: deliveries may be due for some webhooks. Progress never depends on a
//! hint.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use l10n_api_types::ProjectId;
use tokio::sync::Notify;

use crate::store::Tx;

/// Beyond so many projects, looking at each of them costs as much as looking everywhere.
const MOST_PROJECTS: usize = 100;

/// Hints to the delivery worker, given by the commits that make deliveries due.
#[derive(Debug, Default)]
pub struct DeliveriesDue {
    told: Mutex<DueWebhooks>,
    wake: Notify,
}

/// Webhooks for which deliveries may be due.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct DueWebhooks {
    /// At any webhook.
    pub(crate) everywhere: bool,
    /// At the webhooks of these projects.
    pub(crate) projects: BTreeSet<ProjectId>,
}

impl DeliveriesDue {
    /// Tells the worker, when `tx` commits, that deliveries to webhooks of this project may be due.
    pub(crate) fn of_project_after(self: &Arc<Self>, tx: &mut Tx, project_id: &ProjectId) {
        let (due, project) = (Arc::clone(self), project_id.clone());
        tx.after_commit(move || due.of_project(project));
    }

    fn of_project(&self, project_id: ProjectId) {
        self.add(DueWebhooks { everywhere: false, projects: BTreeSet::from([project_id]) });
    }

    /// Tells the worker that deliveries to any webhook may be due: it looks at all of them, which takes a step for each
    /// that waits. For tests and for the lab, which move the clock.
    #[cfg(any(test, feature = "lab"))]
    pub fn notify_one(&self) {
        self.add(DueWebhooks { everywhere: true, projects: BTreeSet::new() });
    }

    fn add(&self, told: DueWebhooks) {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).add(told);
        self.wake.notify_one();
    }

    /// Until somebody tells something.
    pub(crate) async fn notified(&self) {
        self.wake.notified().await;
    }

    /// Returns the hints since the last call.
    pub(crate) fn take(&self) -> DueWebhooks {
        std::mem::take(&mut *self.told.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl DueWebhooks {
    pub(crate) fn is_empty(&self) -> bool {
        !self.everywhere && self.projects.is_empty()
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.everywhere |= other.everywhere;
        self.projects.extend(other.projects);
        self.everywhere |= self.projects.len() > MOST_PROJECTS;
        if self.everywhere {
            self.projects.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_adds_up_until_it_is_taken_and_many_projects_are_everywhere() {
        let due = DeliveriesDue::default();
        assert!(due.take().is_empty());
        due.of_project("b".into());
        due.of_project("a".into());
        due.of_project("b".into());
        let told = due.take();
        assert_eq!((told.everywhere, told.projects.iter().map(ProjectId::as_str).collect()), (false, vec!["a", "b"]));
        assert!(due.take().is_empty());
        for project in 0..=MOST_PROJECTS {
            due.of_project(project.to_string().into());
        }
        assert_eq!(due.take(), DueWebhooks { everywhere: true, projects: BTreeSet::new() });
    }
}
