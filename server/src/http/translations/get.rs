//! `GET /projects/{projectId}/translations`.

use std::time::Duration;

use http::HeaderValue;
use l10n_api_types::translations::{Get, GetQuery, TranslationsAnswer};
use l10n_api_types::{EndpointInfo, VersionId};
use l10n_formats::locales;

use crate::compute::compute;
use crate::domain::jobs::{self, JobPage};
use crate::domain::pages::{self, Cursor};
use crate::domain::search::Query;
use crate::domain::version_files::{FileFilter, SelectedFiles};
use crate::domain::{Caller, ServiceError, long_poll, translations};
use crate::http::{Context, Reply, Request, rerun};

pub(crate) async fn handle(cx: Context, request: Request<Get>) -> Result<Reply<TranslationsAnswer>, ServiceError> {
    let query = request.query;
    let (limit, wait) = checked(&cx.caller, &query)?;
    let answer = match (&query.tracking_token, &query.r#ref, &query.version) {
        (Some(token), None, None) => {
            let page = JobPage { limit, cursor: query.cursor.as_deref().map(Cursor::decode).transpose()? };
            let job = jobs::wait(cx.service.poll(&cx.service.job_ended), &cx.caller, token, &page, wait).await?;
            TranslationsAnswer::Job(Box::new(job))
        }
        (None, Some(name), None) => {
            let mut tx = cx.service.store.begin_read().await?;
            TranslationsAnswer::Key(Box::new(translations::key(&mut tx, &cx.caller, name).await?))
        }
        (None, None, Some(version)) => return files(&cx, version, &narrowed(&query)).await,
        (None, None, None) => {
            let mut tx = cx.service.store.begin_read().await?;
            TranslationsAnswer::List(Box::new(translations::list(&mut tx, &cx.caller, &query).await?))
        }
        _ => {
            return Err(ServiceError::InvalidArgument(
                "only one of `trackingToken`, `ref` and `version` may be there: each reads something else".to_owned(),
            ));
        }
    };
    Ok(Reply::json(answer))
}

/// The files of a version. A large answer is made in its turn, if there is room for its bytes, and nothing but these is left
/// when it is sent.
async fn files(
    cx: &Context,
    version: &VersionId,
    narrowed: &FileFilter,
) -> Result<Reply<TranslationsAnswer>, ServiceError> {
    let (store, workspace) = (&cx.service.store, &cx.caller.workspace);
    let selected = SelectedFiles::find(store, &cx.caller, version, narrowed).await?;
    let Some(bytes) = selected.large() else {
        return Ok(Reply::json(TranslationsAnswer::Version(Box::new(selected.read(store).await?))));
    };
    // Room for the escapes of most files: to grow, the bytes would be there twice.
    let bytes = bytes.saturating_add(bytes / 4);
    let turn = cx.service.turns.take(workspace).await;
    let _turn = turn.ok_or_else(|| rerun::busy(EndpointInfo::of::<Get>()))?;
    // Whoever waits for a turn holds no room, and whoever waited for room would hold up a turn.
    let room = cx.service.unsent.take_free(workspace.clone(), bytes);
    let room = room.ok_or_else(|| rerun::unsent(EndpointInfo::of::<Get>()))?;
    let answer = TranslationsAnswer::Version(Box::new(selected.read(store).await?));
    let json = compute(true, || {
        let mut json = Vec::with_capacity(bytes);
        serde_json::to_writer(&mut json, &answer).map(|()| json)
    });
    let json = room.owning(json.map_err(ServiceError::internal)?);
    Ok(Reply::counted(HeaderValue::from_static("application/json"), json))
}

/// Returns the size of a page and the time to wait. The bounds are checked even for a parameter that the variant does
/// not use.
fn checked(caller: &Caller, query: &GetQuery) -> Result<(usize, Duration), ServiceError> {
    if let Some(text) = &query.query {
        Query::read(&caller.project, text)?;
    }
    if let Some(language) = &query.language {
        let wrong = |error| ServiceError::InvalidArgument(format!("`language`: {error}"));
        locales::canonicalize(language.as_str()).map_err(wrong)?;
    }
    Ok((pages::limit(query.limit)?, long_poll::wait_time(query.wait_seconds)?))
}

fn narrowed(query: &GetQuery) -> FileFilter {
    FileFilter { language: query.language.clone(), format: query.format, without_content: query.content == Some(false) }
}
