use super::*;

fn graph(files: &[(&str, &str)], parts: GraphScope) -> Graph {
    let file = |path: &str| files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned());
    Graph::of(&Crate::read("src", &file).unwrap(), parts)
}

fn circle(files: &[(&str, &str)]) -> Vec<String> {
    graph(files, GraphScope::Files).shortest_circle()
}

#[test]
fn the_shortest_circle_is_told_edge_by_edge() {
    let files = [
        ("src/lib.rs", "mod a;\nmod b;\nmod c;\n"),
        ("src/a.rs", "use crate::c::C;\n\nuse crate::b::B;\npub struct A;\n"),
        ("src/b.rs", "pub struct B;\nfn f() -> super::c::C { todo!() }\n"),
        ("src/c.rs", "pub struct C;\nfn g() {\n    assert!(crate::a::A == 1);\n}\n"),
    ];
    assert_eq!(
        circle(&files),
        ["src/a.rs:1: src/a.rs uses src/c.rs by `crate::c::C`", "src/c.rs:3: src/c.rs uses src/a.rs by `crate::a::A`"]
    );
    assert_eq!(graph(&files, GraphScope::Files).knots(), [["src/a.rs", "src/b.rs", "src/c.rs"]]);
}

#[test]
fn a_reexport_belongs_to_its_definer_and_makes_no_edge_by_itself() {
    let files = [
        ("src/lib.rs", "mod a;"),
        (
            "src/a/mod.rs",
            "mod one;\nmod two;\npub(crate) use self::one::*;\npub(crate) use self::two::{self as second, Two};\n",
        ),
        ("src/a/one.rs", "pub struct One;\n"),
        ("src/a/two.rs", "use super::One;\npub struct Two;\n"),
    ];
    assert_eq!(circle(&files), Vec::<String>::new());
}

#[test]
fn a_helper_in_a_module_that_calls_its_children_makes_a_circle() {
    let files = [
        ("src/main.rs", "mod a;"),
        ("src/a.rs", "mod one;\nfn all() { one::run() }\nfn helper() {}\n"),
        ("src/a/one.rs", "pub fn run() { super::helper() }\n"),
    ];
    let edges = [
        "src/a.rs:2: src/a.rs uses src/a/one.rs by `one::run`",
        "src/a/one.rs:1: src/a/one.rs uses src/a.rs by `super::helper`",
    ];
    assert_eq!(circle(&files), edges);
}

#[test]
fn renamed_modules_and_items_are_followed() {
    let files = [
        ("src/lib.rs", "mod a;\nmod b;"),
        ("src/a.rs", "use crate::b as other;\npub fn f() { other::g() }\n"),
        ("src/b.rs", "use crate::a::f as called;\npub fn g() { called() }\n"),
    ];
    assert_eq!(circle(&files).len(), 2);
}

#[test]
fn tests_fields_methods_and_other_crates_make_no_edge() {
    let files = [
        ("src/lib.rs", "mod a;\nmod b;\npub use a::run;\nfn f(x: X) { x.run(); Y { run: 1 }; }\n"),
        (
            "src/a.rs",
            "use std::b::B;\npub fn run() {}\n#[cfg(test)]\nmod tests { use crate::b::C; }\n#[cfg(test)]\nuse crate::b::C;\n",
        ),
        ("src/b.rs", "use crate::a::run;\npub struct C;\n#[cfg(test)]\nmod tests;\n"),
    ];
    assert_eq!(circle(&files), Vec::<String>::new());
}

#[test]
fn files_of_one_top_module_are_one_part() {
    let files = [
        ("src/lib.rs", "mod a;\nmod b;\nmod c {\n    pub struct C;\n}\n"),
        ("src/a/mod.rs", "mod one;\nfn all() { one::run(crate::b::B, crate::c::C) }\npub fn helper() {}\n"),
        ("src/a/one.rs", "pub fn run() { super::helper() }\n"),
        ("src/b.rs", "pub struct B;\n"),
    ];
    assert_eq!(graph(&files, GraphScope::Files).shortest_circle().len(), 2);
    assert_eq!(graph(&files, GraphScope::TopModules).shortest_circle(), Vec::<String>::new());
}
