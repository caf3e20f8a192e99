//! The comparison of two results.

use std::collections::{BTreeMap, BTreeSet};

use super::RunResult;
use super::difference::{Difference, StatusChange};

/// Compares a result with a later one.
#[must_use]
pub fn diff(before: &RunResult, after: &RunResult) -> Difference {
    let mut found = Difference::default();
    let statements = |result: &RunResult| -> BTreeMap<String, String> {
        let status = |status: &Option<String>| status.clone().unwrap_or_else(|| "NOT_VERIFIED".to_owned());
        result.requirements.iter().map(|one| (one.id.clone(), status(&one.status))).collect()
    };
    let checks = |result: &RunResult| -> BTreeMap<String, String> {
        result.checks.iter().map(|one| (one.id.clone(), one.status.clone())).collect()
    };
    // What another selection leaves out is not worse.
    let narrower = before.selection != after.selection;
    found.compare("statement", narrower, &statements(before), &statements(after));
    found.compare("check", narrower, &checks(before), &checks(after));
    let mut differs = |what: &str, from: &str, to: &str| {
        if from != to {
            found.other.push(format!("{what}: {from} -> {to}"));
        }
    };
    differs("verdict", &before.summary, &after.summary);
    differs("suite", &before.suite_version, &after.suite_version);
    differs("specification", &before.specification.digest, &after.specification.digest);
    differs("deployment", &before.base_url, &after.base_url);
    let stated = |commit: &Option<String>| commit.clone().unwrap_or_else(|| "not stated".to_owned());
    differs("commit", &stated(&before.commit), &stated(&after.commit));
    differs("level", &before.selection.level, &after.selection.level);
    differs("selection", &before.selection.only.join(", "), &after.selection.only.join(", "));
    let claims = |result: &RunResult| -> BTreeSet<String> { result.claims.iter().cloned().collect() };
    let (old, new) = (claims(before), claims(after));
    found.other.extend(old.difference(&new).map(|claim| format!("no longer claimed: {claim}")));
    found.other.extend(new.difference(&old).map(|claim| format!("newly claimed: {claim}")));
    found
}

impl Difference {
    fn compare(
        &mut self,
        kind: &str,
        narrower: bool,
        before: &BTreeMap<String, String>,
        after: &BTreeMap<String, String>,
    ) {
        let (left_out, kept): (Vec<_>, Vec<_>) =
            before.iter().partition(|(id, _)| narrower && !after.contains_key(id.as_str()));
        if !left_out.is_empty() {
            self.other.push(format!("no longer selected: {} {kind}s", left_out.len()));
        }
        for (id, from) in kept {
            let to = after.get(id).map_or("not selected", String::as_str);
            let change = || StatusChange { what: format!("{kind} {id}"), from: from.clone(), to: to.to_owned() };
            match rank(from).cmp(&rank(to)) {
                std::cmp::Ordering::Less => self.worse.push(change()),
                std::cmp::Ordering::Greater => self.better.push(change()),
                std::cmp::Ordering::Equal => {}
            }
        }
        let new = after.iter().filter(|(id, _)| !before.contains_key(*id));
        self.other.extend(new.map(|(id, status)| format!("new: {kind} {id} {status}")));
    }
}

/// The distance of a status from what it should be.
fn rank(status: &str) -> u8 {
    match status {
        "PASS" => 0,
        "WARN" => 1,
        "FAIL" => 3,
        // Not verified, for whatever reason.
        _ => 2,
    }
}
