//! Bounds on requests that are worked on at a time.
//!
//! Three groups do not wait for each other: looking up who sent a cookie, which anybody can ask for; pages for strangers, such as
//! the sign-in; and pages for people who are signed in. Of these a workspace has a quarter at most, since its pages may wait for
//! each other: for its turn to compare or to publish, or for the lock of a project.

use std::net::IpAddr;

use l10n_api_types::WorkspaceId;

use super::poll::Waiting;
use super::visit::Visit;
use crate::domain::ServiceError;
use crate::http::places::{Place, Places, Share, Shares};
use crate::ids::UserId;

/// The bounds, and what is under way.
#[derive(Debug)]
pub(super) struct Bounds {
    pub(super) lookups: Places<IpAddr>,
    strangers: Places<IpAddr>,
    people: Places<UserId>,
    workspaces: Shares<WorkspaceId>,
    pub(super) waiting: Waiting,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            lookups: Places::new(8, 64),
            strangers: Places::new(16, 32),
            people: Places::new(32, 16),
            workspaces: Shares::new(8, 32),
            waiting: Waiting::default(),
        }
    }
}

/// A place of a page.
#[derive(Debug)]
pub(super) enum Held {
    Stranger(Place<IpAddr>),
    Person(Place<UserId>),
}

impl Bounds {
    /// A place for letting a visit in.
    ///
    /// # Errors
    ///
    /// 429 where the person or the address has too many requests under way, 503 where all places stay taken.
    pub(super) async fn place(&self, visit: &Visit, address: IpAddr) -> Result<Held, ServiceError> {
        Ok(match &visit.session {
            Some(session) => Held::Person(self.people.take(session.person.id.clone()).await?),
            None => Held::Stranger(self.strangers.take(address).await?),
        })
    }

    /// The place of a visit that is let in, with one of its workspace. Who waits for that holds none of those that all share.
    ///
    /// # Errors
    ///
    /// 429 where the workspace has too many requests under way, 503 where its places, or all, stay taken.
    pub(super) async fn share(&self, visit: &Visit, held: Held) -> Result<(Held, Option<Share>), ServiceError> {
        let Some(workspace) = visit.membership.as_ref().map(|membership| &membership.workspace) else {
            return Ok((held, None));
        };
        if let Some(share) = self.workspaces.take_free(workspace.clone()) {
            return Ok((held, Some(share)));
        }
        let share = self.workspaces.take(workspace.clone());
        Ok(match held {
            Held::Stranger(place) => {
                let (place, share) = self.strangers.after(share, place).await?;
                (Held::Stranger(place), Some(share))
            }
            Held::Person(place) => {
                let (place, share) = self.people.after(share, place).await?;
                (Held::Person(place), Some(share))
            }
        })
    }
}
