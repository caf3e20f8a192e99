//! The server's cost of one delivery between a worker and the socket. `cargo bench -p l10n-server --bench egress`
//!
//! Prints for plain HTTP and TLS the CPU time of the sending thread, kernel included, and the time from call to answer:
//! on connections that wait, and on new ones. The endpoint has a thread of its own, whose time is not counted. Linux only.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench ends at the first fault and prints its figures")]

use std::io::Write as _;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::header::CONNECTION;
use http::{HeaderMap, HeaderName, HeaderValue};
use l10n_server::egress::{Egress, EgressSettings, Outgoing, Target};
use l10n_testkit::receiver::{Answer, Receiver};

const DELIVERIES: usize = 20_000;
const CONNECTIONS: usize = 500;

fn main() {
    let (authority, plain, tls) = endpoints();
    let mut extra_ca = tempfile::NamedTempFile::new().unwrap();
    extra_ca.write_all(authority.as_bytes()).unwrap();
    let settings = EgressSettings {
        allow_targets: vec!["127.0.0.1/32".parse().unwrap()],
        extra_ca: Some(extra_ca.path().to_owned()),
        plain_http: true,
        ..EgressSettings::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for (name, url) in [("plain", plain), ("TLS", tls)] {
        let egress = Egress::new(&settings).unwrap();
        let target = egress.parse(&url).unwrap();
        for at_a_time in [1, 16] {
            let run = |count| {
                runtime.block_on(async {
                    let tasks: Vec<_> = (0..at_a_time)
                        .map(|_| tokio::spawn(deliver(egress.clone(), target.clone(), count / at_a_time)))
                        .collect();
                    for task in tasks {
                        task.await.unwrap();
                    }
                });
            };
            run(DELIVERIES / 10);
            report(&format!("{name}, {at_a_time} at a time"), DELIVERIES, || run(DELIVERIES));
        }
        report(&format!("{name}, a new connection each"), CONNECTIONS, || {
            for _ in 0..CONNECTIONS {
                let egress = egress.clone();
                let close = egress.parse(&format!("{url}close")).unwrap();
                runtime.block_on(deliver(egress, close, 1));
            }
        });
    }
}

async fn deliver(egress: Egress, target: Target, count: usize) {
    let headers = HeaderMap::from_iter([
        (HeaderName::from_static("content-type"), HeaderValue::from_static("application/json")),
        (HeaderName::from_static("user-agent"), HeaderValue::from_static("l10n-server/0.1.0")),
        (
            HeaderName::from_static("x-service-signature"),
            HeaderValue::from_static(
                "t=1700000000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
            ),
        ),
        (HeaderName::from_static("x-service-event-id"), HeaderValue::from_static("evt_0123456789abcdef")),
        (HeaderName::from_static("x-service-webhook-id"), HeaderValue::from_static("whk_0123456789abcdef")),
    ]);
    let body = Bytes::from(vec![b'x'; 512]);
    for _ in 0..count {
        let sent = egress.send(&target, Outgoing { headers: headers.clone(), body: body.clone() }).await;
        assert_eq!(sent.failure, None);
    }
}

fn report(what: &str, count: usize, work: impl FnOnce()) {
    let (cpu, begun) = (thread_time(), Instant::now());
    work();
    let each = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(u32::try_from(count).unwrap());
    println!("{what:32} CPU {:6.1} µs   {:8.1} µs each", each(thread_time() - cpu), each(begun.elapsed()));
}

/// CPU time of this thread.
fn thread_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split(' ').next().unwrap().parse().unwrap())
}

/// Endpoints without TLS and with it, on a thread of their own: the authority, and their URLs.
fn endpoints() -> (String, String, String) {
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
            let plain = Receiver::builder().plain_http().start().await.unwrap();
            let tls = Receiver::start().await.unwrap();
            for receiver in [&plain, &tls] {
                receiver.answer("/close", Answer::ok().header(CONNECTION, HeaderValue::from_static("close")));
            }
            tell.send((tls.ca_pem().to_owned(), plain.url("/"), tls.url("/"))).unwrap();
            std::future::pending::<()>().await;
        });
    });
    told.recv().unwrap()
}
