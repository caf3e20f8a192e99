use l10n_api_types::{Content, FormatId};

use crate::files::{Edited, Entry, by_id, detect};

const FILE: &str = "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<root>\r\n  <!-- \r\n    Microsoft ResX Schema\r\n  -->\r\n  <xsd:schema id=\"root\" xmlns=\"\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" />\r\n  <resheader name=\"version\"><value>2.0</value></resheader>\r\n  <data name=\"Hello.Text\" xml:space=\"preserve\">\r\n    <value>Hello {0:N2} &gt; {{x}} &amp;\r\n  two</value>\r\n    <comment>{Locked=\"Hello\"} Shown &lt; first</comment>\r\n  </data>\r\n  <data name=\"Icon\" type=\"System.Resources.ResXFileRef\"><value>a.ico</value></data>\r\n  <data name=\">>button.Name\" xml:space=\"preserve\"><value>button</value></data>\r\n  <data name=\"Bare\" xml:space=\"preserve\"><value>a > b</value></data>\r\n  <data name=\"Raw\"><value><![CDATA[<a>]]></value></data>\r\n  <data name=\"Empty\"><value /></data>\r\n</root>";

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

#[test]
fn texts_comments_and_hands_are_those_of_the_file() {
    let format = by_id(FormatId::Resx);
    let document = format.parse(FILE.as_bytes()).unwrap();
    let found: Vec<_> = document.entries.iter().map(|entry| (entry.key.as_str(), entry.content.clone())).collect();
    let hello = "Hello {0:N2} > {{x}} &\n  two";
    let expected = [("Hello.Text", hello), ("Bare", "a > b"), ("Raw", "<a>"), ("Empty", "")];
    assert_eq!(found, expected.map(|(key, said)| (key, text(said))));
    assert_eq!(document.entries[0].description.as_deref(), Some("{Locked=\"Hello\"} Shown < first"));
    let out = format.render(&document, "ru", &|_| Some(text("<l'été>\n& \"x\"")));
    let out = String::from_utf8(out).unwrap();
    let expected = FILE
        .replace("Hello {0:N2} &gt; {{x}} &amp;\r\n  two", "&lt;l'été&gt;\r\n&amp; \"x\"")
        .replace("a > b", "&lt;l'été>\r\n&amp; \"x\"")
        .replace("[<a>]", "[<l'été>\r\n& \"x\"]")
        .replace("<value />", "<value >&lt;l'été&gt;\r\n&amp; \"x\"</value>");
    assert_eq!(out, expected);
}

#[test]
fn new_data_is_laid_out_like_the_one_beside_it() {
    let format = by_id(FormatId::Resx);
    let document = format.parse(FILE.as_bytes()).unwrap();
    let entry = Entry { description: Some("d".to_owned()), ..Entry::new("New", text("<")) };
    let out = String::from_utf8(format.extend(&document, std::slice::from_ref(&entry)).unwrap()).unwrap();
    let added = "  <data name=\"New\" xml:space=\"preserve\">\r\n    <value>&lt;</value>\r\n    <comment>d</comment>\r\n  </data>\r\n";
    assert_eq!(out, FILE.replace("</root>", &format!("{added}</root>")));
    let new = format.render_new("de", std::slice::from_ref(&entry));
    assert_eq!(format.parse(&new).unwrap().entries, [entry]);
}

#[test]
fn a_target_file_keeps_its_bytes_and_gets_what_it_lacks() {
    let format = by_id(FormatId::Resx);
    let own = FILE.replace("  <data name=\"Bare\" xml:space=\"preserve\"><value>a > b</value></data>\r\n", "");
    let merged = format.merge(own.as_bytes(), FILE.as_bytes()).unwrap();
    let again = format.merge(&merged.bytes, FILE.as_bytes()).unwrap();
    assert_eq!((again.bytes == merged.bytes, merged.kept.len()), (true, 0));
    let keys = format.text_keys(&merged.bytes).unwrap();
    assert_eq!(keys, ["Hello.Text", "Bare", "Raw", "Empty"]);
}

#[test]
fn single_texts_are_changed_in_place() {
    let mut editor = by_id(FormatId::Resx).editor(FILE.as_bytes()).unwrap();
    assert_eq!(editor.set("Bare", "a > b", "c"), Ok(Edited::Written));
    assert_eq!(editor.rename("Raw", "\"R\""), Ok(Edited::Written));
    assert_eq!(editor.remove("Empty"), Ok(Edited::Written));
    let expected = FILE
        .replace("a > b", "c")
        .replace("\"Raw\"", "\"&quot;R&quot;\"")
        .replace("  <data name=\"Empty\"><value /></data>\r\n", "");
    assert_eq!(String::from_utf8(editor.bytes()).unwrap(), expected);
    editor.add("Icon", "x").unwrap();
}

#[test]
fn resources_are_found_by_their_extension_and_root() {
    let found = |path: &str, text: &str| detect(path, text.as_bytes()).map(|format| format.id()).ok();
    assert_eq!(found("Resources.de.resx", FILE), Some(FormatId::Resx));
    assert_eq!(found("en-us/Resources.resw", "<root/>"), Some(FormatId::Resx));
    assert_eq!(found("a.resx", "<resources/>"), None);
    let refused = |text: &str| by_id(FormatId::Resx).parse(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(refused("<x/>"), "line 1, column 1: a file of .NET resources has the root element `<root>`");
    assert_eq!(refused("<root>\n<data><value>x</value></data></root>"), "line 2, column 1: this `<data>` has no name");
}
