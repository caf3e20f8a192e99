//! Limits of parallel attempts: in all, for one host, and for one webhook. An endpoint that hangs holds only its own
//! slots, and of those that all share one workspace has at most half of what the others leave: however many of its endpoints
//! hang, there are slots for others.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use l10n_api_types::{WebhookId, WorkspaceId};

use super::backlog::{Destination, WebhookBacklog, WorkspaceBacklog};
use crate::config::Webhooks;
use crate::fair_places::FairPlaces;

#[derive(Debug, Clone)]
pub(super) struct Slots {
    of_webhook: usize,
    of_host: usize,
    all: FairPlaces<WorkspaceId>,
    webhooks: HashMap<WebhookId, usize>,
    hosts: HashMap<String, FairPlaces<WorkspaceId>>,
}

/// The capacity of a turn.
#[derive(Debug)]
pub(super) struct Capacity {
    pub(super) slots: Slots,
    /// By webhook: how many may be taken ahead of its slots.
    pub(super) ahead: HashMap<WebhookId, usize>,
}

/// The number of deliveries of a webhook that may be taken.
#[derive(Debug)]
pub(super) struct Share {
    pub(super) to: Arc<Destination>,
    pub(super) at_most: usize,
}

impl Slots {
    pub(super) fn new(settings: &Webhooks) -> Self {
        let [of_webhook, of_host, in_all] = [settings.slots_per_webhook, settings.slots_per_host, settings.slots]
            .map(|slots| usize::try_from(slots).unwrap_or(usize::MAX).max(1));
        let all = FairPlaces::new(in_all);
        Self { of_webhook, of_host, all, webhooks: HashMap::new(), hosts: HashMap::new() }
    }

    pub(super) fn take(&mut self, to: &Destination) {
        self.all.take(&to.workspace);
        *self.webhooks.entry(to.webhook.clone()).or_default() += 1;
        let of_host = self.of_host;
        self.hosts.entry(to.host.clone()).or_insert_with(|| FairPlaces::new(of_host)).take(&to.workspace);
    }

    pub(super) fn free(&mut self, to: &Destination) {
        self.all.free(&to.workspace);
        if let Some(taken) = self.webhooks.get_mut(&to.webhook) {
            *taken -= 1;
            if *taken == 0 {
                self.webhooks.remove(&to.webhook);
            }
        }
        if let Some(host) = self.hosts.get_mut(&to.host) {
            host.free(&to.workspace);
            if host.is_unused() {
                self.hosts.remove(&to.host);
            }
        }
    }

    /// Returns true if a webhook has a free slot.
    pub(super) fn has_one(&self, to: &Destination) -> bool {
        self.webhooks.get(&to.webhook).is_none_or(|taken| *taken < self.of_webhook) && self.has_shared_one(to)
    }

    /// Returns true if there is one, were it not for the webhook's own limit.
    fn has_shared_one(&self, to: &Destination) -> bool {
        self.all.has_one(&to.workspace) && self.hosts.get(&to.host).is_none_or(|host| host.has_one(&to.workspace))
    }
}

impl Capacity {
    /// Returns true if any of these webhooks has a free slot.
    pub(super) fn suffices(&self, backlog: &WebhookBacklog) -> bool {
        let mut workspaces = backlog.in_turn().filter(|(workspace, _)| self.slots.all.has_one(workspace));
        workspaces.any(|(_, webhooks)| webhooks.in_turn().any(|to| self.slots.has_one(to)))
    }

    /// Shares the free slots out among workspaces, one to each in turn until none is left or wanted, and what a workspace gets
    /// among its webhooks. Only where some are left, more is taken ahead: nobody waits for what others may take. Those who were
    /// served last come last the next time, so that none waits for ever when slots are few.
    pub(super) fn share(&self, backlog: &mut WebhookBacklog) -> Vec<Share> {
        let (mut slots, mut shares, mut given) = (self.slots.clone(), Vec::new(), Vec::new());
        let mut first = backlog.in_turn().map(|(workspace, webhooks)| WorkspaceTurn::new(workspace, webhooks));
        let mut again = VecDeque::new();
        while !slots.all.is_full() {
            let Some(mut turn) = first.next().or_else(|| again.pop_front()) else { break };
            if let Some(place) = turn.give_one(&mut slots, &mut shares) {
                given.push(place);
                again.push_back(turn);
            }
        }
        drop((first, again));
        for share in given.into_iter().filter_map(|place| shares.get(place)) {
            backlog.served(&share.to);
        }
        for Share { to, at_most } in &mut shares {
            if slots.has_shared_one(to) {
                *at_most += self.ahead.get(&to.webhook).copied().unwrap_or(0);
            }
        }
        shares.retain(|share| share.at_most > 0);
        shares
    }
}

