//! The job of a run.

use l10n_api_types::{Millicredits, TrackingToken};

use super::work::{self, LanguageWork, Unit};
use crate::clock::Timestamp;
use crate::domain::{Caller, ServiceError, credits};
use crate::ids::{IdKind, new_id};
use crate::service::Service;
use crate::store::{Tx, jobs};

/// What is left to translate of a run.
pub(in crate::domain) struct Left<'a> {
    /// The document that it is of; `None`: keys.
    pub document: Option<&'a str>,
    /// Whether it replaces what people have written.
    pub retranslate: bool,
    /// The work.
    pub work: &'a [LanguageWork],
    /// What the job calls each item: the id of a key, the hash of a segment.
    pub names: &'a [String],
}

/// Queues it, and sets its price aside.
pub(in crate::domain) async fn queue(
    tx: &mut Tx,
    service: &Service,
    caller: &Caller,
    left: Left<'_>,
    now: Timestamp,
) -> Result<TrackingToken, ServiceError> {
    let token = new_id(IdKind::TrackingToken, now);
    let unit = |unit: &Unit| jobs::Unit {
        hash: unit.hash,
        price: unit.price,
        keys: unit.items.iter().filter_map(|item| left.names.get(*item)).cloned().collect(),
    };
    let mut chunks: Vec<(&str, Vec<jobs::Unit>)> = Vec::new();
    for work in left.work {
        chunks
            .extend(work.chunks().into_iter().map(|units| (work.language.as_str(), units.iter().map(unit).collect())));
    }
    let price: Millicredits = work::price(left.work);
    let job = jobs::NewJob {
        tracking_token: &token,
        project_id: caller.project.as_str(),
        workspace_id: caller.workspace.as_str(),
        document_id: left.document,
        retranslate: left.retranslate,
        engine: service.engine.name(),
        request_id: caller.request.as_str(),
        total: i64::try_from(work::queued(left.work)).unwrap_or(i64::MAX),
        estimated: price,
        created_at: now,
    };
    let chunks: Vec<(&str, &[jobs::Unit])> =
        chunks.iter().map(|(language, units)| (*language, units.as_slice())).collect();
    jobs::insert(tx, job, &chunks).await?;
    credits::hold(tx, caller.workspace.as_str(), &token, price, now).await?;
    Ok(TrackingToken::new(token))
}
