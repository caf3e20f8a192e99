//! The storage of published files.

use l10n_server::both_engines;
use l10n_server::store::Tx;
use l10n_server::testing::TestStore;

use crate::publish::fixtures::{App, Spec, hex};

both_engines!(a_large_file_is_stored_compressed, what_an_earlier_release_stored_plain_is_read_as_before);

const LIVE: &str = "/bundles/live/en.json";

/// Publishes a file of some 20,000 bytes.
async fn published(store: &TestStore) -> App {
    let app = App::on(store).await;
    let text = "Something that repeats itself. ".repeat(600);
    let mut tx = app.write().await;
    app.key_in(&mut tx, Spec { name: "long", text: &text, ..Spec::default() }).await;
    tx.commit().await.unwrap();
    app.publish().await;
    app
}

/// The longest content as it is stored.
async fn stored(store: &TestStore) -> (Vec<u8>, Option<String>, Vec<u8>) {
    const LONGEST: &str = "SELECT sha256, coding, content FROM blobs ORDER BY LENGTH(content) DESC LIMIT 1";
    match store.begin_read().await.unwrap() {
        Tx::Sqlite(mut tx) => sqlx::query_as(LONGEST).fetch_one(&mut *tx).await.unwrap(),
        Tx::Postgres(mut tx) => sqlx::query_as(LONGEST).fetch_one(&mut *tx).await.unwrap(),
    }
}

async fn a_large_file_is_stored_compressed(store: TestStore) {
    let app = published(&store).await;
    let gzip = app.public(LIVE).header("accept-encoding", "gzip").send().await;
    let plain = app.public(LIVE).header("accept-encoding", "identity").send().await;
    let (sha256, coding, content) = stored(&store).await;
    assert_eq!(coding.as_deref(), Some("gzip"));
    assert!(content.len() < plain.bytes.len() / 20, "{} of {}", content.len(), plain.bytes.len());
    assert_eq!(gzip.header("content-encoding"), Some("gzip"));
    assert_eq!(gzip.bytes, content, "it is sent as it is stored");
    assert_eq!(sha256.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), hex(&plain.bytes));
    let versions = app.get("/versions").send().await.json();
    let files = app.contents(versions["versions"][0]["versionId"].as_str().unwrap()).await;
    assert_eq!(files[0].1.as_bytes(), plain.bytes);
}

async fn what_an_earlier_release_stored_plain_is_read_as_before(store: TestStore) {
    let publisher = published(&store).await;
    let plain = publisher.public(LIVE).send().await;
    let (sha256, ..) = stored(&store).await;
    const PLAIN: &str = "UPDATE blobs SET coding = NULL, content = $2 WHERE sha256 = $1";
    let mut tx = store.begin_write().await.unwrap();
    match &mut tx {
        Tx::Sqlite(tx) => {
            sqlx::query(PLAIN).bind(&sha256).bind(&plain.bytes[..]).execute(&mut **tx).await.map(drop).unwrap()
        }
        Tx::Postgres(tx) => {
            sqlx::query(PLAIN).bind(&sha256).bind(&plain.bytes[..]).execute(&mut **tx).await.map(drop).unwrap()
        }
    }
    tx.commit().await.unwrap();
    // Another server, which has nothing in memory.
    for coding in ["gzip", "br", "identity"] {
        let app = App::new(publisher.beside(&store).await);
        let answer = app.public(LIVE).header("accept-encoding", coding).send().await;
        let expected = (coding != "identity").then_some(coding);
        assert_eq!((answer.status, answer.header("content-encoding")), (200, expected));
        assert_eq!(
            answer.header("etag").map(|tag| tag.trim_start_matches("W/").to_owned()),
            plain.header("etag").map(str::to_owned)
        );
        if coding == "identity" {
            assert_eq!(answer.bytes, plain.bytes);
        }
    }
}
