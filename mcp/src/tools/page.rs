//! Pages of lists, no longer than a result may be.

use std::future::Future;

use serde::Serialize;

use crate::failure::Failure;

/// Largest sum of the entries of a page, in characters of their JSON.
const LARGEST: usize = 20_000;

/// Reads a page. One that is too long is read again with as many entries as fit, so that its cursor is right.
pub(super) async fn page<T, F>(limit: u32, fetch: impl Fn(u32) -> F) -> Result<(Vec<T>, Option<String>), Failure>
where
    T: Serialize,
    F: Future<Output = Result<(Vec<T>, Option<String>), Failure>>,
{
    let (entries, cursor) = fetch(limit).await?;
    match fitting(&entries) {
        fitting if fitting >= entries.len() => Ok((entries, cursor)),
        fitting => fetch(u32::try_from(fitting.max(1)).unwrap_or(1)).await,
    }
}

/// The number of entries that fit.
fn fitting<T: Serialize>(entries: &[T]) -> usize {
    let mut sum = 0;
    let sizes = entries.iter().map(|entry| serde_json::to_string(entry).map_or(0, |json| json.chars().count() + 1));
    sizes
        .take_while(|size| {
            sum += size;
            sum <= LARGEST
        })
        .count()
}
