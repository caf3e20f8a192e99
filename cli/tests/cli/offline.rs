//! Commands that work without a server.

use serde_json::json;

use crate::support::{folder, l10n};

#[tokio::test]
async fn init_finds_files_and_writes_the_configuration() {
    let folder = folder(&[
        ("public/locales/en/common.json", r#"{"item_one":"{{count}} item","item_other":"{{count}} items"}"#),
        ("public/locales/en/errors.json", r#"{"oops":"Oops"}"#),
        ("public/locales/de/common.json", r#"{"item_one":"{{count}} Ding"}"#),
        ("package.json", r#"{"name":"app"}"#),
    ]);
    let output = l10n(folder.path(), &["init", "--project", "demo/app", "--json"]).run().await;
    assert_eq!(output.status, 0, "{}", output.stderr);
    assert_eq!(
        output.json()["files"],
        json!([{ "source": "public/locales/{language}/{namespace}.json", "format": "i18next", "languages": ["de", "en"], "files": 3, "why": "its path names the language" }])
    );
    insta::assert_snapshot!(std::fs::read_to_string(folder.path().join("l10n.toml")).unwrap(), @r#"
    # Settings of the l10n command line. The API key is not among them: set L10N_API_KEY.

    # base_url = "https://l10n.example.com/v1"
    project = "demo/app"
    base_language = "en"

    [[files]]
    source = "public/locales/{language}/{namespace}.json"
    format = "i18next"
    "#);
}

/// It says why it takes a file, where translations go, what it leaves out, and that nothing names the base language.
#[tokio::test]
async fn init_says_what_it_found_and_what_it_left_out() {
    let strings = "<resources><string name=\"a\">A</string></resources>\n";
    let folder = folder(&[
        ("app/build.gradle", "plugins { id 'com.android.application' }\n"),
        ("app/src/main/res/values/strings.xml", strings),
        ("app/src/main/res/values-pt-rBR/strings.xml", strings),
        ("i18n/de.json", "{"),
    ]);
    let output = l10n(folder.path(), &["init"]).run().await;
    assert_eq!(output.status, 0, "{}", output.stderr);
    let said = output.stdout.lines().filter(|line| !line.contains("Wrote")).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(said, @r"
    SOURCE                               FORMAT   FILES  LANGUAGES
    app/src/main/res/values/strings.xml  android      2  pt-BR
    app/src/main/res/values/strings.xml: Android (app/build.gradle); the source language is not in its path; app/src/main/res/values-pt-rBR/strings.xml is a translation of it. Translations go to app/src/main/res/values-{androidLanguage}/strings.xml.
    ");
    let warned = output.stderr.lines().filter(|line| line.starts_with("warning")).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(warned, @r"
    warning: the language of the source files is not declared; the project's base language applies unless --base-language CODE is given
    warning: i18n/de.json is left out: 1:2: EOF while parsing an object
    ");
    insta::assert_snapshot!(std::fs::read_to_string(folder.path().join("l10n.toml")).unwrap(), @r#"
    # Settings of the l10n command line. The API key is not among them: set L10N_API_KEY.

    # base_url = "https://l10n.example.com/v1"
    # project = "workspace/project"
    # base_language = "en"

    [[files]]
    source = "app/src/main/res/values/strings.xml"
    format = "android"
    output = "app/src/main/res/values-{androidLanguage}/strings.xml"
    "#);
}

#[tokio::test]
async fn init_never_replaces_a_file_unless_told_to() {
    let folder = folder(&[("l10n.toml", "# mine\n"), ("locales/en.json", r#"{"a":"A"}"#)]);
    let read = || std::fs::read_to_string(folder.path().join("l10n.toml")).unwrap();
    assert_eq!(l10n(folder.path(), &["init"]).run().await.status, 2);
    let dry = l10n(folder.path(), &["init", "--dry-run"]).run().await;
    assert!(dry.status == 0 && dry.stdout.contains("source = \"locales/{language}.json\""));
    assert_eq!(read(), "# mine\n");
    assert_eq!(l10n(folder.path(), &["init", "--force"]).run().await.status, 0);
    assert!(read().contains("locales/{language}.json"));
}

#[tokio::test]
async fn init_in_a_folder_without_localization_files_is_no_success() {
    let folder = folder(&[("package.json", r#"{"name":"app"}"#)]);
    let output = l10n(folder.path(), &["init"]).run().await;
    assert_eq!(output.status, 2);
    assert!(!folder.path().join("l10n.toml").exists());
}

#[tokio::test]
async fn completions_are_there_for_every_shell() {
    let folder = folder(&[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = l10n(folder.path(), &["completions", shell]).run().await;
        assert_eq!(output.status, 0);
        assert!(output.stdout.contains("translate"), "{shell}");
    }
}

#[tokio::test]
async fn every_command_has_a_help_text_of_one_screen() {
    let folder = folder(&[]);
    for command in l10n_cli::command().get_subcommands() {
        let output = l10n(folder.path(), &[command.get_name(), "-h"]).run().await;
        assert_eq!(output.status, 0);
        assert!(output.stdout.lines().count() <= 60, "{}:\n{}", command.get_name(), output.stdout);
    }
    assert_eq!(l10n(folder.path(), &["--version"]).run().await.stdout, "l10n 0.1.0\n");
}

#[tokio::test]
async fn a_call_that_is_not_understood_is_usage_and_an_object_where_json_was_asked_for() {
    let folder = folder(&[]);
    let output = l10n(folder.path(), &["sync", "--dryrun", "--json"]).run().await;
    assert_eq!(output.status, 2);
    assert_eq!(
        output.json()["error"],
        json!({ "code": "usage", "exitCode": 2, "message": "unexpected argument '--dryrun' found" })
    );
    assert!(output.stderr.contains("--dry-run"), "names the nearest flag: {}", output.stderr);
    assert_eq!(l10n(folder.path(), &[]).run().await.status, 2);
}

/// No flag takes a key, because process lists show flags.
#[test]
fn no_flag_takes_a_key() {
    for argument in l10n_cli::command().get_arguments() {
        assert_ne!(argument.get_long(), Some("api-key"));
    }
}
