//! Name servers that lie, fail and change their minds (S3).

use std::net::IpAddr;

use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::RecordType;
use l10n_api_types::deliveries::DeliveryErrorKind;
use l10n_server::egress::{Egress, EgressSettings, SendFailure};
use l10n_testkit::receiver::Receiver;

use crate::support::names::{Names, Reply, addresses};
use crate::support::{delivered, failed, plain, send};

const PUBLIC: &str = "93.184.216.34";

fn asking(names: &Names) -> Egress {
    Egress::new(&EgressSettings { name_server: Some(names.address), ..EgressSettings::default() }).unwrap()
}

async fn vet(egress: &Egress, host: &str) -> Result<(), SendFailure> {
    egress.vet(&egress.parse(&format!("https://{host}/")).unwrap()).await
}

/// WH-URL-10, AMB-38: every address counts, wherever it stands.
#[tokio::test]
async fn a_host_is_refused_if_any_of_its_addresses_is_not_public() {
    let names = Names::always(Reply::Silence).await;
    let egress = asking(&names);
    for (texts, permitted) in [
        (&[PUBLIC][..], true),
        (&["2606:2800:220:1::1"], true),
        (&[PUBLIC, "1.1.1.1", "2606:2800:220:1::1"], true),
        (&["127.0.0.1"], false),
        (&["::1"], false),
        (&[PUBLIC, "127.0.0.1"], false),
        (&["10.0.0.1", PUBLIC], false),
        (&[PUBLIC, "::1"], false),
        (&[PUBLIC, "::ffff:127.0.0.1"], false),
        (&["2606:2800:220:1::1", "169.254.169.254"], false),
        (&["1.1.1.1", "1.0.0.1", PUBLIC, "2606:2800:220:1::1", "64:ff9b::7f00:1"], false),
    ] {
        let reply = addresses(texts);
        names.change(move |_, _| Reply::Addresses(reply.clone()));
        match vet(&egress, "hooks.example.com").await {
            Ok(()) => assert!(permitted, "{texts:?}"),
            Err(SendFailure { kind, text }) => {
                assert!(!permitted && kind == DeliveryErrorKind::BlockedAddress, "{texts:?}: {text}");
                // DLV-12.
                assert!(texts.iter().all(|address| !text.contains(address)), "{text}");
            }
        }
    }
}

/// S3.
#[tokio::test]
async fn an_alias_is_judged_by_where_it_leads() {
    let names = Names::always(Reply::Alias("intranet.example.", addresses(&["10.0.0.1"]))).await;
    let egress = asking(&names);
    assert_eq!(vet(&egress, "hooks.example.com").await.unwrap_err().kind, DeliveryErrorKind::BlockedAddress);
    names.change(|_, _| Reply::Alias("public.example.", addresses(&[PUBLIC])));
    vet(&egress, "hooks.example.com").await.unwrap();
    // The alias in one answer, the address in the next.
    names.change(|name, _| match name {
        "hooks.example.com" => Reply::Alias("other.example.", Vec::new()),
        _ => Reply::Addresses(addresses(&["192.168.0.1"])),
    });
    assert_eq!(vet(&egress, "hooks.example.com").await.unwrap_err().kind, DeliveryErrorKind::BlockedAddress);
}

/// WH-URL-9.
#[tokio::test]
async fn a_host_that_does_not_resolve_is_refused() {
    let names = Names::always(Reply::Silence).await;
    let egress = asking(&names);
    for (reply, expected) in [
        (Reply::Code(ResponseCode::NXDomain), "does not resolve"),
        (Reply::Addresses(Vec::new()), "does not resolve"),
        (Reply::Alias("nowhere.example.", Vec::new()), "does not resolve"),
        (Reply::Code(ResponseCode::ServFail), "no usable answer"),
        (Reply::Code(ResponseCode::Refused), "no usable answer"),
    ] {
        names.change(move |_, _| reply.clone());
        let SendFailure { kind, text } = vet(&egress, "hooks.example.com").await.unwrap_err();
        assert_eq!(kind, DeliveryErrorKind::Dns);
        assert!(text.contains(expected), "{text}");
    }
}

/// A failure of IPv6 alone does not stop a delivery, and a missing answer counts as none.
#[tokio::test]
async fn addresses_of_one_family_are_enough() {
    let names = Names::always(Reply::Silence).await;
    let egress = asking(&names);
    for reply in
        [Reply::Code(ResponseCode::ServFail), Reply::Code(ResponseCode::NXDomain), Reply::Silence, Reply::Garbage]
    {
        names.change(move |_, record| match record {
            RecordType::A => Reply::Addresses(addresses(&[PUBLIC])),
            _ => reply.clone(),
        });
        vet(&egress, "hooks.example.com").await.unwrap();
    }
}

