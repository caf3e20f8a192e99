//! The flow of paid work: quote, cap, approval, run, settlement, wait. Each caller says what its items are.

use std::collections::BTreeMap;

use l10n_client::api::operations::CreateBody;
use l10n_client::api::translations::Run;
use l10n_client::api::{OperationId, TrackingToken};
use tokio::time::Instant;

use super::approval::{APPROVAL_WAIT, approved, request, wait_for_decision};
use super::price::{Totals, enforce_max_credits};
use super::settle::{failures, settle, settle_dry_run};
use super::uploaded::Uploaded;
use super::wait::{JobSummary, finish, wait_for};
use crate::args::SpendArgs;
use crate::context::Context;
use crate::error::{CliError, usage};
use crate::session::Session;

/// Approvals by the name of the item that each is for: an approval counts for one item.
pub(crate) type Approvals = BTreeMap<String, OperationId>;

/// An item and its outcome.
type Outcome<I> = (I, Result<Uploaded, CliError>);

/// A kind of paid work.
pub(crate) trait PaidWork {
    /// One item of it: a file, a document, or the keys of a call.
    type Item;

    /// Its items in a message: one, several.
    const ITEMS: [&'static str; 2];

    /// The title of the number of texts in a table of prices.
    const TEXTS: &'static str = "KEYS";

    /// The name of an item, unique among all.
    fn name<'a>(&self, item: &'a Self::Item) -> &'a str;

    /// Does the work, or prices it. Items after a failure that concerns all may be missing in the result.
    async fn run(&self, items: Vec<Self::Item>, approvals: &Approvals, dry_run: bool) -> Vec<Outcome<Self::Item>>;

    /// Returns true if an item needs to be run, by its price.
    fn has_work(&self, quote: &Run) -> bool;

    /// The operation to request for an item; `alone` if it is the only one.
    fn ask(&self, item: &Self::Item, quote: &Run, alone: bool) -> CreateBody;

    /// The command that uses an approval, for an item or for one that has the placeholder as its name; `None` for the
    /// usual one.
    fn again(&self, name: &str, id: &str) -> Option<String>;

    /// Prints the result of an item.
    fn tell(&self, item: &Self::Item, run: &Run);

    /// The message after jobs were queued that no one waits for.
    fn queued(&self, totals: &Totals, jobs: &[TrackingToken]) -> String;

    /// The message after a run without a job.
    const NOTHING: Option<&'static str> = Some("Nothing to translate");
}

/// Work that was run.
pub(crate) struct RunResults<I> {
    pub(crate) outcomes: Vec<Outcome<I>>,
    pub(crate) totals: Totals,
    /// The number of items that were to be run.
    wanted: usize,
}

/// Work whose jobs have ended, are awaited by no one, or were only priced.
pub(crate) struct FinishedWork {
    pub(crate) jobs: Vec<JobSummary>,
    pub(crate) verdict: Result<(), CliError>,
}

/// The items to run, and their approvals.
pub(crate) struct Prepared<I> {
    items: Vec<I>,
    approvals: Approvals,
}

/// Prepares a real run: compares its price with the cap and obtains approvals. A dry run needs neither.
pub(crate) async fn prepare<W: PaidWork>(
    context: &Context,
    session: &Session,
    spend: &SpendArgs,
    work: &W,
    items: Vec<W::Item>,
) -> Result<Prepared<W::Item>, CliError> {
    let approvals = named(spend, work, &items)?;
    if spend.dry_run || (spend.max_credits.is_none() && !spend.approval.request_approval) {
        return Ok(Prepared { items, approvals });
    }
    let wanted = items.len();
    let outcomes = work.run(items, &Approvals::new(), true).await;
    let mut quotes = Vec::with_capacity(wanted);
    let mut checked = Vec::with_capacity(wanted);
    for (item, outcome) in outcomes {
        match outcome {
            Ok(Uploaded::Run(quote)) => {
                quotes.push((item, quote));
                checked.push(((), Ok(())));
            }
            Ok(Uploaded::Landed(_)) => checked.push(((), Ok(()))),
            Err(error) => checked.push(((), Err(error))),
        }
    }
    settle_dry_run(context, failures(checked))?;
    let totals = Totals::of(quotes.iter().map(|(_, quote)| &**quote));
    if let Some(max) = spend.max_credits {
        enforce_max_credits(&totals, max)?;
    }
    if !spend.approval.request_approval {
        return Ok(Prepared { items: quotes.into_iter().map(|(item, _)| item).collect(), approvals });
    }
    totals.refusal()?;
    quotes.retain(|(_, quote)| work.has_work(quote));
    let approvals = request_all(context, session, spend, work, &quotes).await?;
    Ok(Prepared { items: quotes.into_iter().map(|(item, _)| item).collect(), approvals })
}

