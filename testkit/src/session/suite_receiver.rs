//! The suite's receivers: the one that all checks share, and further ones for single checks.

use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use url::Url;

use super::error::SessionError;
use crate::errors::one_line;
use crate::outcome::{NotRun, Stop};
use crate::profile::{Profile, ReceiverProfile, SpareAddress};
use crate::receiver::{Authority, Builder, Chain, DeliveryObserver, Receiver, StartError};

/// The receiver of a run, and what further ones are made of.
#[derive(Debug)]
pub(crate) struct SuiteReceiver {
    /// The receiver that all checks share.
    pub(crate) receiver: Arc<Receiver>,
    /// The origin under which the deployment reaches it.
    pub(crate) origin: String,
    profile: ReceiverProfile,
    authority: Option<Authority>,
    chain: Option<Chain>,
    watch: Option<DeliveryObserver>,
    /// The further addresses of the profile that nobody has.
    spares: Mutex<Vec<SpareAddress>>,
    count: Arc<Semaphore>,
}

/// A receiver that one check has to itself. Its address is given back when it is dropped.
#[derive(Debug)]
pub struct SpareReceiver {
    receiver: Receiver,
    // After the receiver, which has to be gone by then.
    _lease: Option<Lease>,
}

impl Deref for SpareReceiver {
    type Target = Receiver;

    fn deref(&self) -> &Receiver {
        &self.receiver
    }
}

#[derive(Debug)]
struct Lease {
    of: Arc<SuiteReceiver>,
    spare: SpareAddress,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.of.spares.lock().unwrap_or_else(PoisonError::into_inner).push(self.spare.clone());
    }
}

fn read(path: &Path) -> Result<String, SessionError> {
    std::fs::read_to_string(path)
        .map_err(|error| SessionError::Setup(format!("cannot read {}: {error}", path.display())))
}

fn host(url: &str) -> Option<String> {
    Url::parse(url).ok()?.host_str().map(str::to_owned)
}

impl SuiteReceiver {
    /// Starts the receiver of the profile, if it has one.
    ///
    /// # Errors
    ///
    /// Returns an error if one of its files cannot be used, or its address is not available.
    pub(crate) async fn start(profile: &Profile) -> Result<Option<Arc<Self>>, SessionError> {
        Self::start_watched(profile, None).await
    }

    /// As [`start`](Self::start); `watch` is told of every delivery, also to the further receivers.
    pub(crate) async fn start_watched(
        profile: &Profile,
        watch: Option<DeliveryObserver>,
    ) -> Result<Option<Arc<Self>>, SessionError> {
        let Some(profile) = &profile.receiver else { return Ok(None) };
        let authority =
            match (&profile.ca, &profile.ca_key) {
                (Some(ca), Some(key)) => {
                    let loaded = Authority::load(&read(ca)?, &read(key)?);
                    Some(loaded.map_err(|error| {
                        SessionError::Setup(format!("{} is not an authority: {error}", ca.display()))
                    })?)
                }
                _ => None,
            };
        let chain = match (&profile.cert, &profile.key) {
            (Some(cert), Some(key)) => {
                let loaded = Chain::load(&read(cert)?, &read(key)?);
                let unusable = |error| {
                    let (cert, key) = (cert.display(), key.display());
                    SessionError::Setup(format!("{cert} and {key} are not a certificate and key in PEM: {error}"))
                };
                Some(loaded.map_err(unusable)?)
            }
            _ => None,
        };
        let mut builder = Receiver::builder().address(profile.listen.ip()).port(profile.listen.port());
        builder = builder.watched(watch.clone());
        if let Some(host) = profile.public_url.as_deref().and_then(host) {
            builder = builder.host(&host);
        }
        let started = shown(builder, authority.as_ref(), chain.as_ref()).start().await;
        let receiver = started.map_err(|error| SessionError::Receiver(profile.listen, error))?;
        let origin = profile.public_url.clone().unwrap_or_else(|| receiver.url(""));
        Ok(Some(Arc::new(Self {
            receiver: Arc::new(receiver),
            origin: origin.trim_end_matches('/').to_owned(),
            spares: Mutex::new(profile.spares.clone()),
            count: Arc::new(Semaphore::new(profile.spares.len())),
            profile: profile.clone(),
            authority,
            chain,
            watch,
        })))
    }