/// The turns of one workspace while slots are shared out.
struct WorkspaceTurn<'a, I> {
    workspace: &'a WorkspaceId,
    /// Its webhooks that have had none.
    first: I,
    /// The places of the shares of those that have had one.
    again: VecDeque<usize>,
}

impl<'a> WorkspaceTurn<'a, ()> {
    fn new(
        workspace: &'a WorkspaceId,
        webhooks: &'a WorkspaceBacklog,
    ) -> WorkspaceTurn<'a, impl Iterator<Item = &'a Arc<Destination>>> {
        WorkspaceTurn { workspace, first: webhooks.in_turn(), again: VecDeque::new() }
    }
}

impl<'a, I: Iterator<Item = &'a Arc<Destination>>> WorkspaceTurn<'a, I> {
    /// Gives one slot to the webhook whose turn it is; returns the place of its share.
    fn give_one(&mut self, slots: &mut Slots, shares: &mut Vec<Share>) -> Option<usize> {
        if !slots.all.has_one(self.workspace) {
            return None;
        }
        for to in self.first.by_ref() {
            // One that has all of its own may have some taken ahead.
            let at_most = usize::from(slots.has_one(to));
            if at_most > 0 || slots.has_shared_one(to) {
                shares.push(Share { to: Arc::clone(to), at_most });
            }
            if at_most > 0 {
                slots.take(to);
                self.again.push_back(shares.len() - 1);
                return Some(shares.len() - 1);
            }
        }
        while let Some(place) = self.again.pop_front() {
            if let Some(share) = shares.get_mut(place).filter(|share| slots.has_one(&share.to)) {
                slots.take(&share.to);
                share.at_most += 1;
                self.again.push_back(place);
                return Some(place);
            }
        }
        None
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

    fn destination(webhook: &str, workspace: &str, host: &str) -> Destination {
        Destination { webhook: webhook.into(), workspace: workspace.into(), host: host.to_owned() }
    }

    /// Webhooks with their hosts, each of its own workspace.
    fn backlog(webhooks: &[(&str, &str)]) -> WebhookBacklog {
        let mut backlog = WebhookBacklog::default();
        for (webhook, host) in webhooks {
            backlog.insert(Arc::new(destination(webhook, webhook, host)));
        }
        backlog
    }

    /// Webhooks with their workspaces, each at its own host.
    fn of_workspaces(webhooks: &[(&str, &str)]) -> WebhookBacklog {
        let mut backlog = WebhookBacklog::default();
        for (webhook, workspace) in webhooks {
            backlog.insert(Arc::new(destination(webhook, workspace, webhook)));
        }
        backlog
    }

    /// With what may be taken ahead.
    fn shares_with(slots: &Slots, backlog: &mut WebhookBacklog, ahead: &[(&str, usize)]) -> Vec<(WebhookId, usize)> {
        let ahead = ahead.iter().map(|(webhook, count)| ((*webhook).into(), *count)).collect();
        let capacity = Capacity { slots: slots.clone(), ahead };
        capacity.share(backlog).into_iter().map(|share| (share.to.webhook.clone(), share.at_most)).collect()
    }

    fn shares(slots: &Slots, backlog: &mut WebhookBacklog) -> Vec<(WebhookId, usize)> {
        shares_with(slots, backlog, &[])
    }

    /// DEL-19
    #[test]
    fn a_webhook_gets_no_more_than_its_slots_and_leaves_the_others_theirs() {
        let (mut slots, mut backlog) = (slots(3, 100, 100), backlog(&[("a", "x"), ("b", "y")]));
        assert_eq!(shares(&slots, &mut backlog), [("a".into(), 3), ("b".into(), 3)]);
        let a = destination("a", "a", "x");
        for _ in 0..3 {
            slots.take(&a);
        }
        assert_eq!(shares(&slots, &mut backlog), [("b".into(), 3)]);
        slots.free(&a);
        assert_eq!(shares(&slots, &mut backlog), [("a".into(), 1), ("b".into(), 3)]);
    }

    /// DEL-19
    #[test]
    fn webhooks_of_one_host_share_its_slots() {
        let mut backlog = backlog(&[("a", "x"), ("b", "x"), ("c", "x"), ("d", "y")]);
        let mut slots = slots(3, 5, 100);
        assert_eq!(
            shares(&slots, &mut backlog),
            [("a".into(), 2), ("b".into(), 1), ("c".into(), 1), ("d".into(), 3)],
            "one is left for another workspace"
        );
        for webhook in ["a", "a", "b", "c", "e"] {
            slots.take(&destination(webhook, webhook, "x"));
        }
        assert_eq!(shares(&slots, &mut backlog), [("d".into(), 3)], "the host is full");
    }

    /// DEL-19. Before, one workspace could have all slots.
    #[test]
    fn however_many_webhooks_a_workspace_has_others_have_slots() {
        let busy: Vec<String> = (0..20).map(|number| format!("a{number:02}")).collect();
        let busy: Vec<(&str, &str)> = busy.iter().map(|webhook| (webhook.as_str(), "busy")).collect();
        let (mut slots, mut backlog) = (slots(2, 9, 16), of_workspaces(&busy));
        let all = shares(&slots, &mut backlog);
        assert_eq!(all, busy[..8].iter().map(|(webhook, _)| ((*webhook).into(), 1)).collect::<Vec<_>>());
        for (webhook, _) in &busy[..8] {
            slots.take(&destination(webhook, "busy", webhook));
        }
        assert!(!Capacity { slots: slots.clone(), ahead: HashMap::new() }.suffices(&backlog));
        for (webhook, workspace) in [("q", "quiet"), ("z", "zealous")] {
            backlog.insert(Arc::new(destination(webhook, workspace, webhook)));
        }
        assert_eq!(shares(&slots, &mut backlog), [("q".into(), 2), ("z".into(), 2)]);
    }

    #[test]
    fn a_webhook_of_a_quiet_workspace_waits_for_no_more_than_one_of_a_busy_one() {
        let mut backlog = of_workspaces(&[("a", "busy"), ("b", "busy"), ("c", "busy"), ("q", "quiet")]);
        let slots = slots(9, 9, 3);
        assert_eq!(shares(&slots, &mut backlog), [("a".into(), 1), ("q".into(), 1)]);
        assert_eq!(shares(&slots, &mut backlog), [("b".into(), 1), ("q".into(), 1)], "the webhooks of one take turns");
        backlog.remove(&destination("q", "quiet", "q"));
        assert_eq!(shares(&slots, &mut backlog), [("c".into(), 1), ("a".into(), 1)]);
    }

    #[test]
    fn few_slots_go_round() {
        let (mut slots, mut backlog) = (slots(2, 9, 2), backlog(&[("a", "x"), ("b", "y"), ("c", "z")]));
        let (a, c) = (destination("a", "a", "x"), destination("c", "c", "z"));
        assert_eq!(shares(&slots, &mut backlog), [("a".into(), 1), ("b".into(), 1)]);
        assert_eq!(shares(&slots, &mut backlog), [("c".into(), 1), ("a".into(), 1)]);
        slots.take(&a);
        slots.take(&c);
        assert_eq!(shares(&slots, &mut backlog), []);
        slots.free(&a);
        assert_eq!(shares(&slots, &mut backlog), [("b".into(), 1)]);
    }

    #[test]
    fn nothing_is_taken_ahead_while_another_may_want_the_slot() {
        let ahead = |slots: &Slots, backlog: &mut WebhookBacklog| shares_with(slots, backlog, &[("a", 7)]);
        let (mut of_host, of_all) = (slots(2, 6, 18), slots(2, 18, 6));
        let mut alone = backlog(&[("a", "x")]);
        assert_eq!(ahead(&of_host, &mut alone), [("a".into(), 9)]);
        let mut of_one_host = backlog(&[("a", "x"), ("b", "x"), ("c", "x")]);
        assert_eq!(ahead(&of_host, &mut of_one_host), [("a".into(), 2), ("b".into(), 2), ("c".into(), 1)]);
        let mut apart = backlog(&[("a", "x"), ("b", "y"), ("c", "z")]);
        assert_eq!(ahead(&of_all, &mut apart), [("a".into(), 2), ("b".into(), 2), ("c".into(), 1)]);
        for _ in 0..2 {
            of_host.take(&destination("a", "a", "x"));
        }
        assert_eq!(ahead(&of_host, &mut alone), [("a".into(), 7)], "its slots are taken and the host has one more");
    }
}
