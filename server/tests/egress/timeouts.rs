//! Endpoints that take their time.

use std::time::Duration;

use l10n_api_types::deliveries::DeliveryErrorKind;
use l10n_server::egress::Timeouts;
use l10n_testkit::receiver::{Answer, Handshake, Receiver};
use tokio::net::{TcpSocket, TcpStream};

use crate::support::names::{Names, Reply};
use crate::support::{delivered, failed, plain, script, send, trusting};

const SHORT: Duration = Duration::from_millis(200);
const LONG: Duration = Duration::from_secs(60);

/// DEL-4, DEL-5, AMB-24, AMB-25: the other tests have less patience, so that they end sooner.
#[test]
fn a_connection_has_5_seconds_and_an_answer_10() {
    let Timeouts { open, answer } = Timeouts::default();
    assert_eq!((open, answer), (Duration::from_secs(5), Duration::from_secs(10)));
}

/// DEL-4.
#[tokio::test]
async fn an_answer_that_comes_too_late_is_a_failure() {
    let receiver = Receiver::start().await.unwrap();
    let egress = trusting(&receiver, |settings| settings.timeouts = Timeouts { open: LONG, answer: SHORT });
    receiver.answer("/", Answer::silence());
    let sent = send(&egress, &receiver.url("/")).await;
    assert!(sent.took >= SHORT);
    let (kind, text) = failed(sent);
    assert_eq!(kind, DeliveryErrorKind::ResponseTimeout);
    assert!(text.contains("within 0.2 s"), "{text}");
}

/// DEL-4: the time for opening is not the answer's.
#[tokio::test]
async fn an_answer_may_take_longer_than_opening() {
    let receiver = Receiver::start().await.unwrap();
    let egress = trusting(&receiver, |settings| settings.timeouts = Timeouts { open: LONG / 10, answer: LONG });
    receiver.answer("/", Answer::ok().after(SHORT));
    let sent = send(&egress, &receiver.url("/")).await;
    delivered(&sent);
    assert!(sent.took >= SHORT);
}

/// DEL-5, AMB-24: TLS belongs to opening.
#[tokio::test]
async fn a_stalled_handshake_is_a_failure() {
    let receiver = Receiver::builder().handshake(Handshake::Stall).start().await.unwrap();
    let egress = trusting(&receiver, |settings| settings.timeouts = Timeouts { open: SHORT, answer: LONG });
    let sent = send(&egress, &receiver.url("/")).await;
    assert!(sent.took >= SHORT);
    let (kind, text) = failed(sent);
    assert_eq!(kind, DeliveryErrorKind::ConnectTimeout);
    assert!(text.contains("TLS handshake was not done within 0.2 s"), "{text}");
}

/// DEL-5: a listener whose queue is full drops what comes, as a firewall does.
#[tokio::test]
async fn a_port_that_drops_everything_is_a_failure() {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut queued = Vec::new();
    while let Ok(stream) = tokio::time::timeout(SHORT, TcpStream::connect(address)).await {
        queued.push(stream.unwrap());
    }
    let egress = plain(|settings| settings.timeouts = Timeouts { open: SHORT, answer: LONG });
    let (kind, text) = failed(send(&egress, &format!("https://{address}/")).await);
    assert_eq!(kind, DeliveryErrorKind::ConnectTimeout);
    assert!(text.contains("no connection was established within 0.2 s"), "{text}");
}

/// S3, AMB-24: DNS belongs to opening.
#[tokio::test]
async fn silent_name_servers_are_a_failure() {
    let names = Names::always(Reply::Silence).await;
    let egress = plain(|settings| {
        settings.name_server = Some(names.address);
        settings.timeouts = Timeouts { open: SHORT, answer: LONG };
    });
    let sent = send(&egress, "https://hooks.example.com/").await;
    assert!(sent.took >= SHORT);
    let (kind, text) = failed(sent);
    assert_eq!(kind, DeliveryErrorKind::Dns);
    assert!(text.contains("name servers did not answer"), "{text}");
    let refused = egress.vet(&egress.parse("https://hooks.example.com/").unwrap()).await.unwrap_err();
    assert_eq!(refused.kind, DeliveryErrorKind::Dns);
}

/// DEL-6, AMB-25: the head decided; the body is read no longer than the answer had time.
#[tokio::test]
async fn a_dripping_body_holds_nobody_up() {
    let receiver = Receiver::start().await.unwrap();
    let egress = trusting(&receiver, |settings| settings.timeouts = Timeouts { open: LONG, answer: SHORT * 15 });
    receiver.answer("/", Answer::ok().drip(Duration::from_millis(10)));
    delivered(&send(&egress, &receiver.url("/")).await);
    receiver.wait_until("the end of the connection", |deliveries| deliveries[0].ended.is_some()).await.unwrap();
}

/// DEL-6: a head that drips is no answer.
#[tokio::test]
async fn informational_answers_without_an_end_are_no_answer() {
    let url = script::repeating("", "HTTP/1.1 102 Processing\r\n\r\n").await;
    let egress = plain(|settings| settings.timeouts = Timeouts { open: LONG, answer: SHORT });
    let (kind, _) = failed(send(&egress, &url).await);
    assert_eq!(kind, DeliveryErrorKind::ResponseTimeout);
}
