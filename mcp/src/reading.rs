//! A request that reads: for a resource, or for the values that an argument may have.

use l10n_client::Project;

use crate::account::Account;
use crate::failure::Failure;
use crate::memory::Memory;

/// The account and the memory of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadContext<'a> {
    pub(crate) account: &'a Account,
    pub(crate) memory: &'a Memory,
}

impl ReadContext<'_> {
    pub(crate) async fn project(&self) -> Result<Project, Failure> {
        self.account.project(self.memory).await
    }
}
