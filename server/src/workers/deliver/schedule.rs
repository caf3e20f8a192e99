//! The times at which webhooks have their next delivery. The worker keeps the schedule, so that thousands that fall due
//! one after the other do not make it ask the datastore for all of them each time.

use std::collections::BTreeMap;
use std::sync::Arc;

use l10n_api_types::WebhookId;

use super::backlog::{Destination, WebhookBacklog};
use crate::clock::Timestamp;
use crate::store::due::WaitingWebhook;

/// Webhooks with what is to be taken later, as the datastore said when it was asked last. It may be out of date: what
/// another process has taken since is not found any more, and what came since is found by the next look.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    /// By time and webhook.
    planned: BTreeMap<(Timestamp, WebhookId), Arc<Destination>>,
}

impl Schedule {
    /// Forgets what is planned for later than `until`.
    pub(super) fn forget_after(&mut self, until: Timestamp) {
        self.planned.split_off(&(until.plus_millis(1), WebhookId::new("")));
    }

    /// Takes over what waits: in `backlog` what is due by `now`, the rest here.
    pub(super) fn add(&mut self, waiting: Vec<WaitingWebhook>, now: Timestamp, backlog: &mut WebhookBacklog) {
        for waiting in waiting {
            let destination = Arc::new(Destination::from(&waiting));
            if waiting.due_at <= now {
                backlog.insert(destination);
            } else {
                self.planned.insert((waiting.due_at, waiting.webhook_id), destination);
            }
        }
    }

    /// Looks again at these webhooks at a later time, when what was just written falls due.
    pub(super) fn add_at(&mut self, waiting: &[WaitingWebhook], at: Timestamp) {
        let destinations = waiting.iter().map(|waiting| Arc::new(Destination::from(waiting)));
        self.planned.extend(destinations.map(|destination| ((at, destination.webhook.clone()), destination)));
    }

    /// Moves to `backlog` what has fallen due.
    pub(super) fn fall_due(&mut self, now: Timestamp, backlog: &mut WebhookBacklog) {
        while let Some(first) = self.planned.first_entry().filter(|first| first.key().0 <= now) {
            backlog.insert(first.remove());
        }
    }

    /// The time at which the next one falls due.
    pub(super) fn next(&self) -> Option<Timestamp> {
        self.planned.first_key_value().map(|((due_at, _), _)| *due_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    fn waiting(id: &str, due: i64) -> WaitingWebhook {
        let (workspace_id, host) = (format!("of {id}").into(), format!("{id}.example"));
        WaitingWebhook { webhook_id: id.into(), workspace_id, host, due_at: at(due) }
    }

    #[test]
    fn later_deliveries_of_a_webhook_keep_their_times_when_all_webhooks_are_looked_at_again() {
        let earliest = || vec![waiting("a", 510)];
        let (mut schedule, mut backlog) = (Schedule::default(), WebhookBacklog::default());
        for told in [10, 20, 300] {
            schedule.add_at(&earliest(), at(told + 500));
        }
        schedule.add_at(&earliest(), at(9_000));
        // A look names the earliest delivery of each webhook alone.
        schedule.forget_after(at(310 + 500));
        schedule.add(earliest(), at(310), &mut backlog);
        for due in [510, 520, 800] {
            assert_eq!(schedule.next(), Some(at(due)));
            schedule.fall_due(at(due), &mut backlog);
        }
        assert_eq!(schedule.next(), None, "what is planned for later is found by the look");
    }

    #[test]
    fn webhooks_fall_due_at_their_times_in_whatever_order_they_came() {
        let (mut schedule, mut backlog) = (Schedule::default(), WebhookBacklog::default());
        schedule.add(vec![waiting("c", 30), waiting("a", 10), waiting("b", 20)], at(10), &mut backlog);
        let hosts = |backlog: &WebhookBacklog| {
            let all = backlog.in_turn().flat_map(|(_, webhooks)| webhooks.in_turn());
            all.map(|destination| destination.host.clone()).collect::<Vec<_>>()
        };
        assert_eq!((hosts(&backlog), schedule.next()), (vec!["a.example".to_owned()], Some(at(20))));
        schedule.fall_due(at(19), &mut backlog);
        assert_eq!(hosts(&backlog).len(), 1);
        schedule.fall_due(at(30), &mut backlog);
        assert_eq!(
            (hosts(&backlog), schedule.next()),
            (["a", "b", "c"].map(|id| format!("{id}.example")).to_vec(), None)
        );
    }
}
