use super::*;

fn table(toml: &str) -> Result<EngineKind, String> {
    let table: EngineTable = toml::from_str(toml).map_err(|error| error.to_string())?;
    table.settings("mine").map(|settings| settings.kind).map_err(|error| error.to_string())
}

#[test]
fn a_key_comes_from_one_place_and_is_not_shown() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "hunter2:fx\n").unwrap();
    let deepl = format!("kind = \"deepl\"\nkey_file = {:?}\n", file.path());
    let kind = table(&deepl).unwrap();
    assert!(!format!("{kind:?}").contains("hunter2"));
    let EngineKind::DeepL { remote, .. } = kind else { panic!("{kind:?}") };
    assert_eq!(remote.key.unwrap().text.expose(), "hunter2:fx");
    assert_eq!(remote.address, "https://api-free.deepl.com");
    let EngineKind::DeepL { remote, .. } = table(&format!("{deepl}address = \"http://[::1]:1/x/\"")).unwrap() else {
        panic!("DeepL")
    };
    assert_eq!(remote.address, "http://[::1]:1/x");

    std::fs::write(file.path(), "hunter 2\n").unwrap();
    let error = table(&deepl).unwrap_err();
    assert!(error.contains("engines.mine.key_file") && !error.contains("hunter"), "{error}");
    assert!(table(&format!("{deepl}key_env = \"X\"")).unwrap_err().contains("only one of them"));
    let unset = table("kind = \"deepl\"\nkey_env = \"L10N_NOT_SET\"").unwrap_err();
    assert!(unset.contains("the variable L10N_NOT_SET is not set"), "{unset}");
    assert!(table("kind = \"deepl\"").unwrap_err().contains("needs a key"));
}

#[test]
fn each_kind_takes_its_settings_alone() {
    for (toml, expected) in [
        ("kind = \"libretranslate\"", "engines.mine.address`: this kind needs it"),
        ("kind = \"http\"\naddress = \"ftp://x\"", "engines.mine.address`: it takes a URL of http or https"),
        ("kind = \"http\"\naddress = \"http://a:b@x\"", "without a password"),
        ("kind = \"http\"\naddress = \"http://x\"\nmodel = \"m\"", "model`: the kind `http` does not take it"),
        ("kind = \"openai\"\nmodel = \"m\"", "engines.mine.key_env`: the kind `openai` needs a key"),
        ("kind = \"openai\"\naddress = \"http://x/v1\"", "engines.mine.model`: the kind `openai` needs it"),
        ("kind = \"openai\"\naddress = \"http://x\"\nmodel = \"m\"\ntemperature = 3", "it takes 0 to 2"),
        ("kind = \"libretranslate\"\naddress = \"http://x\"\nmax_items = 0", "max_items`: it takes 1 and more"),
        ("kind = \"http\"\naddress = \"http://x\"\nat_once = 65", "engines.mine.at_once`: it takes 1 to 64"),
        ("kind = \"apertium\"\nat_once = 0", "engines.mine.at_once`: it takes 1 to 64"),
        ("kind = \"google\"", "engines.mine.key_env`: the kind `google` needs a key"),
        ("kind = \"azure\"", "engines.mine.key_env`: the kind `azure` needs a key"),
        ("kind = \"http\"\naddress = \"http://x\"\nregion = \"w\"", "region`: the kind `http` does not take it"),
    ] {
        let error = table(toml).unwrap_err();
        assert!(error.contains(expected), "{toml}: {error}");
    }
    let EngineKind::OpenAi { remote, model } =
        table("kind = \"openai\"\naddress = \"http://x/v1/\"\nmodel = \"m\"\ntemperature = 0").unwrap()
    else {
        panic!("OpenAI")
    };
    assert_eq!((remote.address.as_str(), remote.key, model.temperature), ("http://x/v1", None, Some(0.0)));
    assert_eq!(remote.timeout, TIMEOUT_OF_A_MODEL);
}

#[test]
fn services_have_eight_requests_at_once_and_programs_two_unless_a_table_says_otherwise() {
    let at_once = |toml: &str| match table(toml).unwrap() {
        EngineKind::Http(remote) => remote.at_once,
        EngineKind::Exec { at_once, .. } | EngineKind::Apertium { at_once, .. } => at_once,
        other => panic!("{other:?}"),
    };
    for (toml, usual) in [
        ("kind = \"http\"\naddress = \"http://x\"\n", 8),
        ("kind = \"exec\"\ncommand = [\"x\"]\n", 2),
        ("kind = \"apertium\"\n", 2),
    ] {
        assert_eq!((at_once(toml), at_once(&format!("{toml}at_once = 3"))), (usual, 3), "{toml}");
    }
}

#[test]
fn each_kind_takes_a_price_within_its_bounds() {
    for (toml, price) in [
        ("kind = \"apertium\"", None),
        ("kind = \"apertium\"\nmillicredits_per_character = 0", Some(0)),
        ("kind = \"http\"\naddress = \"http://x\"\nmillicredits_per_character = 1000000", Some(1_000_000)),
    ] {
        let table: EngineTable = toml::from_str(toml).unwrap();
        assert_eq!(table.settings("mine").unwrap().millicredits_per_character, price, "{toml}");
    }
    for wrong in ["-1", "1000001"] {
        let error = table(&format!("kind = \"apertium\"\nmillicredits_per_character = {wrong}")).unwrap_err();
        assert!(error.contains("engines.mine.millicredits_per_character`: "), "{error}");
    }
}

#[test]
fn google_has_two_versions_and_azure_a_region() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "hunter2\n").unwrap();
    let with = |kind: &str, more: &str| table(&format!("kind = \"{kind}\"\nkey_file = {:?}\n{more}", file.path()));
    let project = |more: &str| match with("google", more) {
        Ok(EngineKind::Google { remote, project }) => Ok((remote.address, project)),
        other => Err(format!("{other:?}")),
    };
    let address = || "https://translation.googleapis.com".to_owned();
    assert_eq!(project("").unwrap(), (address(), None));
    let of = |location: &str| Some(GoogleProject { name: "p-1".to_owned(), location: location.to_owned() });
    assert_eq!(project("project = \"p-1\"").unwrap(), (address(), of("global")));
    assert_eq!(project("project = \"p-1\"\nlocation = \"us-central1\"").unwrap(), (address(), of("us-central1")));
    assert!(project("location = \"global\"").unwrap_err().contains("engines.mine.location`: it needs `project`"));
    assert!(project("project = \"a/b\"").unwrap_err().contains("engines.mine.project`: it takes characters of"));
    let Ok(EngineKind::Azure { remote, region }) = with("azure", "region = \"westeurope\"") else { panic!("Azure") };
    assert_eq!(remote.address, "https://api.cognitive.microsofttranslator.com");
    assert_eq!(region.as_deref(), Some("westeurope"));
    assert_eq!(remote.key.unwrap().file.as_deref(), Some(file.path()));
}
