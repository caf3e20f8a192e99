use std::collections::BTreeMap;

use l10n_api_types::{Content, FormatId, Plural, PluralCategory};

use crate::files::{Entry, by_id};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n<dict>\n";
const TAIL: &str = "</dict>\n</plist>\n";

const ONE: &str = "\t<!-- Shown below -->\n\t<key>%d files</key>\n\t<dict>\n\t\t<key>NSStringLocalizedFormatKey</key>\n\t\t<string>%#@files@</string>\n\t\t<key>files</key>\n\t\t<dict>\n\t\t\t<key>NSStringFormatSpecTypeKey</key>\n\t\t\t<string>NSStringPluralRuleType</string>\n\t\t\t<key>NSStringFormatValueTypeKey</key>\n\t\t\t<string>ld</string>\n\t\t\t<key>one</key>\n\t\t\t<string>%ld file</string>\n\t\t\t<key>other</key>\n\t\t\t<string>%ld files &amp; more</string>\n\t\t</dict>\n\t</dict>\n";

const TWO: &str = "\t<key>two</key>\n\t<dict>\n\t\t<key>NSStringLocalizedFormatKey</key>\n\t\t<string>%1$#@a@ of %2$#@b@</string>\n\t\t<key>a</key>\n\t\t<dict>\n\t\t\t<key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>\n\t\t\t<key>other</key><string>%d</string>\n\t\t</dict>\n\t\t<key>b</key>\n\t\t<dict>\n\t\t\t<key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>\n\t\t\t<key>other</key><string/>\n\t\t</dict>\n\t</dict>\n";

const WIDE: &str = "\t<key>wide</key>\n\t<dict>\n\t\t<key>NSStringVariableWidthRuleType</key>\n\t\t<dict><key>20</key><string>x</string></dict>\n\t</dict>\n";

fn file(inside: &[&str]) -> String {
    format!("{HEAD}{}{TAIL}", inside.concat())
}

fn plural(arg: &str, forms: &[(PluralCategory, &str)]) -> Content {
    let forms = forms.iter().map(|(category, text)| (*category, (*text).to_owned())).collect();
    Content::Plural(Plural { arg: arg.to_owned(), forms })
}

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

use PluralCategory::{Few, Many, One, Other};

#[test]
fn a_format_of_one_variable_is_a_plural_and_others_are_texts_with_plurals() {
    let document = by_id(FormatId::AppleStringsdict).parse(file(&[ONE, TWO, WIDE]).as_bytes()).unwrap();
    let expected = [
        Entry {
            description: Some("Shown below".to_owned()),
            ..Entry::new("%d files", plural("files", &[(One, "%ld file"), (Other, "%ld files & more")]))
        },
        Entry::new("two", text("%1$#@a@ of %2$#@b@")),
        Entry::new("two.a", plural("a", &[(Other, "%d")])),
        Entry::new("two.b", plural("b", &[(Other, "")])),
    ];
    assert_eq!(document.entries, [expected.as_slice(), &[Entry::new("wide|==|width.20", text("x"))]].concat());
    assert!(document.warnings.is_empty());
}

const DEVICES: &str = "\t<!-- On the button -->\n\t<key>go</key>\n\t<dict>\n\t\t<key>NSStringDeviceSpecificRuleType</key>\n\t\t<dict>\n\t\t\t<key>iphone</key>\n\t\t\t<string>Tap</string>\n\t\t\t<key>ipad</key>\n\t\t\t<dict>\n\t\t\t\t<key>NSStringVariableWidthRuleType</key>\n\t\t\t\t<dict>\n\t\t\t\t\t<key>5</key>\n\t\t\t\t\t<string>Tap</string>\n\t\t\t\t\t<key>040</key>\n\t\t\t\t\t<string>Tap &amp; hold</string>\n\t\t\t\t</dict>\n\t\t\t</dict>\n\t\t\t<key>mac</key>\n\t\t\t<dict>\n\t\t\t\t<key>NSStringLocalizedFormatKey</key>\n\t\t\t\t<string>%#@n@</string>\n\t\t\t\t<key>n</key>\n\t\t\t\t<dict>\n\t\t\t\t\t<key>NSStringFormatSpecTypeKey</key>\n\t\t\t\t\t<string>NSStringPluralRuleType</string>\n\t\t\t\t\t<key>one</key>\n\t\t\t\t\t<string>%d click</string>\n\t\t\t\t\t<key>other</key>\n\t\t\t\t\t<string>%d clicks</string>\n\t\t\t\t</dict>\n\t\t\t</dict>\n\t\t</dict>\n\t</dict>\n";

