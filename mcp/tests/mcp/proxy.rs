//! A proxy between this server and the service, at which things go wrong.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A fault of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The connection breaks before the service has seen it.
    LostRequest,
    /// The service carries it out, and the connection breaks before the first byte of the answer.
    LostAnswer,
    /// It is answered with this status, and `Retry-After` in seconds, before the service has seen it.
    Refused(u16, u32),
    /// The service is not asked to hold its answer back.
    Hurried,
}

/// Faults of requests whose method and path begin and end like this.
#[derive(Debug)]
struct Rule {
    method: &'static str,
    ends: &'static str,
    fault: Fault,
    /// The number of requests that still meet it.
    left: usize,
    /// The number of requests that came, faulty or not.
    seen: usize,
}

/// Passes on everything that no rule is about, each request on a connection of its own.
#[derive(Debug, Clone)]
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    rules: Arc<Mutex<Vec<Rule>>>,
    /// The number of requests whose answers the service may hold back, and which are under way.
    waiting: Arc<watch::Sender<usize>>,
}

impl Proxy {
    pub(crate) async fn to(service: SocketAddr) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let proxy = Self { address: listener.local_addr().unwrap(), rules: Arc::default(), waiting: Arc::default() };
        let passing = proxy.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let passing = passing.clone();
                // Whatever breaks here is what the test is about.
                tokio::spawn(async move { passing.pass(client, service).await.ok() });
            }
        });
        proxy
    }

    /// From now on, the next `times` such requests meet a fault. Earlier rules are forgotten.
    pub(crate) fn break_next(&self, times: usize, method: &'static str, ends: &'static str, fault: Fault) {
        *self.rules.lock().unwrap() = vec![Rule { method, ends, fault, left: times, seen: 0 }];
    }

    /// Nothing goes wrong any more.
    pub(crate) fn mend(&self) {
        self.rules.lock().unwrap().clear();
    }

    /// The number of requests that the rule was about, whether they met the fault or not.
    pub(crate) fn seen(&self) -> usize {
        self.rules.lock().unwrap().iter().map(|rule| rule.seen).sum()
    }

    /// Waits until so many requests wait at the service at once.
    pub(crate) async fn until_waiting(&self, requests: usize) {
        let mut waiting = self.waiting.subscribe();
        let come =
            tokio::time::timeout(Duration::from_secs(60), waiting.wait_for(|waiting| *waiting >= requests)).await;
        assert!(come.is_ok(), "{requests} requests do not wait at once");
    }

    fn fault(&self, line: &str) -> Option<Fault> {
        let mut parts = line.split_whitespace();
        let (method, target) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut rules = self.rules.lock().unwrap();
        let is_meant = |rule: &Rule| rule.method == method && path.ends_with(rule.ends) && !query.contains("dryRun");
        let rule = rules.iter_mut().find(|rule| is_meant(rule))?;
        rule.seen += 1;
        let is_met = rule.left > 0;
        rule.left = rule.left.saturating_sub(1);
        is_met.then_some(rule.fault)
    }

    async fn pass(self, mut client: TcpStream, service: SocketAddr) -> std::io::Result<()> {
        let request = read_request(&mut client).await?;
        let (line, rest) = request.split_once("\r\n").unwrap_or((&request, ""));
        let fault = self.fault(line);
        let line = match fault {
            Some(Fault::LostRequest) => return Ok(()),
            Some(Fault::Refused(status, seconds)) => return client.write_all(&refusal(status, seconds)).await,
            Some(Fault::Hurried) => line.replace("waitSeconds=5", "waitSeconds=0"),
            Some(Fault::LostAnswer) | None => line.to_owned(),
        };
        let mut service = TcpStream::connect(service).await?;
        service.write_all(format!("{line}\r\nconnection: close\r\n{rest}").as_bytes()).await?;
        let waits = usize::from(line.contains("waitSeconds="));
        self.waiting.send_modify(|waiting| *waiting += waits);
        let mut answer = Vec::new();
        let read = service.read_to_end(&mut answer).await;
        self.waiting.send_modify(|waiting| *waiting -= waits);
        read?;
        if fault != Some(Fault::LostAnswer) {
            client.write_all(&answer).await?;
        }
        Ok(())
    }
}

/// An answer of the service that has done nothing.
fn refusal(status: u16, seconds: u32) -> Vec<u8> {
    let code = if status == 429 { "rate_limited" } else { "unavailable" };
    let body = format!(r#"{{"error":"{code}","message":"not now"}}"#);
    let head = format!("HTTP/1.1 {status} No\r\ncontent-type: application/json\r\nretry-after: {seconds}");
    format!("{head}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len()).into_bytes()
}

/// A request with its body.
async fn read_request(client: &mut TcpStream) -> std::io::Result<String> {
    let mut seen = Vec::new();
    loop {
        if let Some(end) = seen.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&seen[..end]).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
            if seen.len() - end - 4 >= length.parse::<usize>().unwrap() {
                return Ok(String::from_utf8(seen).unwrap());
            }
        }
        if client.read_buf(&mut seen).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
}
