//! The workspace follows ARCHITECTURE.md.

use xtask::circles::{FREE_OF_CIRCLES, shortest_circle};
use xtask::endpoint_names::decisions_by_name;
use xtask::house::{crossed_layers, impurities, missing_places, writes_without_a_turn, wrong_arrows};
use xtask::packages::incomplete_packages;
use xtask::platform::unguarded_unix;
use xtask::root;
use xtask::words::headless_docs;

#[test]
fn every_endpoint_has_its_five_places() {
    assert_eq!(missing_places(&root()).unwrap(), Vec::<String>::new());
}

#[test]
fn crates_depend_along_the_arrows_only() {
    assert_eq!(wrong_arrows(&root()).unwrap(), Vec::<String>::new());
}

#[test]
fn the_formats_bring_no_database_no_runtime_and_no_http() {
    assert_eq!(impurities(&root()).unwrap(), Vec::<String>::new());
}

#[test]
fn layers_of_the_server_never_reach_back() {
    assert_eq!(crossed_layers(&root()).unwrap(), Vec::<String>::new());
}

#[test]
fn handlers_wait_for_a_turn_before_they_write() {
    assert_eq!(writes_without_a_turn(&root()).unwrap(), Vec::<String>::new());
}

#[test]
fn what_only_unix_has_stands_behind_a_guard_where_windows_builds() {
    assert_eq!(unguarded_unix(&root()).unwrap(), Vec::<String>::new());
}

#[test]
fn doc_lines_begin_with_a_subject_or_a_verb() {
    assert_eq!(headless_docs(&root()).unwrap(), Vec::<String>::new());
}

#[test]
fn modules_use_each_other_in_one_direction() {
    for (folder, parts) in FREE_OF_CIRCLES {
        assert_eq!(shortest_circle(&root(), folder, *parts).unwrap(), Vec::<String>::new(), "{folder}");
    }
}

/// Facts about an endpoint stand in its `Endpoint`: retries, hints and messages read them there.
#[test]
fn no_code_decides_by_the_name_of_an_endpoint() {
    assert_eq!(decisions_by_name(&root()).unwrap(), Vec::<String>::new());
}

#[test]
fn packages_have_what_a_registry_and_its_readers_need() {
    assert_eq!(incomplete_packages(&root()).unwrap(), Vec::<String>::new());
}
