//! Exports of memory, which are read as they arrive.

use std::io;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use futures_util::{FutureExt as _, Stream, StreamExt as _, TryStreamExt as _, stream};
use l10n_client::{Builder, Error, MemoryFile, TransportKind};

use crate::in_process::InProcess;

type Piece = Result<&'static str, io::Error>;

/// A service whose export has this body.
fn exporting<S>(body: impl Fn() -> S + Clone + Send + Sync + 'static) -> InProcess
where
    S: Stream<Item = Piece> + Send + 'static,
{
    InProcess::answering(move |_, request: Request| {
        assert_eq!(request.uri().path(), "/v1/projects/prj_1/memory/export");
        let body = Body::from_stream(body());
        async { body.into_response() }
    })
}

async fn export(builder: Builder) -> MemoryFile {
    builder.max_retries(0).build().unwrap().project("prj_1").memory().export().await.unwrap()
}

fn whole(body: &'static [&'static str]) -> InProcess {
    exporting(move || stream::iter(body.iter().map(|piece| Ok(*piece))))
}

#[tokio::test]
async fn an_export_may_be_longer_than_other_answers() {
    let service = whole(&["<tmx>", "", "<body/>", "</tm", "x>\n", "\n"]);
    let file = export(service.builder().max_response_bytes(5)).await;
    let pieces: Vec<_> = file.into_stream().try_collect().await.unwrap();
    assert_eq!(pieces.concat(), b"<tmx><body/></tmx>\n\n");
    assert_eq!(pieces.len(), 5, "each piece is there as it arrives");
}

/// Whoever takes a file slowly, or a slow service, has no limit for the whole file.
#[tokio::test]
async fn the_time_of_a_request_holds_for_each_piece_and_not_for_the_file() {
    let time = Duration::from_millis(400);
    let service = whole(&["<tmx>", "<body/>", "<!---->", "</tmx>"]);
    let mut file = export(service.builder().request_timeout(time).total_timeout(time)).await;
    while file.chunk().await.unwrap().is_some() {
        tokio::time::sleep(time / 2).await;
    }

    let service = exporting(|| stream::iter([Ok("<tmx>")]).chain(stream::pending()));
    let mut file = export(service.builder().request_timeout(Duration::from_millis(50))).await;
    assert_eq!(file.chunk().await.unwrap().unwrap(), "<tmx>");
    let Error::Transport(error) = file.chunk().await.unwrap_err() else { panic!() };
    assert_eq!(error.kind, TransportKind::Timeout);
    assert_eq!(file.chunk().await.unwrap(), None);
}

/// The loser of a `select!` is dropped. The file went on to say that it had ended, and looked whole.
#[tokio::test]
async fn a_piece_that_was_not_waited_for_comes_the_next_time() {
    let service = exporting(|| {
        let late = stream::once(async {
            tokio::task::yield_now().await;
            Ok("</tmx>")
        });
        stream::iter([Ok("<tmx>")]).chain(late)
    });
    let mut file = export(service.builder()).await;
    assert_eq!(file.chunk().await.unwrap().unwrap(), "<tmx>");
    assert!(file.chunk().now_or_never().is_none(), "the next piece has not arrived");
    assert_eq!(file.chunk().await.unwrap().unwrap(), "</tmx>");
    assert_eq!(file.chunk().await.unwrap(), None);
}

#[tokio::test]
async fn an_export_that_is_not_whole_is_an_error() {
    let service = exporting(|| stream::iter([Ok("<tmx></tmx>"), Err(io::Error::other("pipe"))]));
    let mut file = export(service.builder()).await;
    assert!(file.chunk().await.unwrap().is_some());
    let Error::Transport(error) = file.chunk().await.unwrap_err() else { panic!() };
    assert_eq!((error.kind, error.endpoint.name), (TransportKind::Interrupted, "memory::export"));

    for body in [&[][..], &["<tmx><body>"], &["</tmx> <!-- "], &["</tmx>", "<"]] {
        let file = export(whole(body).builder()).await;
        let pieces: Vec<_> = file.into_stream().collect().await;
        let Some(Err(Error::Decode(error))) = pieces.last() else { panic!("{body:?}") };
        assert!(error.problem.contains("not whole"), "{error}");
        assert_eq!(pieces.len(), body.len() + 1, "{body:?}");
    }
}

#[tokio::test]
async fn a_refusal_is_told_before_the_file() {
    let service = InProcess::answering(|_, _| async {
        (StatusCode::FORBIDDEN, r#"{"error":"forbidden","message":"no"}"#).into_response()
    });
    let error = service.builder().build().unwrap().project("prj_1").memory().export().await.unwrap_err();
    assert_eq!(error.status(), Some(403));
}
