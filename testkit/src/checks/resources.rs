//! Resources and their fields (§2): projects, credentials, amounts.

mod amounts;
mod credential;
mod resolve;

use crate::check;
use crate::check::Check;

pub(super) const CHECKS: &[Check] = &[
    check! { id: "RES-1", needs: [], run: resolve::gives_ids },
    check! { id: "RES-3", needs: [], run: resolve::needs_both },
    check! { id: "RES-4", needs: [], run: resolve::unknown_names },
    check! { id: "RES-5", needs: [], run: credential::types },
    check! { id: "RES-6", needs: [ScopedKeys, AdminKey], run: credential::scopes_of_the_key },
    check! { id: "RES-7", needs: [AgentKey], run: credential::kind_of_the_key },
    check! { id: "RES-8", needs: [SecondProject], run: credential::one_project },
    check! { id: "RES-9", needs: [], run: credential::prefix },
    check! { id: "RES-10", needs: [], run: credential::never_returned },
    check! { id: "RES-12", needs: [Translate], run: amounts::integers },
    check! { id: "RES-13", needs: [Translate], run: amounts::millicredits },
    check! { id: "RES-14", needs: [Translate, AgentKey, Operations, Approvals], run: amounts::whole_credits },
];
