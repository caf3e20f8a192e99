//! TOML files made at random.

use proptest::prelude::*;

fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => Just("a"), 1 => Just("é"), 1 => Just(" "), 1 => Just("{{.Count}}"), 1 => Just("# x"), 1 => Just("="), 1 => Just("[b]"),
    ];
    let text = move || prop::collection::vec(part.clone(), 0..4).prop_map(|parts| parts.concat());
    prop_oneof![
        5 => text().prop_map(|text| format!("\"{text}\"")),
        1 => text().prop_map(|text| format!("\"\\\"{text}\\n\\u00e9\"")),
        2 => text().prop_map(|text| format!("'\\{text}'")),
        1 => text().prop_map(|text| format!("\"\"\"\n{text}\n# \"x\" \\\n  y\"\"\"")),
        1 => text().prop_map(|text| format!("'''{text}'\r\n= ''' ")),
    ]
}

fn row() -> impl Strategy<Value = String> {
    let key = prop_oneof![
        6 => "[abc]{1,2}", 1 => Just("\"a b\"".to_owned()), 1 => Just("'c.d'".to_owned()), 1 => "[abc]\\.[abc]",
    ];
    let value = prop_oneof![
        8 => text(),
        1 => Just("1".to_owned()),
        1 => Just("[\"x\",\n# c\n 'y']".to_owned()),
        1 => text().prop_map(|text| format!("{{ other = {text} }}")),
        1 => Just("{ one = \"x\", other = 'y' }".to_owned()),
        1 => Just("{ x = \"y\" }".to_owned()),
    ];
    let sign = prop_oneof![4 => Just(" = "), 1 => Just("="), 1 => Just("\t= ")];
    let comment = prop_oneof![8 => Just(""), 1 => Just(" # c"), 1 => Just("  ")];
    (key, sign, value, comment).prop_map(|(key, sign, value, comment)| format!("{key}{sign}{value}{comment}"))
}

fn message() -> impl Strategy<Value = String> {
    let name = prop_oneof![4 => "[def]{1,2}", 1 => Just("a.m".to_owned()), 1 => Just("\"d e\".'f.'".to_owned())];
    let rows = (text(), text(), any::<u8>()).prop_map(|(one, other, which)| {
        let mut rows = Vec::new();
        if which & 1 == 1 {
            rows.push("description = \"note\"".to_owned());
        }
        if which & 2 == 2 {
            rows.push(format!("  one = {one}"));
        }
        if which & 4 == 4 {
            rows.push("# comment\nhash = 'sha1-0'".to_owned());
        }
        if which & 56 > 0 {
            rows.push(format!("other = {other} # c"));
        }
        rows
    });
    (name, rows, any::<bool>()).prop_map(|(name, rows, is_table)| {
        if is_table {
            format!("[{name}]\n{}", rows.join("\n"))
        } else {
            let rows = rows.into_iter().filter(|row| !row.starts_with('#'));
            rows.map(|row| format!("{name}.{}", row.trim_start())).collect::<Vec<_>>().join("\n")
        }
    })
}

pub(super) fn file() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        6 => row(), 4 => message(), 2 => "\\[[abc]{1,2}\\]", 1 => Just("[[z]]\ny = \"1\"".to_owned()),
        1 => Just(String::new()), 1 => Just("# note".to_owned()), 1 => Just("  ## x = 1".to_owned()),
        1 => Just("[mixed]\nother = \"o\"\nthis = \"t\"".to_owned()),
    ];
    let end = prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 2 => Just("\n\n")];
    let lines = prop::collection::vec((line, end), 0..8);
    let mark = prop_oneof![9 => Just(""), 1 => Just("\u{feff}")];
    let last = prop_oneof![Just(""), Just("last='1'"), Just("[last]\none='1'\nother=\"2\"")];
    (mark, lines, last).prop_map(|(mark, lines, last)| {
        let lines: String = lines.into_iter().map(|(line, end)| line + end).collect();
        [mark, &lines, last].concat().into_bytes()
    })
}
