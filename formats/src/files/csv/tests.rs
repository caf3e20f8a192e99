//! A test for each trap of tables.

use l10n_api_types::Content;

use super::*;
use crate::files::by_id;

fn format() -> &'static dyn Format {
    by_id(FormatId::Csv)
}

fn parse(text: &str) -> LocalizationFile {
    format().parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

fn pairs(document: &LocalizationFile) -> Vec<(String, String)> {
    let text = |entry: &Entry| match &entry.content {
        Content::Text(text) => (entry.key.clone(), text.clone()),
        Content::Plural(_) => panic!("a plural"),
    };
    document.entries.iter().map(text).collect()
}

fn says(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
}

fn rendered(text: &str, language: &str, said: &[(&str, &str)]) -> String {
    let content =
        |key: &str| said.iter().find(|(own, _)| *own == key).map(|(_, text)| Content::Text((*text).to_owned()));
    String::from_utf8(format().render(&parse(text), language, &content)).unwrap()
}

fn merged(own: &str, new: &str, languages: &[&str]) -> (String, Vec<String>) {
    let merged = format().merge_languages(own.as_bytes(), new.as_bytes(), languages).unwrap();
    (String::from_utf8(merged.bytes).unwrap(), merged.kept)
}

fn refusal(text: &str) -> String {
    format().parse(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn a_key_and_its_text_are_a_file_for_each_language() {
    let file = "Key;Comment;Text;Max length\nhello;On top;\"Hello; you\";20\nbye;;Bye;\n";
    let document = parse(file);
    assert_eq!(pairs(&document), says(&[("hello", "Hello; you"), ("bye", "Bye")]));
    assert_eq!(
        (document.entries[0].description.as_deref(), document.entries[0].max_length),
        (Some("On top"), Some(20))
    );
    assert_eq!(
        rendered(file, "de", &[("hello", "Hallo; \"du\"")]),
        "Key;Comment;Text;Max length\nhello;On top;\"Hallo; \"\"du\"\"\";20\n"
    );
    assert_eq!(rendered("key,en\na,A\n", "pt-BR", &[("a", "B")]), "key,pt-BR\na,B\n");
    assert_eq!(rendered("key,en\na,A\n", "arz", &[("a", "B")]), "key,text\na,B\n");
}

#[test]
fn nothing_comes_before_a_text_that_a_spreadsheet_could_compute() {
    let said = [("a", "=1+1"), ("b", "+x"), ("c", "@y"), ("d", "-z")];
    assert_eq!(rendered("key,text\na,A\nb,B\nc,C\nd,D\n", "de", &said), "key,text\na,=1+1\nb,+x\nc,@y\nd,-z\n");
}

#[test]
fn quotes_stay_where_they_are() {
    assert_eq!(
        rendered("key,text\n\"a\",\"A\"\r\nb,B", "de", &[("a", "x"), ("b", "y, z")]),
        "key,text\n\"a\",\"x\"\r\nb,\"y, z\""
    );
    assert_eq!(rendered("key,text\na,\"A\"\n", "de", &[("a", "A")]), "key,text\na,\"A\"\n");
}

/// Weblate's table: the text of the source is the key where the row has no id.
#[test]
fn source_and_target_stand_side_by_side() {
    let file = "\"location\",\"source\",\"target\",\"id\",\"context\"\n\"a.c:1\",\"Open\",\"Öffnen\",\"\",\"verb\"\n\"\",\"Close\",\"\",\"close\",\"\"\n";
    assert_eq!(format().kind_of(&parse(file)), FileKind::Bilingual);
    assert_eq!(pairs(&parse(file)), says(&[("verb␄Open", "Open"), ("close", "Close")]));
    assert_eq!(pairs(&format().translations(file.as_bytes(), "de").unwrap()), says(&[("verb␄Open", "Öffnen")]));
    let written = rendered(file, "de", &[("close", "Schließen")]);
    assert_eq!(written, file.replace("\"Öffnen\"", "\"\"").replace("\"Close\",\"\"", "\"Close\",\"Schließen\""));
    assert_eq!(format().text_keys(file.as_bytes()).unwrap(), ["verb␄Open"]);
    let (bytes, kept) = merged(file, &written, &["de"]);
    assert_eq!(
        (bytes, kept),
        (file.replace("\"Close\",\"\"", "\"Close\",\"Schließen\""), vec!["verb␄Open".to_owned()])
    );
}

/// Magento's tables have no first row, word their own language anew, and show empty texts.
#[test]
fn a_table_without_names_has_source_and_target() {
    let file = "\"Add to Cart\",\"Add to Cart\"\n\"Gone.\",\"It is gone.\"\nA,\n";
    assert_eq!(pairs(&parse(file)), says(&[("Add to Cart", "Add to Cart"), ("Gone.", "It is gone."), ("A", "A")]));
    assert_eq!(rendered(file, "de", &[("Gone.", "Weg.")]), "\"Gone.\",\"Weg.\"\n");
    let (bytes, kept) = merged(
        "\"Gone.\",\"Fort.\"\n\"Own\",\"Eigen\"\n",
        "\"Add to Cart\",\"In den Korb\"\n\"Gone.\",\"Weg.\"\n",
        &["de"],
    );
    assert_eq!(
        (bytes.as_str(), kept),
        ("\"Add to Cart\",\"In den Korb\"\n\"Gone.\",\"Weg.\"\n\"Own\",\"Eigen\"\n", vec!["Own".to_owned()])
    );
    // A row that would name columns does not come first.
    assert_eq!(rendered("x,y\nkey,text\n", "de", &[("key", "text")]), "x,x\nkey,text\n");
    assert_eq!(pairs(&parse("Hello, you;Hallo, du\na;b\n")), says(&[("Hello, you", "Hallo, du"), ("a", "b")]));
}

#[test]
fn all_languages_are_in_one_table() {
    let godot = ",en,es,ja\nHELLO,Hello!,Hola!,こんにちは!\nPUSH,Push Me!,,押す!\n,,,\nEMPTY,,,\n";
    let document = parse(godot);
    assert_eq!(format().kind_of(&document), FileKind::Multilingual);
    assert_eq!(
        (document.language.as_deref(), pairs(&document)),
        (Some("en"), says(&[("HELLO", "Hello!"), ("PUSH", "Push Me!")]))
    );
    let said = |language: &str| pairs(&format().translations(godot.as_bytes(), language).unwrap());
    assert_eq!(said("es"), says(&[("HELLO", "Hola!")]));
    assert_eq!(said("de"), []);
    assert_eq!(
        rendered(godot, "es", &[("PUSH", "¡Aprétame!")]),
        godot.replace("Hola!", "").replace("Me!,,", "Me!,¡Aprétame!,")
    );
    let with_german =
        ",en,es,ja,de\nHELLO,Hello!,Hola!,こんにちは!,\"Hallo, du!\"\nPUSH,Push Me!,,押す!,\n,,,,\nEMPTY,,,,\n";
    assert_eq!(rendered(godot, "de", &[("HELLO", "Hallo, du!")]), with_german);
    assert_eq!(rendered(godot, "de", &[]), godot);
    assert_eq!(rendered(godot, "en", &[("PUSH", "Push!")]), ",en,es,ja\nPUSH,Push!,,押す!\n,,,\nEMPTY,,,\n");
}

#[test]
fn a_merge_touches_the_languages_that_were_asked() {
    let own = "key,en,de,fr\nb,B,,Bé\na,\"A\",\"Ä\",\n";
    let new = "key,en,de,ru,fr\na,A2,Ah,А,Â\nb,B,Be,,\nc,C,Ce,Ц,\n";
    let (bytes, kept) = merged(own, new, &["de"]);
    assert_eq!((bytes.as_str(), kept.len()), ("key,en,de,fr\nb,B,Be,Bé\na,\"A\",\"Ah\",\n", 0));
    let (bytes, kept) = merged(own, new, &["ru", "fr"]);
    assert_eq!(bytes, "key,en,de,fr,ru\nb,B,,Bé,\na,\"A\",\"Ä\",Â,А\n");
    assert_eq!(kept, ["b"]);
    assert_eq!(merged(own, own, &["de", "fr", "it"]), (own.to_owned(), Vec::new()));
    // Keys come with the whole file alone.
    let whole = format().merge(own.as_bytes(), new.as_bytes()).unwrap();
    assert!(String::from_utf8(whole.bytes).unwrap().contains("\nc,C,Ce,,Ц\n"));
}

/// A table with one language becomes one with several where its path says so.
#[test]
fn a_table_with_one_language_takes_others() {
    let document = parse("keys\ten\na\tA\n");
    let german = |_: &str| Some(Content::Text("Ä".to_owned()));
    let bytes = format().put_language(&document, "de", &german).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), "keys\ten\tde\na\tA\tÄ\n");
    assert_eq!(format().put_language(&parse("key,text\na,A\n"), "de", &german), None);
    assert_eq!(
        merged("keys,pt_BR\na,A\n", "key,pt-BR,zh-Hans\na,A,甲\n", &["zh-Hans"]).0,
        "keys,pt_BR,zh_Hans\na,A,甲\n"
    );
    // It is the source, whose texts and keys stay.
    let own = "key,en\na,A now\n";
    assert_eq!(merged(own, "key,en,de\na,A,Ä\nb,B,Be\n", &["de"]).0, "key,en,de\na,A now,Ä\n");
}

#[test]
fn a_path_says_whether_a_table_holds_all_languages() {
    let path = |path: &str| format().template(path).map(|template| template.has_language());
    assert_eq!((path("gui/text.csv"), path("i18n/{language}.csv")), (Ok(false), Ok(true)));
    assert!(path("../text.csv").is_err() && path("{lang}.csv").is_err());
}

/// A column called `source` has the texts of the one language that has no column.
#[test]
fn a_source_without_a_name_of_its_own_is_written_in_its_place() {
    let table = "key,source,de\na,A,Ä\nb,B,\n,,\n";
    let written = |table: &str, said: &[(&str, &str)]| {
        let said =
            |key: &str| said.iter().find(|(of, _)| *of == key).map(|(_, text)| Content::Text((*text).to_owned()));
        String::from_utf8(format().render(&parse(table), "en", &said)).unwrap()
    };
    assert_eq!(written(table, &[("a", "A"), ("b", "B")]), table);
    assert_eq!(written(table, &[("a", "A now")]), "key,source,de\na,A now,Ä\n,,\n");
    // Where the text is the key, it stays.
    assert_eq!(written("source,de\nA,Ä\nB,\n", &[("A", "A now")]), "source,de\nA,Ä\n");
}

#[test]
fn a_context_describes_a_text_unless_it_is_a_part_of_its_key() {
    let noted = |text: &str| {
        let entry = parse(text).entries.remove(0);
        (entry.key, entry.description)
    };
    let menu = || Some("menu\nA button".to_owned());
    assert_eq!(noted("key,context,comment,en,de\na,menu,A button,A,\n"), ("a".to_owned(), menu()));
    assert_eq!(noted("key,context,text\na,,A\n"), ("a".to_owned(), None));
    let (key, note) = noted("source,context,comment,target\nA,menu,A button,\n");
    assert_eq!((key.as_str(), note.as_deref()), ("menu␄A", Some("A button")));
}

#[test]
fn tables_that_say_different_things_are_not_merged() {
    for (own, new) in [("key,text\na,A\n", "key,en,de\na,A,B\n"), ("key,en,de\na,A,B\n", "key,text\na,A\n")] {
        let error = format().merge(own.as_bytes(), new.as_bytes()).unwrap_err();
        assert!(error.starts_with("one of the tables"), "{error}");
    }
}

#[test]
fn tables_of_other_data_are_refused_with_the_way_out() {
    let said = refusal("id,name,description\n1,A,B\n");
    assert!(
        said.starts_with("line 1, column 1: nothing in the first row says which column holds texts: name"),
        "{said}"
    );
    assert_eq!(
        refusal("key,text\na,A\na,B\n"),
        "line 3, column 1: two rows have the key `a`: this one and the one in line 2; take one of them out"
    );
    assert!(refusal("key,text\na,\"A\n").starts_with("line 2, column 3: the quote that opens"));
    assert!(refusal("key,text\na,\0\n").contains("NUL"));
    assert!(refusal("key,text\n\"a\nb\",x\n").contains("control characters"));
}

#[test]
fn rows_that_say_the_same_are_one_and_are_told() {
    let document = parse("key,text\na,A\nb,B\na,\"A\"\n");
    assert_eq!(pairs(&document), says(&[("a", "A"), ("b", "B")]));
    assert_eq!(document.warnings, ["the key `a` is there twice with the same text, in lines 2 and 4"]);
    assert_eq!(rendered("key,text\na,A\nb,B\na,\"A\"\n", "de", &[("a", "Ä")]), "key,text\na,Ä\na,\"Ä\"\n");
}

#[test]
fn a_table_in_utf_16_stays_so() {
    let utf16 =
        |text: &str| [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let document = format().parse(&utf16("key\ttext\r\na\tA\r\n")).unwrap();
    let bytes = format().render(&document, "de", &|_| Some(Content::Text("Ä".to_owned())));
    assert_eq!(bytes, utf16("key\ttext\r\na\tÄ\r\n"));
}

#[test]
fn texts_are_changed_one_by_one_unless_they_are_keys() {
    let file = "key,en,de\na,A,Ä\nb,B,\n";
    let mut editor = format().editor(file.as_bytes()).unwrap();
    editor.set("a", "A", "A, too").unwrap();
    editor.rename("b", "c").unwrap();
    editor.add("d", "D").unwrap();
    assert_eq!(editor.set("a", "A", "x"), Err(EditError::Differs("A, too".to_owned())));
    assert_eq!(String::from_utf8(editor.bytes()).unwrap(), "key,en,de\na,\"A, too\",Ä\nc,B,\nd,D,\n");
    editor.remove("a").unwrap();
    editor.remove("d").unwrap();
    assert_eq!(String::from_utf8(editor.bytes()).unwrap(), "key,en,de\nc,B,\n");
    let mut editor = format().editor(b"Save,Sichern\n").unwrap();
    assert_eq!(editor.remove("Save"), Err(EditError::InCode("Save".to_owned())));
}

#[test]
fn keys_that_the_source_lacks_are_added_at_its_end() {
    let added = [Entry { description: Some("note".to_owned()), ..Entry::new("new", Content::Text("N, n".to_owned())) }];
    let extended = |text: &str| format().extend(&parse(text), &added).map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(extended("key,en,comment,de\na,A,,\n").unwrap(), "key,en,comment,de\na,A,,\nnew,\"N, n\",note,\n");
    assert_eq!(extended("\"Save\",\"Sichern\"").unwrap(), "\"Save\",\"Sichern\"\n\"new\",\"N, n\"");
    assert_eq!(extended("source,target\nSave,\n"), None);
}