/// S3: too many for UDP, and the last one is the one that matters.
#[tokio::test]
async fn more_than_fifty_addresses_are_all_judged() {
    let many: Vec<IpAddr> = (1..=200).map(|last| IpAddr::from([93, 184, 216, last])).collect();
    let names = Names::always(Reply::Addresses(many.clone())).await;
    let egress = asking(&names);
    vet(&egress, "hooks.example.com").await.unwrap();
    let mixed = [many, addresses(&["10.0.0.1"])].concat();
    names.change(move |_, _| Reply::Addresses(mixed.clone()));
    assert_eq!(vet(&egress, "hooks.example.com").await.unwrap_err().kind, DeliveryErrorKind::BlockedAddress);
}

/// WH-URL-15: a host in its ASCII form, and nothing behind it.
#[tokio::test]
async fn name_servers_are_asked_for_the_host_as_it_is() {
    let names = Names::always(Reply::Addresses(addresses(&[PUBLIC]))).await;
    let egress = asking(&names);
    vet(&egress, "Bücher.example").await.unwrap();
    vet(&egress, "a_b.example.").await.unwrap();
    let mut asked = names.asked();
    asked.dedup();
    assert_eq!(asked, ["xn--bcher-kva.example", "a_b.example"]);
}

/// WH-URL-11: what was public when it was registered is judged again.
#[tokio::test]
async fn a_host_that_turned_private_is_refused_at_delivery() {
    let tripwire = Receiver::builder().plain_http().start().await.unwrap();
    let names = Names::always(Reply::Addresses(addresses(&[PUBLIC]))).await;
    let egress = plain(|settings| {
        settings.allow_targets.clear();
        settings.name_server = Some(names.address);
    });
    let url = format!("http://hooks.example.com:{}/", tripwire.address().port());
    egress.vet(&egress.parse(&url).unwrap()).await.unwrap();
    names.change(|_, _| Reply::Addresses(addresses(&["127.0.0.1"])));
    let (kind, text) = failed(send(&egress, &url).await);
    assert_eq!(kind, DeliveryErrorKind::BlockedAddress);
    assert!(text.contains("not public") && !text.contains("127.0.0.1"), "{text}");
    assert_eq!(tripwire.connections(), 0);
}

/// Receivers on 127.0.0.1 and 127.0.0.2. Somebody else may have a port at one of them.
async fn at_one_port() -> (Receiver, Receiver) {
    for _ in 0..10 {
        let first = Receiver::builder().plain_http().start().await.unwrap();
        let second = Receiver::builder().plain_http().address([127, 0, 0, 2].into()).port(first.address().port());
        if let Ok(second) = second.start().await {
            return (first, second);
        }
    }
    panic!("no port is free at both addresses");
}

/// WH-URL-12: 127.0.0.1 stands for a public address here, 127.0.0.2 for a private one. Each question gets the other
/// answer, so that whoever asks twice connects to what was not judged.
#[tokio::test]
async fn the_address_that_was_judged_is_the_one_that_is_dialled() {
    let (public, tripwire) = at_one_port().await;
    let port = public.address().port();
    let mut turn = 0;
    let names = Names::saying(move |_, record| {
        turn += usize::from(record == RecordType::A);
        Reply::Addresses(addresses(&[["127.0.0.1", "127.0.0.2"][turn % 2]]))
    })
    .await;
    let egress = plain(|settings| settings.name_server = Some(names.address));
    let url = format!("http://hooks.example.com:{port}/");
    let mut arrived = 0;
    for _ in 0..50 {
        let sent = send(&egress, &url).await;
        match sent.failure {
            None => arrived += 1,
            Some(failure) => assert_eq!(failure.kind, DeliveryErrorKind::BlockedAddress),
        }
    }
    assert_eq!((arrived, public.deliveries().len(), tripwire.connections()), (25, 25, 0));
    // The control: the tripwire is where it should be, and seen when it is touched.
    let reckless = plain(|settings| settings.allow_targets = vec!["127.0.0.2/32".parse().unwrap()]);
    delivered(&send(&reckless, &format!("http://127.0.0.2:{port}/")).await);
    assert_eq!(tripwire.connections(), 1);
}
