//! Tests of the tables: all of them together hold what none of them can hold alone.

use std::collections::BTreeSet;

use super::lock::{entries, used};
use super::*;
use crate::check::Check;
use crate::checks;
use crate::requirement::{requirement, requirements};

/// The committed matrix; a package without the repository around it has none to compare.
fn committed_matrix() -> Option<String> {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/CONFORMANCE-MATRIX.md")).ok()
}

#[test]
fn ids_of_checks_are_unique_and_each_covers_statements_of_one_level() {
    let mut seen = BTreeSet::new();
    for check in checks::all() {
        assert!(seen.insert(check.id), "{} is there twice", check.id);
        let levels: BTreeSet<_> = check
            .covers
            .iter()
            .map(|id| requirement(id).unwrap_or_else(|| panic!("{}: {id} is no statement", check.id)).level)
            .collect();
        assert_eq!(levels.len(), 1, "{} covers statements of {levels:?}", check.id);
        let outside = levels.iter().all(|level| is_checked_from_outside(*level));
        assert!(outside, "{}: statements of {levels:?} are not seen from outside", check.id);
        let mine: BTreeSet<_> = check.covers.iter().collect();
        assert_eq!(mine.len(), check.covers.len(), "{} names a statement twice", check.id);
        if let Some(named) = requirement(check.id) {
            assert!(
                check.covers.contains(&named.id.as_str()),
                "{} has the id of a statement that it leaves out",
                check.id
            );
        }
    }
}

#[test]
fn what_a_check_declares_is_possible() {
    for Check { id, slots, publishes, needs, .. } in checks::all() {
        assert!(*slots <= 5, "{id} needs {slots} webhooks at once, and a project has 5");
        assert!(*publishes <= 30, "{id} needs {publishes} publishes, and a project has 30 a day");
        let unique: BTreeSet<_> = needs.iter().collect();
        assert_eq!(unique.len(), needs.len(), "{id} needs something twice");
    }
}

#[test]
fn no_statement_lacks_a_check_and_no_core_check_lacks_a_deviation() {
    let mut missing = Vec::new();
    for one in requirements() {
        if is_checked_from_outside(one.level) && checks_of(&one.id).is_empty() {
            missing.push(format!("no check covers {}", one.id));
        }
    }
    for check in checks::all() {
        if check.level() == Level::Core && mutants_of(check.id).is_empty() {
            missing.push(format!("no deviation is found by {}", check.id));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn no_id_ever_vanishes_and_each_is_locked() {
    let used = used();
    let locked: BTreeSet<String> = entries(LOCKED).map(str::to_owned).collect();
    for line in &locked {
        match line.strip_prefix("retired ") {
            Some(retired) => assert!(!used.contains(retired), "{retired} was retired, and is used again"),
            None => assert!(used.contains(line), "{line} has vanished: see the head of ids.lock"),
        }
    }
    let unlocked: Vec<_> = used.difference(&locked).collect();
    assert!(unlocked.is_empty(), "run `l10n-testkit matrix --lock`, which adds {unlocked:?}");
}

#[test]
fn locking_adds_and_takes_nothing_out() {
    let before = "# old\nretired check OLD-1\ncheck GONE-1\n";
    let after = super::locked(before);
    assert!(after.contains("\nretired check OLD-1\n") && after.contains("\ncheck GONE-1\n"), "{after}");
    assert!(after.contains("\nstatement CONV-1\n") && after.contains("\ncheck VER-1\n"), "{after}");
    assert!(!after.contains("# old"));
    assert_eq!(super::locked(&after), after);
}

#[test]
fn the_committed_matrix_is_the_printed_one() {
    let Some(committed) = committed_matrix() else { return };
    assert!(committed == matrix(), "run `l10n-testkit matrix > testkit/CONFORMANCE-MATRIX.md`");
}

#[test]
fn the_matrix_says_why_a_statement_has_no_deviation_and_only_then() {
    for one in requirements() {
        let reason = matrix::UNPLANTED.iter().any(|(id, reason)| *id == one.id && !reason.is_empty());
        let needs_one = is_checked_from_outside(one.level) && matrix::planted(&one.id).is_empty();
        assert_eq!(reason, needs_one, "{}", one.id);
    }
}

#[test]
fn the_matrix_has_a_row_for_each_statement() {
    let matrix = matrix();
    for one in requirements() {
        let rows = matrix.lines().filter(|line| line.starts_with(&format!("| {} |", one.id))).count();
        assert_eq!(rows, 1, "{}", one.id);
    }
}
