//! The seal of states that an agent's program carries from asking a person to calling again.

use l10n_mcp::Seal;

use crate::vault::Vault;

/// Separates these keys from all others that are made of a master key.
const CONTEXT: &[u8] = b"l10n-server/mcp/states/1";

/// A seal that every process with the same master keys can open, so that any of them takes up what another asked: the first key
/// signs, all of them open. Without a master key, this process alone can open it.
pub(super) fn of(vault: &Vault) -> Seal {
    Seal::with_keys(&vault.derived(CONTEXT)).unwrap_or_else(Seal::of_this_process)
}
