//! `ids.lock`: every id of a statement and of a check that was ever used. Reports of years compare by them, so none vanishes
//! and none is used anew for something else.

use std::collections::BTreeSet;

use crate::checks;
use crate::requirement::requirements;

/// The committed file.
pub const LOCKED: &str = include_str!("../../ids.lock");

const HEAD: &str = "\
# Every id of a statement and of a check that this suite ever used: `statement ID` and `check ID`.
# `l10n-testkit matrix --lock` adds what is new. No line is ever taken out: an id that is given up gets the word `retired`
# before it (`retired check ID`), and is never used again.
";

/// The file as it is to be: what `old` has, and what is new.
#[must_use]
pub fn locked(old: &str) -> String {
    let mut lines: BTreeSet<String> = entries(old).map(str::to_owned).collect();
    lines.extend(used());
    lines.into_iter().fold(HEAD.to_owned(), |text, line| text + &line + "\n")
}

/// The lines that are no comment.
pub(super) fn entries(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The ids in use, in the format of the file.
pub(super) fn used() -> BTreeSet<String> {
    let statements = requirements().iter().map(|one| format!("statement {}", one.id));
    statements.chain(checks::all().iter().map(|check| format!("check {}", check.id))).collect()
}
