//! The help of the commands.

use crate::process::{complaint, run, stdout};

/// A command beside a server shows its own options and the settings that say which server it is about.
#[test]
fn help_of_a_command_beside_a_server_shows_few_settings() {
    let folder = tempfile::tempdir().unwrap();
    let help = |arguments: &[&str]| stdout(&run(folder.path(), arguments));
    for arguments in [["operations", "list", "--help"], ["credits", "grant", "--help"]] {
        let help = help(&arguments);
        for shown in ["--config", "--database-url", "--secrets-master-key-file", "l10n-server serve --help"] {
            assert!(help.contains(shown), "{shown} in {help}");
        }
        assert!(!help.contains("--limits-requests-per-minute"), "{help}");
    }
    let serve = help(&["serve", "--help"]);
    assert!(serve.contains("--limits-requests-per-minute") && !serve.contains("lists the other settings"), "{serve}");
}

/// A setting that the help hides is taken, and judged, as it is by `serve`.
#[test]
fn a_hidden_setting_is_taken_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let refused = run(folder.path(), &["migrate", "--limits-requests-per-minute", "0"]);
    assert!(complaint(&refused).contains("requests_per_minute"));
    let before = run(folder.path(), &["--limits-requests-per-minute", "0", "credits", "ledger", "acme"]);
    assert!(complaint(&before).contains("requests_per_minute"));
}
