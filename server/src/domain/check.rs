//! A check of the whole database: rows and files are undamaged and agree with each other.

use base16ct::lower::encode_string as hex;
use sha2::{Digest as _, Sha256};

use super::{ServiceError, delivery};
use crate::store::blobs::{self, Hash};
use crate::store::{Store, counters, integrity};

/// Rows that are listed at a time. Contents are read one by one, since each may have megabytes.
const PAGE: i64 = 500;

/// The extent of a check, and the faults that it found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CheckSummary {
    /// Contents of published files, each held against its hash.
    pub contents: u64,
    /// Sources of documents, each held against its hash.
    pub sources: u64,
    /// A sentence for each fault; none when all is well.
    pub faults: Vec<String>,
}

/// Checks the whole database beside running servers: the file (SQLite), references between rows, ledgers against balances
/// and charges of months, counts against rows, hashes of contents and sources. What cannot be read is a fault, and the rest
/// is checked all the same.
pub(crate) async fn check(store: &Store) -> CheckSummary {
    let mut checked = CheckSummary::default();
    let file = file_faults(store).await;
    checked.note("the database file", file);
    let references = references(store).await;
    checked.note("references between rows", references);
    let balances = balances(store).await;
    checked.note("ledgers and balances", balances);
    let months = months(store).await;
    checked.note("ledgers and charges of months", months);
    let counts = counts(store).await;
    checked.note("counts of keys and translations", counts);
    if let Err(error) = contents(store, &mut checked).await {
        checked.cannot("contents of published files", &error);
    }
    if let Err(error) = sources(store, &mut checked).await {
        checked.cannot("sources of documents", &error);
    }
    checked
}

impl CheckSummary {
    fn note(&mut self, what: &str, faults: Result<Vec<String>, ServiceError>) {
        match faults {
            Ok(faults) => self.faults.extend(faults),
            Err(error) => self.cannot(what, &error),
        }
    }

    fn cannot(&mut self, what: &str, error: &ServiceError) {
        let cause = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
        self.faults.push(format!("Cannot check {what}: {cause}"));
    }
}

async fn file_faults(store: &Store) -> Result<Vec<String>, ServiceError> {
    let found = integrity::file_faults(&mut store.begin_read().await?).await?;
    Ok(found.into_iter().map(|fault| format!("SQLite: {fault}")).collect())
}

async fn references(store: &Store) -> Result<Vec<String>, ServiceError> {
    let found = integrity::broken_references(&mut store.begin_read().await?).await?;
    Ok(found.into_iter().map(|(key, rows)| format!("{rows} rows refer to rows that do not exist: {key}")).collect())
}

async fn balances(store: &Store) -> Result<Vec<String>, ServiceError> {
    let found = integrity::unbalanced(&mut store.begin_read().await?).await?;
    let fault = |found: integrity::UnbalancedWorkspace| {
        let integrity::UnbalancedWorkspace { handle, balance, summed } = found;
        format!("Workspace {handle}: the balance is {balance} millicredits, and its ledger sums to {summed}")
    };
    Ok(found.into_iter().map(fault).collect())
}

async fn months(store: &Store) -> Result<Vec<String>, ServiceError> {
    let found = integrity::unbalanced_months(&mut store.begin_read().await?).await?;
    let fault = |found: integrity::UnbalancedMonth| {
        let integrity::UnbalancedMonth { handle, month, charged, summed } = found;
        format!(
            "Workspace {handle}: the charges of the month from {month} are {charged} millicredits, \
             and its ledger sums to {summed}"
        )
    };
    Ok(found.into_iter().map(fault).collect())
}

/// A transaction for each project, in which its counts and its rows are of one moment.
async fn counts(store: &Store) -> Result<Vec<String>, ServiceError> {
    let (mut faults, mut after) = (Vec::new(), String::new());
    loop {
        let projects = integrity::projects(&mut store.begin_read().await?, &after, PAGE).await?;
        let Some(last) = projects.last() else { return Ok(faults) };
        last.id.as_str().clone_into(&mut after);
        for project in &projects {
            for wrong in counters::verify(&mut store.begin_read().await?, &project.id).await? {
                let counters::CounterMismatch { what, language, state, too_many } = wrong;
                let language = language.map_or_else(String::new, |language| format!(" in {language}"));
                let (handle, slug) = (&project.handle, &project.slug);
                faults.push(format!(
                    "Project {handle}/{slug}: the count of {what}{language} ({state}) differs from the rows by {too_many}"
                ));
            }
        }
    }
}

/// A transaction for each content, so that none is open for long.
async fn contents(store: &Store, checked: &mut CheckSummary) -> Result<(), ServiceError> {
    let mut after = Vec::new();
    loop {
        let hashes = integrity::blobs(&mut store.begin_read().await?, &after, PAGE).await?;
        let Some(last) = hashes.last() else { return Ok(()) };
        after.clone_from(last);
        for hash in &hashes {
            let hash: Hash = hash.as_slice().try_into().map_err(ServiceError::internal)?;
            let content = delivery::read_plain(&mut store.begin_read().await?, &hash).await;
            match content {
                Ok(content) if Sha256::digest(&content).as_slice() == hash.as_slice() => {}
                Ok(_) => checked.faults.push(format!("Content {}: its bytes have another hash", hex(&hash))),
                Err(error) => {
                    // A running server deletes contents that no version names.
                    if blobs::stored(&mut store.begin_read().await?, &[hash]).await?.is_empty() {
                        continue;
                    }
                    checked.cannot(&format!("content {}", hex(&hash)), &error);
                }
            }
            checked.contents += 1;
        }
    }
}

async fn sources(store: &Store, checked: &mut CheckSummary) -> Result<(), ServiceError> {
    let mut after = String::new();
    loop {
        let sources = integrity::sources(&mut store.begin_read().await?, &after, PAGE / 10).await?;
        let Some(last) = sources.last() else { return Ok(()) };
        last.id.as_str().clone_into(&mut after);
        for source in &sources {
            checked.sources += 1;
            if Sha256::digest(source.body.as_bytes()).as_slice() != source.sha256.as_slice() {
                checked.faults.push(format!("Source {}: its text has another hash", source.id));
            }
        }
    }
}
