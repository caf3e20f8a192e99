//! Limits of parallel attempts: in all, for one host, and for one webhook. An endpoint that hangs holds only its own
//! slots.

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::ops::Bound;

use l10n_api_types::WebhookId;

use crate::config::Webhooks;
use crate::domain::deliveries::ClaimRequest;

/// Webhooks that have something due, with their hosts.
pub(super) type WebhookBacklog = BTreeMap<WebhookId, String>;

#[derive(Debug, Clone)]
pub(super) struct Slots {
    of_webhook: usize,
    of_host: usize,
    in_all: usize,
    taken: usize,
    webhooks: HashMap<WebhookId, usize>,
    hosts: HashMap<String, usize>,
}

/// The capacity of a turn.
#[derive(Debug)]
pub(super) struct Capacity {
    pub(super) slots: Slots,
    /// By webhook: how many may be taken ahead of its slots.
    pub(super) ahead: HashMap<WebhookId, usize>,
}

impl Slots {
    pub(super) fn new(settings: &Webhooks) -> Self {
        let [of_webhook, of_host, in_all] = [settings.slots_per_webhook, settings.slots_per_host, settings.slots]
            .map(|slots| usize::try_from(slots).unwrap_or(usize::MAX).max(1));
        Self { of_webhook, of_host, in_all, taken: 0, webhooks: HashMap::new(), hosts: HashMap::new() }
    }

    pub(super) fn take(&mut self, webhook: &WebhookId, host: &str) {
        self.taken += 1;
        *self.webhooks.entry(webhook.clone()).or_default() += 1;
        *self.hosts.entry(host.to_owned()).or_default() += 1;
    }

    pub(super) fn free(&mut self, webhook: &WebhookId, host: &str) {
        self.taken = self.taken.saturating_sub(1);
        free_one(&mut self.webhooks, webhook);
        free_one(&mut self.hosts, host);
    }

    /// Returns true if a webhook has a free slot.
    pub(super) fn has_one(&self, webhook: &WebhookId, host: &str) -> bool {
        let below = |taken: Option<&usize>, most| taken.is_none_or(|taken| *taken < most);
        self.taken < self.in_all
            && below(self.webhooks.get(webhook), self.of_webhook)
            && below(self.hosts.get(host), self.of_host)
    }
}

fn free_one<K: Hash + Eq + Borrow<Q>, Q: Hash + Eq + ?Sized>(counts: &mut HashMap<K, usize>, name: &Q) {
    if let Some(count) = counts.get_mut(name) {
        *count -= 1;
        if *count == 0 {
            counts.remove(name);
        }
    }
}

impl Capacity {
    /// Returns true if any of these webhooks has a free slot.
    pub(super) fn suffices(&self, backlog: &WebhookBacklog) -> bool {
        backlog.iter().any(|(webhook, host)| self.slots.has_one(webhook, host))
    }

