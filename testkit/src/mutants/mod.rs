//! Planted deviations: proof that the checks can fail.
//!
//! Each is a server that breaks one statement and keeps the others. The checks that it names have to FAIL on it: an error
//! or a timeout does not count.

/// A table of deviations, one row for each: where it is planted, its id, the statement that it breaks, the checks that have to
/// fail on it (where they are others than the check of that id), what such a server does, and how.
macro_rules! mutants {
    (@request $change:expr) => { $crate::mutants::Plant::Request($change) };
    (@instead $answer:expr) => { $crate::mutants::Plant::Instead($answer) };
    (@answer $change:expr) => { $crate::mutants::Plant::Answer($change) };
    (@both $request:expr, $answer:expr) => { $crate::mutants::Plant::Both($request, $answer) };
    (@log $change:expr) => {
        $crate::mutants::Plant::Answer(|request, answer, _| {
            $crate::mutants::tables::edit::log(request, answer, $change)
        })
    };
    (@delivery $change:expr) => { $crate::mutants::Plant::Delivery($change) };
    (@rules $json:expr) => { $crate::mutants::Plant::Rules($json) };
    (@allows $networks:expr) => { $crate::mutants::Plant::Allows($networks) };
    (@by $breaks:literal) => { &[$breaks] };
    (@by $breaks:literal, $($check:literal),+) => { &[$($check),+] };
    ($($place:ident $id:literal breaks $breaks:literal $(by [$($check:literal),+])? : $says:literal, $($how:expr),+;)*) => {
        &[$($crate::mutants::Mutant {
            id: $id,
            breaks: $breaks,
            says: $says,
            killed_by: mutants!(@by $breaks $(, $($check),+)?),
            plant: mutants!(@$place $($how),+),
        }),*]
    };
}

mod campaign;
mod delivery;
mod exchange;
mod matrix;
mod proxy;
pub mod tables;

pub use self::campaign::{Campaign, select};
pub use self::delivery::{Fate, Relayed};
pub use self::exchange::{ApiAnswer, ApiRequest, Known};
pub use self::matrix::{Ended, Matrix, Row};
pub use self::proxy::{Proxy, Work};

/// One deviation.
#[derive(Debug)]
pub struct Mutant {
    /// Lower snake case, stable.
    pub id: &'static str,
    /// The statement that it breaks.
    pub breaks: &'static str,
    /// The behaviour of such a server.
    pub says: &'static str,
    /// The checks that have to fail on it.
    pub killed_by: &'static [&'static str],
    /// The place and code of the deviation.
    pub plant: Plant,
}

/// The place where a deviation is planted.
#[derive(Clone, Copy)]
pub enum Plant {
    /// Before the API: changes a request before the server sees it.
    Request(fn(&mut ApiRequest, &Known)),
    /// Before the API: answers in the server's place, where it gives an answer.
    Instead(fn(&ApiRequest, &Known) -> Option<ApiAnswer>),
    /// Before the API: changes the server's answer.
    Answer(fn(&ApiRequest, &mut ApiAnswer, &Known)),
    /// Before the API: each of them where it is needed.
    Both(fn(&mut ApiRequest, &Known), fn(&ApiRequest, &mut ApiAnswer, &Known)),
    /// Between the server and the suite's receiver.
    Delivery(fn(&mut Relayed) -> Fate),
    /// In the numbers of the server's rules: what its lab reads from `L10N_LAB_RULES`, as JSON.
    Rules(&'static str),
    /// In the server's settings: networks that may be reached although they are not public.
    Allows(&'static [&'static str]),
}

impl std::fmt::Debug for Plant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Request(_) | Self::Instead(_) | Self::Answer(_) | Self::Both(..) => "before the API",
            Self::Delivery(_) => "before the receiver",
            Self::Rules(_) => "in the rules",
            Self::Allows(_) => "in the settings",
        })
    }
}

/// Every mutant.
#[must_use]
pub fn all() -> Vec<&'static Mutant> {
    tables::TABLES.iter().flat_map(|table| *table).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::requirement::requirement;

    #[test]
    fn rules_that_deviate_are_json() {
        for mutant in all() {
            if let Plant::Rules(json) = mutant.plant {
                let rules: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json).unwrap();
                assert!(!rules.is_empty(), "{}", mutant.id);
            }
        }
    }

    #[test]
    fn every_mutant_breaks_a_statement_and_is_killed_by_a_check_of_it() {
        let mut seen = BTreeSet::new();
        for mutant in all() {
            assert!(seen.insert(mutant.id), "{} is there twice", mutant.id);
            assert!(requirement(mutant.breaks).is_some(), "{}: {} is no statement", mutant.id, mutant.breaks);
            assert!(!mutant.killed_by.is_empty(), "{}", mutant.id);
            for id in mutant.killed_by {
                let check = crate::checks::all().into_iter().find(|check| check.id == *id);
                assert!(check.is_some(), "{}: {id} is no check", mutant.id);
            }
        }
    }
}
