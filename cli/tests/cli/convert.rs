//! `l10n convert`: from one format into another, without a server.

use serde_json::json;

use crate::support::{folder, l10n};

const ANDROID: &str = "<resources>\n    <!-- Shown first -->\n    <string name=\"hi\">Hi %1$s {sic}</string>\n    \
    <plurals name=\"files\">\n        <item quantity=\"one\">one file</item>\n        \
    <item quantity=\"other\">%d files</item>\n    </plurals>\n</resources>\n";

#[tokio::test]
async fn what_the_new_format_holds_stays_and_the_rest_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("strings.xml"), ANDROID).unwrap();
    let output = l10n(folder.path(), &["convert", "strings.xml", "en.properties", "--json"]).run().await;
    assert_eq!(output.status, 0, "{}", output.stderr);
    let written = std::fs::read_to_string(folder.path().join("en.properties")).unwrap();
    assert_eq!(written, "# Shown first\nhi=Hi %1$s {sic}\nfiles=%d files\n");
    let found = output.json();
    assert_eq!((&found["from"], &found["to"], &found["texts"]), (&json!("android"), &json!("properties"), &json!(2)));
    assert_eq!(
        found["lost"],
        json!([
            {"what": "plurals that are one text now", "keys": ["files"]},
            // A comment that begins a file of properties is the file's.
            {"what": "descriptions", "keys": ["hi"]},
            {"what": "placeholders of another syntax, which the new format reads otherwise", "keys": ["hi"]},
        ])
    );
    assert!(output.stderr.contains("plurals that are one text now: 1: `files`"), "{}", output.stderr);
}

#[tokio::test]
async fn lists_stay_lists_or_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let list = "en:\n  a: A\n  days:\n    - Mo\n    - Tu\n";
    std::fs::write(folder.path().join("en.yml"), "en:\n  a: A\n  days: [Mo, 'Tu']\n").unwrap();
    let yaml = l10n(folder.path(), &["convert", "en.yml", "out.yml", "--json"]).run().await;
    assert_eq!((yaml.status, &yaml.json()["lost"]), (0, &json!([])), "{}", yaml.stderr);
    assert_eq!(std::fs::read_to_string(folder.path().join("out.yml")).unwrap(), list);
    let told = l10n(folder.path(), &["convert", "en.yml", "out.properties", "--json"]).run().await;
    let what = "items of lists, which have names now";
    let lost = json!({"what": what, "keys": ["days.0", "days.1"]});
    assert!(told.json()["lost"].as_array().unwrap().contains(&lost), "{}", told.stderr);
    let i18next = ["convert", "en.yml", "en.json", "--to", "i18next"];
    let output = l10n(folder.path(), &i18next).run().await;
    assert!(output.status == 0 && !output.stderr.contains(what), "{}", output.stderr);
    let written = std::fs::read(folder.path().join("en.json")).unwrap();
    let written: serde_json::Value = serde_json::from_slice(&written).unwrap();
    assert_eq!(written, json!({"a": "A", "days": ["Mo", "Tu"]}));
}

#[tokio::test]
async fn a_file_that_is_there_is_not_replaced_unless_told_to() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("en.json"), "{\"a\": \"A\"}").unwrap();
    std::fs::write(folder.path().join("en.xml"), "mine").unwrap();
    let convert = ["convert", "en.json", "en.xml", "--to", "android"];
    let output = l10n(folder.path(), &convert).run().await;
    assert_eq!(output.status, 2);
    assert!(output.stderr.contains("en.xml is there already"), "{}", output.stderr);
    assert_eq!(std::fs::read_to_string(folder.path().join("en.xml")).unwrap(), "mine");
    assert_eq!(l10n(folder.path(), &[&convert[..], &["--force"]].concat()).run().await.status, 0);
    assert!(std::fs::read_to_string(folder.path().join("en.xml")).unwrap().contains("<string name=\"a\">A</string>"));
}

#[tokio::test]
async fn translations_of_a_catalogue_come_with_their_language() {
    let folder = tempfile::tempdir().unwrap();
    let catalogue =
        "msgid \"\"\nmsgstr \"Language: de\\n\"\n\nmsgid \"Save\"\nmsgstr \"Sichern\"\n\nmsgid \"No\"\nmsgstr \"\"\n";
    std::fs::write(folder.path().join("de.po"), catalogue).unwrap();
    let named = ["convert", "de.po", "de.json", "--to", "json", "--language", "de"];
    let output = l10n(folder.path(), &named).run().await;
    assert_eq!(output.status, 0, "{}", output.stderr);
    let written: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("de.json")).unwrap()).unwrap();
    assert_eq!(written, json!({"Save": "Sichern"}));
    // Which of the JSON formats is meant, nobody can know.
    assert_eq!(l10n(folder.path(), &["convert", "de.po", "x.json"]).run().await.status, 2);
}

#[tokio::test]
async fn placeholders_of_fluent_are_none_of_other_formats() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("en.ftl"), "hi = Hi { $name }!\nbye = Bye\n").unwrap();
    for to in ["i18next", "json", "gettext"] {
        let out = format!("{to}.out");
        let output = l10n(folder.path(), &["convert", "en.ftl", &out, "--to", to, "--json"]).run().await;
        assert_eq!(output.status, 0, "{}", output.stderr);
        let lost = json!([
            {"what": "placeholders of another syntax, which the new format reads otherwise", "keys": ["hi"]},
        ]);
        assert_eq!(output.json()["lost"], lost, "{to}");
    }
}

