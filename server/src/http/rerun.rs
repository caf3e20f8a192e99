//! The advice in a 503: the work to run again (§7 rule 1).

use l10n_api_types::{EndpointInfo, Method, Rerun};

use crate::domain::ServiceError;
use crate::store::StoreError;

/// Says in a failure of the datastore which work to run again.
pub(super) fn advise(endpoint: &EndpointInfo, error: ServiceError) -> ServiceError {
    match error {
        ServiceError::Unavailable { source, .. } => {
            let what = match endpoint.rerun {
                Rerun::FromSources => "run",
                Rerun::Request => "request",
            };
            let reason = match source {
                StoreError::Moving => "changes of a large run of this project are still being applied".to_owned(),
                _ => format!("the datastore does not take this {what} at present"),
            };
            ServiceError::Unavailable { again: format!("{reason}: {}", advice(endpoint)), source }
        }
        other => other,
    }
}

/// The refusal of a large request while too many others wait.
pub(super) fn busy(endpoint: &EndpointInfo) -> ServiceError {
    refused("too many large requests are waiting", endpoint)
}

/// The refusal of a request whose answer would be one too many of those that are still being sent.
pub(super) fn unsent(endpoint: &EndpointInfo) -> ServiceError {
    refused("too many large answers are still being sent to slow clients", endpoint)
}

fn refused(reason: &str, endpoint: &EndpointInfo) -> ServiceError {
    let written = if endpoint.method == Method::Get { "" } else { ", and nothing was written" };
    ServiceError::Busy(format!("{reason}{written}: {}", advice(endpoint)))
}

fn advice(endpoint: &EndpointInfo) -> String {
    match endpoint.rerun {
        Rerun::FromSources => {
            "run the push or sync again from your source files, since the whole input is classified again".to_owned()
        }
        Rerun::Request => format!("run `{} {}` again in a moment", endpoint.method.as_str(), endpoint.path),
    }
}

#[cfg(test)]
mod tests {
    use l10n_api_types::{languages, translations};

    use super::*;

    /// ERR-503-2: only what classifies its whole input is run again from the sources.
    #[test]
    fn a_503_says_what_to_run_again() {
        let unavailable = |endpoint| advise(endpoint, StoreError::Busy.into()).to_string();
        let add = EndpointInfo::of::<languages::Add>();
        let sync = EndpointInfo::of::<translations::Sync>();
        insta::assert_snapshot!(unavailable(add), @"the datastore does not take this request at present: run `POST /projects/{projectId}/languages` again in a moment");
        insta::assert_snapshot!(unavailable(sync), @"the datastore does not take this run at present: run the push or sync again from your source files, since the whole input is classified again");
        let moving = |endpoint| advise(endpoint, StoreError::Moving.into()).to_string();
        insta::assert_snapshot!(moving(add), @"changes of a large run of this project are still being applied: run `POST /projects/{projectId}/languages` again in a moment");
        insta::assert_snapshot!(moving(sync), @"changes of a large run of this project are still being applied: run the push or sync again from your source files, since the whole input is classified again");
        insta::assert_snapshot!(busy(add), @"too many large requests are waiting, and nothing was written: run `POST /projects/{projectId}/languages` again in a moment");
        let get = EndpointInfo::of::<translations::Get>();
        insta::assert_snapshot!(busy(get), @"too many large requests are waiting: run `GET /projects/{projectId}/translations` again in a moment");
        insta::assert_snapshot!(unsent(add), @"too many large answers are still being sent to slow clients, and nothing was written: run `POST /projects/{projectId}/languages` again in a moment");
        insta::assert_snapshot!(busy(sync), @"too many large requests are waiting, and nothing was written: run the push or sync again from your source files, since the whole input is classified again");
    }

    #[test]
    fn other_errors_are_left_alone() {
        let endpoint = EndpointInfo::of::<translations::Sync>();
        assert!(matches!(advise(endpoint, ServiceError::NothingToPublish), ServiceError::NothingToPublish));
    }
}
