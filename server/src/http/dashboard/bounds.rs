//! Bounds on requests that are worked on at a time.
//!
//! Three groups do not wait for each other: looking up who sent a cookie, which anybody can ask for; pages for strangers, such as
//! the sign-in; and pages for people who are signed in. Of these a workspace has a quarter at most, since its pages may wait for
//! each other: for its turn to compare or to publish, or for the lock of a project.

use std::net::IpAddr;

use l10n_api_types::WorkspaceId;

use super::poll::PollLimiter;
use super::visit::Visit;
use crate::domain::ServiceError;
use crate::http::concurrency::{ConcurrencyLimiter, ConcurrencyPermit, Share, Shares};
use crate::ids::UserId;

/// The bounds, and what is under way.
#[derive(Debug)]
pub(super) struct DashboardBounds {
    pub(super) lookups: ConcurrencyLimiter<IpAddr>,
    strangers: ConcurrencyLimiter<IpAddr>,
    people: ConcurrencyLimiter<UserId>,
    workspaces: Shares<WorkspaceId>,
    /// Forms that are larger than most.
    pub(super) large_forms: ConcurrencyLimiter<IpAddr>,
    pub(super) waiting: PollLimiter,
}

impl Default for DashboardBounds {
    fn default() -> Self {
        Self {
            lookups: ConcurrencyLimiter::new(8, 64),
            strangers: ConcurrencyLimiter::new(16, 32),
            people: ConcurrencyLimiter::new(32, 16),
            workspaces: Shares::new(8, 32),
            large_forms: ConcurrencyLimiter::new(32, 4),
            waiting: PollLimiter::default(),
        }
    }
}

/// A place of a page.
#[derive(Debug)]
pub(super) enum PagePermit {
    Stranger(ConcurrencyPermit<IpAddr>),
    Person(ConcurrencyPermit<UserId>),
}

impl DashboardBounds {
    /// A place for letting a visit in.
    ///
    /// # Errors
    ///
    /// 429 where the person or the address has too many requests under way, 503 where all places stay taken.
    pub(super) async fn place(&self, visit: &Visit, address: IpAddr) -> Result<PagePermit, ServiceError> {
        Ok(match &visit.session {
            Some(session) => PagePermit::Person(self.people.take(session.person.id.clone()).await?),
            None => PagePermit::Stranger(self.strangers.take(address).await?),
        })
    }

    /// The place of a visit that is let in, with one of its workspace. Who waits for that holds none of those that all share.
    ///
    /// # Errors
    ///
    /// 429 where the workspace has too many requests under way, 503 where its places, or all, stay taken.
    pub(super) async fn share(
        &self,
        visit: &Visit,
        held: PagePermit,
    ) -> Result<(PagePermit, Option<Share>), ServiceError> {
        let Some(workspace) = visit.membership.as_ref().map(|membership| &membership.workspace) else {
            return Ok((held, None));
        };
        if let Some(share) = self.workspaces.take_free(workspace.clone()) {
            return Ok((held, Some(share)));
        }
        let share = self.workspaces.take(workspace.clone());
        Ok(match held {
            PagePermit::Stranger(place) => {
                let (place, share) = self.strangers.after(share, place).await?;
                (PagePermit::Stranger(place), Some(share))
            }
            PagePermit::Person(place) => {
                let (place, share) = self.people.after(share, place).await?;
                (PagePermit::Person(place), Some(share))
            }
        })
    }
}
