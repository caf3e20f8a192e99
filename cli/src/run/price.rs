//! The price of a run, by language.

use std::collections::BTreeMap;

use l10n_client::api::translations::{Classification, LanguagePrice, Run};
use l10n_client::api::{ErrorBody, ErrorCode, LanguageCode, Millicredits};
use serde::Serialize;

use crate::error::{CliError, Failure, hint_of_code};
use crate::exit::ExitStatus;
use crate::printer::Printer;
use crate::table::{Align, Table};

/// The price, or the state of the project, prevents the real run.
#[derive(Debug, thiserror::Error)]
enum PriceError {
    /// The price exceeds `--max-credits`.
    #[error("this would cost up to {estimated} credits, more than --max-credits {max}; nothing was changed")]
    OverMaxCredits { estimated: Millicredits, max: Millicredits },
    /// A dry run reports that the real run would be refused.
    #[error("the real run would be refused: {message}")]
    WouldFail { code: ErrorCode, message: String },
}

impl Failure for PriceError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::OverMaxCredits { .. } => ExitStatus::Credits,
            Self::WouldFail { code, .. } => ExitStatus::of_api_error(code, code.status().unwrap_or(402)),
        }
    }

    fn code(&self) -> &str {
        match self {
            Self::OverMaxCredits { .. } => "over_max_credits",
            Self::WouldFail { code, .. } => code.as_str(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::OverMaxCredits { .. } => Some("raise --max-credits, or name fewer --languages".into()),
            Self::WouldFail { code, .. } => hint_of_code(code),
        }
    }
}

/// The sum of runs.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Totals {
    pub(crate) classification: Classification,
    pub(crate) per_language: Vec<LanguagePrice>,
    /// Texts of people that stay although their source has changed.
    pub(crate) kept: u64,
    pub(crate) estimated_credits: Millicredits,
    /// The lowest balance in any of the runs.
    pub(crate) balance: Option<Millicredits>,
    #[serde(skip)]
    pub(crate) would_fail: Option<ErrorBody>,
    #[serde(skip)]
    pub(crate) requires_operation: bool,
}

impl Totals {
    pub(crate) fn of<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Self {
        let mut per_language: BTreeMap<LanguageCode, LanguagePrice> = BTreeMap::new();
        let mut totals = Self {
            classification: Classification::default(),
            per_language: Vec::new(),
            kept: 0,
            estimated_credits: Millicredits::ZERO,
            balance: None,
            would_fail: None,
            requires_operation: false,
        };
        for run in runs {
            let (sum, add) = (&mut totals.classification, run.classification);
            sum.new += add.new;
            sum.changed += add.changed;
            sum.unchanged += add.unchanged;
            sum.removed += add.removed;
            totals.kept += run.kept;
            totals.estimated_credits = totals.estimated_credits.saturating_add(run.estimated_credits);
            totals.balance = Some(totals.balance.map_or(run.balance, |balance| balance.min(run.balance)));
            totals.would_fail = totals.would_fail.or_else(|| run.would_fail.clone());
            totals.requires_operation |= run.requires_operation;
            for price in &run.per_language {
                let sum = per_language.entry(price.language.clone()).or_insert_with(|| LanguagePrice {
                    language: price.language.clone(),
                    keys: 0,
                    characters: 0,
                    from_memory: 0,
                    estimated_credits: Millicredits::ZERO,
                });
                sum.keys += price.keys;
                sum.characters += price.characters;
                sum.from_memory += price.from_memory;
                sum.estimated_credits = sum.estimated_credits.saturating_add(price.estimated_credits);
            }
        }
        totals.per_language = per_language.into_values().collect();
        totals
    }

    /// Number of missing translations, over all languages.
    pub(crate) fn translations(&self) -> u64 {
        self.per_language.iter().map(|price| price.keys).sum()
    }

    /// The price table, with the sum and the balance. `what` is the title of the number of texts.
    pub(crate) fn print(&self, printer: &Printer, what: &str) {
        if self.translations() == 0 {
            printer.line("Nothing to translate.");
            return;
        }
        let mut table = Table::new([
            ("LANGUAGE", Align::Left),
            (what, Align::Right),
            ("CHARACTERS", Align::Right),
            ("FROM MEMORY", Align::Right),
            ("CREDITS", Align::Right),
        ]);
        for price in self.per_language.iter().filter(|price| price.keys > 0) {
            table.row([
                price.language.to_string(),
                price.keys.to_string(),
                price.characters.to_string(),
                price.from_memory.to_string(),
                price.estimated_credits.to_string(),
            ]);
        }
        if table.len() > 1 {
            let sum = |value: fn(&LanguagePrice) -> u64| self.per_language.iter().map(value).sum::<u64>().to_string();
            table.row([
                "total".into(),
                sum(|price| price.keys),
                sum(|price| price.characters),
                sum(|price| price.from_memory),
                self.estimated_credits.to_string(),
            ]);
        }
        printer.table(&table);
        if let Some(balance) = self.balance {
            printer.line(format!("At most {} credits; the balance is {balance}.", self.estimated_credits));
        }
    }

    /// Returns the error that the real run would meet.
    pub(crate) fn verdict(&self, printer: &Printer) -> Result<(), CliError> {
        if self.requires_operation {
            printer.warn("this is an AI agent's key: the real run needs a person's approval (--request-approval)");
        }
        self.refusal()
    }

    /// Returns the refusal of the real run that no approval would prevent.
    pub(crate) fn refusal(&self) -> Result<(), CliError> {
        if let Some(body) = &self.would_fail {
            return Err(PriceError::WouldFail { code: body.error.clone(), message: body.message.clone() }.into());
        }
        Ok(())
    }
}

/// `--max-credits`: refuses before anything is written.
pub(super) fn enforce_max_credits(totals: &Totals, max: Millicredits) -> Result<(), CliError> {
    if totals.estimated_credits > max {
        return Err(PriceError::OverMaxCredits { estimated: totals.estimated_credits, max }.into());
    }
    Ok(())
}
