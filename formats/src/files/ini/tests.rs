use l10n_api_types::{Content, FormatId};

use crate::files::{EditError, Edited, Entry, by_id};

fn read(text: &str) -> Vec<(String, String)> {
    let document = by_id(FormatId::Ini).parse(text.as_bytes()).unwrap();
    let text = |content| match content {
        Content::Text(text) => text,
        Content::Plural(_) => panic!("ini has no plurals"),
    };
    document.entries.into_iter().map(|entry| (entry.key, text(entry.content))).collect()
}

fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
}

/// The file with one key that says something else.
fn with(file: &str, key: &str, text: &str) -> String {
    let document = by_id(FormatId::Ini).parse(file.as_bytes()).unwrap();
    let own = document.entries.clone();
    let bytes = by_id(FormatId::Ini).render(&document, "ru", &|name| {
        let said = own.iter().find(|entry| entry.key == name).map(|entry| entry.content.clone());
        if name == key { Some(Content::Text(text.to_owned())) } else { said }
    });
    let bytes = String::from_utf8(bytes).unwrap();
    assert_eq!(read(&bytes).into_iter().find(|(name, _)| name == key).unwrap().1, text);
    bytes
}

#[test]
fn keys_have_the_name_of_their_section() {
    let file = "home = Home\r\n[a b]\nx=1 # no comment ; none\ny : 2:3\n[c]\n`a=b` = q\n\"d\"=\n\"e\" f=g\n";
    assert_eq!(
        read(file),
        pairs(&[
            ("home", "Home"),
            ("a b.x", "1 # no comment ; none"),
            ("a b.y", "2:3"),
            ("c.a=b", "q"),
            ("c.d", ""),
            ("c.\"e\" f", "g"),
        ])
    );
}

#[test]
fn values_stand_bare_or_in_quotes() {
    let file = "a=`x\n  y` \nb=\"\"\"q \"r\" `s`\"\"\"\nc=\"it \"\nd='it'\ne=\"a\" and \"b\"\nf=`a` and b\ng=`\r\n`\n";
    assert_eq!(
        read(file),
        pairs(&[
            ("a", "x\n  y"),
            ("b", "q \"r\" `s`"),
            ("c", "it "),
            ("d", "it"),
            ("e", "\"a\" and \"b\""),
            ("f", "`a` and b"),
            ("g", "\n"),
        ])
    );
    assert_eq!(with("a = `x`\n", "a", "y "), "a = `y `\n");
    assert_eq!(with("a = \"x\"\n", "a", "y"), "a = \"y\"\n");
    assert_eq!(with("a = \"x\"\n", "a", "a \"y"), "a = a \"y\n");
    assert_eq!(with("a = x\r\nb=1", "a", " y"), "a = ` y`\r\nb=1");
    assert_eq!(with("a = x\r\nb=1", "a", "y\nz"), "a = `y\r\nz`\r\nb=1");
    assert_eq!(with("a = x\n", "a", "`y`\n"), "a = \"\"\"`y`\n\"\"\"\n");
    assert_eq!(with("a =\n", "a", "\"y\""), "a =`\"y\"`\n");
    assert_eq!(with("a =\n", "a", "c:\\"), "a =`c:\\`\n");
    assert_eq!(with("a =\n", "a", "; y"), "a =; y\n");
}

#[test]
fn what_is_no_entry_is_refused_with_its_place() {
    let refused = |text: &str| by_id(FormatId::Ini).parse(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(refused("a=1\n b\n"), "line 2, column 2: this line is no comment, no `[section]` and no `key = value`");
    assert_eq!(refused("[a"), "line 1, column 1: the name of a section ends with `]`, and nothing follows it");
    assert_eq!(refused("[a] b=1"), "line 1, column 1: the name of a section ends with `]`, and nothing follows it");
    assert_eq!(refused("a=`x\n\n"), "line 1, column 3: the ` is not closed");
    assert_eq!(refused("a=`x\ny` z"), "line 2, column 3: nothing may follow the closing `");
    assert_eq!(refused("a=b\\\nc=d"), "line 1, column 4: a value that ends with a backslash stands in backticks");
    assert!(refused("[a]\nb=1\n[a]\nb=2").starts_with("line 4, column 1: two texts have the key `a.b`"));
    assert!(refused("= 1").contains("is empty"));
}

#[test]
fn sections_and_entries_that_a_file_lacks_come_to_their_place() {
    let merged = |own: &str, published: &str| {
        let merged = by_id(FormatId::Ini).merge(own.as_bytes(), published.as_bytes()).unwrap();
        (String::from_utf8(merged.bytes).unwrap(), merged.kept)
    };
    let own = "; Team\n\nhome=Home\n\n[a]\nx=X\nold=O\n\n[c]\nz=Z";
    let new = "home = Home\nhelp = Help\n[a]\nx = X\ny = Y\n[b]\np = P\nq = Q\n[c]\nz = Z\n[d]\nr = R\n";
    let (text, kept) = merged(own, new);
    assert_eq!(text, "; Team\n\nhome=Home\nhelp=Help\n\n[a]\nx=X\ny=Y\nold=O\n\n[b]\np=P\nq=Q\n\n[c]\nz=Z\n\n[d]\nr=R");
    assert_eq!(kept, ["a.old"]);
    assert_eq!(merged("; Team\n\n[a]\n", "n=1\n[a]\nx=2\n").0, "; Team\nn = 1\n\n[a]\nx = 2\n");
}

#[test]
fn single_texts_are_changed_added_renamed_and_removed() {
    let file = "home=Home\n[a]\n; About x\nx=X\ny=Y\n[b]\n";
    let mut editor = by_id(FormatId::Ini).editor(file.as_bytes()).unwrap();
    assert_eq!(editor.set("a.x", "X", "Z"), Ok(Edited::Written));
    assert_eq!(editor.rename("a.x", "a.w"), Ok(Edited::Written));
    assert_eq!(editor.rename("a.y", "b.y"), Ok(Edited::Written));
    assert_eq!(editor.add("c.d", "D"), Ok(Edited::Written));
    assert_eq!(editor.add("b.n\nm", "N"), Err(EditError::Unwritable("b.n\nm".into())));
    assert_eq!(String::from_utf8(editor.bytes()).unwrap(), "home=Home\nc.d=D\n[a]\n; About x\nw=Z\n[b]\ny=Y\n");
    let entries = [Entry::new("[a=", Content::Text("x".into()))];
    assert_eq!(by_id(FormatId::Ini).render_new("ru", &entries), b"`[a=` = x\n");
}
