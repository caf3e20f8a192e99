use insta::assert_snapshot;

use super::*;
use crate::files::ParseError;
use crate::small_stack::{filled, nested, on_small_stack};

const CAP: usize = 2 * 1024 * 1024;

fn refusal(text: &str) -> String {
    let fault = Tree::parse(text).map(|tree| tree.nodes.len()).unwrap_err();
    let error = ParseError::at(text.as_bytes(), fault.offset, fault.message);
    format!("{}:{}: {}", error.line, error.column, error.message)
}

#[test]
fn every_byte_lies_in_one_node_and_elements_know_their_parts() {
    let text = "<?xml version=\"1.0\"?>\n<!DOCTYPE r [<!ENTITY app 'A&amp;B'>]>\r\n<r a = 'x&app;&#65;' b=\"\">\n<i/>t&amp;&app;<![CDATA[<&]]><!-- c -->é<b ></b></r>\n";
    let tree = Tree::parse(text).unwrap();
    let root = tree.root();
    assert_eq!((tree.name(root), tree.attribute(root, "a").unwrap().as_ref()), ("r", "x&app;A"));
    assert_eq!(tree.attribute_place(root, "b").map(|place| place.len()), Some(0));
    assert_eq!(tree.elements(root).map(|child| tree.name(child)).collect::<Vec<_>>(), ["i", "b"]);
    let ones: Vec<bool> = tree.elements(root).map(|child| tree.is_one_tag(child)).collect();
    assert_eq!(ones, [true, false]);
    let inner = tree.inner(root);
    let parts: String = tree.children(root).map(|child| tree.slice(&tree.nodes[child].range)).collect();
    assert_eq!(parts, tree.slice(&inner));
}

#[test]
fn what_is_not_xml_is_refused_with_its_place() {
    assert_snapshot!(refusal(""), @"1:1: the file has no root element");
    assert_snapshot!(refusal("<r/>\n<s/>"), @"2:1: the file has a second root element: XML has one");
    assert_snapshot!(refusal("<r/>x"), @"1:5: text stands outside of the root element");
    assert_snapshot!(refusal("<r/>&amp;"), @"1:5: a reference stands outside of the root element");
    assert_snapshot!(refusal("<r>\n <a></b></r>"), @"2:5: `b` closes where `a` is open");
    assert_snapshot!(refusal("<r></r></r>"), @"1:8: `r` closes, and is not open");
    assert_snapshot!(refusal("<r><a>"), @"1:4: the element does not end");
    assert_snapshot!(refusal("<r a='1' b='' a='2'/>"), @"1:15: the attribute `a` is there twice");
    assert_snapshot!(refusal("<r a=1/>"), @"1:4: the attribute `a` has no value in quotes");
    assert_snapshot!(refusal("<r a='<'/>"), @"1:7: `<` in an attribute must be `&lt;`");
    assert_snapshot!(refusal("<r a='x'b='y'/>"), @"1:9: an attribute is a blank, a name, `=` and a value in quotes");
    assert_snapshot!(refusal("<r a='&x'/>"), @"1:7: `&` begins no reference: write `&amp;`");
    assert_snapshot!(refusal("<1/>"), @"1:1: `1` is no name of an element");
    assert_snapshot!(refusal("<r>a & b</r>"), @"1:6: `&` begins no reference: write `&amp;`");
    assert_snapshot!(refusal("<r>&nbsp;</r>"), @"1:4: the file declares no entity `nbsp`: write `&amp;` for `&`");
    assert_snapshot!(refusal("<r>&#0;</r>"), @"1:4: `&#0;` is no character that XML can hold");
    assert_snapshot!(refusal("<r>&#xD800;</r>"), @"1:4: `&#xD800;` is no character that XML can hold");
    assert_snapshot!(refusal("<r>]]></r>"), @"1:4: `]]>` ends CDATA, and here is none: write `]]&gt;`");
    assert_snapshot!(refusal("<r>\u{1}</r>"), @"1:4: XML cannot hold the character U+0001");
    assert_snapshot!(refusal("<r><!-- a -- b --></r>"), @"1:11: a comment cannot hold `--`");
    assert_snapshot!(refusal("<r><![CDATA[x"), @"1:4: the CDATA does not end");
    assert_snapshot!(refusal("<r><!--x"), @"1:4: the comment does not end");
    assert_snapshot!(refusal("<r"), @"1:1: the tag does not end");
    assert_snapshot!(refusal(" <?xml version='1.0'?><r/>"), @"1:2: the XML declaration must be the first of the file");
    assert_snapshot!(refusal("<?xml version='1.0' encoding='koi8-r'?><r/>"), @"1:31: the file says that it is `koi8-r`: save it as UTF-8, and say so");
}

