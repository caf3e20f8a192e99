//! The times at which webhooks have their next delivery. The worker keeps the schedule, so that thousands that fall due
//! one after the other do not make it ask the datastore for all of them each time.

use std::collections::BTreeMap;

use l10n_api_types::WebhookId;

use super::slots::WebhookBacklog;
use crate::clock::Timestamp;
use crate::store::due::WaitingWebhook;

/// Webhooks with what is to be taken later, as the datastore said when it was asked last. It may be out of date: what
/// another process has taken since is not found any more, and what came since is found by the next look.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    /// By time and webhook, with the host.
    planned: BTreeMap<(Timestamp, WebhookId), String>,
}

impl Schedule {
    /// Forgets what is planned for later than `until`.
    pub(super) fn forget_after(&mut self, until: Timestamp) {
        self.planned.split_off(&(until.plus_millis(1), WebhookId::new("")));
    }

    /// Takes over what waits: in `backlog` what is due by `now`, the rest here.
    pub(super) fn add(&mut self, waiting: Vec<WaitingWebhook>, now: Timestamp, backlog: &mut WebhookBacklog) {
        for WaitingWebhook { webhook_id, host, due_at } in waiting {
            if due_at <= now {
                backlog.insert(webhook_id, host);
            } else {
                self.planned.insert((due_at, webhook_id), host);
            }
        }
    }

    /// Looks again at these webhooks at a later time, when what was just written falls due.
    pub(super) fn add_at(&mut self, waiting: &[WaitingWebhook], at: Timestamp) {
        let webhooks = waiting.iter().map(|waiting| ((at, waiting.webhook_id.clone()), waiting.host.clone()));
        self.planned.extend(webhooks);
    }

    /// Moves to `backlog` what has fallen due.
    pub(super) fn fall_due(&mut self, now: Timestamp, backlog: &mut WebhookBacklog) {
        while let Some(first) = self.planned.first_entry().filter(|first| first.key().0 <= now) {
            let ((_, webhook_id), host) = first.remove_entry();
            backlog.insert(webhook_id, host);
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

    #[test]
    fn later_deliveries_of_a_webhook_keep_their_times_when_all_webhooks_are_looked_at_again() {
        let at = Timestamp::from_millis;
        let earliest = || vec![WaitingWebhook { webhook_id: "a".into(), host: "a.example".into(), due_at: at(510) }];
        let (mut schedule, mut backlog) = (Schedule::default(), WebhookBacklog::new());
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
        let at = Timestamp::from_millis;
        let waiting =
            |id: &str, due| WaitingWebhook { webhook_id: id.into(), host: format!("{id}.example"), due_at: at(due) };
        let (mut schedule, mut backlog) = (Schedule::default(), WebhookBacklog::new());
        schedule.add(vec![waiting("c", 30), waiting("a", 10), waiting("b", 20)], at(10), &mut backlog);
        let names = |backlog: &WebhookBacklog| backlog.keys().cloned().collect::<Vec<_>>();
        assert_eq!((names(&backlog), schedule.next()), (vec!["a".into()], Some(at(20))));
        schedule.fall_due(at(19), &mut backlog);
        assert_eq!(backlog.len(), 1);
        schedule.fall_due(at(30), &mut backlog);
        assert_eq!((backlog.get(&"c".into()).map(String::as_str), schedule.next()), (Some("c.example"), None));
        assert_eq!(names(&backlog), ["a", "b", "c"].map(WebhookId::from));
    }
}