#[test]
fn texts_for_widths_and_devices_are_entries_that_come_together() {
    let format = by_id(FormatId::AppleStringsdict);
    let source = file(&[DEVICES, ONE]);
    let document = format.parse(source.as_bytes()).unwrap();
    let of = |key: &str, content: Content| Entry {
        description: Some("On the button".to_owned()),
        ..Entry::new(key, content)
    };
    let expected = [
        of("go|==|device.iphone", text("Tap")),
        of("go|==|device.ipad.width.5", text("Tap")),
        of("go|==|device.ipad.width.040", text("Tap & hold")),
        of("go|==|device.mac", plural("n", &[(One, "%d click"), (Other, "%d clicks")])),
    ];
    assert_eq!(document.entries[..4], expected);
    assert!(document.warnings.is_empty());
    let said = |key: &str| match key {
        "go|==|device.iphone" => Some(text("Нажми")),
        "go|==|device.mac" => Some(plural("n", &[(One, "1"), (Few, "2"), (Many, "5"), (Other, "x")])),
        key => document.entries.iter().find(|entry| entry.key == key).map(|entry| entry.content.clone()),
    };
    let out = String::from_utf8(format.render(&document, "ru", &said)).unwrap();
    let form =
        |category: &str, text: &str| format!("\t\t\t\t\t<key>{category}</key>\n\t\t\t\t\t<string>{text}</string>\n");
    let expected = source
        .replacen("<string>Tap</string>", "<string>Нажми</string>", 1)
        .replace(&form("one", "%d click"), &[form("one", "1"), form("few", "2"), form("many", "5")].concat())
        .replace("%d clicks", "x");
    assert_eq!(out, expected);
    // Half of an entry would leave a device without a text.
    let half = |key: &str| said(key).filter(|_| !key.ends_with("040"));
    let own = |key: &str| half(key).filter(|_| key.starts_with("go")).or_else(|| said(key));
    assert_eq!(
        String::from_utf8(format.render(&document, "en", &|key| half(key).and(own(key)))).unwrap(),
        file(&[ONE])
    );
    // A target file gets all of it, once.
    let merged = format.merge(file(&[ONE]).as_bytes(), source.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(merged.bytes).unwrap(), source);
    let mut editor = format.editor(source.as_bytes()).unwrap();
    assert!(editor.rename("go|==|device.iphone", "x").is_err());
}

#[test]
fn other_rules_stay_as_they_are_with_a_warning() {
    let format = by_id(FormatId::AppleStringsdict);
    let odd = [
        DEVICES.replace("<string>%#@n@</string>", "<string>%#@n@ %@</string>"),
        DEVICES.replace("NSStringVariableWidthRuleType", "NSStringDeviceSpecificRuleType"),
        DEVICES.replace("NSStringDeviceSpecificRuleType", "NSStringGenderRuleType"),
        DEVICES.replace("<string>Tap</string>", "<integer>1</integer>"),
        "<key>go</key><dict/>".to_owned(),
        "<key>go</key><dict><key>NSStringVariableWidthRuleType</key><dict/></dict>".to_owned(),
    ];
    for odd in odd {
        let source = file(&[&odd, ONE]);
        let document = format.parse(source.as_bytes()).unwrap();
        assert_eq!(document.entries.len(), 1, "{odd}");
        let warning = "`go` is left as it is: it has neither a format nor a rule for widths or devices alone";
        assert_eq!(document.warnings, [warning]);
        let russian = plural("files", &[(Other, "x")]);
        let out = String::from_utf8(format.render(&document, "ja", &|_| Some(russian.clone()))).unwrap();
        assert!(out.contains(&odd), "{out}");
    }
}

#[test]
fn categories_of_the_language_come_after_the_one_before_them() {
    let format = by_id(FormatId::AppleStringsdict);
    let source = file(&[ONE]);
    let document = format.parse(source.as_bytes()).unwrap();
    let russian = plural("files", &[(One, "1"), (Few, "2 <"), (Many, "5"), (Other, "x")]);
    let out = String::from_utf8(format.render(&document, "ru", &|_| Some(russian.clone()))).unwrap();
    let form = |category: &str, text: &str| format!("\t\t\t<key>{category}</key>\n\t\t\t<string>{text}</string>\n");
    let expected = source
        .replace(&form("one", "%ld file"), &[form("one", "1"), form("few", "2 &lt;"), form("many", "5")].concat())
        .replace("%ld files &amp; more", "x");
    assert_eq!(out, expected);
    let japanese = plural("files", &[(Other, "x")]);
    let out = String::from_utf8(format.render(&document, "ja", &|_| Some(japanese.clone()))).unwrap();
    let expected = source.replace(&form("one", "%ld file"), "").replace("%ld files &amp; more", "x");
    assert_eq!(out, expected);
}

#[test]
fn the_texts_of_one_entry_come_and_go_together() {
    let format = by_id(FormatId::AppleStringsdict);
    let source = file(&[ONE, TWO, WIDE]);
    let document = format.parse(source.as_bytes()).unwrap();
    let without = |gone: &str| {
        let own = |key: &str| document.entries.iter().find(|entry| entry.key == key).map(|entry| entry.content.clone());
        String::from_utf8(format.render(&document, "en", &|key| own(key).filter(|_| key != gone))).unwrap()
    };
    assert_eq!(without("%d files"), file(&[TWO, WIDE]));
    assert_eq!(without("two.a"), file(&[ONE, WIDE]));
}

