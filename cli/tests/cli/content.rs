//! Documents from the command line.

use hyper::StatusCode;
use l10n_client::api::{Check, Content, Issue, Origin, Severity, State};
use l10n_formats::SourceHash;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::store::segment_translations::{self, NewSegmentTranslation, TranslationScope};
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::noted::{Answers, RecordingProxy};
use crate::person::Person;
use crate::support::{World, snapshot};

both_engines!(
    documents_go_from_files_to_translated_files,
    only_what_changed_is_pushed_and_written,
    what_is_unchanged_is_in_the_list_and_asked_for_nowhere_else,
    where_the_list_has_no_hashes_each_document_is_read,
    a_file_of_the_teams_own_stays_until_its_replacement_is_asked_for,
    a_file_that_was_published_earlier_is_replaced,
    a_document_that_cannot_be_read_does_not_keep_the_others,
    documents_that_are_refused_together_are_pushed_one_by_one,
    a_run_whose_end_is_not_known_tells_its_price_and_its_jobs,
    why_a_document_would_be_held_back_is_told,
    a_document_that_grows_too_large_is_told_with_its_size,
    a_document_of_an_agent_is_run_once_a_person_approves,
);

const CONFIG: &str = "[[content]]\nsource = \"docs/**/*\"\noutput = \"docs/{language}/{path}\"\n";

async fn world(store: &TestStore) -> World {
    let world = World::on(store).await;
    world.write("l10n.toml", &world.config(CONFIG));
    world.write("docs/intro.md", "---\ntitle: Start\n---\n\n# Start here\n\nOne `code` span.\n\nTwo.\n");
    world.write("docs/guide/page.html", "<h1>A page</h1>\n<p>With a <a href=\"/x\">link</a>.</p>\n");
    world.write("docs/logo.svg", "<svg/>");
    world
}

