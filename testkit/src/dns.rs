//! A name server for one zone, whose answers a check sets and changes.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hickory_proto::op::{Message, Query, ResponseCode};
use hickory_proto::rr::rdata::{A, AAAA, CNAME, SOA};
use hickory_proto::rr::{Name, RData, Record, RecordType};
use tokio::net::UdpSocket;
use tokio_util::sync::{CancellationToken, DropGuard};

const LEAVING: Duration = Duration::from_millis(50);

/// Listens as long as it lives. Everything that it says may be used for no time at all (TTL 0).
#[derive(Debug)]
pub(crate) struct NameServer {
    zone: Name,
    names: Names,
    _ends: DropGuard,
}

type Names = Arc<Mutex<HashMap<Name, NameRecord>>>;

/// The records of a name.
#[derive(Debug, Clone)]
enum NameRecord {
    /// Addresses. One set after the other answers the questions for IPv4; the last answers those that follow.
    Addresses { turns: Vec<Vec<IpAddr>>, next: usize, again: bool },
    /// Those of another name.
    Alias(Name),
}

/// Binds an address. The name server of the check before may be about to leave it.
async fn bind(listen: SocketAddr) -> io::Result<UdpSocket> {
    for _ in 0..100 {
        match UdpSocket::bind(listen).await {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => tokio::time::sleep(LEAVING).await,
            bound => return bound,
        }
    }
    UdpSocket::bind(listen).await
}

impl NameServer {
    /// Answers for `zone` on a UDP socket of this address.
    ///
    /// # Errors
    ///
    /// Returns an error if the zone is not a name, or the address is not available.
    pub(crate) async fn start(zone: &str, listen: SocketAddr) -> io::Result<Self> {
        let zone = name(zone).ok_or(io::ErrorKind::InvalidInput)?;
        let socket = bind(listen).await?;
        let (names, ends) = (Names::default(), CancellationToken::new());
        let answering = answer_all(socket, zone.clone(), Arc::clone(&names));
        tokio::spawn(ends.clone().run_until_cancelled_owned(answering));
        Ok(Self { zone, names, _ends: ends.drop_guard() })
    }

    /// Gives a label of the zone these addresses, and returns the whole name.
    pub(crate) fn set(&self, label: &str, addresses: &[IpAddr]) -> String {
        self.put(label, NameRecord::Addresses { turns: vec![addresses.to_vec()], next: 0, again: false })
    }

    /// Lets a label have these sets of addresses by turns, beginning anew after the last.
    pub(crate) fn alternate(&self, label: &str, turns: &[Vec<IpAddr>]) -> String {
        self.put(label, NameRecord::Addresses { turns: turns.to_vec(), next: 0, again: true })
    }

    /// Makes a label an alias of a name of the zone.
    pub(crate) fn alias(&self, label: &str, target: &str) -> String {
        let target = name(target).unwrap_or_else(|| self.zone.clone());
        self.put(label, NameRecord::Alias(target))
    }

    fn put(&self, label: &str, entry: NameRecord) -> String {
        let whole = format!("{label}.{}", self.zone.to_ascii().trim_end_matches('.'));
        if let Some(name) = name(&whole) {
            lock(&self.names).insert(name, entry);
        }
        whole
    }
}

fn lock(names: &Names) -> MutexGuard<'_, HashMap<Name, NameRecord>> {
    names.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A name with its root, in lower case.
fn name(text: &str) -> Option<Name> {
    let mut name = Name::from_ascii(text).ok()?.to_lowercase();
    name.set_fqdn(true);
    Some(name)
}

async fn answer_all(socket: UdpSocket, zone: Name, names: Names) {
    let mut bytes = vec![0; 4096];
    loop {
        let Ok((length, from)) = socket.recv_from(&mut bytes).await else { continue };
        let Ok(asked) = Message::from_vec(&bytes[..length]) else { continue };
        if let Ok(answer) = answer(&asked, &zone, &names).to_vec() {
            // Who does not hear it asks again.
            let _ = socket.send_to(&answer, from).await;
        }
    }
}

