//! A scripted endpoint for webhooks: records every delivery as it came, and answers as a test wants it to.
//!
//! ```no_run
//! # async fn test() -> Result<(), Box<dyn std::error::Error>> {
//! use http::StatusCode;
//! use l10n_testkit::receiver::{Answer, Receiver};
//!
//! let receiver = Receiver::start().await?;
//! receiver.answer_in_turn("/hook", [Answer::status(StatusCode::INTERNAL_SERVER_ERROR), Answer::ok()]);
//! // webhooks.extra_ca = receiver.ca_pem(), and a webhook for receiver.url("/hook"), then a publish; and then:
//! let deliveries = receiver.wait_for(2).await?;
//! assert_eq!(deliveries[0].body, deliveries[1].body);
//! # Ok(())
//! # }
//! ```

mod answer;
mod authority;
mod builder;
mod chain;
mod connection;
mod delivery;
mod handshake;
mod log;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::DropGuard;

pub use self::answer::{Answer, Gate};
pub use self::authority::{Authority, Certificate, CertifiedKey};
pub use self::builder::{Builder, StartError};
pub use self::chain::Chain;
pub use self::delivery::Delivery;
pub use self::handshake::Handshake;
pub(crate) use self::log::DeliveryObserver;
pub use self::log::NotSeen;

use self::answer::{Script, Scripts};
use self::log::Log;

/// A listening endpoint. It answers 200 to everything until it is told otherwise, and ends when it is dropped.
#[derive(Debug)]
pub struct Receiver {
    address: SocketAddr,
    origin: String,
    authority: Authority,
    patience: Duration,
    log: Arc<Log>,
    scripts: Arc<Scripts>,
    _ends: DropGuard,
}

impl Receiver {
    /// The URL of a path that begins with a slash.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// Its address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The certificate of its authority in PEM, for the setting `webhooks.extra_ca`.
    #[must_use]
    pub fn ca_pem(&self) -> &str {
        self.authority.pem()
    }

    /// Answers every delivery to `path` like this from now on. What follows a `?` is no part of the path.
    pub fn answer(&self, path: &str, answer: Answer) {
        self.scripts.set(path, Script::in_turn(vec![answer]));
    }

    /// Answers deliveries to `path` like this one after the other, and with the last of them from then on.
    pub fn answer_in_turn(&self, path: &str, answers: impl IntoIterator<Item = Answer>) {
        self.scripts.set(path, Script::in_turn(answers.into_iter().collect()));
    }

    /// Lets `choose` decide for each delivery to `path`.
    pub fn answer_by(&self, path: &str, choose: impl Fn(&Delivery) -> Answer + Send + Sync + 'static) {
        self.scripts.set(path, Script::By(Arc::new(choose)));
    }

    /// Everything that has arrived, in the order of arrival.
    #[must_use]
    pub fn deliveries(&self) -> Vec<Delivery> {
        self.log.look(<[Delivery]>::to_vec)
    }

    /// Passes all deliveries to `read`, without copying them. Nothing is received meanwhile.
    pub fn look<T>(&self, read: impl FnOnce(&[Delivery]) -> T) -> T {
        self.log.look(read)
    }

    /// The TLS alerts with which senders ended a handshake: they do not trust the certificate, as a rule.
    #[must_use]
    pub fn refusals(&self) -> Vec<String> {
        self.log.refusals()
    }

    /// TCP connections that were accepted, also those that brought no delivery.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.log.connections()
    }

    /// Waits until `count` deliveries have arrived, and returns all that have.
    ///
    /// # Errors
    ///
    /// Returns an error if they have not arrived within the receiver's [patience](Builder::patience).
    pub async fn wait_for(&self, count: usize) -> Result<Vec<Delivery>, NotSeen> {
        self.wait_until(&format!("{count} deliveries"), |deliveries| deliveries.len() >= count).await
    }

    /// Waits until `condition` holds for the deliveries, and returns them. The condition is checked whenever a delivery
    /// arrives or an answer ends. `what` describes the condition in the error.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not hold within the receiver's [patience](Builder::patience).
    pub async fn wait_until(
        &self,
        what: &str,
        condition: impl FnMut(&[Delivery]) -> bool,
    ) -> Result<Vec<Delivery>, NotSeen> {
        self.wait_within(self.patience, what, condition).await
    }

    /// Like [`wait_until`](Self::wait_until), with this time limit instead of the receiver's.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not hold within `patience`.
    pub async fn wait_within(
        &self,
        patience: Duration,
        what: &str,
        condition: impl FnMut(&[Delivery]) -> bool,
    ) -> Result<Vec<Delivery>, NotSeen> {
        self.log.wait_until(what, patience, condition).await
    }

    /// Waits until this many TCP connections were accepted: for faults that let no delivery through.
    ///
    /// # Errors
    ///
    /// Returns an error if they were not accepted within the receiver's [patience](Builder::patience).
    pub async fn wait_for_connections(&self, count: usize) -> Result<(), NotSeen> {
        self.log.wait_for_connections(count, self.patience).await
    }
}
