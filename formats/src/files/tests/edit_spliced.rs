//! Single changes of files that are written by splices.

use l10n_api_types::FormatId;

use crate::files::{EditError, Edited, Editor, by_id};

/// Texts, a group, a number, a group without entries, and a list.
const NESTED: &str = "a: A\nb:\n  c: C\nn: 1\nv: {}\nl:\n- one\n- two\n";

type Change = fn(&mut dyn Editor) -> Result<Edited, EditError>;

fn changed(format: FormatId, text: &str, change: Change) -> (Result<Edited, EditError>, String) {
    let mut file = by_id(format).editor(text.as_bytes()).unwrap();
    let done = change(file.as_mut());
    (done, String::from_utf8(file.bytes()).unwrap())
}

fn written(text: &str, change: Change) -> String {
    let (done, file) = changed(FormatId::Yaml, text, change);
    assert_eq!(done, Ok(Edited::Written), "{file}");
    file
}

fn refused(text: &str, change: Change) -> EditError {
    let (done, file) = changed(FormatId::Yaml, text, change);
    assert_eq!(file, text, "what is refused changes nothing");
    done.unwrap_err()
}

#[test]
fn a_name_that_something_else_has_is_refused() {
    assert_eq!(refused(NESTED, |file| file.rename("a", "b")), EditError::Unwritable("b".into()));
    assert_eq!(refused(NESTED, |file| file.rename("a", "n")), EditError::Unwritable("n".into()));
    assert_eq!(refused(NESTED, |file| file.rename("a", "l")), EditError::Unwritable("l".into()));
    assert_eq!(refused(NESTED, |file| file.rename("b.c", "n")), EditError::Unwritable("n".into()));
    assert_eq!(refused(NESTED, |file| file.rename("b.c", "b")), EditError::Unwritable("b".into()));
    assert_eq!(refused(NESTED, |file| file.add("a", "B")), EditError::Taken("A".into()));
}

#[test]
fn what_stands_in_a_list_keeps_its_place() {
    assert_eq!(refused(NESTED, |file| file.rename("l.0", "x")), EditError::InList("l.0".into()));
    assert_eq!(refused(NESTED, |file| file.remove("l.0")), EditError::InList("l.0".into()));
}

#[test]
fn a_text_is_renamed_in_its_place_or_moved() {
    assert_eq!(written(NESTED, |file| file.rename("b.c", "b.d")), NESTED.replace("c: C", "d: C"));
    let moved = "b:\n  c: C\n  d: A\nn: 1\nv: {}\nl:\n- one\n- two\n";
    assert_eq!(written(NESTED, |file| file.rename("a", "b.d")), moved);
    let into_a_new_group = "b:\n  c: C\nn: 1\nv: {}\nl:\n- one\n- two\nx:\n  \"y\": A\n";
    assert_eq!(written(NESTED, |file| file.rename("a", "x.y")), into_a_new_group);
    // It takes the place of the group without entries.
    assert_eq!(written(NESTED, |file| file.rename("a", "v")), "b:\n  c: C\nn: 1\nv: A\nl:\n- one\n- two\n");
    let into_it = "b:\n  c: C\nn: 1\nv:\n  x: A\nl:\n- one\n- two\n";
    assert_eq!(written(NESTED, |file| file.rename("a", "v.x")), into_it);
}

#[test]
fn a_text_goes_with_the_group_that_it_leaves_empty() {
    assert_eq!(written(NESTED, |file| file.remove("b.c")), NESTED.replace("b:\n  c: C\n", ""));
    assert_eq!(written("b:\n  c: C\n  d: D\n", |file| file.remove("b.c")), "b:\n  d: D\n");
    // Groups that had no texts are not its business.
    assert_eq!(written("a: A\nb:\n  n: 1\n", |file| file.remove("a")), "b:\n  n: 1\n");
    assert_eq!(written("a: A\nb: {}\n", |file| file.remove("a")), "b: {}\n");
}

#[test]
fn a_text_that_was_removed_can_be_added_again() {
    let again = written(NESTED, |file| {
        file.remove("a")?;
        file.add("a", "B")
    });
    assert_eq!(again, NESTED.replace("a: A\n", "") + "a: B\n");
    let (done, file) = changed(FormatId::Yaml, NESTED, |file| file.add("a", "A"));
    assert_eq!((done, file.as_str()), (Ok(Edited::There), NESTED));
}

#[test]
fn a_text_is_added_where_its_name_leads() {
    assert_eq!(written(NESTED, |file| file.add("b.", "B")), format!("{NESTED}b.: B\n"));
    assert_eq!(written("a: A\nw:\n", |file| file.add("w.x", "X")), "a: A\nw:\n  x: X\n");
    assert_eq!(written("a: A\nw:", |file| file.add("w.x", "X")), "a: A\nw:\n  x: X", "the file had no last line end");
    assert_eq!(written("a: A\nw: ", |file| file.add("w", "X")), "a: A\nw: X");
    let php = "<?php\nreturn [\n    'a' => 'A', // why\n];\n";
    let (done, file) = changed(FormatId::Php, php, |file| file.add("c", "C"));
    assert_eq!(done, Ok(Edited::Written));
    assert_eq!(file, "<?php\nreturn [\n    'a' => 'A', // why\n    'c' => 'C',\n];\n");
}

#[test]
fn an_editor_knows_the_texts_of_its_file() {
    for (format, text) in [(FormatId::Yaml, "k:\n  b: B\n"), (FormatId::Json, r#"{"k": {"b": "B"}}"#)] {
        let mut file = by_id(format).editor(text.as_bytes()).unwrap();
        assert!(file.has("k.b") && !file.has("k.c") && !file.has("k"), "{file:?}");
        assert!(format!("{file:?}").contains("texts: 1"), "{file:?}");
        file.add("k.c", "C").unwrap();
        file.remove("k.b").unwrap();
        assert!(file.has("k.c") && !file.has("k.b"), "{file:?}");
    }
}

/// A name of 120 parts leads into groups down to the depth that a file has, and its rest is one name.
#[test]
fn groups_of_a_new_text_are_100_deep_at_most() {
    let file = written(NESTED, |file| {
        let parts: Vec<_> = (1..=120).map(|number| format!("p{number}")).collect();
        file.add(&format!("b.{}", parts.join(".")), "T")
    });
    let depth = |line: &str| (line.len() - line.trim_start().len()) / 2 + 1;
    assert_eq!(file.lines().map(depth).max(), Some(100), "{file}");
}
