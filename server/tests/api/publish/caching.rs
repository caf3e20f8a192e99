//! Conditional requests and compression.

use std::io::Read as _;

use l10n_api_types::delivery::ManifestBody;
use l10n_server::both_engines;
use l10n_server::testing::{Answer, TestStore};

use crate::publish::fixtures::{App, Spec, hex};

/// One file that is worth compressing.
async fn large(store: &TestStore) -> App {
    let app = App::on(store).await;
    let mut tx = app.write().await;
    for position in 0..200 {
        let name = format!("key.{position}");
        app.key_in(&mut tx, Spec { name: &name, text: "Some text that repeats", position, ..Spec::default() }).await;
    }
    tx.commit().await.unwrap();
    app.publish().await;
    app
}

const PATHS: [&str; 2] = ["/manifest", "/bundles/live/en.json"];

async fn the_tag_is_the_hash_and_saves_the_body(store: TestStore) {
    let app = App::greeting(&store).await;
    let first = app.publish().await;
    for path in PATHS {
        let answer = app.public(path).send().await;
        let tag = answer.header("etag").unwrap().to_owned();
        assert_eq!(tag, format!("\"{}\"", hex(&answer.bytes)), "{path}");
        let list = format!("\"other\", W/{tag}, \"third\"");
        for (sent, returned) in [
            (&tag, tag.clone()),
            (&format!("W/{tag}"), format!("W/{tag}")),
            (&list, format!("W/{tag}")),
            (&"*".to_owned(), tag.clone()),
        ] {
            let unchanged = app.public(path).header("if-none-match", sent).send().await;
            assert_eq!((unchanged.status, unchanged.bytes.len()), (304, 0), "{path} {sent}");
            assert_eq!(unchanged.header("etag"), Some(returned.as_str()));
            assert_eq!(unchanged.header("cache-control"), answer.header("cache-control"));
            assert_eq!(unchanged.header("vary"), Some("accept-encoding"));
            assert_eq!(unchanged.header("access-control-allow-origin"), Some("*"));
            assert_eq!(unchanged.header("content-encoding"), None);
        }
        let twice = app.public(path).header("if-none-match", "\"other\"").header("if-none-match", &tag).send().await;
        assert_eq!(twice.status, 304, "in a second header");
        for other in ["\"other\"", "", "nonsense", tag.trim_matches('"')] {
            let full = app.public(path).header("if-none-match", other).send().await;
            assert_eq!((full.status, &full.bytes), (200, &answer.bytes), "{path} {other}");
        }
    }
    let missing = app.public("/bundles/live/none.json").header("if-none-match", "*").send().await;
    assert_eq!(missing.outcome(), "404 not_found");

    let tag = app.public("/manifest").send().await.header("etag").unwrap().to_owned();
    let second = app.publish().await;
    assert_ne!(first.version_id, second.version_id);
    let manifest = app.public("/manifest").header("if-none-match", &tag).send().await;
    assert_eq!(manifest.read::<ManifestBody>().version_id, second.version_id, "another version, another tag");
}

fn plain(answer: &Answer) -> Vec<u8> {
    let mut bytes = Vec::new();
    match answer.header("content-encoding") {
        Some("gzip") => flate2::read::GzDecoder::new(&*answer.bytes).read_to_end(&mut bytes).unwrap(),
        Some("br") => brotli_decompressor::Decompressor::new(&*answer.bytes, 4096).read_to_end(&mut bytes).unwrap(),
        _ => return answer.bytes.to_vec(),
    };
    bytes
}

async fn files_are_compressed_as_the_client_accepts(store: TestStore) {
    let app = large(&store).await;
    for path in PATHS {
        let whole = app.public(path).send().await;
        assert_eq!(whole.header("content-encoding"), None);
        let tag = whole.header("etag").unwrap().to_owned();
        for (accepted, coding) in [
            ("gzip", Some("gzip")),
            ("br", Some("br")),
            ("gzip, deflate, br", Some("br")),
            ("br;q=0.1, gzip", Some("gzip")),
            ("identity", None),
            ("identity;q=0", None),
            ("*;q=0", None),
            ("zstd", None),
            ("", None),
        ] {
            let answer = app.public(path).header("accept-encoding", accepted).send().await;
            assert_eq!((answer.status, answer.header("content-encoding")), (200, coding), "{path} {accepted}");
            assert_eq!(plain(&answer), whole.bytes, "{path} {accepted}");
            assert_eq!(answer.header("vary"), Some("accept-encoding"), "{path} {accepted}");
            let own = answer.header("etag").unwrap();
            assert_eq!(own, if coding.is_some() { format!("W/{tag}") } else { tag.clone() });
            assert!(coding.is_none() || answer.bytes.len() < whole.bytes.len());

            let again = app.public(path).header("accept-encoding", accepted).header("if-none-match", own).send().await;
            assert_eq!((again.status, again.header("etag")), (304, Some(own)), "{path} {accepted}");
        }
        let head = app.call(http::Method::HEAD, path).header("accept-encoding", "gzip").send().await;
        assert_eq!((head.status, head.bytes.len()), (200, 0));
        assert_eq!(head.header("etag"), Some(format!("W/{tag}").as_str()));
        let get = app.public(path).header("accept-encoding", "gzip").send().await;
        assert_eq!(head.header("content-length"), Some(get.bytes.len().to_string().as_str()), "{path}");
    }
    for accepted in ["identity;q=0", "gzip, br"] {
        let error = app.public("/bundles/live/none.json").header("accept-encoding", accepted).send().await;
        assert_eq!(error.outcome(), "404 not_found", "no 406, and a body that can be read");
        assert_eq!(error.header("content-encoding"), None);
    }
}

async fn a_file_of_a_few_bytes_is_sent_plain(store: TestStore) {
    let app = App::greeting(&store).await;
    app.publish().await;
    let whole = app.public("/bundles/live/en.json").send().await;
    let answer = app.public("/bundles/live/en.json").header("accept-encoding", "gzip, br").send().await;
    assert!(whole.bytes.len() < 256);
    assert_eq!((answer.status, answer.header("content-encoding")), (200, None));
    assert_eq!((answer.header("etag"), &answer.bytes), (whole.header("etag"), &whole.bytes));
}

both_engines!(
    the_tag_is_the_hash_and_saves_the_body,
    files_are_compressed_as_the_client_accepts,
    a_file_of_a_few_bytes_is_sent_plain,
);
