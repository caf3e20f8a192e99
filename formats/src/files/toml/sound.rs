//! Tells files that need no further judge.

use std::collections::{HashMap, HashSet};

use super::rows::{Section, TomlItem, TomlRow};

/// Names of tables with more parts are left to the judge: looking at all that they lie in is no longer cheap.
const MOST_PARTS: usize = 8;

/// Lines that are held against each other one by one.
const FEW: usize = 16;

/// Returns true for a file that every reader takes: all its values are texts, which were read, and no two names meet. False says
/// nothing.
pub(super) fn is_plainly_sound(text: &str, sections: &[Section]) -> bool {
    let mut tables: HashSet<&[String]> = HashSet::with_capacity(sections.len());
    // The tables that lie in a table, by the name of that one.
    let mut inner: HashMap<&[String], HashSet<&str>> = HashMap::new();
    for header in sections.iter().filter_map(|section| section.header.as_ref()) {
        let path = header.path.as_slice();
        if header.is_array || path.len() > MOST_PARTS || !tables.insert(path) {
            return false;
        }
        for (depth, part) in path.iter().enumerate() {
            inner.entry(path.get(..depth).unwrap_or_default()).or_default().insert(part);
        }
    }
    let is_text = |row: &TomlRow| match &row.value {
        TomlItem::Text { .. } => true,
        TomlItem::Pairs(pairs) => have_names_of_their_own(pairs),
        TomlItem::Other => false,
    };
    let holds_texts = |section: &Section| {
        let path = section.header.as_ref().map_or(&[][..], |header| &header.path);
        let is_table = |row: &TomlRow| {
            let tables = inner.get(path).zip(row.key.first());
            tables.is_some_and(|(tables, name)| tables.contains(name.as_str()))
        };
        have_names_of_their_own(&section.rows) && section.rows.iter().all(|row| is_text(row) && !is_table(row))
    };
    !has_odd_characters(text) && sections.iter().all(holds_texts)
}

/// Returns true if the name of each line has one part, and no two are the same.
fn have_names_of_their_own(rows: &[TomlRow]) -> bool {
    let mut names: HashSet<&str> = HashSet::new();
    rows.iter().enumerate().all(|(at, row)| match row.key.as_slice() {
        // Most tables have a few lines, which need no hashes.
        [name] if rows.len() <= FEW => rows.iter().take(at).all(|other| other.key.first() != Some(name)),
        [name] => names.insert(name),
        _ => false,
    })
}

/// Returns true for control characters and line ends that not every place allows.
fn has_odd_characters(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_odd = |(at, byte): (usize, &u8)| match byte {
        b'\t' | b'\n' => false,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        byte => byte.is_ascii_control(),
    };
    bytes.iter().enumerate().any(is_odd)
}

#[cfg(test)]
mod tests {
    use ::toml::de::DeTable;
    use proptest::prelude::*;

    use super::super::rows::sections;
    use super::*;

    #[test]
    fn only_files_that_other_readers_take_are_plainly_sound() {
        let many = |last: &str| (0..20).map(|at| format!("k{at} = 'x'\n")).collect::<String>() + last;
        let cases = [
            ("", true),
            (
                "# é\r\n\r\na = \"x\"\n\n['b c'.d]\none = 'x'\nother = \"\"\"\ny\"\"\"\n[e]\na = { other = 'x', one = 'y' }\n",
                true,
            ),
            ("[a.b]\nc = 'x'\n[a]\nc = 'x'\n", true),
            ("['a.b']\nc = 'x'\n[a]\nb.c = 'x'\n", false),
            (&many("z = 'x'\n"), true),
            (&many("k1 = 'x'\n"), false),
            ("a = 'x'\na = 'y'\n", false),
            ("a = 'x'\n\"a\" = 'y'\n", false),
            ("[a]\n[a]\n", false),
            ("[a.b]\n[a]\nb = 'x'\n", false),
            ("a = 'x'\n[a.b]\n", false),
            ("[a.b]\nc = 'x'\n[a.b.c.d]\n", false),
            ("a = { b = 'x', b = 'y' }\n", false),
            ("a = { b.c = 'x', b = 'y' }\n", false),
            ("a.b = 'x'\na = 'y'\n", false),
            ("[[a]]\n[a]\n", false),
            ("a = 99999999999999999999\n", false),
            ("a = 2001-02-30\n", false),
            ("a = ['x', { b = 1, b = 2 }]\n", false),
            ("# \u{1}\na = 'x'\n", false),
            ("# \u{7f}\na = 'x'\n", false),
            ("# \r\na = 'x'\n", true),
            ("# \rx\na = 'x'\n", false),
        ];
        for (text, is_sound) in cases {
            let taken = DeTable::parse(text).is_ok();
            match sections(text) {
                Ok(sections) => {
                    assert!(taken, "{text}");
                    assert_eq!(is_plainly_sound(text, &sections), is_sound, "{text}");
                }
                Err(_) => assert!(!taken && !is_sound, "{text}"),
            }
        }
    }
    const LINES: [&str; 14] = [
        "[a]",
        "[b]",
        "[a.b]",
        "['a.b']",
        "[a.b.c]",
        "[[a]]",
        "a = 'x'",
        "b = 'x'",
        "\"b\" = 'x'",
        "c = 1",
        "a.b = 'x'",
        "b.c = 'x'",
        "c = { a = 'x', b = 'y' }",
        "b = { c = 'x', c = 'y' }",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn files_are_taken_if_other_readers_take_them(lines in prop::collection::vec(prop::sample::select(&LINES[..]), 0..7)) {
            let text = lines.join("\n");
            prop_assert_eq!(sections(&text).is_ok(), DeTable::parse(&text).is_ok(), "{}", text);
        }
    }
}
