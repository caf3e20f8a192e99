//! Raw connections: what a client of one's own would never send.

use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::testing::{TestApp, TestStore};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

both_engines!(
    a_request_after_a_refused_one_is_not_misread,
    a_body_over_the_cap_is_refused_without_a_length,
    an_announced_body_over_the_cap_is_refused_before_it_is_sent,
    broken_framing_ends_the_connection,
    a_head_that_two_readers_read_in_two_ways_runs_nothing,
    a_head_over_64_kib_is_refused,
    a_head_that_drips_ends,
    a_body_that_drips_ends,
    a_plain_socket_is_client_enough,
);

/// Sends `request` and reads to the end of the connection, or until nothing has come for a while after `answers` heads.
async fn exchange(app: &TestApp, request: &[u8], answers: usize) -> String {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    stream.write_all(request).await.unwrap();
    read(&mut stream, answers).await
}

/// Reads until `answers` whole answers are there, or the connection ends.
async fn read(stream: &mut TcpStream, answers: usize) -> String {
    let mut bytes = Vec::new();
    let deadline = Duration::from_secs(20);
    while count(&bytes) < answers {
        let read = tokio::time::timeout(deadline, stream.read_buf(&mut bytes)).await.expect("an answer in time");
        match read {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whole answers in `bytes`.
fn count(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    let mut whole = 0;
    while let Some(head) = rest.windows(4).position(|window| window == b"\r\n\r\n") {
        let text = String::from_utf8_lossy(&rest[..head]).to_lowercase();
        let length =
            text.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok()).unwrap_or(0);
        if rest.len() < head + 4 + length {
            break;
        }
        rest = &rest[head + 4 + length..];
        whole += 1;
    }
    whole
}

fn statuses(text: &str) -> Vec<&str> {
    text.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect()
}

fn head(app: &TestApp, method: &str, path: &str, more: &str) -> String {
    format!(
        "{method} /v1/projects/{}{path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n{more}\r\n",
        app.project.id, app.project.keys.admin
    )
}

/// CONV-8
async fn a_plain_socket_is_client_enough(store: TestStore) {
    let app = TestApp::on(&store).await;
    let answer = exchange(&app, head(&app, "GET", "/credential", "").as_bytes(), 1).await;
    assert_eq!(statuses(&answer), ["200"], "{answer}");
    // The host is nobody's business, nor is the form of the target.
    let absolute = head(&app, "GET", "/credential", "").replace("GET /", "GET http://evil.example/");
    assert_eq!(statuses(&exchange(&app, absolute.as_bytes(), 1).await), ["200"]);
}

/// LIM-BODY-6, HOSTILE-INPUTS S4
async fn a_request_after_a_refused_one_is_not_misread(store: TestStore) {
    let app = TestApp::on(&store).await;
    let next = head(&app, "GET", "/credential", "");
    // A body that looks like a request of its own.
    let body = format!("DELETE /v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n{}", " ".repeat(1_100_000));
    let length = format!("Content-Length: {}\r\n", body.len());
    let unauthorized = head(&app, "POST", "/languages", &length).replace("eik_", "eik_x");
    for (refused, status) in [(head(&app, "POST", "/languages", &length), "413"), (unauthorized, "401")] {
        let answer = exchange(&app, format!("{refused}{body}{next}").as_bytes(), 2).await;
        assert_eq!(statuses(&answer), [status, "200"], "{answer}");
    }
    let chunked = head(&app, "GET", "/nowhere", "Transfer-Encoding: chunked\r\n");
    let answer = exchange(&app, format!("{chunked}5\r\nGET /\r\n0\r\n\r\n{next}").as_bytes(), 2).await;
    assert_eq!(statuses(&answer), ["404", "200"], "{answer}");
}

/// LIM-BODY-1, LIM-BODY-6
async fn a_body_over_the_cap_is_refused_without_a_length(store: TestStore) {
    let app = TestApp::on(&store).await;
    for (length, status) in [(1_048_576, "400"), (1_048_577, "413")] {
        let mut request = head(&app, "POST", "/languages", "Transfer-Encoding: chunked\r\n").into_bytes();
        let mut body = b"{}".to_vec();
        body.resize(length, b' ');
        for chunk in body.chunks(100_000) {
            request.extend(format!("{:x}\r\n", chunk.len()).bytes());
            request.extend(chunk);
            request.extend(b"\r\n");
        }
        request.extend(b"0\r\n\r\n");
        request.extend(head(&app, "GET", "/credential", "").bytes());
        let answer = exchange(&app, &request, 2).await;
        assert_eq!(statuses(&answer), [status, "200"], "{length}: {answer}");
    }
}

/// HOSTILE-INPUTS S4
async fn an_announced_body_over_the_cap_is_refused_before_it_is_sent(store: TestStore) {
    let app = TestApp::on(&store).await;
    let announced = head(&app, "POST", "/languages", "Content-Length: 1048577\r\nExpect: 100-continue\r\n");
    let answer = exchange(&app, announced.as_bytes(), 1).await;
    assert_eq!(statuses(&answer), ["413"], "{answer}");
    let without = head(&app, "POST", "/languages", "Content-Length: 99999999999\r\n");
    assert_eq!(statuses(&exchange(&app, without.as_bytes(), 1).await), ["413"]);
}

/// HOSTILE-INPUTS S4
async fn broken_framing_ends_the_connection(store: TestStore) {
    let app = TestApp::on(&store).await;
    let next = head(&app, "GET", "/credential", "");
    let broken = [
        "Content-Length: 2\r\nContent-Length: 3\r\n",
        "Content-Length: +34\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding : chunked\r\n",
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
    ];
    for fault in broken {
        let request = format!("{}zz{next}", head(&app, "POST", "/languages", fault));
        let answer = exchange(&app, request.as_bytes(), 2).await;
        assert!(!answer.contains("requires_operation_approval"), "{fault}: {answer}");
        assert!(statuses(&answer).iter().all(|status| *status == "400"), "{fault}: {answer}");
    }
    // A body that ends before it should.
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    stream.write_all(head(&app, "POST", "/languages", "Content-Length: 100\r\n").as_bytes()).await.unwrap();
    stream.write_all(b"{\"languages\":[]}").await.unwrap();
    stream.shutdown().await.unwrap();
    let answer = read(&mut stream, 1).await;
    assert!(statuses(&answer).iter().all(|status| *status == "400"), "{answer}");
    assert_eq!(statuses(&exchange(&app, next.as_bytes(), 1).await), ["200"]);
}

/// HOSTILE-INPUTS S4: refused before anything runs, also behind a good request on one connection, with the body of every
/// error, and nothing after it is read.
async fn a_head_that_two_readers_read_in_two_ways_runs_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    let good = head(&app, "GET", "/credential", "");
    let body = r#"{"languages":[{"code":"it"}]}"#;
    let sized = format!("Content-Length: {}\r\n", body.len());
    let write = |more: &str| format!("{}{body}", head(&app, "POST", "/languages", &format!("{sized}{more}")));
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let both = head(&app, "POST", "/languages", &format!("{sized}Transfer-Encoding: chunked\r\n"));
    let cases = [
        format!("{both}{chunked}"),
        write("Transfer-Encoding: chunked\r\n"),
        write("Host: y\r\n"),
        write("X: y\nZ: z\r\n"),
        write(&sized),
        write("").replace("Host: x\r\n", ""),
        write("").replace(" HTTP/1.1\r\n", " HTTP/1.1\n"),
        write("").replace("\r\n", "\n"),
        write("").replace("POST", "L10N-REFUSED"),
    ];
    for case in cases {
        for (before, expected) in [(String::new(), &["400"][..]), (good.clone(), &["200", "400"])] {
            let mut stream = TcpStream::connect(app.address).await.unwrap();
            stream.write_all(format!("{before}{case}{good}").as_bytes()).await.unwrap();
            // To the end of the connection, which the server brings about.
            let answer = read(&mut stream, usize::MAX).await;
            assert_eq!(statuses(&answer), expected, "{case}: {answer}");
            let refused = answer.rsplit("HTTP/1.1 400").next().unwrap().to_lowercase();
            for part in ["x-correlation-id: ", "connection: close", "\"error\":\"invalid_argument\""] {
                assert!(refused.contains(part), "{part}: {answer}");
            }
        }
    }
    let meta = app.get("/meta").send().await.json();
    assert!(!meta["languages"].to_string().contains("\"it\""), "nothing was run: {meta}");
}

/// HOSTILE-INPUTS S4
async fn a_head_over_64_kib_is_refused(store: TestStore) {
    let app = TestApp::on(&store).await;
    let fits = head(&app, "GET", "/credential", "X: \r\n").len();
    let padded = |length: usize| head(&app, "GET", "/credential", &format!("X: {}\r\n", "a".repeat(length - fits)));
    assert_eq!(statuses(&exchange(&app, padded(64 * 1024).as_bytes(), 1).await), ["200"]);
    for length in [64 * 1024 + 1, 500_000] {
        let answer = exchange(&app, padded(length).as_bytes(), usize::MAX).await;
        assert_eq!(statuses(&answer), ["431"], "{length}: {answer}");
        assert!(answer.contains("\"error\":\"invalid_argument\""), "{answer}");
    }
}

fn short() -> ConnectionTimeouts {
    ConnectionTimeouts { head: Duration::from_secs(2), body: Duration::from_secs(2), ..ConnectionTimeouts::default() }
}

/// HOSTILE-INPUTS S4
async fn a_head_that_drips_ends(store: TestStore) {
    let app = TestApp::with(&store, |_| {}, short()).await;
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    stream.write_all(b"GET /v1/health HTTP/1.1\r\nX: ").await.unwrap();
    let answer = read(&mut stream, usize::MAX).await;
    assert!(!answer.contains("200"), "{answer}");
}

/// HOSTILE-INPUTS S4
async fn a_body_that_drips_ends(store: TestStore) {
    let app = TestApp::with(&store, |_| {}, short()).await;
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    stream.write_all(head(&app, "POST", "/languages", "Content-Length: 100\r\n").as_bytes()).await.unwrap();
    stream.write_all(b"{").await.unwrap();
    let answer = read(&mut stream, usize::MAX).await;
    assert_eq!(statuses(&answer), ["400"], "{answer}");
    assert!(answer.to_lowercase().contains("connection: close"), "{answer}");
}
