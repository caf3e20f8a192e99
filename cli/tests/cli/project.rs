//! Commands about the project itself.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::support::{World, snapshot};

both_engines!(
    whoami_says_where_each_setting_comes_from,
    flags_win_over_environment_and_environment_over_the_file,
    languages_are_added_once_and_listed,
    formats_are_set_from_the_file_and_others_stay_unless_pruned,
    status_shows_each_language,
    doctor_names_a_fix_for_what_is_wrong,
    doctor_checks_the_documents_beside_files_that_fail,
    doctor_finds_nothing_wrong_where_there_are_documents_alone,
    doctor_names_the_variable_of_the_proxy_that_is_used,
);

async fn whoami_says_where_each_setting_comes_from(store: TestStore) {
    let world = World::on(&store).await;
    let output = world.ok(&["whoami", "--project", world.app.project.id.as_str()]).await;
    let text = output.stdout.replace(&world.base_url(), "URL").replace(world.app.project.id.as_str(), "PROJECT");
    let text = text.replace(&world.folder.path().display().to_string(), "FOLDER");
    snapshot!(text, @r"
    Server   URL (from FOLDER/l10n.toml)
    Project  PROJECT (from --project)
    Id       PROJECT
    Key      CI / scripts (from L10N_API_KEY)
    Scopes   admin
    ");
    let key = &world.app.project.keys.agent;
    let output = world.l10n(&["whoami", "--json"]).key(key).run().await;
    assert_eq!(output.json()["requiresOperationApproval"], json!(true));
    assert_eq!(output.json()["scopes"], json!(["admin"]));
}

async fn flags_win_over_environment_and_environment_over_the_file(store: TestStore) {
    let world = World::on(&store).await;
    let id = world.app.project.id.to_string();
    world.write("l10n.toml", &format!("base_url = \"{}\"\nproject = \"file/app\"\n", world.base_url()));
    assert_eq!(world.l10n(&["whoami"]).run().await.status, 2);
    assert_eq!(world.l10n(&["whoami"]).variable("L10N_PROJECT", "acme/app").run().await.status, 0);
    let flag = world.l10n(&["whoami", "--project", &id]).variable("L10N_PROJECT", "environment/app");
    assert_eq!(flag.run().await.status, 0);
    let wrong = world.l10n(&["whoami", "--project", &id]).variable("L10N_BASE_URL", "http://127.0.0.1:1/v1");
    assert_eq!(wrong.variable("L10N_API_KEY", "eik_x").run().await.status, 8);
    world.write("key", &world.app.project.keys.read);
    let file = world.l10n(&["whoami", "--project", &id, "--api-key-file", "key", "--json"]).run().await;
    assert_eq!(file.json()["scopes"], json!(["read"]), "{}", file.stderr);
}

async fn languages_are_added_once_and_listed(store: TestStore) {
    let world = World::on(&store).await;
    let added = world.json(&["languages", "add", "pt_br,de", "it"]).await;
    assert_eq!((&added["added"], &added["existing"]), (&json!(["pt-BR", "it"]), &json!(["de"])));
    let output = world.ok(&["languages"]).await;
    snapshot!(output.stdout, @r"
    LANGUAGE  NAME                  DONE  TRANSLATED  REVIEWED  NEEDS REVIEW  STALE  MISSING
    en        English               base
    de        German                   -           0         0             0      0        0
    fr        French                   -           0         0             0      0        0
    pt-BR     Brazilian Portuguese     -           0         0             0      0        0
    it        Italian                  -           0         0             0      0        0
    ");
    assert_eq!(world.l10n(&["languages", "add", "no_such_language!"]).run().await.status, 2);
}

async fn formats_are_set_from_the_file_and_others_stay_unless_pruned(store: TestStore) {
    let world = World::on(&store).await;
    let paths = |value: &serde_json::Value| -> Vec<String> {
        let formats = value["outputFormats"].as_array().unwrap();
        formats.iter().map(|format| format["path"].as_str().unwrap().to_owned()).collect()
    };
    world.json(&["formats", "set"]).await;
    world.write(
        "l10n.toml",
        &world.config(
            "[[files]]\nsource = \"locales/{language}.json\"\noutput = \"out/{language}.json\"\nformat = \"json\"\n",
        ),
    );
    world.json(&["formats", "set"]).await;
    assert_eq!(paths(&world.json(&["formats"]).await), ["locales/{language}.json", "out/{language}.json"]);
    world.json(&["formats", "set", "--prune"]).await;
    assert_eq!(paths(&world.json(&["formats"]).await), ["out/{language}.json"]);
}

async fn status_shows_each_language(store: TestStore) {
    let world = World::on(&store).await;
    snapshot!(world.ok(&["status"]).await.stdout, @r"
    Test project (acme/app), 0 keys in en
    LANGUAGE  NAME     DONE  TRANSLATED  REVIEWED  NEEDS REVIEW  STALE  MISSING
    en        English  base
    de        German      -           0         0             0      0        0
    fr        French      -           0         0             0      0        0
    Live: nothing yet
    Engine: pseudo, at most 0.001 credits per character
    Balance: 1000000.000 credits
    ");
}

async fn doctor_names_a_fix_for_what_is_wrong(store: TestStore) {
    let world = World::on(&store).await;
    world.write("l10n.toml", &world.config("[[files]]\nsource = \"i18n/{language}.json\"\n"));
    let output = world.l10n(&["doctor"]).key(&world.app.project.keys.read).run().await;
    assert_eq!(output.status, 2, "{}", output.stderr);
    let text = output.stdout.replace(&world.app.address.to_string(), "SERVER");
    let text = text.replace(world.app.project.id.as_str(), "PROJECT");
    let text = text.replace(&world.folder.path().display().to_string(), "FOLDER");
    let steady: Vec<&str> = text.lines().filter(|line| !line.contains("clock") && !line.contains("NTP")).collect();
    snapshot!(steady.join("\n"), @r"
    ok    config        FOLDER/l10n.toml, 1 [[files]]
    ok    base url      http://SERVER/v1 (from FOLDER/l10n.toml)
    ok    project       acme/app (from FOLDER/l10n.toml)
    ok    api key       set (from L10N_API_KEY)
    ok    network       connected to 127.0.0.1, without a proxy
    ok    health        ok, version 0.1.0
    ok    access        PROJECT, scopes read
    warn  scopes        the key lacks `translate`, so it cannot run: sync, import and translate
                        → use another key for these commands, if you need them
    warn  scopes        the key lacks `write`, so it cannot run: languages add, formats set, content push, glossary push and memory import
                        → use another key for these commands, if you need them
    warn  scopes        the key lacks `publish`, so it cannot run: publish, restore, webhooks and deliveries
                        → use another key for these commands, if you need them
    warn  scopes        the key lacks `capture`, so it cannot run: capture
                        → use another key for these commands, if you need them
    FAIL  files         `i18n/{language}.json` matches no file in the base language `en`
                        → patterns are relative to FOLDER; run `l10n init --dry-run` to list the files
    ok    languages     en and 2 target languages
    ");
    assert_eq!(output.stderr, "error: 1 of 14 checks failed\n  hint: each failed check above says how to fix it\n");
}

async fn doctor_checks_the_documents_beside_files_that_fail(store: TestStore) {
    let world = World::on(&store).await;
    let content = "[[content]]\nsource = \"docs/*.md\"\noutput = \"i18n/{language}/{path}\"\n";
    world.write("l10n.toml", &world.config(&format!("[[files]]\nsource = \"locales/*/{{language}}.json\"\n{content}")));
    world.write("locales/a/en.json", "{}");
    world.write("locales/b/en.json", &"x".repeat(2 * 1024 * 1024 + 1));
    std::fs::create_dir(world.path("docs")).unwrap();
    std::fs::write(world.path("docs/bytes.md"), b"\xff").unwrap();
    for named in ["locales/*", "none/*"] {
        let text = world.read("l10n.toml").replace("locales/*", named);
        world.write("l10n.toml", &text);
        let output = world.l10n(&["doctor"]).run().await;
        assert_eq!(output.status, 2, "{}", output.stderr);
        for name in ["files", "documents"] {
            let checks: Vec<&str> = output.stdout.lines().filter(|line| line.contains(&format!("  {name} "))).collect();
            assert!(checks.len() == 1 && checks[0].starts_with("FAIL"), "{}", output.stdout);
        }
    }
}

async fn doctor_finds_nothing_wrong_where_there_are_documents_alone(store: TestStore) {
    let world = World::on(&store).await;
    let content = |source: &str| {
        world.config(&format!("[[content]]\nsource = \"{source}\"\noutput = \"i18n/{{language}}/{{path}}\"\n"))
    };
    world.write("docs/a.md", "# A\n");
    world.write("l10n.toml", &content("docs/*.md"));
    let output = world.ok(&["doctor"]).await.stdout;
    let config = format!("{}, 1 [[content]]\n", world.path("l10n.toml").display());
    assert!(output.contains(&config) && output.contains("ok    documents     1 in en\n"), "{output}");
    assert!(output.contains("ok    languages ") && !output.contains(" files "), "{output}");
    world.write("l10n.toml", &content("texts/*.md"));
    let output = world.l10n(&["doctor"]).run().await;
    assert_eq!(output.status, 2, "{}", output.stderr);
    assert!(output.stdout.contains("FAIL  documents     no document matches `texts/*.md`\n"), "{}", output.stdout);
}

async fn doctor_names_the_variable_of_the_proxy_that_is_used(store: TestStore) {
    let world = World::on(&store).await;
    let proxies = ["http://127.0.0.1:1/", "http://127.0.0.1:2/", "http://127.0.0.1:3/"];
    let told = async |upper: &str| {
        let arguments = ["doctor", "--retries", "0", "--base-url", "http://l10n.example/v1"];
        let doctor = world.l10n(&arguments).variable("HTTP_PROXY", upper);
        doctor.variable("http_proxy", proxies[1]).variable("ALL_PROXY", proxies[2]).run().await.stdout
    };
    let output = told(proxies[0]).await;
    assert!(output.contains("requests go through http://127.0.0.1:1/ (HTTP_PROXY)"), "{output}");
    // An empty variable counts before the other spelling, too.
    let output = told("").await;
    assert!(output.contains("requests go through http://127.0.0.1:3/ (ALL_PROXY)"), "{output}");

    // A server on this machine is asked without one, for its clock, too.
    let local = world.l10n(&["doctor", "--retries", "0"]).variable("HTTP_PROXY", proxies[0]).run().await.stdout;
    assert!(local.contains("connected to 127.0.0.1, without a proxy"), "{local}");
    assert!(!local.contains("go through") && !local.contains("the server sent no time"), "{local}");
}
