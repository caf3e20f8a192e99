//! A name server that says what a test dictates.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr as _;
use std::sync::{Arc, Mutex};

use hickory_resolver::proto::op::{Message, MessageType, ResponseCode};
use hickory_resolver::proto::rr::rdata::{A, AAAA, CNAME};
use hickory_resolver::proto::rr::{Name, RData, Record, RecordType};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, UdpSocket};

/// The answer to a question.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// Those of these addresses that are of the type asked for, with a time to live of 0.
    Addresses(Vec<IpAddr>),
    /// That the name is another's alias, and that one's addresses.
    Alias(&'static str, Vec<IpAddr>),
    /// That there are none, with this code.
    Code(ResponseCode),
    /// Bytes that are no answer.
    Garbage,
    /// Nothing.
    Silence,
}

type Choose = dyn FnMut(&str, RecordType) -> Reply + Send;

/// A name server on UDP and TCP. Answers that are too large for UDP are cut off there.
#[derive(Clone)]
pub(crate) struct Names {
    pub(crate) address: SocketAddr,
    choose: Arc<Mutex<Box<Choose>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Names {
    /// Says to each question what `choose` says, given the name without the dot at its end.
    pub(crate) async fn saying(choose: impl FnMut(&str, RecordType) -> Reply + Send + 'static) -> Self {
        Self::at(([127, 0, 0, 1], 0).into(), choose).await
    }

    /// As [`saying`](Self::saying), at this address.
    pub(crate) async fn at(
        address: SocketAddr,
        choose: impl FnMut(&str, RecordType) -> Reply + Send + 'static,
    ) -> Self {
        let (udp, tcp) = bind(address).await;
        let names = Self {
            address: udp.local_addr().unwrap(),
            choose: Arc::new(Mutex::new(Box::new(choose))),
            asked: Arc::default(),
        };
        tokio::spawn(names.clone().serve_udp(udp));
        tokio::spawn(names.clone().serve_tcp(tcp));
        names
    }

    /// Says the same to every question.
    pub(crate) async fn always(reply: Reply) -> Self {
        Self::saying(move |_, _| reply.clone()).await
    }

    /// Says something else from now on.
    pub(crate) fn change(&self, choose: impl FnMut(&str, RecordType) -> Reply + Send + 'static) {
        *self.choose.lock().unwrap() = Box::new(choose);
    }

    /// Names that were asked for, in order.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    async fn serve_udp(self, socket: UdpSocket) {
        let mut buffer = [0; 4096];
        while let Ok((length, from)) = socket.recv_from(&mut buffer).await {
            let Some(mut answer) = self.answer(&buffer[..length]) else { continue };
            if answer.len() > 512 {
                answer = Message::from_vec(&answer).unwrap().truncate().to_vec().unwrap();
            }
            let _ = socket.send_to(&answer, from).await;
        }
    }

    async fn serve_tcp(self, listener: TcpListener) {
        while let Ok((mut stream, _)) = listener.accept().await {
            let names = self.clone();
            tokio::spawn(async move {
                while let Ok(length) = stream.read_u16().await {
                    let mut question = vec![0; usize::from(length)];
                    if stream.read_exact(&mut question).await.is_err() {
                        return;
                    }
                    let Some(answer) = names.answer(&question) else { continue };
                    let length = u16::try_from(answer.len()).unwrap();
                    let _ = stream.write_all(&[&length.to_be_bytes(), answer.as_slice()].concat()).await;
                }
            });
        }
    }

    fn answer(&self, question: &[u8]) -> Option<Vec<u8>> {
        let message = Message::from_vec(question).unwrap();
        let query = message.queries[0].clone();
        let name = query.name().to_ascii().trim_end_matches('.').to_owned();
        self.asked.lock().unwrap().push(name.clone());
        let reply = (self.choose.lock().unwrap())(&name, query.query_type());
        let mut answer = Message::new(message.metadata.id, MessageType::Response, message.metadata.op_code);
        answer.metadata.recursion_desired = true;
        answer.metadata.recursion_available = true;
        answer.add_query(query.clone());
        let mut add = |name: &Name, addresses: Vec<IpAddr>| {
            for address in addresses {
                let data = match address {
                    IpAddr::V4(address) => RData::A(A(address)),
                    IpAddr::V6(address) => RData::AAAA(AAAA(address)),
                };
                if data.record_type() == query.query_type() {
                    answer.add_answer(Record::from_rdata(name.clone(), 0, data));
                }
            }
        };
        match reply {
            Reply::Addresses(addresses) => add(query.name(), addresses),
            Reply::Alias(other, addresses) => {
                let other = Name::from_str(other).unwrap();
                add(&other, addresses);
                answer.answers.insert(0, Record::from_rdata(query.name().clone(), 0, RData::CNAME(CNAME(other))));
            }
            Reply::Code(code) => answer.metadata.response_code = code,
            Reply::Garbage => return Some(b"no answer at all".to_vec()),
            Reply::Silence => return None,
        }
        Some(answer.to_vec().unwrap())
    }
}

/// The same port for UDP and TCP.
async fn bind(address: SocketAddr) -> (UdpSocket, TcpListener) {
    loop {
        let tcp = TcpListener::bind(address).await.unwrap();
        match UdpSocket::bind(tcp.local_addr().unwrap()).await {
            Ok(udp) => return (udp, tcp),
            // Somebody else has that port; with a port of the system's choice there are others.
            Err(error) => assert_eq!(address.port(), 0, "{error}"),
        }
    }
}

/// The addresses, parsed.
pub(crate) fn addresses(texts: &[&str]) -> Vec<IpAddr> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}
