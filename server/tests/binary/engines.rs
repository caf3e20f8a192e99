//! `engines list|test`, and engines of the configuration file.

#![cfg(unix)]

use crate::process::{complaint, run, stdout};

/// A file with an engine of each kind. The command keeps a mark, and has a secret among its arguments.
const FILE: &str = r#"
engine = "mine, identity"

[engines.mine]
kind = "exec"
command = ["sh", "-c", "sed 's/.*/{\"items\":[{\"id\":0,\"text\":\"Hola ⟦1⟧\"}]}/'", "--token=hunter2"]

[engines.offline]
kind = "apertium"
modes = "modes"
"#;

fn folder(file: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("l10n-server.toml"), file).unwrap();
    std::fs::create_dir(folder.path().join("modes")).unwrap();
    std::fs::write(folder.path().join("modes/eng-spa.mode"), "/nowhere/lt-proc").unwrap();
    folder
}

#[test]
fn engines_are_listed_in_their_order_without_secrets() {
    let folder = folder(FILE);
    let listed = stdout(&run(folder.path(), &["engines", "list"]));
    let expected =
        "1. mine (exec, sh)\n2. identity (identity)\n-  offline (apertium, modes in modes: eng-spa), not used\n";
    assert_eq!(listed, expected);
}

#[test]
fn a_test_shows_what_came_back_from_which_engine_and_its_price() {
    let folder = folder(FILE);
    let test = |arguments: &[&str]| run(folder.path(), &[&["engines", "test"], arguments].concat());
    let said = stdout(&test(&["--text", "Hi {name}"]));
    let (translation, rest) = said.split_once('\n').unwrap();
    assert_eq!(translation, "Hola {name}");
    assert!(rest.starts_with("mine took ") && rest.ends_with(" ms; 9 characters cost 9 millicredits\n"), "{rest}");

    // What the command loses, the next engine of the chain does.
    let said = stdout(&test(&["--text", "{a} or {b}"]));
    assert!(said.starts_with("{a} or {b}\n") && said.contains("\nidentity took "), "{said}");
    assert!(stdout(&test(&["pseudo", "--text", "Save"])).contains("pseudo took "));

    // It needs no table.
    let output = test(&["apertium"]);
    assert!(output.status.success() || complaint(&output).contains("install a pair of languages"), "{output:?}");

    let said = complaint(&test(&["mine", "--text", "{a} or {b}"]));
    assert!(said.contains("mine did not translate it") && said.contains("did not give the placeholders"), "{said}");
    let said = complaint(&test(&["offline"]));
    assert!(said.contains("cannot start /nowhere/lt-proc"), "{said}");
    assert!(complaint(&test(&["nobody"])).contains("there is no engine `nobody`"));
}

/// A server does not start with an engine that cannot work, and says what is missing.
#[test]
fn a_wrong_engine_is_named_with_its_place() {
    let refused = |file: &str| complaint(&run(folder(file).path(), &["dev", "--listen", "127.0.0.1:0"]));
    let said = refused("engine = \"deepl\"\n");
    assert!(
        said.contains("l10n-server.toml, line 1, column 10: setting `engine`: there is no engine `deepl`"),
        "{said}"
    );
    let said = refused("engine = \"far\"\n[engines.far]\nkind = \"apertium\"\nmodes = \"none\"\n");
    assert!(said.contains("the engine `far` cannot work: there is no mode in none: install a pair"), "{said}");
}