#[test]
fn new_plurals_have_the_types_that_the_system_asks_for() {
    let format = by_id(FormatId::AppleStringsdict);
    let entries = [
        Entry::new("%d files", plural("files", &[(One, "%ld file"), (Other, "%ld files & more")])),
        Entry::new("title", text("Title")),
    ];
    let new = String::from_utf8(format.render_new("en", &entries)).unwrap();
    let one = ONE.replace("\t<!-- Shown below -->\n", "");
    let title = "\t<key>title</key>\n\t<dict>\n\t\t<key>NSStringLocalizedFormatKey</key>\n\t\t<string>Title</string>\n\t</dict>\n";
    assert_eq!(new, file(&[&one, title]));
    assert_eq!(format.parse(new.as_bytes()).unwrap().entries, entries);
    let wide = entries.first().map(|_| Entry::new("n", plural("n", &[(Other, "100 %% of %2$@ and %1$lu")]))).unwrap();
    assert!(String::from_utf8(format.render_new("en", &[wide])).unwrap().contains("<string>lu</string>"));
}

#[test]
fn a_target_file_keeps_its_bytes_and_gets_what_it_lacks() {
    let format = by_id(FormatId::AppleStringsdict);
    let published = file(&[ONE]).replace("%ld file<", "один<");
    let merged = format.merge(file(&[WIDE, ONE]).as_bytes(), published.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(merged.bytes).unwrap(), file(&[WIDE, ONE]).replace("%ld file<", "один<"));
    let merged = format.merge(file(&[WIDE]).as_bytes(), published.as_bytes()).unwrap();
    let again = format.merge(&merged.bytes, published.as_bytes()).unwrap();
    assert_eq!(again.bytes, merged.bytes);
    assert_eq!(format.text_keys(&merged.bytes).unwrap(), ["%d files", "wide|==|width.20"]);
}

#[test]
fn what_is_no_property_list_of_plurals_is_refused_with_its_place() {
    let refused = |text: &str| by_id(FormatId::AppleStringsdict).parse(text.as_bytes()).unwrap_err().to_string();
    assert!(refused("<plist><array/></plist>").starts_with("line 1, column 1: a property list of plurals"));
    assert!(refused("bplist00").contains("text stands outside"));
    assert_eq!(refused(&file(&["<key>a</key>"])), "line 5, column 1: `a` has no value");
    assert_eq!(refused(&file(&["<string/>"])), "line 5, column 1: a value of a `<dict>` has no `<key>` before it");
    let twice = ONE.replace("<key>one</key>", "<key>other</key>");
    assert!(refused(&file(&[&twice])).ends_with("`files` has two texts for other"));
}

/// The texts of a property list, as another reader finds them: text by key, variable and category.
fn of_plist(bytes: &[u8]) -> BTreeMap<(String, String, String), String> {
    let value = plist::Value::from_reader_xml(std::io::Cursor::new(bytes)).unwrap();
    let mut found = BTreeMap::new();
    for (key, entry) in value.as_dictionary().unwrap() {
        let Some(entry) = entry.as_dictionary() else { continue };
        let widths = entry.get("NSStringVariableWidthRuleType").and_then(plist::Value::as_dictionary);
        for (width, text) in widths.into_iter().flatten() {
            let key = format!("{key}|==|width.{width}");
            found.insert((key, String::new(), String::new()), text.as_string().unwrap().to_owned());
        }
        let Some(format) = entry.get("NSStringLocalizedFormatKey").and_then(plist::Value::as_string) else { continue };
        let variables: Vec<_> = entry.iter().filter_map(|(name, value)| Some((name, value.as_dictionary()?))).collect();
        let is_alone = variables.len() == 1 && format == format!("%#@{}@", variables[0].0);
        if !is_alone {
            found.insert((key.clone(), String::new(), String::new()), format.to_owned());
        }
        for (name, variable) in variables {
            let key = if is_alone { key.clone() } else { format!("{key}.{name}") };
            for category in ["zero", "one", "two", "few", "many", "other"] {
                if let Some(text) = variable.get(category).and_then(plist::Value::as_string) {
                    found.insert((key.clone(), name.clone(), category.to_owned()), text.to_owned());
                }
            }
        }
    }
    found
}

/// Law 6.
#[test]
fn another_reader_of_property_lists_finds_the_same_texts() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/samples/apple-stringsdict");
    let mut files: Vec<Vec<u8>> = match std::fs::read_dir(&folder) {
        Ok(files) => files.map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect(),
        Err(_) => {
            eprintln!("SKIPPED: ../shared/samples/apple-stringsdict is not there");
            Vec::new()
        }
    };
    files.push(file(&[ONE, TWO, WIDE]).into_bytes());
    for bytes in files {
        let mut own = BTreeMap::new();
        for entry in by_id(FormatId::AppleStringsdict).parse(&bytes).unwrap().entries {
            match entry.content {
                Content::Text(text) => {
                    own.insert((entry.key, String::new(), String::new()), text);
                }
                Content::Plural(plural) => own.extend(
                    plural
                        .forms
                        .into_iter()
                        .map(|(category, text)| ((entry.key.clone(), plural.arg.clone(), category.to_string()), text)),
                ),
            }
        }
        assert_eq!(own, of_plist(&bytes));
    }
}
