//! A path of the suite's receiver that one check has to itself.

use std::sync::Arc;
use std::time::Duration;

use super::context::Cx;
use crate::outcome::{NotRun, Stop};
use crate::receiver::{Answer, Builder, Delivery, Receiver};
use crate::session::SpareReceiver;

/// A webhook address of one check.
#[derive(Debug, Clone)]
pub struct Endpoint {
    cx: Cx,
    receiver: Arc<Receiver>,
    path: String,
    url: String,
}

impl Cx {
    /// Opens a new path of the receiver. It answers 200 by default.
    ///
    /// # Errors
    ///
    /// Returns an error if the profile has no receiver.
    pub fn endpoint(&self) -> Result<Endpoint, Stop> {
        let lacking = || Stop::NotRun(NotRun::CapabilityMissing("the profile has no receiver".to_owned()));
        let listening = self.session().suite_receiver.clone().ok_or_else(lacking)?;
        let path = format!("{}{}", self.endpoints(), self.next_endpoint());
        let url = format!("{}{path}", listening.origin);
        Ok(Endpoint { cx: self.clone(), receiver: Arc::clone(&listening.receiver), path, url })
    }
}

impl Endpoint {
    /// Its URL, as the deployment reaches it.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Answers like this from now on.
    pub fn answer(&self, answer: Answer) {
        self.receiver.answer(&self.path, answer);
    }

    /// Answers like this one after the other, and with the last of them from then on.
    pub fn answer_in_turn(&self, answers: impl IntoIterator<Item = Answer>) {
        self.receiver.answer_in_turn(&self.path, answers);
    }

    /// Lets `choose` decide for each delivery.
    pub fn answer_by(&self, choose: impl Fn(&Delivery) -> Answer + Send + Sync + 'static) {
        self.receiver.answer_by(&self.path, choose);
    }

    /// The deliveries, in the order of arrival.
    #[must_use]
    pub fn deliveries(&self) -> Vec<Delivery> {
        self.receiver.look(|all| all.iter().filter(|one| one.uri.path() == self.path).cloned().collect())
    }

    /// Waits until so many deliveries have arrived. The specification sets no time for a first delivery; what does not
    /// come within the run's patience (30 s times the multiplier) counts as not sent, which is a deviation.
    ///
    /// # Errors
    ///
    /// The deviation.
    pub async fn wait_for(&self, count: usize) -> Result<Vec<Delivery>, Stop> {
        self.wait_until(&format!("{count} deliveries"), |deliveries| deliveries.len() >= count).await
    }

    /// Waits until what has arrived here is as it should be. `what` names it for the deviation.
    ///
    /// # Errors
    ///
    /// The deviation, where it does not come about within the run's patience.
    pub async fn wait_until(
        &self,
        what: &str,
        mut condition: impl FnMut(&[Delivery]) -> bool,
    ) -> Result<Vec<Delivery>, Stop> {
        let patience = self.cx.session().limits.patience;
        let path = self.path.clone();
        let mine =
            |all: &[Delivery]| -> Vec<Delivery> { all.iter().filter(|one| one.uri.path() == path).cloned().collect() };
        let seen = self.receiver.wait_within(patience, what, |all| condition(&mine(all))).await;
        seen.map(|all| mine(&all)).map_err(|_| {
            let mine = self.deliveries();
            Cx::deviation(
                format!("{what} at the webhook's endpoint within {patience:?}"),
                format!("{} deliveries arrived", mine.len()),
            )
        })
    }

    /// Waits until `find` finds something in what has arrived here, and returns it. `what` names it for the deviation.
    ///
    /// # Errors
    ///
    /// The deviation, where it does not come about within the run's patience.
    pub async fn wait_to_find<T>(&self, what: &str, find: impl Fn(&[Delivery]) -> Option<T>) -> Result<T, Stop> {
        let all = self.wait_until(what, |all| find(all).is_some()).await?;
        find(&all).ok_or_else(|| Cx::deviation(what, format!("{} deliveries arrived", all.len())))
    }

    /// Watches for `time` that no more than `count` deliveries arrive. Choose a `time` in which a deployment that deviates
    /// would certainly have sent one, and prove by a control that it sends at all.
    ///
    /// # Errors
    ///
    /// The deviation.
    pub async fn stays_at(&self, count: usize, time: Duration) -> Result<(), Stop> {
        let path = self.path.clone();
        let more = |all: &[Delivery]| all.iter().filter(|one| one.uri.path() == path).count() > count;
        let came = self.receiver.wait_within(time, "one more delivery", more).await.is_ok();
        self.cx.ensure(
            !came,
            format!("no more than {count} deliveries"),
            format!("{} deliveries arrived", self.deliveries().len()),
        )
    }
}

impl Cx {
    /// Starts another receiver for this check alone, configured by `change`, and returns it with its origin as the
    /// deployment reaches it: for receivers that must get nothing, have a bad certificate, or stall.
    ///
    /// # Errors
    ///
    /// Returns an error if the profile has no address for one, or no authority that issues such a certificate.
    pub async fn spare(&self, change: impl FnOnce(Builder) -> Builder) -> Result<(SpareReceiver, String), Stop> {
        let lacking = || Stop::NotRun(NotRun::CapabilityMissing("the profile has no receiver".to_owned()));
        let listening = self.session().suite_receiver.clone().ok_or_else(lacking)?;
        listening.spare(self.session().limits.patience, change).await
    }
}
