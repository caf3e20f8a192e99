//! Answers that are kept for repeated requests: limits for one of them, and for all of a project together.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use l10n_api_types::ProjectId;
use serde_json::Value;

use crate::store::{StoreError, Tx, idempotency_keys};

/// Longest answer that is kept unshortened, in bytes: 64 KiB.
pub const LONGEST_KEPT: usize = 64 * 1024;

/// Lists that an answer may be kept without, each with the flag that says so.
const LISTS: [(&str, &str); 2] = [("items", "itemsTruncated"), ("documents", "truncated")];

/// Answers that one write forgets at most. A project far above its bound, which was lowered, gets there by several writes.
const FORGOTTEN_AT_ONCE: i64 = 1_000;

/// Projects whose kept answers a process remembers to have looked at.
const MOST_PROJECTS: usize = 100_000;

/// The form in which an answer is kept: unchanged, or without its long list. `None` if even that is too long.
pub(super) fn shorten(reply: &str) -> Option<Cow<'_, str>> {
    if reply.len() <= LONGEST_KEPT {
        return Some(Cow::Borrowed(reply));
    }
    let mut answer: Value = serde_json::from_str(reply).ok()?;
    let members = answer.as_object_mut()?;
    for (list, flag) in LISTS {
        if let Some(Value::Array(rows)) = members.get_mut(list) {
            rows.clear();
            members.insert(flag.to_owned(), Value::Bool(true));
        }
    }
    let shortened = answer.to_string();
    (shortened.len() <= LONGEST_KEPT).then_some(Cow::Owned(shortened))
}

/// Bytes of answers that this process has kept for each project since it last looked at all of the project's.
#[derive(Debug, Default)]
pub(super) struct KeptBytes(Mutex<HashMap<ProjectId, u64>>);

impl KeptBytes {
    /// Counts an answer of a project. Returns whether it is time to look at all of them: at the first of this process, and
    /// after each eighth of the bound, so that looking costs little and the bound is exceeded by little.
    fn count(&self, project: &ProjectId, bytes: usize, bound: u64) -> bool {
        let mut projects = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = bytes as u64;
        let Some(since) = projects.get_mut(project) else {
            if projects.len() >= MOST_PROJECTS {
                projects.clear();
            }
            projects.insert(project.clone(), 0);
            return true;
        };
        *since += bytes;
        let is_due = *since >= bound / 8;
        if is_due {
            *since = 0;
        }
        is_due
    }

    /// Forgets the oldest answers of a project that together exceed `bound` bytes, after a new one of `bytes` bytes.
    /// Their keys stay in use until their day is over.
    pub(super) async fn make_room(
        &self,
        tx: &mut Tx,
        project: &ProjectId,
        bytes: usize,
        bound: u64,
    ) -> Result<(), StoreError> {
        if !self.count(project, bytes, bound) {
            return Ok(());
        }
        let bound = i64::try_from(bound).unwrap_or(i64::MAX);
        let forgotten = idempotency_keys::forget_replies(tx, project, bound, FORGOTTEN_AT_ONCE).await?;
        if forgotten > 0 {
            tracing::debug!(project = project.as_str(), forgotten, "forgot the oldest kept answers of a project");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_over_64_kib_is_kept_without_its_list() {
        let items: Vec<_> = (0..1_000).map(|n| json!({"ref": format!("{n:0>100}")})).collect();
        for (list, flag) in LISTS {
            let answer = json!({"requestId": "r", list: items, flag: false}).to_string();
            let kept: Value = serde_json::from_str(&shorten(&answer).unwrap()).unwrap();
            assert_eq!(kept, json!({"requestId": "r", list: [], flag: true}));
        }
        let just = format!("{{\"body\":\"{}\"}}", "x".repeat(LONGEST_KEPT - 11));
        assert_eq!(just.len(), LONGEST_KEPT);
        assert_eq!(shorten(&just).unwrap(), just);
        assert_eq!(shorten(""), Some(Cow::Borrowed("")));
    }

    #[test]
    fn an_answer_that_stays_long_is_not_kept() {
        let long = "x".repeat(LONGEST_KEPT);
        for answer in [json!({"items": [], "body": long}), json!([long]), json!(long)] {
            assert_eq!(shorten(&answer.to_string()), None);
        }
    }

    #[test]
    fn all_of_a_project_are_looked_at_first_and_then_after_each_eighth() {
        let kept = KeptBytes::default();
        let looks: Vec<bool> = (0..9).map(|_| kept.count(&"a".into(), 5, 80)).collect();
        assert_eq!(looks, [true, false, true, false, true, false, true, false, true]);
        assert!(kept.count(&"b".into(), 1, 80));
    }
}
