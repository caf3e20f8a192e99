//! `l10n keys`, `l10n memory` and `l10n diff`.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::support::{World, snapshot};

both_engines!(
    keys_are_found_by_a_text_in_any_case,
    memory_suggests_earlier_translations,
    memory_goes_into_a_file_and_comes_from_one,
    an_export_that_is_not_whole_leaves_the_earlier_file,
    a_diff_shows_what_a_publish_would_change,
);

async fn keys_are_found_by_a_text_in_any_case(store: TestStore) {
    let world = World::on(&store).await;
    world.write(
        "locales/en.json",
        "{\n  \"hello\": \"Hello, {name}!\",\n  \"bye\": \"Bye\",\n  \"höhe\": \"Height\"\n}\n",
    );
    world.ok(&["sync"]).await;
    let all = world.json(&["keys"]).await;
    assert_eq!((all["keys"].as_array().unwrap().len(), &all["hasMore"]), (3, &false.into()));
    let names = |found: &serde_json::Value| {
        let keys = found["keys"].as_array().unwrap();
        keys.iter().map(|key| key["ref"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&world.json(&["keys", "--query", "HÖHE"]).await), ["höhe"]);
    assert_eq!(names(&world.json(&["keys", "--query", "hello, {NAME"]).await), ["hello"]);
    assert_eq!(names(&world.json(&["keys", "--query", "e", "--limit", "2"]).await), ["bye", "hello"]);
    let none = world.ok(&["keys", "--query", "100%"]).await;
    assert_eq!((none.stdout.as_str(), none.stderr.as_str()), ("", "No key matches.\n"));
    let german = world.ok(&["keys", "--query", "bye", "--language", "de"]).await;
    snapshot!(german.stdout, @r"
    bye
      Bye
      de: [Ɓýé] (pseudo)
    ");
    world.write("locales/de.json", r#"{"bye": "Tschüs"}"#);
    world.ok(&["import"]).await;
    let german = world.ok(&["keys", "--query", "bye", "--language", "de"]).await;
    assert!(german.stdout.contains("  de: Tschüs (import)"), "{}", german.stdout);
    let too_long = world.l10n(&["keys", "--query", &"x".repeat(501), "--json"]).run().await;
    assert_eq!(too_long.status, 2, "{}", too_long.stderr);
    let other = world.l10n(&["keys", "--state", "lost"]).run().await;
    assert_eq!(other.status, 2);
}

async fn memory_suggests_earlier_translations(store: TestStore) {
    let world = World::on(&store).await;
    world.write("locales/en.json", "{\n  \"bye\": \"Bye\"\n}\n");
    world.ok(&["sync"]).await;
    let found = world.ok(&["memory", "suggest", "Bye", "--language", "de"]).await;
    snapshot!(found.stdout, @r"
    100 % pseudo: Bye
      [Ɓýé]
    ");
    let capitals = world.json(&["memory", "suggest", "BYE", "--language", "de", "--percent", "100"]).await;
    assert_eq!(capitals["matches"].as_array().unwrap().len(), 0);
    let none = world.ok(&["memory", "suggest", "What nobody says", "--language", "de"]).await;
    assert_eq!((none.stdout.as_str(), none.stderr.as_str()), ("", "Memory has nothing like it.\n"));
    for wrong in [&["--language", "pl"][..], &["--language", "de", "--percent", "59"], &[]] {
        let answer = world.l10n(&[&["memory", "suggest", "Bye"], wrong].concat()).run().await;
        assert_eq!(answer.status, 2, "{}", answer.stderr);
    }
}

async fn memory_goes_into_a_file_and_comes_from_one(store: TestStore) {
    let world = World::on(&store).await;
    world.write(
        "earlier.tmx",
        "<tmx version=\"1.4\"><header/><body>\n<tu><tuv xml:lang=\"en\"><seg>Bye</seg></tuv>\
        <tuv xml:lang=\"de\"><seg>Auf Wiedersehen</seg></tuv></tu>\n<tu/>\n</body></tmx>",
    );
    let taken = world.l10n(&["memory", "import", "earlier.tmx"]).run().await;
    snapshot!(taken.stdout.clone() + &taken.failure(&world), @r"
    1 added, 0 unchanged, 1 refused
    earlier.tmx:3: the unit has no text in the base language en
    exit 10
    error: memory did not take 1 part of earlier.tmx
      hint: correct each at its line and import the file again: what memory has stays unchanged
    ");
    let again = world.l10n(&["memory", "import", "earlier.tmx", "--json"]).run().await;
    assert_eq!(again.status, 10, "{}", again.stderr);
    let again = again.json();
    assert_eq!((&again["added"], &again["unchanged"], &again["refused"][0]["line"]), (&0.into(), &1.into(), &3.into()));
    assert_eq!((&again["error"]["code"], &again["error"]["exitCode"]), (&"not_taken".into(), &10.into()));
    let whole = world.read("earlier.tmx").replace("<tu/>\n", "");
    let whole = world.l10n(&["memory", "import", "-"]).stdin(&whole).run().await;
    assert_eq!((whole.status, whole.stdout.as_str()), (0, "✓ 0 added, 1 unchanged, 0 refused\n"), "{}", whole.stderr);
    let exported = world.ok(&["memory", "export", "-"]).await;
    assert!(
        exported.stdout.contains("<seg>Auf Wiedersehen</seg>") && exported.stdout.ends_with("</tmx>\n"),
        "{}",
        exported.stdout
    );
    world.ok(&["memory", "export", "out.tmx"]).await;
    assert_eq!(world.read("out.tmx"), exported.stdout);
    #[cfg(unix)]
    assert_eq!(world.ok(&["memory", "export", "/dev/stdout", "--json"]).await.stdout, exported.stdout);
    world.write("broken.tmx", "<tmx>");
    let broken = world.l10n(&["memory", "import", "broken.tmx"]).run().await;
    assert_eq!(broken.status, 2, "{}", broken.stderr);
    assert!(broken.stderr.contains("line 1"), "{}", broken.stderr);
    world.write("large.tmx", &"x".repeat(1024 * 1024 + 1));
    assert_eq!(world.l10n(&["memory", "import", "large.tmx"]).run().await.status, 2);
    assert_eq!(world.l10n(&["memory", "import", "missing.tmx"]).run().await.status, 2);
}

/// A server gives a file of which the end is missing, with and without a word.
async fn an_export_that_is_not_whole_leaves_the_earlier_file(store: TestStore) {
    let world = World::on(&store).await;
    world.write("out.tmx", "earlier");
    let half = "<tmx version=\"1.4\"><body>";
    for (length, status) in [(half.len(), 1), (half.len() + 100, 8)] {
        let answer = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{half}");
        let address = answering(answer).await;
        let export = |file: &str| world.l10n(&["memory", "export", file, "--base-url", &address, "--project", "prj_1"]);
        let failed = export("out.tmx").run().await;
        assert_eq!((failed.status, failed.stdout.as_str()), (status, ""), "{}", failed.stderr);
        assert!(failed.stderr.contains("reading translation memory"), "{}", failed.stderr);
        assert_eq!(world.read("out.tmx"), "earlier");
        let files = std::fs::read_dir(world.folder.path()).unwrap();
        assert!(!files.map(|file| file.unwrap().file_name().into_string().unwrap()).any(|name| name.ends_with(".tmp")));
        let failed = export("-").run().await;
        assert_eq!((failed.status, failed.stdout.as_str()), (status, half), "{}", failed.stderr);
    }
}

/// The base URL of a server that gives this answer to whatever it is asked.
async fn answering(answer: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut head = [0; 4096];
            let _ = socket.read(&mut head).await.unwrap();
            socket.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    format!("http://{address}/v1")
}

async fn a_diff_shows_what_a_publish_would_change(store: TestStore) {
    let world = World::on(&store).await;
    assert_eq!(world.ok(&["diff"]).await.stdout, "✓ Nothing to publish\n");
    world.ok(&["sync"]).await;
    world.ok(&["publish"]).await;
    let same = world.ok(&["diff"]).await;
    assert_eq!(same.stdout, "✓ Nothing has changed since the last publish\n");
    let file = world.read("locales/en.json");
    world.write("locales/en.json", &file.replace("Bye", "So long").replace("{\n", "{\n  \"new\": \"New\",\n"));
    world.ok(&["sync"]).await;
    let changed = world.ok(&["diff", "--language", "en"]).await;
    snapshot!(changed.stdout, @r"
    en changed bye
      - Bye
      + So long
    en added new
      + New
    LANGUAGE  ADDED  CHANGED  REMOVED  HELD BACK
    en            1        1        0          0
    ");
    let first = world.json(&["diff", "--limit", "1"]).await;
    assert_eq!((first["items"].as_array().unwrap().len(), &first["hasMore"]), (1, &true.into()));
    assert_eq!(first["languages"].as_array().unwrap().len(), 3);
    world.ok(&["publish"]).await;
    assert_eq!(world.json(&["diff"]).await["items"].as_array().unwrap().len(), 0);
    let unknown = world.l10n(&["diff", "--language", "pl"]).run().await;
    assert_eq!(unknown.status, 2, "{}", unknown.stderr);
}