#[test]
fn entities_that_could_bring_anything_in_are_refused() {
    assert_snapshot!(refusal("<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><r>&x;</r>"), @"1:23: the entity `x` comes from elsewhere: write its value here");
    assert_snapshot!(refusal("<!DOCTYPE r [<!ENTITY % x 'y'>]><r/>"), @"1:23: parameter entities are not taken");
    assert_snapshot!(refusal("<!DOCTYPE r [%x;]><r/>"), @"1:14: parameter entities are not taken");
    assert_snapshot!(refusal("<!DOCTYPE r [<!ENTITY a 'x'>\n<!ENTITY b '&a;&a;'>]><r/>"), @"2:12: the entity `b` has other entities in it");
    assert_snapshot!(refusal("<r/><!DOCTYPE r>"), @"1:5: the DOCTYPE must stand once, before the root element");
    assert_snapshot!(refusal("<!DOCTYPE r><!DOCTYPE r><r/>"), @"1:13: the DOCTYPE must stand once, before the root element");
    for sound in [
        "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\"><r/>",
        "<!DOCTYPE TS><TS/>",
        "<!DOCTYPE r [ <!-- % & --> <?x %?> <!ELEMENT r (#PCDATA)> <!ENTITY a \"100 % &#37; > [\" > ] ><r>&a;</r>",
    ] {
        assert!(Tree::parse(sound).is_ok(), "{sound}");
    }
}

#[test]
fn text_that_looks_like_a_reference_to_the_files_own_entity_is_told_apart() {
    let tree = Tree::parse("<!DOCTYPE r [<!ENTITY app 'A'>]><r/>").unwrap();
    for (raw, text) in [("&app;", "&app;"), ("&amp;app;", "&amp;app;"), ("&amp;apq;", "&apq;"), ("&amp;amp;", "&amp;")]
    {
        assert_eq!(tree.entities.decoded(raw), text);
        assert_eq!(tree.entities.encoded(text, Escapes::default()), raw);
    }
    assert_eq!(
        Entities::default().encoded("a]]>'\"\u{1}\r", Escapes { greater: false, quotes: true }),
        "a]]&gt;&apos;&quot;\u{fffd}&#13;"
    );
}

#[test]
fn the_worst_files_cost_neither_stack_nor_more_than_linear_time() {
    on_small_stack(|| {
        for unit in [
            "<",
            "<a>",
            "<a ",
            "&",
            "&amp;",
            "&#",
            "</a>",
            "<!--",
            "<![CDATA[",
            "]]>",
            "<?",
            "<!DOCTYPE ",
            "<!ENTITY ",
            " ",
            "\n",
            "a='",
            "\"",
            "é",
            "<a/>",
            "<a b='&",
            "--",
            ";",
            "amp;",
            "[",
            "%",
        ] {
            let _ = Tree::parse(&filled(CAP, unit)).is_ok();
            let whole = filled(CAP / 8, unit);
            for (before, after) in [
                ("<r>", "</r>"),
                ("<r a='", "'/>"),
                ("<r ", "/>"),
                ("<!DOCTYPE r [", "]><r/>"),
                ("<r><!--", "--></r>"),
                ("<r><![CDATA[", "]]></r>"),
                ("<!DOCTYPE r [<!ENTITY a 'x'>]><r>", "</r>"),
                ("<!DOCTYPE r [<!ENTITY a '", "'>]><r>&a;</r>"),
            ] {
                let _ = Tree::parse(&format!("{before}{whole}{after}")).is_ok();
            }
        }
        assert!(Tree::parse(&nested(CAP, "<a>", "", "</a>")).is_err());
        assert!(Tree::parse(&format!("{}{}", "<a>".repeat(128), "</a>".repeat(128))).is_ok());
        let many: String = (0..100_000).map(|number| format!(" a{number}='x'")).collect();
        assert!(Tree::parse(&format!("<r{many}/>")).is_ok());
        let declared: String = (0..50_000).map(|number| format!("<!ENTITY a{number} 'x'>")).collect();
        let used: String = (0..50_000).map(|number| format!("&a{number};")).collect();
        let file = format!("<!DOCTYPE r [{declared}]><r>{used}</r>");
        assert!(Tree::parse(&file).is_ok());
    });
}

#[test]
fn no_cut_and_no_changed_byte_makes_the_reader_panic() {
    let file = "<?xml version='1.0' encoding='utf-8'?><!DOCTYPE r [<!ENTITY a 'x&lt;'>]><r a='&a;'>é<b c=\"d\"/>&amp;<![CDATA[x]]><!--y--></r>";
    for at in 0..file.len() {
        if let Some(cut) = file.get(..at) {
            assert!(Tree::parse(cut).is_err());
        }
        for byte in 0..128_u8 {
            let mut bytes = file.as_bytes().to_vec();
            bytes[at] = byte;
            if let Ok(text) = std::str::from_utf8(&bytes) {
                let _ = Tree::parse(text).is_ok();
            }
        }
    }
}
