//! Previews (§4, Credits and previews).

mod elsewhere;
mod preview;
mod refused;

use crate::check;
use crate::check::Check;

pub(super) const CHECKS: &[Check] = &[
    check! { id: "DRY-1", needs: [Translate], run: preview::spelled_exactly },
    check! { id: "DRY-2", needs: [Translate], run: preview::in_the_query },
    check! { id: "DRY-3", needs: [Documents], run: preview::in_the_body_of_a_run },
    check! { id: "DRY-4a", needs: [Translate], run: refused::wrong_place },
    check! { id: "DRY-4b", needs: [Translate], run: refused::other_spellings },
    check! { id: "DRY-4c", needs: [Translate], run: refused::no_boolean },
    check! { id: "DRY-4d", needs: [Translate], run: refused::almost_boolean },
    check! { id: "DRY-4e", needs: [Translate], run: preview::false_is_a_real_run },
    check! { id: "DRY-5", needs: [Webhooks, Receiver, Publish, Write], slots: 1, publishes: 3, run: elsewhere::refused },
    check! { id: "DRY-5-CAPTURE", covers: ["DRY-5"], needs: [Capture], run: elsewhere::refused_by_capture },
    check! { id: "DRY-5-CONTENT", covers: ["DRY-5"], needs: [Documents], run: elsewhere::refused_by_content },
    check! { id: "DRY-6", needs: [Webhooks], slots: 2, run: elsewhere::not_looked_at },
    check! { id: "DRY-7", needs: [Translate, AgentKey], run: preview::needs_no_approval },
];
