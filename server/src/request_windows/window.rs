//! The knowledge of one process about one window, apart from time, tasks and the datastore.

use crate::clock::Timestamp;
use crate::store::request_windows::WindowCount;

/// Length of a window, in milliseconds.
pub(super) const BUDGET_WINDOW_MILLIS: i64 = 60_000;

/// By how much the clocks of two processes may differ, in milliseconds, before they count windows of their own.
pub(super) const CLOCKS_DIFFER_MILLIS: i64 = 10_000;

/// Returns true if a window that began then is over, or began more than `ahead` milliseconds after now.
pub(super) fn is_over(began: Timestamp, now: Timestamp, ahead: i64) -> bool {
    let age = now.as_millis().saturating_sub(began.as_millis());
    !(-ahead..BUDGET_WINDOW_MILLIS).contains(&age)
}

/// A window of a budget.
#[derive(Debug, Clone)]
pub(super) struct Window {
    began: Timestamp,
    /// Requests of all processes, as of the last merge.
    known: u32,
    /// Requests that this process has let in since.
    fresh: u32,
    /// The number that these may reach before the next merge.
    leave: u32,
    /// True if it is, as far as is known, the window that all processes count.
    joined: bool,
    /// Requests that are counted, and wait for the answer of the merge that they have begun.
    asking: u32,
    /// Those that have it, and have not passed yet.
    answered: u32,
}

/// The budget of the window is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverBudget;

/// The treatment of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// It passes; so many more may follow.
    Pass(u32),
    /// The window takes no more.
    Over,
    /// The other processes are to be asked first.
    Ask,
}

impl Window {
    /// One that begins now, of which nothing is known. Its first request passes without a question, unless the limit is that
    /// small: most windows of most processes have few, and are merged together a moment later.
    pub(super) fn new(began: Timestamp, limit: u32) -> Self {
        Self { began, known: 0, fresh: 0, leave: (limit / 4).min(1), joined: false, asking: 0, answered: 0 }
    }

    /// A window that begins long after now is one that a clock set backwards has left behind.
    pub(super) fn is_over(&self, now: Timestamp) -> bool {
        is_over(self.began, now, CLOCKS_DIFFER_MILLIS)
    }

    /// Counts a request, if what is known allows it.
    pub(super) fn count(&mut self, limit: u32) -> Step {
        let asks = self.answered == 0 && self.used() < limit && self.fresh >= self.leave;
        // Whoever comes while another asks may find the window full by what that one asks for alone.
        if asks || (self.answered == 0 && self.asking > 0) { Step::Ask } else { self.count_alone(limit) }
    }

    /// Counts a request, whatever other processes may have let in since the last merge.
    pub(super) fn count_alone(&mut self, limit: u32) -> Step {
        // Counted already. Those that do not wait for their answer any longer pass without it.
        let counted = if self.answered > 0 { &mut self.answered } else { &mut self.asking };
        if *counted > 0 {
            *counted -= 1;
            return if self.used() <= limit { Step::Pass(limit - self.used()) } else { Step::Over };
        }
        if self.used() >= limit {
            return Step::Over;
        }
        self.fresh += 1;
        Step::Pass(limit - self.used())
    }

    /// Counts the request that begins a merge, so that one merge does for both: it passes once it is answered, if what the
    /// others have let in allows it. Returns what is to be merged.
    pub(super) fn ask(&mut self) -> WindowCount {
        self.fresh += 1;
        self.asking += 1;
        self.own()
    }

    /// The merge that was asked for has ended, well or not.
    pub(super) fn answer(&mut self) {
        self.answered += std::mem::take(&mut self.asking);
    }

    /// Returns true if it is, as far as is known, the window that all processes count.
    pub(super) fn is_joined(&self) -> bool {
        self.joined
    }

    /// The counts to merge.
    pub(super) fn own(&self) -> WindowCount {
        WindowCount { began: self.began, requests: self.fresh.into() }
    }

    /// Returns true if other processes do not know of requests here, or may have admitted some while this process was
    /// allowed more.
    pub(super) fn holds_something(&self) -> bool {
        self.fresh > 0 || self.leave > 1
    }

    /// Takes over what the datastore answered to `own`.
    ///
    /// The leave for more grows with what was used of it and is a quarter of what remains at most, so that the end of a
    /// window is met nearly exactly, and a process that few requests reach has little leave when others use up the rest.
    pub(super) fn merged(&mut self, own: WindowCount, all: WindowCount, limit: u32) {
        let sent = u32::try_from(own.requests).unwrap_or(u32::MAX);
        // They are in the window that others count, or over with the one that let them in.
        self.fresh = self.fresh.saturating_sub(sent);
        self.began = all.began;
        self.known = u32::try_from(all.requests).unwrap_or(u32::MAX);
        self.joined = true;
        let remaining = limit.saturating_sub(self.used());
        // Who has sent one request may never send another: then nothing is left to be merged.
        let more = if sent > 1 { sent.saturating_mul(2) } else { 1 };
        self.leave = more.min(remaining / 4).max(1);
    }

    fn used(&self) -> u32 {
        self.known.saturating_add(self.fresh)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_795_248_000_000);
    const LIMIT: u32 = 120;

    /// The effect of the store's statement, for one budget whose clocks agree.
    fn merge(row: &mut Option<WindowCount>, own: WindowCount, joined: bool) -> WindowCount {
        let merged = match *row {
            None => own,
            Some(held) if held.began == own.began || !joined => {
                WindowCount { requests: held.requests + own.requests, ..held }
            }
            Some(held) => held,
        };
        *row = Some(merged);
        merged
    }

