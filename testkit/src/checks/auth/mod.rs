//! Authentication and authorisation (§5).

mod keys;
mod other_project;

use crate::check;
use crate::check::Check;

pub(super) const CHECKS: &[Check] = &[
    check! { id: "AUTH-1", needs: [], run: keys::bearer_authenticates },
    check! { id: "AUTH-2", needs: [], run: keys::missing },
    check! { id: "AUTH-2-TRANSLATE", covers: ["AUTH-2"], needs: [Translate], run: keys::missing },
    check! { id: "AUTH-2-WRITE", covers: ["AUTH-2"], needs: [Write], run: keys::missing },
    check! { id: "AUTH-2-PUBLISH", covers: ["AUTH-2"], needs: [Publish], run: keys::missing },
    check! { id: "AUTH-2-WEBHOOKS", covers: ["AUTH-2"], needs: [Webhooks], run: keys::missing },
    check! { id: "AUTH-2-DOCUMENTS", covers: ["AUTH-2"], needs: [Documents], run: keys::missing },
    check! { id: "AUTH-2-CAPTURE", covers: ["AUTH-2"], needs: [Capture], run: keys::missing },
    check! { id: "AUTH-2-CODE-CHANGES", covers: ["AUTH-2"], needs: [CodeChanges], run: keys::missing },
    check! { id: "AUTH-2-REQUESTS", covers: ["AUTH-2"], needs: [Requests], run: keys::missing },
    check! { id: "AUTH-2-OPERATIONS", covers: ["AUTH-2"], needs: [Operations], run: keys::missing },
    check! { id: "AUTH-3", needs: [], run: keys::invalid },
    check! { id: "AUTH-3-PLACES", covers: ["AUTH-3"], needs: [], run: keys::misplaced },
    check! { id: "AUTH-4", needs: [SecondProject], run: other_project::refused },
    check! { id: "AUTH-4-TRANSLATE", covers: ["AUTH-4"], needs: [SecondProject, Translate], run: other_project::refused },
    check! { id: "AUTH-4-WRITE", covers: ["AUTH-4"], needs: [SecondProject, Write], run: other_project::refused },
    check! { id: "AUTH-4-PUBLISH", covers: ["AUTH-4"], needs: [SecondProject, Publish], run: other_project::refused },
    check! { id: "AUTH-4-WEBHOOKS", covers: ["AUTH-4"], needs: [SecondProject, Webhooks], run: other_project::refused },
    check! { id: "AUTH-4-DOCUMENTS", covers: ["AUTH-4"], needs: [SecondProject, Documents], run: other_project::refused },
    check! { id: "AUTH-4-CAPTURE", covers: ["AUTH-4"], needs: [SecondProject, Capture], run: other_project::refused },
    check! {
        id: "AUTH-4-CODE-CHANGES", covers: ["AUTH-4"], needs: [SecondProject, CodeChanges], run: other_project::refused
    },
    check! { id: "AUTH-4-REQUESTS", covers: ["AUTH-4"], needs: [SecondProject, Requests], run: other_project::refused },
    check! { id: "AUTH-4-OPERATIONS", covers: ["AUTH-4"], needs: [SecondProject, Operations], run: other_project::refused },
];
