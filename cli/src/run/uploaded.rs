//! The outcome of a run that the server has done.

use l10n_client::api::TrackingToken;
use l10n_client::api::requests::Receipt;
use l10n_client::api::translations::Run;

use super::write_outcome::made;

/// The outcome of a run.
#[derive(Debug, Clone)]
pub(crate) enum Uploaded {
    /// The server's answer.
    Run(Box<Run>),
    /// It succeeded, but its answer was lost.
    Landed(Box<Receipt>),
}

impl Uploaded {
    pub(crate) fn run(&self) -> Option<&Run> {
        match self {
            Self::Run(run) => Some(run),
            Self::Landed(_) => None,
        }
    }

    pub(crate) fn receipt(&self) -> Option<&Receipt> {
        match self {
            Self::Run(_) => None,
            Self::Landed(receipt) => Some(receipt),
        }
    }

    /// The job to wait for.
    pub(crate) fn job(&self) -> Option<TrackingToken> {
        match self {
            Self::Run(run) => run.tracking_token.clone(),
            Self::Landed(receipt) => made(receipt, "translation").map(TrackingToken::from),
        }
    }
}