    /// Shares the free slots out among webhooks, one to each in turn until none is left or wanted. Only where some are
    /// left, more is taken ahead: nobody waits for what others may take. `last` is the webhook that was served last: the
    /// next one comes first, so that none waits for ever when slots are few.
    pub(super) fn share(&self, backlog: &WebhookBacklog, last: &mut WebhookId) -> Vec<ClaimRequest> {
        let slots = &self.slots;
        let mut left = slots.in_all.saturating_sub(slots.taken);
        let mut hosts: HashMap<&str, usize> = HashMap::new();
        let mut shares: Vec<(&WebhookId, &str, usize, usize)> = Vec::new();
        let after = backlog.range::<WebhookId, _>((Bound::Excluded(&*last), Bound::Unbounded));
        let before = backlog.range::<WebhookId, _>((Bound::Unbounded, Bound::Included(&*last)));
        for (webhook, host) in after.chain(before) {
            if left == 0 {
                break;
            }
            let of_webhook = slots.of_webhook.saturating_sub(slots.webhooks.get(webhook).copied().unwrap_or(0));
            let taken = slots.hosts.get(host).copied().unwrap_or(0);
            let of_host = hosts.entry(host).or_insert_with(|| slots.of_host.saturating_sub(taken));
            if *of_host > 0 {
                let share = of_webhook.min(1);
                left -= share;
                *of_host -= share;
                shares.push((webhook, host, share, of_webhook - share));
            }
        }
        let mut gave = true;
        while gave && left > 0 {
            gave = false;
            for (_, host, share, wanted) in &mut shares {
                let of_host = hosts.entry(host).or_default();
                if *wanted > 0 && *of_host > 0 && left > 0 {
                    (left, *of_host, *wanted, *share) = (left - 1, *of_host - 1, *wanted - 1, *share + 1);
                    gave = true;
                }
            }
        }
        if let Some((webhook, ..)) = shares.iter().rfind(|(.., share, _)| *share > 0) {
            last.clone_from(webhook);
        }
        for (webhook, host, share, _) in &mut shares {
            if left > 0 && hosts.get(host).is_some_and(|of_host| *of_host > 0) {
                *share += self.ahead.get(*webhook).copied().unwrap_or(0);
            }
        }
        let requests = shares.into_iter().filter(|(.., share, _)| *share > 0);
        requests.map(|(webhook, _, share, _)| ClaimRequest { webhook_id: webhook.clone(), at_most: share }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(slots_per_webhook: u32, slots_per_host: u32, slots: u32) -> Slots {
        Slots::new(&Webhooks {
            egress: Default::default(),
            slots_per_webhook,
            slots_per_host,
            slots,
            most_per_project: 20,
        })
    }

    fn backlog(webhooks: &[(&str, &str)]) -> WebhookBacklog {
        webhooks.iter().map(|(webhook, host)| ((*webhook).into(), (*host).to_owned())).collect()
    }

    /// After the webhook that was served last, and with what may be taken ahead.
    fn shares_with(
        slots: &Slots,
        backlog: &WebhookBacklog,
        last: &mut WebhookId,
        ahead: &[(&str, usize)],
    ) -> Vec<(WebhookId, usize)> {
        let ahead = ahead.iter().map(|(webhook, count)| ((*webhook).into(), *count)).collect();
        let capacity = Capacity { slots: slots.clone(), ahead };
        capacity.share(backlog, last).into_iter().map(|request| (request.webhook_id, request.at_most)).collect()
    }

    fn shares(slots: &Slots, backlog: &WebhookBacklog) -> Vec<(WebhookId, usize)> {
        shares_with(slots, backlog, &mut WebhookId::new(""), &[])
    }

    /// DEL-19
    #[test]
    fn a_webhook_gets_no_more_than_its_slots_and_leaves_the_others_theirs() {
        let (mut slots, backlog) = (slots(3, 100, 100), backlog(&[("a", "x"), ("b", "y")]));
        assert_eq!(shares(&slots, &backlog), [("a".into(), 3), ("b".into(), 3)]);
        for _ in 0..3 {
            slots.take(&"a".into(), "x");
        }
        assert_eq!(shares(&slots, &backlog), [("b".into(), 3)]);
        slots.free(&"a".into(), "x");
        assert_eq!(shares(&slots, &backlog), [("a".into(), 1), ("b".into(), 3)]);
    }

    /// DEL-19
    #[test]
    fn webhooks_of_one_host_share_its_slots() {
        let (mut slots, backlog) = (slots(3, 4, 100), backlog(&[("a", "x"), ("b", "x"), ("c", "x"), ("d", "y")]));
        assert_eq!(shares(&slots, &backlog), [("a".into(), 2), ("b".into(), 1), ("c".into(), 1), ("d".into(), 3)]);
        for webhook in ["a", "a", "b", "c"] {
            slots.take(&webhook.into(), "x");
        }
        assert_eq!(shares(&slots, &backlog), [("d".into(), 3)], "the host is full");
    }

    #[test]
    fn few_slots_go_round() {
        let (mut slots, backlog) = (slots(2, 9, 2), backlog(&[("a", "x"), ("b", "y"), ("c", "z")]));
        let mut last = WebhookId::new("");
        let mut next = |slots: &Slots| shares_with(slots, &backlog, &mut last, &[]);
        assert_eq!(next(&slots), [("a".into(), 1), ("b".into(), 1)]);
        assert_eq!(next(&slots), [("c".into(), 1), ("a".into(), 1)]);
        slots.take(&"a".into(), "x");
        slots.take(&"c".into(), "z");
        assert_eq!(next(&slots), []);
        slots.free(&"a".into(), "x");
        assert_eq!(next(&slots), [("b".into(), 1)]);
        assert_eq!(slots.taken, 1);
    }

    #[test]
    fn nothing_is_taken_ahead_while_another_may_want_the_slot() {
        let ahead = [("a", 7)];
        let ahead =
            |slots: &Slots, backlog: &WebhookBacklog| shares_with(slots, backlog, &mut WebhookId::new(""), &ahead);
        let (mut of_host, of_all) = (slots(2, 3, 9), slots(2, 9, 3));
        let alone = backlog(&[("a", "x")]);
        assert_eq!(ahead(&of_host, &alone), [("a".into(), 9)]);
        let of_one_host = backlog(&[("a", "x"), ("b", "x")]);
        assert_eq!(ahead(&of_host, &of_one_host), [("a".into(), 2), ("b".into(), 1)]);
        assert_eq!(ahead(&of_all, &backlog(&[("a", "x"), ("b", "y")])), [("a".into(), 2), ("b".into(), 1)]);
        for _ in 0..2 {
            of_host.take(&"a".into(), "x");
        }
        assert_eq!(ahead(&of_host, &alone), [("a".into(), 7)], "its slots are taken and the host has one more");
    }
}