/// The approval that the command line names, assigned to the only item that it can be for.
fn named<W: PaidWork>(spend: &SpendArgs, work: &W, items: &[W::Item]) -> Result<Approvals, CliError> {
    let Some(id) = spend.approval.operation_id.as_deref() else { return Ok(Approvals::new()) };
    match items {
        [item] => Ok([(work.name(item).to_owned(), id.into())].into()),
        several => {
            let [one, _] = W::ITEMS;
            Err(usage(
                format!("an approval counts for one {one}, but {} are selected", several.len()),
                format!("name the {one}: {}", work.again("PATH", "ID").unwrap_or_default()),
            ))
        }
    }
}

/// Requests approval for all items at once, then waits for each.
async fn request_all<W: PaidWork>(
    context: &Context,
    session: &Session,
    spend: &SpendArgs,
    work: &W,
    quotes: &[(W::Item, Box<Run>)],
) -> Result<Approvals, CliError> {
    let mut asked = Vec::new();
    for (item, quote) in quotes {
        let operation = request(context, session, &work.ask(item, quote, quotes.len() == 1)).await?;
        asked.push((work.name(item), operation.operation_id));
    }
    let deadline = Instant::now() + spend.approval.approval_timeout.unwrap_or(APPROVAL_WAIT);
    let mut approvals = Approvals::new();
    for (name, id) in asked {
        let left = deadline.saturating_duration_since(Instant::now());
        let decided = wait_for_decision(context, session, &id, Some(left)).await?;
        approvals.insert(name.to_owned(), approved(decided, work.again(name, id.as_str()))?);
    }
    Ok(approvals)
}

impl<I> Prepared<I> {
    /// Does the work, or prices it for a dry run.
    pub(crate) async fn run<W: PaidWork<Item = I>>(self, work: &W, dry_run: bool) -> RunResults<I> {
        let wanted = self.items.len();
        let outcomes = work.run(self.items, &self.approvals, dry_run).await;
        let done = || outcomes.iter().filter_map(|(item, outcome)| Some((item, outcome.as_ref().ok()?.run()?)));
        for (item, run) in done() {
            work.tell(item, run);
        }
        let totals = Totals::of(done().map(|(_, run)| run));
        RunResults { outcomes, totals, wanted }
    }
}

impl<I> RunResults<I> {
    /// The outcomes of the items that succeeded.
    pub(crate) fn done(&self) -> impl Iterator<Item = &Uploaded> {
        self.outcomes.iter().filter_map(|(_, outcome)| outcome.as_ref().ok())
    }

    /// Returns the failure of an only item, which is that of the command.
    pub(crate) fn unless_it_failed(mut self) -> Result<Self, CliError> {
        match self.outcomes.pop() {
            Some((_, Err(error))) if self.outcomes.is_empty() => Err(error),
            last => {
                self.outcomes.extend(last);
                Ok(self)
            }
        }
    }

    /// Settles the items and waits for their jobs.
    pub(crate) async fn end<W: PaidWork<Item = I>>(
        self,
        context: &Context,
        session: &Session,
        spend: &SpendArgs,
        work: &W,
    ) -> (Totals, FinishedWork) {
        let printer = &context.printer;
        let tokens: Vec<_> = self.done().filter_map(Uploaded::job).collect();
        let totals = self.totals;
        let mut verdict = match spend.dry_run {
            true => settle_dry_run(context, failures(self.outcomes)),
            false => settle(context, self.outcomes, self.wanted, W::ITEMS[1]),
        };
        let mut jobs = Vec::new();
        if spend.dry_run {
            totals.print(printer, W::TEXTS);
            printer.line("Nothing was changed: this was a dry run.");
            verdict = verdict.and_then(|()| totals.verdict(printer));
            if let Some(max) = spend.max_credits {
                verdict = verdict.and_then(|()| enforce_max_credits(&totals, max));
            }
        } else if spend.no_wait && !tokens.is_empty() {
            printer.line(work.queued(&totals, &tokens));
        } else if !tokens.is_empty() {
            let waited = wait_for(context, session, &tokens, totals.translations(), &mut jobs).await;
            // The work is done or goes on: its result is told, although the end of a job is not known.
            verdict = waited.and_then(|()| finish(context, &jobs)).and(verdict);
        } else if let (Ok(()), Some(nothing)) = (&verdict, W::NOTHING) {
            printer.done(nothing);
        }
        (totals, FinishedWork { jobs, verdict })
    }
}