fn answer(asked: &Message, zone: &Name, names: &Names) -> Message {
    let mut answer = Message::response(asked.metadata.id, asked.metadata.op_code);
    answer.metadata.authoritative = true;
    answer.metadata.recursion_desired = asked.metadata.recursion_desired;
    answer.metadata.recursion_available = true;
    answer.edns.clone_from(&asked.edns);
    let Some(question) = asked.queries.first() else {
        answer.metadata.response_code = ResponseCode::FormErr;
        return answer;
    };
    answer.add_query(question.clone());
    match records(question, &mut lock(names)) {
        Some(records) => {
            answer.add_answers(records);
        }
        None => answer.metadata.response_code = ResponseCode::NXDomain,
    }
    if answer.answers.is_empty() {
        let soa = SOA::new(zone.clone(), zone.clone(), 1, 3_600, 600, 86_400, 0);
        answer.add_authority(Record::from_rdata(zone.clone(), 0, RData::SOA(soa)));
    }
    answer
}

/// The answer to a question; `None` if there is no such name.
fn records(question: &Query, names: &mut HashMap<Name, NameRecord>) -> Option<Vec<Record>> {
    let mut records = Vec::new();
    let mut name = question.name().to_lowercase();
    // Longer chains of aliases are not made here.
    for _ in 0..4 {
        match names.get_mut(&name)? {
            NameRecord::Alias(target) => {
                let alias = RData::CNAME(CNAME(target.clone()));
                records.push(Record::from_rdata(name, 0, alias));
                name = target.clone();
            }
            NameRecord::Addresses { turns, next, again } => {
                let turn = *next;
                if question.query_type() == RecordType::A {
                    let after = turn + 1;
                    *next = if after < turns.len() {
                        after
                    } else if *again {
                        0
                    } else {
                        turn
                    };
                }
                let data = turns.get(turn).into_iter().flatten().filter_map(|address| match address {
                    IpAddr::V4(address) if question.query_type() == RecordType::A => Some(RData::A(A(*address))),
                    IpAddr::V6(address) if question.query_type() == RecordType::AAAA => {
                        Some(RData::AAAA(AAAA(*address)))
                    }
                    _ => None,
                });
                records.extend(data.map(|data| Record::from_rdata(name.clone(), 0, data)));
                break;
            }
        }
    }
    Some(records)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    async fn ask(server: SocketAddr, text: &str, kind: RecordType) -> Message {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let mut message = Message::query();
        message.add_query(Query::query(name(text).unwrap(), kind));
        socket.send_to(&message.to_vec().unwrap(), server).await.unwrap();
        let mut bytes = vec![0; 4096];
        let length = socket.recv(&mut bytes).await.unwrap();
        Message::from_vec(&bytes[..length]).unwrap()
    }

    fn addresses(message: &Message) -> Vec<IpAddr> {
        message.answers.iter().filter_map(|record| record.data.ip_addr()).collect()
    }

    #[tokio::test]
    async fn it_answers_as_it_was_told() {
        let free = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap().local_addr().unwrap();
        let names = NameServer::start("zone.example", free).await.unwrap();
        let (first, second): (IpAddr, IpAddr) = ("192.0.2.1".parse().unwrap(), "192.0.2.2".parse().unwrap());
        let v6: IpAddr = "2001:db8::1".parse().unwrap();
        let both = names.set("both", &[first, v6]);
        assert_eq!(both, "both.zone.example");
        assert_eq!(addresses(&ask(free, "BOTH.zone.example", RecordType::A).await), [first]);
        assert_eq!(addresses(&ask(free, &both, RecordType::AAAA).await), [v6]);
        let alias = names.alias("alias", &both);
        let answer = ask(free, &alias, RecordType::A).await;
        assert_eq!((answer.answers.len(), addresses(&answer)), (2, vec![first]));
        let turns = names.alternate("turns", &[vec![first], vec![second]]);
        for expected in [first, second, first] {
            assert!(addresses(&ask(free, &turns, RecordType::AAAA).await).is_empty());
            assert_eq!(addresses(&ask(free, &turns, RecordType::A).await), [expected]);
        }
        let unknown = ask(free, "none.zone.example", RecordType::A).await;
        assert_eq!(unknown.metadata.response_code, ResponseCode::NXDomain);
    }
}
