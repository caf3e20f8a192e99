//! The attacks. They run inside the namespace.

use std::net::{IpAddr, SocketAddr};

use hickory_resolver::proto::rr::RecordType;
use http::{HeaderValue, StatusCode};
use l10n_api_types::deliveries::DeliveryErrorKind;
use l10n_server::egress::{Egress, EgressSettings};
use l10n_testkit::receiver::{Answer, Receiver};
use tokio::net::TcpStream;

use super::world::{PUBLIC_V4, PUBLIC_V6, World, connects};
use crate::support::names::{Names, Reply, addresses};
use crate::support::{delivered, send, trusting};

const HOST: &str = "hooks.example.com";

/// Addresses that are not public, as text.
fn not_public() -> Vec<&'static str> {
    include_str!("../../../src/egress/tests/not_public.txt").lines().filter(|line| !line.starts_with('#')).collect()
}

pub(super) async fn all() {
    let receiver = Receiver::builder().host(HOST).start().await.unwrap();
    let world = World::begin(&receiver).await;
    let names = Names::at(([127, 0, 0, 53], 53).into(), zone).await;
    // As it comes: the machine's name server, no exception.
    let egress = trusting(&receiver, |settings| {
        *settings = EgressSettings { extra_ca: settings.extra_ca.take(), ..EgressSettings::default() };
    });

    the_public_endpoint_is_reached(&egress, &receiver).await;
    the_tripwires_work(&world).await;

    let before = connects();
    literals(&egress).await;
    other_spellings(&egress).await;
    hosts_with_such_an_address(&egress).await;
    aliases_and_the_hosts_file(&egress).await;
    // Not one of these attempts opened a connection, to whatever port.
    assert_eq!(connects() - before, 0);

    redirects(&egress, &receiver).await;
    rebinding(&egress, &names).await;
    assert_eq!(world.touched(), [].into());
    the_public_endpoint_is_reached(&egress, &receiver).await;
    changed_settings_of_the_machine_hold_at_once(&egress).await;
}

/// Answers from the name alone: `N.alone.example.com` has the Nth address, `N.mixed.example.com` a public one as well.
fn zone(name: &str, _: RecordType) -> Reply {
    let numbered = |suffix: &str| {
        let number: usize = name.strip_suffix(suffix)?.parse().ok()?;
        not_public().get(number).map(|text| text.parse::<IpAddr>().unwrap())
    };
    let public = addresses(&[PUBLIC_V4, PUBLIC_V6]);
    if let Some(address) = numbered(".alone.example.com") {
        return Reply::Addresses(vec![address]);
    }
    if let Some(address) = numbered(".mixed.example.com") {
        return Reply::Addresses([public, vec![address]].concat());
    }
    match name {
        HOST => Reply::Addresses(public),
        "v4.example.com" => Reply::Addresses(addresses(&[PUBLIC_V4])),
        "alias.example.com" => Reply::Alias("inside.example.", addresses(&["10.0.0.1"])),
        "alias-to-loopback.example.com" => Reply::Alias("localhost.", addresses(&["127.0.0.1", "::1"])),
        "127.0.0.1.nip.example.com" => Reply::Addresses(addresses(&["127.0.0.1"])),
        _ => Reply::Addresses(Vec::new()),
    }
}

/// WH-URL-14: or everything below would prove nothing.
async fn the_public_endpoint_is_reached(egress: &Egress, receiver: &Receiver) {
    let before = receiver.deliveries().len();
    let target = egress.parse(&format!("https://{HOST}/")).unwrap();
    egress.vet(&target).await.unwrap();
    delivered(&send(egress, &format!("https://{HOST}/")).await);
    let seen = receiver.wait_for(before + 1).await.unwrap();
    assert_eq!(seen[before].header("host"), Some(HOST));
}

/// Each of the addresses would be reached if it were dialled.
async fn the_tripwires_work(world: &World) {
    let mut dialled = 0;
    for text in not_public() {
        let address: IpAddr = text.parse().unwrap();
        // Nothing connects to many at once, and to a link-local address only with the name of an interface.
        let many = address.is_multicast() || text == "255.255.255.255" || text == "127.255.255.255";
        if many || matches!(address, IpAddr::V6(address) if address.is_unicast_link_local()) {
            continue;
        }
        TcpStream::connect(SocketAddr::new(address, 443)).await.expect(text);
        dialled += 1;
    }
    while world.touched().values().sum::<usize>() < dialled {
        tokio::task::yield_now().await;
    }
    for text in ["127.0.0.1", "10.0.0.0", "169.254.169.254", "168.63.129.16", "fd00:ec2::254", "64:ff9b::a9fe:a9fe"] {
        assert!(world.touched().contains_key(&SocketAddr::new(text.parse().unwrap(), 443)), "{text}");
    }
    world.forget();
}

