//! Lets a visit in: who is signed in, of which workspace, with which role, and whether it is surely them.

use http::Method;

use super::answer::PageResponse;
use super::routes::{Audience, PageRoute};
use super::visit::{Visit, nothing_here};
use super::{confirm, login};
use crate::domain::ServiceError;
use crate::domain::people::{Session, memberships, sessions};
use crate::service::Service;

/// The session of a token.
pub(super) async fn session(service: &Service, token: &str) -> Result<Option<Session>, ServiceError> {
    sessions::find(service.people(), token).await
}

/// Lets a visit in, or answers it before it reaches its page.
///
/// # Errors
///
/// 404 for what the person may not see, 403 for what they may not do.
pub(super) async fn admit(page: &PageRoute, visit: &mut Visit) -> Result<Option<PageResponse>, ServiceError> {
    if page.who == Audience::Anyone {
        return Ok(None);
    }
    if visit.session.is_none() {
        if page.method == Method::GET {
            return Ok(Some(PageResponse::see_other(&login::path_back_to(&visit.here()))));
        }
        if let Some(asked) = login::in_between(visit).await? {
            return Ok(Some(asked));
        }
    }
    require(page.who, visit).await?;
    if page.confirmed { confirm::ask(visit).await } else { Ok(None) }
}

/// Finds the workspace and the project of the path, and requires the role.
async fn require(who: Audience, visit: &mut Visit) -> Result<(), ServiceError> {
    let (service, person) = (visit.service.clone(), visit.person()?.clone());
    let parts = service.people();
    let action = match who {
        Audience::Anyone | Audience::Person => return Ok(()),
        Audience::Workspace(action) => {
            visit.membership = memberships::in_workspace(parts, &person, visit.value("handle")?).await?;
            action
        }
        Audience::Project(action) => {
            let found = memberships::in_project(parts, &person, visit.value("handle")?, visit.value("slug")?).await?;
            (visit.of_project, visit.membership) = found.unzip();
            action
        }
        Audience::Operation(action) => {
            let found = memberships::of_operation(parts, &person, visit.value("operationId")?).await?;
            (visit.of_project, visit.membership) = found.unzip();
            action
        }
    };
    let membership = visit.membership.as_ref().ok_or_else(nothing_here)?;
    memberships::see(parts, &person, membership).await?;
    if membership.may(action) { Ok(()) } else { Err(not_allowed()) }
}

fn not_allowed() -> ServiceError {
    ServiceError::Forbidden("your role in this workspace does not allow this: ask an owner of the workspace".to_owned())
}