    /// Asks until the request passes or is refused.
    fn request(window: &mut Window, row: &mut Option<WindowCount>) -> (bool, usize) {
        let mut merges = 0;
        loop {
            match window.count(LIMIT) {
                Step::Pass(_) => return (true, merges),
                Step::Over => return (false, merges),
                Step::Ask => {
                    let own = window.ask();
                    let all = merge(row, own, window.is_joined());
                    window.merged(own, all, LIMIT);
                    window.answer();
                    merges += 1;
                }
            }
        }
    }

    /// LIM-REQ-1, LIM-REQ-10: one process counts exactly, and asks seldom.
    #[test]
    fn one_process_lets_in_the_limit_and_merges_a_few_times() {
        let (mut window, mut row) = (Window::new(NOW, LIMIT), None);
        let outcomes: Vec<_> = (0..200).map(|_| request(&mut window, &mut row)).collect();
        assert_eq!(outcomes.iter().filter(|(passed, _)| *passed).count(), 120);
        let merges: usize = outcomes.iter().map(|(_, merges)| merges).sum();
        assert!(merges <= 30, "{merges}");
        assert_eq!(outcomes[130..].iter().map(|(_, merges)| merges).sum::<usize>(), 0, "a refusal asks nobody");
    }

    #[test]
    fn what_was_counted_without_the_datastore_comes_along_when_it_answers_again() {
        let mut window = Window::new(NOW, LIMIT);
        for _ in 0..5 {
            window.count_alone(LIMIT);
        }
        let mut row = Some(WindowCount { began: NOW.plus_millis(-3_000), requests: 100 });
        let own = window.own();
        let all = merge(&mut row, own, window.is_joined());
        window.merged(own, all, LIMIT);
        assert_eq!(row, Some(WindowCount { began: all.began, requests: 105 }));
        assert_eq!(window.own(), WindowCount { began: all.began, requests: 0 });
        assert_eq!(window.count_alone(LIMIT), Step::Pass(14));
    }

    /// Requests of a window that is over must not make the next one shorter.
    #[test]
    fn what_is_over_does_not_come_along_into_the_next_window() {
        let (mut window, mut row) = (Window::new(NOW, LIMIT), None);
        for _ in 0..3 {
            request(&mut window, &mut row);
        }
        let next = WindowCount { began: NOW.plus_millis(60_500), requests: 7 };
        window.merged(window.own(), next, LIMIT);
        assert_eq!(window.own(), WindowCount { began: next.began, requests: 0 });
        assert_eq!(window.count_alone(LIMIT), Step::Pass(112));
    }

    /// If projects ask seldom, and through changing processes, a request costs no merge of its own.
    #[test]
    fn the_first_request_of_a_window_waits_for_nobody_and_is_merged_with_others() {
        let mut row = None;
        for number in 1..=4 {
            let mut window = Window::new(NOW.plus_millis(number), LIMIT);
            assert_eq!(request(&mut window, &mut row), (true, 0));
            assert!(window.holds_something());
            let own = window.own();
            let all = merge(&mut row, own, window.is_joined());
            window.merged(own, all, LIMIT);
            assert_eq!(row.unwrap().requests, number);
            assert!(!window.holds_something());
        }
    }

    #[test]
    fn the_second_request_of_a_window_finds_out_what_others_have_let_in() {
        let mut row = Some(WindowCount { began: NOW, requests: LIMIT.into() });
        let mut window = Window::new(NOW.plus_millis(1), LIMIT);
        assert_eq!([request(&mut window, &mut row), request(&mut window, &mut row)], [(true, 0), (false, 1)]);
    }

    /// Whoever begins a merge and goes away leaves his request to the next one.
    #[test]
    fn a_request_that_was_asked_for_and_did_not_pass_is_the_next_ones() {
        let (mut window, mut row) = (Window::new(NOW, LIMIT), None);
        let own = window.ask();
        assert_eq!(window.count(LIMIT), Step::Ask, "others wait for the same answer");
        window.merged(own, merge(&mut row, own, false), LIMIT);
        window.answer();
        assert_eq!(window.count(LIMIT), Step::Pass(119));
        assert_eq!(row.unwrap().requests, 1);
    }

    #[test]
    fn a_clock_that_was_set_backwards_locks_no_one_out_and_one_that_differs_a_little_counts_along() {
        let window = Window::new(NOW, LIMIT);
        assert!(!window.is_over(NOW.plus_millis(59_999)) && window.is_over(NOW.plus_millis(60_000)));
        assert!(!window.is_over(NOW.plus_millis(-10_000)) && window.is_over(NOW.plus_millis(-10_001)));
    }

    proptest! {
        /// LIM-REQ-10: however requests fall on two processes, and whenever one of them merges what it holds, no fewer than
        /// the limit pass and no more than a quarter beside it.
        #[test]
        fn two_processes_let_in_no_fewer_than_the_limit_and_a_quarter_more_at_most(
            turns in proptest::collection::vec((0..2_usize, proptest::bool::weighted(0.05)), 400..500),
            last in 0..2_usize,
        ) {
            let (mut windows, mut row) = ([Window::new(NOW, LIMIT), Window::new(NOW, LIMIT)], None);
            let mut passed = 0;
            for (process, settles) in turns.into_iter().chain([(last, false); 200]).chain([(1 - last, false); 200]) {
                passed += usize::from(request(&mut windows[process], &mut row).0);
                if settles {
                    let own = windows[process].own();
                    let all = merge(&mut row, own, windows[process].is_joined());
                    windows[process].merged(own, all, LIMIT);
                }
            }
            prop_assert!((120..=150).contains(&passed), "{passed}");
        }
    }
}