    /// A further receiver, as `change` makes it, and its origin as the deployment reaches it. Where the addresses are few,
    /// waits so long for another check to give one back.
    pub(crate) async fn spare(
        self: Arc<Self>,
        patience: Duration,
        change: impl FnOnce(Builder) -> Builder,
    ) -> Result<(SpareReceiver, String), Stop> {
        let lacking = |what: &str| Stop::NotRun(NotRun::CapabilityMissing(what.to_owned()));
        let broken = |error: StartError| Stop::Error(format!("a spare receiver: {}", one_line(&error)));
        let lease = if self.profile.listen.port() == 0 { None } else { Some(self.lease(patience).await?) };
        let mut builder = Receiver::builder().address(self.profile.listen.ip()).watched(self.watch.clone());
        if let Some(Lease { spare, .. }) = &lease {
            builder = builder.address(spare.listen.ip()).port(spare.listen.port());
        }
        let reached_as = lease.as_ref().map(|lease| lease.spare.public_url.as_str());
        if let Some(host) = reached_as.or(self.profile.public_url.as_deref()).and_then(host) {
            builder = builder.host(&host);
        }
        let usual = builder.name().map(str::to_owned);
        let builder = change(shown(builder, self.authority.as_ref(), self.chain.as_ref()));
        let renamed = builder.name() != usual.as_deref();
        if self.authority.is_none() && (renamed || builder.needs_authority()) {
            return Err(lacking("the profile's receiver has no `ca` to issue such a certificate"));
        }
        let receiver = started(builder, patience).await.map_err(broken)?;
        let origin = match reached_as {
            Some(url) if !renamed => url.trim_end_matches('/').to_owned(),
            _ => receiver.url(""),
        };
        Ok((SpareReceiver { receiver, _lease: lease }, origin))
    }

    async fn lease(self: &Arc<Self>, patience: Duration) -> Result<Lease, Stop> {
        let none = |what: &str| Stop::NotRun(NotRun::CapabilityMissing(what.to_owned()));
        if self.profile.spares.is_empty() {
            return Err(none("the profile's receiver has a fixed port and no `spares`"));
        }
        let permit = tokio::time::timeout(patience, Arc::clone(&self.count).acquire_owned()).await;
        let spare = self.spares.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match (permit, spare) {
            (Ok(Ok(permit)), Some(spare)) => Ok(Lease { of: Arc::clone(self), spare, _permit: permit }),
            _ => Err(none("the profile's receiver has too few `spares`")),
        }
    }
}

/// Shows the certificate of the profile; one of its authority, where it has none.
fn shown(mut builder: Builder, authority: Option<&Authority>, chain: Option<&Chain>) -> Builder {
    if let Some(authority) = authority {
        builder = builder.authority(authority);
    }
    match chain {
        Some(chain) => builder.chain(chain),
        None => builder,
    }
}