/// The table knows both texts, and the command the language of the source.
#[tokio::test]
async fn xliff_made_from_a_table_has_its_source_and_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let read = |path: &str| std::fs::read_to_string(folder.path().join(path)).unwrap();
    std::fs::write(folder.path().join("texts.csv"), "key,source,target\nhi,Hi & bye,Hallo\nno,No,\n").unwrap();
    let languages = ["--source-language", "en", "--language", "de"];
    let output = l10n(folder.path(), &[&["convert", "texts.csv", "de.xlf"], &languages[..]].concat()).run().await;
    assert_eq!(output.status, 0, "{}", output.stderr);
    let one = read("de.xlf");
    assert!(
        one.contains(
            "<file original=\"texts.csv\" source-language=\"en\" target-language=\"de\" datatype=\"plaintext\">"
        ),
        "{one}"
    );
    assert!(one.contains("<source>Hi &amp; bye</source>") && one.contains("<target>Hallo</target>"), "{one}");
    let to = ["convert", "texts.csv", "two.xlf", "--to", "xliff-2"];
    assert_eq!(l10n(folder.path(), &[&to[..], &languages[..]].concat()).run().await.status, 0);
    let two = read("two.xlf");
    assert!(
        two.contains("srcLang=\"en\" trgLang=\"de\"") && two.contains("<file id=\"f1\" original=\"texts.csv\">"),
        "{two}"
    );
    // Without a translation's language, what is there is the source.
    std::fs::write(folder.path().join("en.json"), "{\"a\": \"Open\"}").unwrap();
    std::fs::write(folder.path().join("en.arb"), "{\"@@locale\": \"en\", \"a\": \"Open\"}").unwrap();
    for (input, out, named, language) in [
        ("texts.csv", "sources.xlf", Some("en"), "en"),
        ("en.json", "json.xliff", Some("en"), "en"),
        ("en.json", "unnamed.xliff", None, "und"),
        ("en.arb", "arb.xliff", None, "en"),
    ] {
        let named: Vec<&str> = named.into_iter().flat_map(|code| ["--source-language", code]).collect();
        let output = l10n(folder.path(), &[&["convert", input, out], &named[..]].concat()).run().await;
        assert_eq!(output.status, 0, "{}", output.stderr);
        assert!(!output.stderr.contains("warning"), "{}", output.stderr);
        let written = read(out);
        let language = format!("source-language=\"{language}\" datatype");
        assert!(written.contains(&language) && !written.contains("<target>"), "{written}");
        assert!(input == "texts.csv" || written.contains("<source>Open</source>"), "{written}");
    }
}

/// Others write to the same output before and afterwards.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_output_that_others_share_gets_the_texts_alone_and_loses_nothing() {
    let folder = folder(&[("en.json", "{\"a\": \"A\"}")]);
    let written = |script: &str| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_l10n")]).current_dir(folder.path()).env_clear();
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
        (String::from_utf8(output.stdout).unwrap(), std::fs::read_to_string(folder.path().join("out")).unwrap())
    };
    let alone = (String::new(), "header\na=A\nfooter\n".to_owned());
    for name in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/../dev/stdout"] {
        for flags in ["", "--json"] {
            let convert = format!("\"$0\" convert en.json {name} --to properties {flags}");
            assert_eq!(written(&format!("{{ echo header; {convert}; echo footer; }} > out")), alone, "{name} {flags}");
            assert_eq!(written(&format!(": > out; {convert} | cat > out")).1, "a=A\n", "{name} {flags}");
        }
    }
    // An open file of another number, and the program's own errors.
    for (name, open) in [("/dev/fd/3", "3>> out"), ("/dev/stderr", "2> out")] {
        let convert = format!("\"$0\" convert en.json {name} --to properties --force --quiet");
        let script = format!("{{ echo header >&{0}; {convert}; echo footer >&{0}; }} {open}", &open[..1]);
        assert_eq!(written(&format!(": > out; {script}")), alone, "{name}");
    }
}

#[tokio::test]
async fn a_hyphen_is_the_stream_on_both_sides() {
    let folder = folder(&[]);
    let convert = ["convert", "-", "-", "--from", "json", "--to", "arb", "--json"];
    let output = l10n(folder.path(), &convert).stdin("{\"a\": \"A\"}").run().await;
    assert_eq!((output.status, output.json()["a"].as_str()), (0, Some("A")), "{}", output.stderr);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let broken = l10n(folder.path(), &convert).stdin("{").run().await;
    assert!(broken.status == 2 && broken.stderr.starts_with("error: stdin:1:2: "), "{}", broken.stderr);
    let unnamed = l10n(folder.path(), &["convert", "-", "-"]).stdin("key,source\n").run().await;
    assert!(unnamed.status == 2 && unnamed.stderr.contains("hint: say `--"), "{}", unnamed.stderr);
    let xliff = ["convert", "-", "-", "--from", "json", "--to", "xliff-1.2", "--source-language", "en"];
    let xliff = l10n(folder.path(), &xliff).stdin("{\"a\": \"A\"}").run().await;
    assert!(xliff.status == 0 && !xliff.stdout.contains("original=\"-\""), "{}", xliff.stdout);
}
