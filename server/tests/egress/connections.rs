//! The choice of a connection for a delivery.

use http::{HeaderName, HeaderValue};
use l10n_api_types::deliveries::DeliveryErrorKind;
use l10n_testkit::receiver::{Answer, Receiver};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::support::names::{Names, Reply, addresses};
use crate::support::{BODY, delivered, failed, plain, send, trusting};

/// Of each delivery in turn.
fn connections(receiver: &Receiver) -> Vec<usize> {
    receiver.look(|deliveries| deliveries.iter().map(|delivery| delivery.connection).collect())
}

#[tokio::test]
async fn a_connection_is_used_again_once_its_answer_is_read() {
    let receiver = Receiver::start().await.unwrap();
    let egress = trusting(&receiver, |_| {});
    receiver.answer_in_turn(
        "/",
        [
            Answer::ok(),
            Answer::ok().body(vec![b'x'; 64 * 1024]),
            Answer::status(http::StatusCode::SERVICE_UNAVAILABLE).body("later"),
            // This one is not read to its end.
            Answer::ok().body(vec![b'x'; 64 * 1024 + 1]),
            Answer::ok().header(HeaderName::from_static("connection"), HeaderValue::from_static("close")),
            Answer::ok(),
        ],
    );
    for _ in 0..6 {
        assert!(send(&egress, &receiver.url("/")).await.status.is_some());
    }
    assert_eq!(connections(&receiver), [0, 0, 0, 0, 1, 2]);
}

/// Deliveries at one moment have a connection each.
#[tokio::test]
async fn deliveries_do_not_wait_for_each_other() {
    let receiver = Receiver::start().await.unwrap();
    let egress = trusting(&receiver, |_| {});
    let gate = l10n_testkit::receiver::Gate::closed();
    receiver.answer("/held", Answer::ok().held(&gate));
    let held = tokio::spawn({
        let (egress, url) = (egress.clone(), receiver.url("/held"));
        async move { send(&egress, &url).await }
    });
    receiver.wait_for(1).await.unwrap();
    delivered(&send(&egress, &receiver.url("/")).await);
    gate.open();
    delivered(&held.await.unwrap());
}

/// The other end closed a connection while it waited: nothing was sent on it, so that a new one costs nothing.
#[tokio::test]
async fn a_connection_that_was_closed_while_it_waited_costs_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let egress = plain(|_| {});
    let address = listener.local_addr().unwrap();
    let url = format!("http://{address}/");
    for _ in 0..2 {
        let sending = tokio::spawn({
            let (egress, url) = (egress.clone(), url.clone());
            async move { send(&egress, &url).await }
        });
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        while !request.ends_with(BODY) {
            assert_ne!(stream.read_buf(&mut request).await.unwrap(), 0, "the connection ends within a request");
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await.unwrap();
        delivered(&sending.await.unwrap());
        drop(stream);
        // Another exchange with the system after that: by then the first one's end is known here.
        let (noticed, _) = tokio::join!(TcpStream::connect(address), listener.accept());
        noticed.unwrap();
    }
}

/// DLV-6: a request that the other end may have seen is made once, also where its connection was used before.
#[tokio::test]
async fn a_used_connection_that_breaks_is_a_failure() {
    let receiver = Receiver::start().await.unwrap();
    let egress = trusting(&receiver, |_| {});
    receiver.answer_in_turn("/", [Answer::ok(), Answer::close(), Answer::ok()]);
    delivered(&send(&egress, &receiver.url("/")).await);
    let (kind, _) = failed(send(&egress, &receiver.url("/")).await);
    assert_eq!(kind, DeliveryErrorKind::Network);
    delivered(&send(&egress, &receiver.url("/")).await);
    assert_eq!(connections(&receiver), [0, 0, 1]);
}

/// A new connection that breaks is the endpoint's fault, and an attempt is one request.
#[tokio::test]
async fn a_new_connection_that_breaks_is_a_failure() {
    let receiver = Receiver::start().await.unwrap();
    let egress = trusting(&receiver, |_| {});
    receiver.answer("/", Answer::close());
    let (kind, _) = failed(send(&egress, &receiver.url("/")).await);
    assert_eq!(kind, DeliveryErrorKind::Network);
    assert_eq!(connections(&receiver), [0]);
}

/// WH-URL-12: a connection is used again only while its other end is among the addresses that were judged for this
/// attempt.
#[tokio::test]
async fn a_connection_to_an_address_of_yesterday_is_not_used() {
    let receiver = Receiver::builder().plain_http().address([0, 0, 0, 0].into()).start().await.unwrap();
    let names = Names::always(Reply::Addresses(addresses(&["127.0.0.1"]))).await;
    let egress = plain(|settings| {
        settings.allow_targets = vec!["127.0.0.0/30".parse().unwrap()];
        settings.name_server = Some(names.address);
    });
    let url = format!("http://hooks.example.com:{}/", receiver.address().port());
    for address in ["127.0.0.1", "127.0.0.1", "127.0.0.2", "127.0.0.1"] {
        names.change(move |_, _| Reply::Addresses(addresses(&[address])));
        delivered(&send(&egress, &url).await);
    }
    assert_eq!(connections(&receiver), [0, 0, 1, 0]);
    names.change(|_, _| Reply::Addresses(addresses(&["127.0.0.9"])));
    let (kind, _) = failed(send(&egress, &url).await);
    assert_eq!(kind, DeliveryErrorKind::BlockedAddress);
    assert_eq!(receiver.connections(), 2);
}

/// Of several addresses the first that answers is taken.
#[tokio::test]
async fn the_next_address_is_tried_when_one_refuses() {
    let receiver = Receiver::builder().plain_http().start().await.unwrap();
    let names = Names::always(Reply::Addresses(addresses(&["127.0.0.2", "::1", "127.0.0.3", "127.0.0.1"]))).await;
    let egress = plain(|settings| {
        settings.allow_targets = vec!["127.0.0.0/30".parse().unwrap(), "::1/128".parse().unwrap()];
        settings.name_server = Some(names.address);
    });
    let url = format!("http://hooks.example.com:{}/", receiver.address().port());
    delivered(&send(&egress, &url).await);
    names.change(|_, _| Reply::Addresses(addresses(&["127.0.0.2", "127.0.0.3"])));
    // The connection that waits leads to 127.0.0.1.
    let (kind, _) = failed(send(&egress, &url).await);
    assert_eq!(kind, DeliveryErrorKind::Network);
}

/// Without a name server: this name never leaves the machine.
#[tokio::test]
async fn localhost_is_this_machine_where_an_operator_allows_it() {
    let receiver = Receiver::builder().plain_http().start().await.unwrap();
    let names = Names::always(Reply::Addresses(addresses(&["93.184.216.34"]))).await;
    let egress = plain(|settings| settings.name_server = Some(names.address));
    let url = format!("http://localhost:{}/", receiver.address().port());
    delivered(&send(&egress, &url).await);
    assert_eq!(names.asked(), Vec::<String>::new());
}
