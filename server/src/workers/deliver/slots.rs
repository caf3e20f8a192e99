//! How many attempts may be under way at once: in all, at one host, and of one webhook. An endpoint that hangs holds its
//! own slots and no other's.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;

use crate::config::Webhooks;
use crate::domain::deliveries::Wish;

/// Webhooks that have something due, with their hosts.
pub(super) type Backlog = BTreeMap<String, String>;

#[derive(Debug)]
pub(super) struct Slots {
    of_webhook: usize,
    of_host: usize,
    in_all: usize,
    taken: usize,
    webhooks: HashMap<String, usize>,
    hosts: HashMap<String, usize>,
    /// The webhook that was served last: the next one comes first, so that none waits for ever when slots are few.
    last: String,
}

impl Slots {
    pub(super) fn new(settings: &Webhooks) -> Self {
        let [of_webhook, of_host, in_all] = [settings.slots_per_webhook, settings.slots_per_host, settings.slots]
            .map(|slots| usize::try_from(slots).unwrap_or(usize::MAX).max(1));
        Self {
            of_webhook,
            of_host,
            in_all,
            taken: 0,
            webhooks: HashMap::new(),
            hosts: HashMap::new(),
            last: String::new(),
        }
    }

    pub(super) fn take(&mut self, webhook: &str, host: &str) {
        self.taken += 1;
        *self.webhooks.entry(webhook.to_owned()).or_default() += 1;
        *self.hosts.entry(host.to_owned()).or_default() += 1;
    }

    pub(super) fn free(&mut self, webhook: &str, host: &str) {
        self.taken = self.taken.saturating_sub(1);
        for (counts, name) in [(&mut self.webhooks, webhook), (&mut self.hosts, host)] {
            if let Some(count) = counts.get_mut(name) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(name);
                }
            }
        }
    }

    /// Whether any of these webhooks has a free slot.
    pub(super) fn suffice(&self, backlog: &Backlog) -> bool {
        let below =
            |counts: &HashMap<String, usize>, name: &str, most| counts.get(name).is_none_or(|taken| *taken < most);
        self.taken < self.in_all
            && backlog.iter().any(|(webhook, host)| {
                below(&self.webhooks, webhook, self.of_webhook) && below(&self.hosts, host, self.of_host)
            })
    }

    /// Shares the free slots out among webhooks, one to each in turn until none is left or wanted. The next call begins
    /// where this one ended.
    pub(super) fn share(&mut self, backlog: &Backlog) -> Vec<Wish> {
        let mut left = self.in_all.saturating_sub(self.taken);
        let mut hosts: HashMap<&str, usize> = HashMap::new();
        let mut shares: Vec<(&str, &str, usize, usize)> = Vec::new();
        let after = backlog.range::<str, _>((Bound::Excluded(self.last.as_str()), Bound::Unbounded));
        let before = backlog.range::<str, _>((Bound::Unbounded, Bound::Included(self.last.as_str())));
        for (webhook, host) in after.chain(before) {
            if left == 0 {
                break;
            }
            let of_webhook = self.of_webhook.saturating_sub(self.webhooks.get(webhook).copied().unwrap_or(0));
            let taken = self.hosts.get(host).copied().unwrap_or(0);
            let of_host = hosts.entry(host).or_insert_with(|| self.of_host.saturating_sub(taken));
            if of_webhook > 0 && *of_host > 0 {
                left -= 1;
                *of_host -= 1;
                shares.push((webhook, host, 1, of_webhook - 1));
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
        if let Some((webhook, ..)) = shares.last() {
            self.last = (*webhook).to_owned();
        }
        let wish =
            |(webhook, _, share, _): (&str, _, usize, _)| Wish { webhook_id: webhook.to_owned(), at_most: share };
        shares.into_iter().map(wish).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(slots_per_webhook: u32, slots_per_host: u32, slots: u32) -> Slots {
        Slots::new(&Webhooks { egress: Default::default(), slots_per_webhook, slots_per_host, slots })
    }

    fn backlog(webhooks: &[(&str, &str)]) -> Backlog {
        webhooks.iter().map(|(webhook, host)| ((*webhook).to_owned(), (*host).to_owned())).collect()
    }

    fn shares(slots: &mut Slots, backlog: &Backlog) -> Vec<(String, usize)> {
        slots.share(backlog).into_iter().map(|wish| (wish.webhook_id, wish.at_most)).collect()
    }

    /// DEL-19
    #[test]
    fn a_webhook_gets_no_more_than_its_slots_and_leaves_the_others_theirs() {
        let (mut slots, backlog) = (slots(3, 100, 100), backlog(&[("a", "x"), ("b", "y")]));
        assert_eq!(shares(&mut slots, &backlog), [("a".into(), 3), ("b".into(), 3)]);
        for _ in 0..3 {
            slots.take("a", "x");
        }
        assert_eq!(shares(&mut slots, &backlog), [("b".into(), 3)]);
        slots.free("a", "x");
        assert_eq!(shares(&mut slots, &backlog), [("a".into(), 1), ("b".into(), 3)]);
    }

    /// DEL-19
    #[test]
    fn webhooks_of_one_host_share_its_slots() {
        let (mut slots, backlog) = (slots(3, 4, 100), backlog(&[("a", "x"), ("b", "x"), ("c", "x"), ("d", "y")]));
        assert_eq!(shares(&mut slots, &backlog), [("a".into(), 2), ("b".into(), 1), ("c".into(), 1), ("d".into(), 3)]);
        for webhook in ["a", "a", "b", "c"] {
            slots.take(webhook, "x");
        }
        assert_eq!(shares(&mut slots, &backlog), [("d".into(), 3)], "the host is full");
    }

    #[test]
    fn few_slots_go_round() {
        let (mut slots, backlog) = (slots(2, 9, 2), backlog(&[("a", "x"), ("b", "y"), ("c", "z")]));
        assert_eq!(shares(&mut slots, &backlog), [("a".into(), 1), ("b".into(), 1)]);
        assert_eq!(shares(&mut slots, &backlog), [("c".into(), 1), ("a".into(), 1)]);
        slots.take("a", "x");
        slots.take("c", "z");
        assert_eq!(shares(&mut slots, &backlog), []);
        slots.free("a", "x");
        assert_eq!(shares(&mut slots, &backlog), [("b".into(), 1)]);
        assert_eq!(slots.taken, 1);
    }
}