/// Listens; who had the address before may take a moment to leave it.
async fn started(builder: Builder, patience: Duration) -> Result<Receiver, StartError> {
    let end = Instant::now() + patience;
    loop {
        match builder.clone().start().await {
            Err(error) if error.is_address_in_use() && builder.has_port() && Instant::now() < end => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            ended => return ended,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::path::PathBuf;

    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use tempfile::TempDir;

    use super::*;
    use crate::receiver::{Certificate, Handshake};

    const SPARE_TIMEOUT: Duration = Duration::from_secs(20);

    fn pem(label: &str, der: &[u8]) -> String {
        let text = STANDARD.encode(der);
        let lines: Vec<_> = text.as_bytes().chunks(64).map(|line| String::from_utf8_lossy(line)).collect();
        format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
    }

    /// An authority that the deployment trusts and the suite has not, and files of a certificate of it for `hook.example`.
    struct World {
        authority: Authority,
        folder: TempDir,
    }

    impl World {
        fn new() -> Self {
            let (authority, folder) = (Authority::new().unwrap(), tempfile::tempdir().unwrap());
            let (certificate, key) = authority.issue(Certificate::Valid, &["hook.example".to_owned()]).unwrap();
            std::fs::write(folder.path().join("cert.pem"), pem("CERTIFICATE", &certificate)).unwrap();
            std::fs::write(folder.path().join("key.pem"), pem("PRIVATE KEY", key.secret_der())).unwrap();
            Self { authority, folder }
        }

        fn file(&self, name: &str) -> Option<PathBuf> {
            Some(self.folder.path().join(name))
        }

        /// A profile with so many spares.
        fn profile(&self, spares: usize) -> Profile {
            let url = |address: SocketAddr| format!("https://hook.example:{}", address.port());
            let listen = free();
            let spares = (0..spares).map(|_| free()).map(|listen| SpareAddress { listen, public_url: url(listen) });
            let receiver = ReceiverProfile {
                listen,
                public_url: Some(url(listen)),
                ca: None,
                ca_key: None,
                cert: self.file("cert.pem"),
                key: self.file("key.pem"),
                spares: spares.collect(),
            };
            let minimal = serde_json::json!({ "base_url": "http://127.0.0.1:1/v1", "lanes": [] });
            Profile { receiver: Some(receiver), ..serde_json::from_value(minimal).unwrap() }
        }

        async fn listening(&self, spares: usize) -> Arc<SuiteReceiver> {
            SuiteReceiver::start(&self.profile(spares)).await.unwrap().unwrap()
        }

        /// Posts as a deployment does: it knows the name and trusts the authority, and no other.
        async fn post(&self, origin: &str) -> reqwest::Result<u16> {
            let _ = rustls::crypto::ring::default_provider().install_default();
            let port = Url::parse(origin).unwrap().port().unwrap();
            let sender = reqwest::Client::builder()
                .tls_certs_only([reqwest::Certificate::from_pem(self.authority.pem().as_bytes()).unwrap()])
                .resolve("hook.example", ([127, 0, 0, 1], port).into())
                .no_proxy()
                .build()
                .unwrap();
            sender.post(format!("{origin}/x")).send().await.map(|answer| answer.status().as_u16())
        }
    }

    /// An address that was free a moment ago.
    fn free() -> SocketAddr {
        std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
    }

    fn why(stop: Stop) -> String {
        match stop {
            Stop::NotRun(NotRun::CapabilityMissing(why)) => why,
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn the_certificate_of_the_profile_is_shown_by_every_receiver() {
        let world = World::new();
        let listening = world.listening(2).await;
        assert_eq!(world.post(&listening.origin).await.unwrap(), 200);
        assert_eq!(listening.receiver.wait_for(1).await.unwrap().len(), 1);
        let (plain, origin) = Arc::clone(&listening).spare(SPARE_TIMEOUT, |builder| builder).await.unwrap();
        let late = |builder: Builder| builder.handshake(Handshake::Late(Duration::from_millis(5)));
        let (late, other) = Arc::clone(&listening).spare(SPARE_TIMEOUT, late).await.unwrap();
        assert!(origin != other && origin.starts_with("https://hook.example:"), "{origin} {other}");
        assert_eq!((world.post(&origin).await.unwrap(), world.post(&other).await.unwrap()), (200, 200));
        assert_eq!((plain.wait_for(1).await.unwrap().len(), late.wait_for(1).await.unwrap().len()), (1, 1));
    }

    #[tokio::test]
    async fn a_spare_address_is_one_checks_at_a_time() {
        let world = World::new();
        let listening = world.listening(1).await;
        let (first, origin) = Arc::clone(&listening).spare(SPARE_TIMEOUT, |builder| builder).await.unwrap();
        let none = Arc::clone(&listening).spare(Duration::from_millis(50), |builder| builder).await.unwrap_err();
        assert!(why(none).contains("too few"));
        let waiting = tokio::spawn(Arc::clone(&listening).spare(SPARE_TIMEOUT, |builder| builder));
        drop(first);
        let (second, again) = waiting.await.unwrap().unwrap();
        assert_eq!((world.post(&again).await.unwrap(), second.wait_for(1).await.unwrap().len()), (200, 1));
        assert_eq!(origin, again);
        assert!(
            why(world.listening(0).await.spare(SPARE_TIMEOUT, |builder| builder).await.unwrap_err()).contains("spares")
        );
    }

    #[tokio::test]
    async fn a_bad_certificate_takes_an_authority_and_one_signed_by_itself_none() {
        let world = World::new();
        let listening = world.listening(1).await;
        for kind in [Certificate::WrongHost, Certificate::Expired] {
            let refused = Arc::clone(&listening).spare(SPARE_TIMEOUT, |builder| builder.certificate(kind)).await;
            assert!(why(refused.unwrap_err()).contains("`ca`"), "{kind:?}");
        }
        let other_name = Arc::clone(&listening).spare(SPARE_TIMEOUT, |builder| builder.host("other.example")).await;
        assert!(why(other_name.unwrap_err()).contains("`ca`"));
        let signed_by_itself = |builder: Builder| builder.certificate(Certificate::SelfSigned);
        let (receiver, origin) = Arc::clone(&listening).spare(SPARE_TIMEOUT, signed_by_itself).await.unwrap();
        assert!(world.post(&origin).await.unwrap_err().is_connect());
        assert_eq!(receiver.deliveries().len(), 0);
    }

    #[tokio::test]
    async fn a_certificate_that_cannot_be_used_is_said_before_the_run() {
        let world = World::new();
        let broken = async |name: &str, text: &str| {
            let mut profile = world.profile(0);
            let file = world.folder.path().join(name);
            std::fs::write(&file, text).unwrap();
            profile.receiver.as_mut().unwrap().key = Some(file);
            one_line(&SuiteReceiver::start(&profile).await.unwrap_err())
        };
        let others = Authority::new().unwrap().key_pem();
        assert!(broken("other.key", &others).await.contains("certificate"), "a key of another certificate");
        assert!(broken("none.key", "nothing").await.contains("not a certificate and key in PEM"));
    }
}
