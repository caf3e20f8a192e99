//! Published files.

use l10n_client::{Changed, Error};
use wiremock::ResponseTemplate;

use crate::samples;
use crate::support::{answering, ok, project, requests};

const SHA256_OF_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

#[tokio::test]
async fn an_unchanged_file_is_not_sent_again() {
    let file =
        ResponseTemplate::new(200).set_body_raw("{\"a\":1}", "application/json").insert_header("etag", "\"abc\"");
    let server = answering([file, ResponseTemplate::new(304)]).await;
    let delivery = project(&server.uri()).delivery();
    let Changed::Yes { value, etag } = delivery.bundle_if_changed("live", "en.json", None).await.unwrap() else {
        panic!()
    };
    assert_eq!((value.bytes.as_slice(), value.media_type.as_deref()), (&b"{\"a\":1}"[..], Some("application/json")));
    let again = delivery.bundle_if_changed("live", "en.json", etag.as_deref()).await.unwrap();
    assert_eq!(again, Changed::No);
    let received = requests(&server).await;
    assert!(!received[0].headers.contains_key("if-none-match"));
    assert_eq!(received[1].headers["if-none-match"], "\"abc\"");
}

#[tokio::test]
async fn an_unchanged_manifest_is_not_sent_again() {
    let server =
        answering([ok(samples::manifest("", 0)).insert_header("etag", "\"m\""), ResponseTemplate::new(304)]).await;
    let delivery = project(&server.uri()).delivery();
    let Changed::Yes { etag, .. } = delivery.manifest_if_changed(None).await.unwrap() else { panic!() };
    assert_eq!(delivery.manifest_if_changed(etag.as_deref()).await.unwrap(), Changed::No);
}

#[tokio::test]
async fn a_304_that_was_not_asked_for_is_no_file() {
    let server = answering([ResponseTemplate::new(304)]).await;
    let failure = project(&server.uri()).delivery().live_bundle("en.json").await.unwrap_err();
    assert!(matches!(failure, Error::Decode(_)), "{failure:?}");
}

/// A downloaded file matches the manifest, or it is an error.
#[tokio::test]
async fn a_download_is_held_against_the_manifest() {
    for (body, bytes, good) in
        [("abc", 3, true), ("abd", 3, false), ("ab", 3, false), ("", 3, false), ("abc", 4, false)]
    {
        let server = answering([
            ok(samples::manifest(SHA256_OF_ABC, bytes)),
            ResponseTemplate::new(200).set_body_raw(body, "application/octet-stream"),
        ])
        .await;
        let delivery = project(&server.uri()).delivery();
        let manifest = delivery.manifest().await.unwrap();
        let result = delivery.download_verified(&manifest, &manifest.files[0]).await;
        assert_eq!(result.is_ok(), good, "{body}");
        assert!(good || matches!(result, Err(Error::Integrity(_))));
        // By version, from this server, whatever host the manifest names.
        assert_eq!(requests(&server).await[1].url.path(), "/v1/projects/prj_1/bundles/ver_1/locales/en.json");
    }
}

/// The bytes of a file are returned unchanged, also through the general call.
#[tokio::test]
async fn bytes_come_as_they_are() {
    use l10n_client::api::delivery::{Bundle, BundlePath};
    use l10n_client::api::{NoBody, NoQuery};

    let bytes = b"\xff\xfe\0not json".to_vec();
    let server = answering([ResponseTemplate::new(200).set_body_raw(bytes.clone(), "text/plain")]).await;
    let project = project(&server.uri());
    assert_eq!(project.delivery().live_bundle("x").await.unwrap().bytes, bytes);
    let path = BundlePath { project_id: "prj_1".into(), version_id: "live".into(), path: "x".into() };
    let file = project.client().call::<Bundle>(&path, &NoQuery {}, &NoBody {}).await.unwrap();
    assert_eq!(file.0, bytes);
}
