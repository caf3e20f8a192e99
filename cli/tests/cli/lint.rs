//! `l10n lint`: checks without a server.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{folder, l10n};

/// The answer of `lint --json` that finds errors, and of each finding its path, line, key, language, check and severity.
pub(crate) async fn errors(folder: &Path, arguments: &[&str]) -> (Value, Vec<Value>) {
    let output = l10n(folder, arguments).run().await;
    assert_eq!(output.status, 14, "{}", output.stderr);
    let answer = output.json();
    let brief =
        |one: &Value| json!([one["path"], one["line"], one["key"], one["language"], one["check"], one["severity"]]);
    let findings = answer["findings"].as_array().unwrap().iter().map(brief).collect();
    (answer, findings)
}

const CONFIG: &str = "base_language = \"en\"\n\n[[files]]\nsource = \"l/{language}.json\"\n\n\
    [[files]]\nsource = \"res/values/strings.xml\"\noutput = \"res/values-{language}/strings.xml\"\n";

fn android(text: &str) -> String {
    format!("<resources>\n    <string name=\"a\">{text}</string>\n</resources>\n")
}

#[tokio::test]
async fn errors_of_all_files_of_the_configuration_are_listed_with_their_lines() {
    let folder = folder(&[
        ("l10n.toml", CONFIG),
        ("l/en.json", "{\n  \"hi\": \"Hi {name}\",\n  \"bye\": \"Bye.\"\n}\n"),
        ("l/de.json", "{\n  \"bye\": \"Tschüss\",\n  \"hi\": \"Hallo\",\n  \"own\": \"{x}\"\n}\n"),
        ("res/values/strings.xml", &android("%1$s {sic}")),
        ("res/values-fr/strings.xml", &android("{voilà}")),
    ]);
    let output = l10n(folder.path(), &["lint", "--json"]).run().await;
    assert_eq!(output.status, 14, "{}", output.stderr);
    let found = output.json();
    let brief: Vec<_> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| json!([finding["path"], finding["line"], finding["key"], finding["check"], finding["severity"]]))
        .collect();
    assert_eq!(
        brief,
        [
            json!(["l/de.json", 2, "bye", "end_punctuation", "warning"]),
            json!(["l/de.json", 3, "hi", "placeholders", "error"]),
            // Braces are words in Android's files, percents are not.
            json!(["res/values-fr/strings.xml", 2, "a", "placeholders", "error"]),
        ]
    );
    assert_eq!((&found["files"], &found["texts"], &found["errors"]), (&json!(2), &json!(3), &json!(2)));
    assert_eq!(found["error"]["exitCode"], json!(14));
    let one = l10n(folder.path(), &["lint", "res/values-fr/strings.xml"]).run().await;
    assert_eq!(one.status, 14);
    assert_eq!(one.stdout, "res/values-fr/strings.xml:2: error: `a` placeholders: placeholders: missing `%1$s`\n");
}

#[tokio::test]
async fn warnings_alone_are_a_success_unless_they_count() {
    let folder = folder(&[("en.json", "{\"a\": \"Done.\"}"), ("de.json", "{\"a\": \"Fertig\"}")]);
    let named = ["lint", "--source", "en.json", "--language", "de", "de.json"];
    let output = l10n(folder.path(), &named).run().await;
    assert_eq!(output.status, 0, "{}", output.stderr);
    assert!(output.stdout.contains("de.json:1: warning: `a` end_punctuation"), "{}", output.stdout);
    assert_eq!(l10n(folder.path(), &[&named[..], &["--strict"]].concat()).run().await.status, 14);
}

#[tokio::test]
async fn a_catalogue_holds_its_source_itself_and_other_files_need_one() {
    let folder = folder(&[
        ("de.po", "msgid \"\"\nmsgstr \"Language: de\\n\"\n\n#, c-format\nmsgid \"%s {a}\"\nmsgstr \"{b}\"\n"),
        ("de.json", "{\"a\": \"A\"}"),
    ]);
    let output = l10n(folder.path(), &["lint", "de.po", "--json"]).run().await;
    assert_eq!(output.status, 14, "{}", output.stderr);
    assert_eq!(output.json()["findings"][0]["message"], json!("placeholders: missing `%1$s`"));
    assert_eq!(output.json()["findings"][0]["line"], json!(5));
    let output = l10n(folder.path(), &["lint", "de.json"]).run().await;
    assert_eq!(output.status, 2);
    assert!(output.stderr.contains("its source is not known"), "{}", output.stderr);
}
