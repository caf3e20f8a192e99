//! `l10n mcp install`, which needs no server.

use std::path::Path;

use crate::support::{L10n, l10n};

const KEY: &str = "eik_0123456789abcdefghijklmnopqrstuvwxyzABCDEF";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let config = "base_url = \"https://l10n.example.com/v1\"\nproject = \"acme/app\"\n";
    std::fs::write(folder.path().join("l10n.toml"), config).unwrap();
    folder
}

fn install(folder: &Path, arguments: &[&str]) -> L10n {
    let arguments: Vec<&str> = ["mcp", "install"].iter().chain(arguments).copied().collect();
    l10n(folder, &arguments)
}

#[tokio::test]
async fn without_write_the_configuration_is_shown_and_nothing_is_written() {
    let folder = folder();
    let output = install(folder.path(), &["claude-code"]).run().await;
    assert_eq!(output.status, 0, "{}", output.stderr);
    insta::assert_snapshot!(output.stdout, @r#"
    {
      "mcpServers": {
        "l10n": {
          "command": "l10n",
          "args": ["mcp"],
          "env": {
            "L10N_API_KEY": "${L10N_API_KEY}"
          }
        }
      }
    }
    "#);
    let page = "https://l10n.example.com/dashboard/@acme/app/settings/keys/new";
    assert!(output.stderr.contains(".mcp.json") && output.stderr.contains(page), "{}", output.stderr);
    assert!(!folder.path().join(".mcp.json").exists());
    // Not even here is a key shown.
    let output = install(folder.path(), &["claude-desktop"]).key(KEY).run().await;
    assert_eq!(output.status, 0, "{}", output.stderr);
    assert!(
        output.stdout.contains("eik_…") && output.stdout.contains("\"L10N_PROJECT\": \"acme/app\""),
        "{}",
        output.stdout
    );
    assert!(!format!("{}{}", output.stdout, output.stderr).contains(KEY));
}

#[tokio::test]
async fn a_file_of_the_project_gets_the_server_and_no_key() {
    let folder = folder();
    std::fs::create_dir(folder.path().join(".cursor")).unwrap();
    let path = folder.path().join(".cursor/mcp.json");
    let before = "{\r\n  // ours\r\n  \"mcpServers\": {}\r\n}\r\n";
    std::fs::write(&path, before).unwrap();
    let output = install(folder.path(), &["cursor", "--write", "--json"]).key(KEY).run().await;
    assert_eq!(output.status, 0, "{}", output.stderr);
    assert_eq!(output.json()["written"], true);
    let after = std::fs::read_to_string(&path).unwrap();
    assert!(after.contains("// ours\r\n") && after.contains("${env:L10N_API_KEY}") && !after.contains(KEY), "{after}");
    let again = install(folder.path(), &["cursor", "--write", "--json"]).run().await;
    assert_eq!((again.status, again.json()["written"].as_bool()), (0, Some(false)));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), after);
}

#[tokio::test]
async fn a_file_of_the_person_gets_the_key_and_is_theirs_alone() {
    let folder = folder();
    let without = install(folder.path(), &["zed", "--write"]).run().await;
    assert_eq!(without.status, 2, "{}", without.stdout);
    assert!(without.stderr.contains("L10N_API_KEY is not set") && without.stderr.contains("/settings/keys/new"));
    let output = install(folder.path(), &["zed", "--write", "--file", "zed.json"]).key(KEY).run().await;
    assert_eq!(output.status, 0, "{}", output.stderr);
    assert!(!format!("{}{}", output.stdout, output.stderr).contains(KEY));
    let path = folder.path().join("zed.json");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(KEY) && text.contains("https://l10n.example.com/v1"), "{text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[tokio::test]
async fn what_the_file_has_is_not_replaced() {
    let folder = folder();
    let path = folder.path().join(".mcp.json");
    for before in [r#"{"mcpServers": {"l10n": {"command": "mine"}}}"#, "{ not json", "[]"] {
        std::fs::write(&path, before).unwrap();
        let output = install(folder.path(), &["claude-code", "--write"]).run().await;
        assert_eq!(output.status, 2, "{before}: {}", output.stdout);
        assert!(output.stderr.contains("was not changed"), "{}", output.stderr);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), before);
    }
    let output = install(folder.path(), &["claude-code", "--write", "--name", "texts"]).run().await;
    assert_eq!(output.status, 2, "`[]` is no list of servers");
}