/// FN-4, CP-7: documents are pushed, priced, translated, published and pulled; their markup stays.
async fn documents_go_from_files_to_translated_files(store: TestStore) {
    let world = world(&store).await;
    snapshot!(world.ok(&["content", "push", "--dry-run"]).await.stdout, @r"
    + docs/guide/page.html
    + docs/intro.md
    2 new, 0 changed, 0 unchanged; nothing was changed: this was a dry run.
    ");
    assert_eq!(world.json(&["content", "list"]).await["documents"], json!([]));
    let pushed = world.json(&["content", "push"]).await;
    assert_eq!(pushed["counts"], json!({"new": 2, "changed": 0, "unchanged": 0, "failed": 0}));

    let quote = world.json(&["content", "run", "--dry-run"]).await;
    assert!(quote["totals"]["estimatedCredits"].as_i64().unwrap() > 0, "{quote}");
    let dear = world.l10n(&["content", "run", "--max-credits", "0.001"]).run().await;
    assert_eq!(dear.status, 5, "{}", dear.stderr);
    let run = world.json(&["content", "run"]).await;
    assert_eq!(run["jobs"].as_array().unwrap().len(), 2, "{run}");
    let again = world.ok(&["content", "run"]).await;
    assert_eq!(again.stdout, "✓ Nothing to translate\n");

    let early = world.json(&["content", "pull"]).await;
    assert_eq!(early["counts"], json!({"written": 0, "unchanged": 0, "kept": 0, "notThere": 4, "failed": 0}));
    let published = world.json(&["content", "publish"]).await;
    assert_eq!(published["summary"]["docsPublished"], json!(2), "{published}");
    snapshot!(world.ok(&["content", "pull"]).await.stdout, @r"
    + docs/de/guide/page.html
    + docs/fr/guide/page.html
    + docs/de/intro.md
    + docs/fr/intro.md
    ✓ 4 written, 0 unchanged
    ");
    let german = world.read("docs/de/intro.md");
    assert!(german.contains("`code`") && !german.contains("Start here"), "{german}");
    assert!(world.read("docs/fr/guide/page.html").contains("<a href=\"/x\">"));
    let listed = world.ok(&["content", "list"]).await.stdout;
    let rows: Vec<Vec<&str>> = listed.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["DOCUMENT", "FORMAT", "CHARACTERS", "LIVE", "DE", "FR"]);
    assert_eq!((rows[1][0], rows[1][4], rows[2][0]), ("docs/guide/page.html", "translated", "docs/intro.md"));
}

async fn only_what_changed_is_pushed_and_written(store: TestStore) {
    let world = world(&store).await;
    world.ok(&["content", "push"]).await;
    world.ok(&["content", "run"]).await;
    world.ok(&["content", "publish"]).await;
    world.ok(&["content", "pull"]).await;
    // A pulled file is not a source.
    let again = world.json(&["content", "push"]).await;
    assert_eq!(again["counts"], json!({"new": 0, "changed": 0, "unchanged": 2, "failed": 0}));
    let same = world.json(&["content", "pull"]).await;
    assert_eq!(same["counts"], json!({"written": 0, "unchanged": 4, "kept": 0, "notThere": 0, "failed": 0}));

    // An edit costs only the edited paragraph.
    world.write("docs/intro.md", "---\ntitle: Start\n---\n\nTwo.\n\n# Start here\n\nOne new `code` span.\n");
    snapshot!(world.ok(&["content", "push"]).await.stdout, @r"
    ~ docs/intro.md: 4 segments (1 changed, 3 unchanged)
    ✓ 0 new, 1 changed, 1 unchanged
    ");
    let quote = world.json(&["content", "run", "--dry-run"]).await;
    assert_eq!(quote["doneBefore"], json!(1));
    assert_eq!(quote["totals"]["perLanguage"][0]["keys"], json!(1), "{quote}");
    std::fs::remove_file(world.path("docs/guide/page.html")).unwrap();
    let gone = world.json(&["content", "push"]).await;
    assert_eq!(gone["withoutFile"], json!(["docs/guide/page.html"]));

    let draft = world.json(&["content", "pull", "--draft", "--languages", "de", "--dir", "out", "docs/intro.md"]).await;
    assert_eq!(draft["counts"]["written"], json!(1), "{draft}");
    assert!(world.read("out/docs/de/intro.md").contains("One new `code` span."));
}

async fn published(store: &TestStore) -> World {
    let world = world(store).await;
    for step in ["push", "run", "publish", "pull"] {
        world.ok(&["content", step]).await;
    }
    world
}

async fn what_is_unchanged_is_in_the_list_and_asked_for_nowhere_else(store: TestStore) {
    let world = published(&store).await;
    world.write("docs/later.txt", "Not published.\n");
    world.ok(&["content", "push"]).await;
    world.ok(&["languages", "add", "es"]).await;
    let proxy = RecordingProxy::to(world.app.address, Answers::Whole).await;
    let (pushed, asked) = proxy.run(&world, &["content", "push"]).await;
    assert_eq!(pushed["counts"], json!({"new": 0, "changed": 0, "unchanged": 3, "failed": 0}));
    assert!(
        pushed["documents"][0]["docId"].is_string() && pushed["documents"][0]["segments"]["total"] == 2,
        "{pushed}"
    );
    assert_eq!(asked, ["GET"]);
    let (pulled, asked) = proxy.run(&world, &["content", "pull"]).await;
    assert_eq!(pulled["counts"], json!({"written": 0, "unchanged": 4, "kept": 0, "notThere": 5, "failed": 0}));
    assert_eq!(asked, ["GET"]);

    world.write("docs/intro.md", "One `code` span.\n");
    let (_, asked) = proxy.run(&world, &["content", "push", "--dry-run"]).await;
    assert_eq!(asked, ["GET"]);
    let (pushed, asked) = proxy.run(&world, &["content", "push"]).await;
    assert_eq!(pushed["counts"], json!({"new": 0, "changed": 1, "unchanged": 2, "failed": 0}));
    assert_eq!(asked, ["GET", "PUT ID"], "a changed one is written without being read");

    let german = world.read("docs/de/intro.md");
    std::fs::remove_file(world.path("docs/de/intro.md")).unwrap();
    world.write("docs/fr/guide/page.html", "Edited.");
    let written = json!({"written": 2, "unchanged": 2, "kept": 0, "notThere": 5, "failed": 0});
    let (pulled, asked) = proxy.run(&world, &["content", "pull", "--overwrite", "--dry-run"]).await;
    assert_eq!((&pulled["counts"], asked), (&written, vec!["GET".to_owned()]));
    let (pulled, asked) = proxy.run(&world, &["content", "pull", "--overwrite"]).await;
    assert_eq!(pulled["counts"], written);
    assert_eq!(asked, ["GET", "GET ID", "GET ID"]);
    assert_eq!(world.read("docs/de/intro.md"), german);
    assert!(world.read("docs/fr/guide/page.html").contains("<a href=\"/x\">"));
}

async fn where_the_list_has_no_hashes_each_document_is_read(store: TestStore) {
    let world = published(&store).await;
    let proxy = RecordingProxy::to(world.app.address, Answers::WithoutHashes).await;
    let (pushed, asked) = proxy.run(&world, &["content", "push"]).await;
    assert_eq!(pushed["counts"], json!({"new": 0, "changed": 0, "unchanged": 2, "failed": 0}));
    assert_eq!(asked, ["GET", "GET ID", "GET ID"]);
    std::fs::remove_file(world.path("docs/de/intro.md")).unwrap();
    let (pulled, asked) = proxy.run(&world, &["content", "pull"]).await;
    assert_eq!(pulled["counts"], json!({"written": 1, "unchanged": 3, "kept": 0, "notThere": 0, "failed": 0}));
    assert_eq!(asked, ["GET", "GET ID", "GET ID", "GET ID", "GET ID"]);

    world.write("docs/intro.md", "One `code` span.\n");
    let (pushed, mut asked) = proxy.run(&world, &["content", "push"]).await;
    assert_eq!(pushed["counts"], json!({"new": 0, "changed": 1, "unchanged": 1, "failed": 0}));
    asked.sort();
    assert_eq!(asked, ["GET", "GET ID", "GET ID", "PUT ID"]);

    // It may be a text of the deployment, which does not say so.
    world.write("docs/de/intro.md", "Edited.");
    let base_url = proxy.base_url();
    let pulled = world.l10n(&["content", "pull", "--json", "--base-url", &base_url]).run().await;
    assert_eq!((pulled.status, world.read("docs/de/intro.md").as_str()), (10, "Edited."), "{}", pulled.stderr);
    assert_eq!(pulled.json()["counts"]["kept"], json!(1));
}

async fn a_file_of_the_teams_own_stays_until_its_replacement_is_asked_for(store: TestStore) {
    let world = world(&store).await;
    for step in ["push", "run", "publish"] {
        world.ok(&["content", step]).await;
    }
    world.write("docs/de/intro.md", "Eigener Text.\n");
    for arguments in [&["content", "pull", "--dry-run", "--json"][..], &["content", "pull", "--json"]] {
        let pulled = world.l10n(arguments).run().await;
        assert_eq!(pulled.status, 10, "{}", pulled.stderr);
        let counts = json!({"written": 3, "unchanged": 0, "kept": 1, "notThere": 0, "failed": 0});
        assert_eq!(pulled.json()["counts"], counts);
        assert!(pulled.stderr.contains("docs/de/intro.md: kept"), "{}", pulled.stderr);
        assert_eq!(world.read("docs/de/intro.md"), "Eigener Text.\n");
    }
    let draft = world.l10n(&["content", "pull", "--draft"]).run().await;
    assert_eq!((draft.status, world.read("docs/de/intro.md").as_str()), (10, "Eigener Text.\n"), "{}", draft.stderr);
    world.ok(&["content", "pull", "--overwrite"]).await;
    let german = world.read("docs/de/intro.md");
    assert!(german.contains("`code`"), "{german}");

    // An edit of a pulled file is the team's own, too.
    world.write("docs/de/intro.md", &german.replace("`code`", "`Code`"));
    assert_eq!(world.l10n(&["content", "pull"]).run().await.status, 10);
    assert!(world.read("docs/de/intro.md").contains("`Code`"));
}

async fn a_file_that_was_published_earlier_is_replaced(store: TestStore) {
    let world = published(&store).await;
    // As Git writes it on Windows.
    let french = world.read("docs/fr/intro.md").replace('\n', "\r\n");
    world.write("docs/fr/intro.md", &french);
    for text in ["# Start\n\nTwo.\n", "# Begin\n\nThree.\n"] {
        world.write("docs/intro.md", text);
        for step in ["push", "run", "publish"] {
            world.ok(&["content", step]).await;
        }
    }
    let pulled = world.json(&["content", "pull"]).await;
    assert_eq!(pulled["counts"], json!({"written": 2, "unchanged": 2, "kept": 0, "notThere": 0, "failed": 0}));
    assert!(!world.read("docs/fr/intro.md").contains("code"));
}

/// LIM-BODY-4: a file that the server would refuse is reported before it is sent.
async fn a_document_that_cannot_be_read_does_not_keep_the_others(store: TestStore) {
    let world = world(&store).await;
    world.write("docs/large.txt", &"a".repeat(262_144));
    world.write("docs/torn.md", "---\na: [\n---\nText.\n");
    std::fs::write(world.path("docs/bytes.txt"), b"one\ntwo \xff\n").unwrap();
    world.write("docs/nul.md", "One.\n\nT\0wo.\n");
    let preview = world.l10n(&["content", "push", "--dry-run"]).run().await;
    assert_eq!(preview.status, 2, "nothing is done that would be a part: {}", preview.stderr);
    assert!(preview.stderr.contains("; nothing was changed\n"), "{}", preview.stderr);
    let output = world.l10n(&["content", "push", "--json"]).run().await;
    assert_eq!(output.status, 10, "{}", output.stderr);
    let json = output.json();
    assert_eq!(json["counts"], json!({"new": 2, "changed": 0, "unchanged": 0, "failed": 4}));
    let failed: Vec<&str> = json["documents"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|document| document["error"]["code"].as_str())
        .collect();
    assert_eq!(failed, ["source_files", "source_files", "source_files", "document_unparseable"], "{json}");
    let said = ["docs/bytes.txt:2: not valid UTF-8", "docs/large.txt takes 262", "docs/nul.md:3: the character NUL"];
    for said in said.into_iter().chain(["docs/torn.md:"]) {
        assert!(output.stderr.contains(said), "{said}: {}", output.stderr);
    }
}

/// A refusal of many names none of them; one of a service that is down is each one's.
async fn documents_that_are_refused_together_are_pushed_one_by_one(store: TestStore) {
    let world = world(&store).await;
    world.write("docs/later.md", "# Later\n");
    let down = RecordingProxy::to(world.app.address, Answers::WithoutBatches(StatusCode::SERVICE_UNAVAILABLE)).await;
    let base_url = down.base_url();
    let arguments = ["content", "push", "--json", "--retries", "0", "--base-url", &base_url];
    let output = world.l10n(&arguments).run().await;
    assert_eq!(output.status, 8, "{}", output.stderr);
    let json = output.json();
    assert_eq!(json["counts"], json!({"new": 0, "changed": 0, "unchanged": 0, "failed": 3}));
    let rows = json["documents"].as_array().unwrap();
    assert!(rows.len() == 3 && rows.iter().all(|row| row["error"]["code"] == "from_the_proxy"), "{json}");
    assert_eq!(output.stderr.matches("error: ").count(), 1, "{}", output.stderr);

    for (status, new) in [(StatusCode::BAD_REQUEST, 5), (StatusCode::CONFLICT, 2), (StatusCode::PAYLOAD_TOO_LARGE, 2)] {
        let proxy = RecordingProxy::to(world.app.address, Answers::WithoutBatches(status)).await;
        for name in ["a", "b"] {
            world.write(&format!("docs/{name}{}.md", status.as_u16()), "# A new one\n");
        }
        let (pushed, asked) = proxy.run(&world, &["content", "push"]).await;
        assert_eq!((&pushed["counts"]["new"], &pushed["counts"]["failed"]), (&json!(new), &json!(0)), "{pushed}");
        assert_eq!(asked.iter().filter(|asked| *asked == "POST").count(), new + 1, "{asked:?}");
    }
    assert_eq!(world.json(&["content", "push"]).await["counts"]["unchanged"], json!(9));
}

/// The answer to one question about a job is lost: what was started, and for how much, is told all the same.
async fn a_run_whose_end_is_not_known_tells_its_price_and_its_jobs(store: TestStore) {
    let world = world(&store).await;
    world.write("l10n.toml", &world.config(&format!("{CONFIG}[[files]]\nsource = \"locales/{{language}}.json\"\n")));
    world.ok(&["content", "push"]).await;
    let proxy = RecordingProxy::to(world.app.address, Answers::WithoutJobs).await;
    let base_url = proxy.base_url();
    for (command, items) in [(&["content", "run"][..], "documents"), (&["sync"], "files")] {
        let arguments = [command, &["--json", "--base-url", &base_url]].concat();
        let output = world.l10n(&arguments).run().await;
        assert_eq!(output.status, 4, "{command:?}: {}", output.stderr);
        let json = output.json();
        assert_eq!(json["error"]["code"], "from_the_proxy", "{json}");
        let items = json[items].as_array().unwrap();
        assert!(!items.is_empty() && items.iter().all(|item| item["run"]["trackingToken"].is_string()), "{json}");
        assert!(json["totals"]["estimatedCredits"].as_i64() > Some(0) && json["jobs"] == json!([]), "{json}");
    }
    let arguments = ["translate", "--key", "new", "--text", "A new text", "--json", "--base-url", &base_url];
    let output = world.l10n(&arguments).run().await;
    assert_eq!(output.status, 4, "{}", output.stderr);
    let json = output.json();
    assert!(json["run"]["trackingToken"].is_string() && json["key"]["ref"] == "new", "{json}");
    assert_eq!(json["error"]["code"], "from_the_proxy");
}

/// OPS-4: each document is a separate run, within the approved price.
async fn a_document_of_an_agent_is_run_once_a_person_approves(store: TestStore) {
    let world = world(&store).await;
    world.ok(&["content", "push"]).await;
    let agent = &world.app.project.keys.agent;
    let refused = world.l10n(&["content", "run", "docs/intro.md"]).key(agent).run().await;
    assert_eq!(refused.status, 9, "{}", refused.stderr);
    let dry = world.l10n(&["content", "run", "--dry-run"]).key(agent).run().await;
    assert_eq!(dry.status, 0, "{}", dry.stderr);
    let several = world.l10n(&["content", "run", "--operation-id", "op_1"]).key(agent).run().await;
    assert_eq!(several.status, 2, "{}", several.stderr);
    assert!(several.stderr.contains("an approval counts for one document, but 2 are selected"), "{}", several.stderr);
    let person = Person::who_approves(&world.app.service);
    let approved = world.l10n(&["content", "run", "--request-approval", "--json"]).key(agent).run().await;
    assert_eq!(approved.status, 0, "{}", approved.stderr);
    assert_eq!(approved.json()["jobs"].as_array().unwrap().len(), 2, "{}", approved.stdout);
    let decided = person.decided();
    assert!(decided.len() == 2 && decided.iter().all(|operation| operation.doc_id.is_some()), "{decided:?}");
    let published = world.l10n(&["content", "publish", "--request-approval"]).key(agent).run().await;
    assert_eq!(published.status, 0, "{}", published.stderr);
}

async fn why_a_document_would_be_held_back_is_told(store: TestStore) {
    let world = world(&store).await;
    let nothing = world.l10n(&["content", "check"]).run().await;
    assert_eq!(nothing.status, 2, "{}", nothing.stderr);
    world.ok(&["content", "push"]).await;
    let early = world.ok(&["content", "check"]).await;
    assert!(early.stderr.contains("4 translations not begun"), "{}", early.stderr);
    let unknown = world.l10n(&["content", "check", "--languages", "es"]).run().await;
    assert_eq!(unknown.status, 2, "{}", unknown.stderr);
    world.ok(&["content", "run"]).await;
    let ready = world.ok(&["content", "check"]).await.stdout;
    assert_eq!(ready, "✓ A publish would take every document in each of its languages\n");

    world.write("docs/intro.md", "---\ntitle: Start\n---\n\n# Start here\n\nOne `code` span.\n\nThree.\n");
    world.ok(&["content", "push"]).await;
    let message = "`<1/>` is missing".to_owned();
    let lost = Issue { check: Check::Tags, severity: Severity::Error, message, start: None, end: None };
    let held = NewSegmentTranslation {
        hash: SourceHash::of(&Content::Text("One <1/> span.".into())),
        text: "Ein Stück.",
        state: State::NeedsReview,
        issues: &[lost],
        origin: Origin::Machine,
        engine: None,
    };
    let pair = TranslationScope { project_id: &world.app.project.id, source_language: "en", language: "de" };
    let mut tx = world.app.service.store.begin_write().await.unwrap();
    segment_translations::upsert(&mut tx, pair, &[held], world.app.clock.now()).await.unwrap();
    tx.commit().await.unwrap();

    let told = world.l10n(&["content", "check", "--languages", "de"]).run().await;
    assert_eq!(told.status, 7, "{}", told.stderr);
    snapshot!(told.stdout, @r"
    docs/intro.md in de is outdated
      One <1/> span.
        Ein Stück.
        tags: `<1/>` is missing
      Three.
        is not translated
    ");
    assert!(told.stderr.contains("1 translation of documents would be held back"), "{}", told.stderr);
    let others = world.l10n(&["content", "check", "docs/guide", "--json"]).run().await;
    assert_eq!(others.json()["ready"], json!(true), "{}", others.stderr);
    let all = world.l10n(&["content", "check", "--json"]).run().await.json();
    assert_eq!((&all["ready"], &all["error"]["code"]), (&json!(false), &json!("not_ready")), "{all}");
    assert_eq!(all["documents"][1]["problems"], json!([{"text": "Three.", "issues": []}]), "{all}");
    let published = world.l10n(&["content", "publish"]).run().await;
    assert_eq!(published.status, 10, "a document is held: {}", published.stderr);
    assert!(published.stderr.contains("`l10n content check` says why"), "{}", published.stderr);
}

/// A source within the limit may exceed it in another language.
async fn a_document_that_grows_too_large_is_told_with_its_size(store: TestStore) {
    let world = world(&store).await;
    let paragraphs: Vec<String> =
        (0..1_900).map(|number| format!("Paragraph {number} of a long text. ").repeat(4)).collect();
    world.write("docs/long.txt", &paragraphs.join("\n\n"));
    world.ok(&["content", "push", "docs/long.txt"]).await;
    world.ok(&["content", "run", "docs/long.txt", "--languages", "de"]).await;
    let told = world.l10n(&["content", "check", "docs/long.txt"]).run().await;
    assert_eq!(told.status, 7, "{}", told.stderr);
    let lines: Vec<&str> = told.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[0], "docs/long.txt in de is held");
    assert!(
        lines[1].ends_with(" KB, but the limit of a publish is 256 KB; split it into several documents"),
        "{}",
        lines[1]
    );
    let json = world.l10n(&["content", "check", "docs/long.txt", "--json"]).run().await.json();
    let size = &json["documents"][0]["tooLarge"];
    assert!(size["bytes"].as_u64().unwrap() > 262_144 && size["limit"] == 262_144, "{json}");

    let published = world.l10n(&["content", "publish", "docs/long.txt"]).run().await;
    assert_eq!(published.status, 10, "{}", published.stderr);
    let told = "docs/long.txt is held back: in de it has ";
    assert!(
        published.stderr.contains(told) && published.stderr.contains("limit of a publish is 256 KB"),
        "{}",
        published.stderr
    );
    // A language is meant in any spelling.
    let spelled = world.l10n(&["content", "publish", "docs/long.txt", "--languages", "DE"]).run().await;
    assert!(spelled.status == 10 && spelled.stderr.contains(told), "{}", spelled.stderr);
    // A key that may publish and nothing else cannot ask for the size.
    world.write("l10n.toml", &world.config(""));
    let publish = &world.app.project.keys.publish;
    let unknown = world.l10n(&["content", "publish", "--json"]).key(publish).run().await;
    assert_eq!(unknown.status, 10, "{}", unknown.stderr);
    assert_eq!(unknown.json()["summary"]["docsTooLarge"], json!(1), "{}", unknown.stdout);
    assert!(unknown.stderr.contains("docs/long.txt is held back: "), "{}", unknown.stderr);
}
