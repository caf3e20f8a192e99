//! Planted deviations: proof that the checks can fail.
//!
//! Each is a server that breaks one statement and keeps the others. The checks that it names have to FAIL on it: an error
//! or a timeout does not count.

/// A table of deviations, one row for each: where it is planted, its id, the statement that it breaks, the checks that have to
/// fail on it (where they are others than the check of that id), what such a server does, and how.
macro_rules! mutants {
    (@request $change:expr) => { $crate::mutants::mutant::Plant::Request($change) };
    (@instead $answer:expr) => { $crate::mutants::mutant::Plant::Instead($answer) };
    (@answer $change:expr) => { $crate::mutants::mutant::Plant::Answer($change) };
    (@both $request:expr, $answer:expr) => { $crate::mutants::mutant::Plant::Both($request, $answer) };
    (@log $change:expr) => {
        $crate::mutants::mutant::Plant::Answer(|request, answer, _| {
            $crate::mutants::tables::edit::log(request, answer, $change)
        })
    };
    (@delivery $change:expr) => { $crate::mutants::mutant::Plant::Delivery($change) };
    (@rules $json:expr) => { $crate::mutants::mutant::Plant::Rules($json) };
    (@allows $networks:expr) => { $crate::mutants::mutant::Plant::Allows($networks) };
    (@by $breaks:literal) => { &[$breaks] };
    (@by $breaks:literal, $($check:literal),+) => { &[$($check),+] };
    ($($place:ident $id:literal breaks $breaks:literal $(by [$($check:literal),+])? : $says:literal, $($how:expr),+;)*) => {
        &[$($crate::mutants::mutant::Mutant {
            id: $id,
            breaks: $breaks,
            says: $says,
            killed_by: mutants!(@by $breaks $(, $($check),+)?),
            plant: mutants!(@$place $($how),+),
        }),*]
    };
}

mod delivery;
mod exchange;
mod mutant;
mod proxy;
mod tables;

pub use self::delivery::{RelayAction, Relayed};
pub use self::exchange::{ApiAnswer, ApiRequest, ProxyState};
pub use self::mutant::{Mutant, Plant};
pub use self::proxy::{Proxy, ProxyConfig};
pub use self::tables::all;
