//! `engines list|test`, and engines of the configuration file.

#![cfg(unix)]

use l10n_testkit::engines::{Behaviour, FakeEngines, Service};

use crate::process::{command, complaint, feed, run, stdout};

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
    let expected = "1. mine (exec, sh)\n2. identity (identity)\n\
                    -  offline (apertium, modes in modes: eng-spa), only for projects that choose it\n";
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
    // The operator is told what nobody else is.
    let output = test(&["offline"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("fault: offline: the engine does not answer: Apertium: cannot start /nowhere/lt-proc"),
        "{said}"
    );
    let said = complaint(&output);
    assert!(said.contains("the engine does not answer") && !said.contains("/nowhere"), "{said}");
    assert!(complaint(&test(&["nobody"])).contains("there is no engine `nobody`"));
    assert_eq!(complaint(&test(&["offline", "--from", "EN", "--to", "ES"])), said, "a language in another spelling");
    assert!(complaint(&test(&["pseudo", "--to", "no language"])).contains("--to"));
}

/// Neither a command nor the programs of Apertium.
#[test]
fn programs_of_engines_do_not_get_the_keys_of_others() {
    let file = FILE.replace("sed ", "env >seen; sed ")
        + "[engines.other]\nkind = \"deepl\"\nkey_env = \"KEY_OF_DEEPL\"\n\
           [engines.model]\nkind = \"openai\"\nmodel = \"m\"\nkey_env = \"L10N_SERVER_MODEL_KEY\"\n";
    let folder = folder(&file);
    let program = folder.path().join("program");
    std::fs::write(&program, "#!/bin/sh\nenv >seen\nexec cat\n").unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::write(folder.path().join("modes/eng-spa.mode"), program.to_str().unwrap()).unwrap();
    for arguments in [&["engines", "test"][..], &["engines", "test", "mine"], &["engines", "test", "offline"]] {
        let mut command = command(folder.path(), arguments);
        command.env("KEY_OF_DEEPL", "hunter2").env("L10N_SERVER_MODEL_KEY", "hunter3").env("KEY_OF_ITS_OWN", "given");
        stdout(&command.args(["--text", "Hi {name}"]).output().unwrap());
        let seen = std::fs::read_to_string(folder.path().join("seen")).unwrap();
        assert!(seen.contains("KEY_OF_ITS_OWN=given") && !seen.contains("hunter"), "{arguments:?}: {seen}");
        std::fs::remove_file(folder.path().join("seen")).unwrap();
    }
}

/// Each kind of service over HTTP, with its key in a file.
#[test]
fn engines_over_http_are_tested_before_their_services() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let fakes = runtime.block_on(FakeEngines::start()).unwrap();
    let table = |service: Service| {
        let (kind, more) = match service {
            Service::DeepL => ("deepl", ""),
            Service::LibreTranslate => ("libretranslate", ""),
            Service::GoogleBasic => ("google", ""),
            Service::GoogleAdvanced => ("google", "project = \"shop\""),
            Service::Azure => ("azure", "region = \"westeurope\""),
            Service::OpenAi => ("openai", "model = \"small\""),
            Service::Own => ("http", ""),
        };
        let address = fakes.mount(service).address();
        let name = format!("my-{service:?}").to_lowercase();
        let table =
            format!("[engines.{name}]\nkind = \"{kind}\"\naddress = \"{address}\"\nkey_file = \"key\"\n{more}\n");
        (name, table)
    };
    let tables: Vec<_> = Service::ALL.into_iter().map(table).collect();
    let folder = folder(&tables.iter().map(|(_, table)| table.as_str()).collect::<String>());
    std::fs::write(folder.path().join("key"), format!("{}\n", fakes.deepl().key())).unwrap();
    for (service, (name, _)) in Service::ALL.into_iter().zip(&tables) {
        let mount = fakes.mount(service);
        let test = || run(folder.path(), &["engines", "test", name, "--to", "de", "--text", "Hi {name} & <b>co</b>"]);
        let said = stdout(&test());
        assert!(said.starts_with("HI {name} & <b>CO</b>\n") && said.contains(&format!("{name} took ")), "{said}");
        mount.expect_no_complaints();
        mount.always(Behaviour::QuotaExhausted);
        let output = test();
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(told.contains(&format!("fault: {name}: the engine's quota is used up")), "{told}");
        assert!(complaint(&output).contains("the engine's quota is used up"), "{output:?}");
    }
    let listed = stdout(&run(folder.path(), &["engines", "list"]));
    for engine in [
        format!("my-openai (openai, small at {})", fakes.openai().address()),
        format!("my-googleadvanced (google, project shop in global at {})", fakes.google_advanced().address()),
        format!("my-azure (azure, {})", fakes.azure().address()),
    ] {
        assert!(listed.contains(&format!("-  {engine}, only for projects that choose it\n")), "{listed}");
    }
    assert!(!listed.contains(fakes.deepl().key()));
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
    let said = refused("[engines.mine]\nkind = \"google\"\nlocation = \"global\"\nkey_file = \"nowhere\"\n");
    assert!(said.contains("`engines.mine.key_file`") && said.contains("cannot read nowhere"), "{said}");
    let said = refused("engine = \"far\"\n[engines.far]\nkind = \"apertium\"\nmodes = \"none\"\n");
    assert!(said.contains("the engine `far` cannot work: there is no mode in none: install a pair"), "{said}");
}

/// The names are those of the configuration and of what needs no table.
#[test]
fn a_project_gets_engines_of_the_configuration_by_their_names() {
    let folder = folder(FILE);
    let description = r#"{"workspaces": [{"handle": "acme", "projects": [{"slug": "app", "name": "App", "baseLanguage": "en",
        "languages": ["de", "ja"], "engine": "offline", "languageEngines": {"ja": "pseudo"}}]}]}"#;
    stdout(&feed(folder.path(), &["provision", "-"], description));
    let set = |more: &[&str]| run(folder.path(), &[&["projects", "set", "acme/app"], more].concat());
    let said = stdout(&set(&["--language-chain", "de=mine, identity"]));
    assert_eq!(said, "acme/app: engine is offline; of de: mine, identity; of ja: pseudo\n");
    let said = stdout(&set(&["--chain", "", "--language-chain", "ja=", "--memory", "off"]));
    assert_eq!(said, "acme/app: memory is off\nacme/app: engine is mine,identity; of de: mine, identity\n");
    assert_eq!(stdout(&set(&["--style-note", "Short."])), "acme/app: there is a style note\n");
    assert_eq!(stdout(&set(&["--style-note", ""])), "acme/app: there is no style note\n");
    for (arguments, words) in [
        (vec!["--chain", "babel"], "--chain: there is no engine `babel`, only "),
        (vec!["--language-chain", "fr=mine"], "the project has no language `fr`; it has en, de, ja"),
        (vec!["--language-chain", "de"], "it takes LANGUAGE=NAMES, such as ja=model"),
        (vec!["--style-note", "a\u{7}"], "--style-note: a style note must not contain control characters"),
        (vec![], "required"),
    ] {
        let said = complaint(&set(&arguments));
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    let unknown = description.replace("\"offline\"", "\"babel\"");
    let said = complaint(&feed(folder.path(), &["provision", "-"], &unknown));
    assert!(
        said.contains("projects[0].engine: there is no engine `babel`") && said.contains("mine, offline, pseudo"),
        "{said}"
    );
}
