//! Authentication and authorisation (§5).

mod agents;
mod deliveries;
mod keys;
mod order;
mod other_project;
mod scopes;

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
    check! { id: "AUTH-5", needs: [RevokedKey], run: scopes::revoked },
    check! { id: "AUTH-6", needs: [ScopedKeys], run: scopes::lacking },
    check! { id: "AUTH-8", needs: [AdminKey], run: scopes::admin_opens_all },
    check! { id: "AUTH-8-TRANSLATE", covers: ["AUTH-8"], needs: [AdminKey, Translate], run: scopes::admin_opens_all },
    check! { id: "AUTH-8-WRITE", covers: ["AUTH-8"], needs: [AdminKey, Write], run: scopes::admin_opens_all },
    check! { id: "AUTH-8-PUBLISH", covers: ["AUTH-8"], needs: [AdminKey, Publish], run: scopes::admin_opens_all },
    check! { id: "AUTH-8-WEBHOOKS", covers: ["AUTH-8"], needs: [AdminKey, Webhooks], run: scopes::admin_opens_all },
    check! { id: "AUTH-8-DOCUMENTS", covers: ["AUTH-8"], needs: [AdminKey, Documents], run: scopes::admin_opens_all },
    check! { id: "AUTH-8-CAPTURE", covers: ["AUTH-8"], needs: [AdminKey, Capture], run: scopes::admin_opens_all },
    check! { id: "AUTH-8-CODE-CHANGES", covers: ["AUTH-8"], needs: [AdminKey, CodeChanges], run: scopes::admin_opens_all },
    check! { id: "AUTH-8-REQUESTS", covers: ["AUTH-8"], needs: [AdminKey, Requests], run: scopes::admin_opens_all },
    check! { id: "AUTH-8-OPERATIONS", covers: ["AUTH-8"], needs: [AdminKey, Operations], run: scopes::admin_opens_all },
    check! { id: "AUTH-9", needs: [ScopedKeys], run: scopes::names },
    check! { id: "AUTH-10", needs: [MembersKey], run: scopes::members_open_nothing },
    check! {
        id: "AUTH-11-PUBLISH", covers: ["AUTH-11"], needs: [AgentKey, Publish, Webhooks, Receiver], slots: 1,
        publishes: 2, run: agents::publishing
    },
    check! { id: "AUTH-11-TRANSLATE", covers: ["AUTH-11"], needs: [AgentKey, Translate], run: agents::translating },
    check! { id: "AUTH-11-DOCUMENTS", covers: ["AUTH-11"], needs: [AgentKey, Documents], run: agents::running_documents },
    check! { id: "AUTH-12", needs: [AgentKey], slots: 1, run: agents::what_needs_no_approval },
    check! { id: "AUTH-13", needs: [AgentKey, Publish], run: agents::scope_before_approval },
    check! { id: "AUTH-14", needs: [], run: order::comes_first },
    check! { id: "AUTH-15", needs: [], run: order::names_the_scheme },
    check! { id: "AUTH-16", needs: [], run: order::forms_of_the_header },
    check! {
        id: "AUTH-18", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, run: deliveries::carry_no_key
    },
];