/// Other name servers than at the start, as after a change of networks.
async fn changed_settings_of_the_machine_hold_at_once(egress: &Egress) {
    let target = egress.parse("https://moved.example.com/").unwrap();
    assert_eq!(egress.vet(&target).await.unwrap_err().kind, DeliveryErrorKind::Dns);
    let _names = Names::at(([127, 0, 0, 54], 53).into(), |_, _| Reply::Addresses(addresses(&[PUBLIC_V4]))).await;
    std::fs::write("/etc/resolv.conf", "nameserver 127.0.0.54\n").unwrap();
    egress.vet(&target).await.unwrap();
    std::fs::write("/etc/hosts", "10.0.0.1 moved.example.com\n").unwrap();
    assert_eq!(egress.vet(&target).await.unwrap_err().kind, DeliveryErrorKind::BlockedAddress);
}

async fn refused(egress: &Egress, url: &str) {
    let target = egress.parse(url).unwrap_or_else(|error| panic!("{url}: {error}"));
    let failure = egress.vet(&target).await.expect_err(url);
    assert_eq!(failure.kind, DeliveryErrorKind::BlockedAddress, "{url}: {}", failure.text);
    let sent = send(egress, url).await;
    assert_eq!((sent.status, sent.failure), (None, Some(failure)), "{url}");
}

/// WH-URL-3 to WH-URL-6, WH-URL-8.
async fn literals(egress: &Egress) {
    for text in not_public() {
        match text.parse().unwrap() {
            IpAddr::V4(address) => refused(egress, &format!("https://{address}/")).await,
            IpAddr::V6(address) => refused(egress, &format!("https://[{address}]:8443/")).await,
        }
    }
}

/// WH-URL-7.
async fn other_spellings(egress: &Egress) {
    for host in [
        "127.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "127.0.0.1.",
        "①②⑦.⓪.⓪.①",
        "%31%32%37.0.0.1",
        "2852039166",
        "0xa9fea9fe",
        "169.254.43518",
        "0",
        "[::ffff:7f00:1]",
        "[::FFFF:169.254.169.254]",
    ] {
        refused(egress, &format!("https://{host}/")).await;
    }
    // What is refused by its spelling does not even become a target.
    for url in [
        "https://localhost/",
        "https://u@hooks.example.com/",
        "http://hooks.example.com/",
        "https://hooks.example.com:0/",
    ] {
        egress.parse(url).expect_err(url);
    }
}

/// WH-URL-10, AMB-38.
async fn hosts_with_such_an_address(egress: &Egress) {
    for number in 0..not_public().len() {
        refused(egress, &format!("https://{number}.alone.example.com/")).await;
        refused(egress, &format!("https://{number}.mixed.example.com/")).await;
    }
}

/// S3.
async fn aliases_and_the_hosts_file(egress: &Egress) {
    for host in ["alias", "alias-to-loopback", "127.0.0.1.nip", "hosts-file"] {
        refused(egress, &format!("https://{host}.example.com/")).await;
    }
}

/// DEL-3, WH-URL-13.
async fn redirects(egress: &Egress, receiver: &Receiver) {
    for location in [
        "https://127.0.0.1/",
        "http://127.0.0.1:8443/",
        "https://169.254.169.254/latest/meta-data/",
        "https://[::1]/",
        "//10.0.0.1/",
        "https://0.alone.example.com/",
    ] {
        for status in [301, 302, 303, 307, 308] {
            let status = StatusCode::from_u16(status).unwrap();
            receiver.answer("/", Answer::redirect(status, HeaderValue::from_static(location)));
            let sent = send(egress, &format!("https://{HOST}/")).await;
            assert_eq!(sent.failure.unwrap().kind, DeliveryErrorKind::Redirect);
        }
    }
    receiver.answer("/", Answer::ok());
}

/// WH-URL-11, WH-URL-12: each question is answered differently, with a time to live of 0.
async fn rebinding(egress: &Egress, names: &Names) {
    let mut turn = 0;
    names.change(move |_, record| {
        turn += usize::from(record == RecordType::A);
        Reply::Addresses(addresses(&[[PUBLIC_V4, "127.0.0.1"][turn % 2]]))
    });
    let url = format!("https://{HOST}/");
    let (mut arrived, mut blocked) = (0, 0);
    for _ in 0..50 {
        match send(egress, &url).await.failure {
            None => arrived += 1,
            Some(failure) if failure.kind == DeliveryErrorKind::BlockedAddress => blocked += 1,
            Some(failure) => panic!("{}", failure.text),
        }
    }
    assert_eq!((arrived, blocked), (25, 25));
    names.change(zone);
}
