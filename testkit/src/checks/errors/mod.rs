//! Errors (§7).

mod absent;
mod conflict;
mod credits;
mod hostile;
mod malformed;
mod refused;
mod shape;

use crate::check;
use crate::check::Check;

pub(super) const CHECKS: &[Check] = &[
    check! { id: "ERR-1", needs: [Webhooks], run: shape::every_error_has_the_shape },
    check! { id: "ERR-2", needs: [Webhooks], run: shape::codes_belong_to_their_status },
    check! { id: "ERR-3", needs: [Webhooks], run: shape::codes_do_not_depend_on_messages },
    check! { id: "ERR-400-1", needs: [Webhooks], slots: 1, run: malformed::malformed_requests },
    check! { id: "ERR-400-2", needs: [Webhooks], slots: 1, run: malformed::nothing_is_written },
    check! { id: "ERR-400-3", needs: [Webhooks], slots: 5, run: hostile::hostile_strings },
    check! { id: "ERR-401-1", needs: [], run: refused::unauthorized },
    check! { id: "ERR-402-1", needs: [Translate, NoCredits], run: credits::no_credits },
    check! { id: "ERR-402-2", needs: [Translate, AtCap], run: credits::at_cap },
    check! { id: "ERR-402-3", needs: [Write, AtPlanLimit], run: credits::at_plan_limit },
    check! { id: "ERR-402-4", needs: [Translate, SharedWorkspace], run: credits::balance_of_the_workspace },
    check! { id: "ERR-402-5", needs: [Translate, NoCredits], run: credits::nothing_is_charged },
    check! { id: "ERR-403-1", needs: [Webhooks, ScopedKeys], run: refused::forbidden },
    check! { id: "ERR-404-1", needs: [Webhooks], slots: 1, run: absent::unknown_resources },
    check! { id: "ERR-404-2", needs: [Webhooks, SecondProject], run: absent::elsewhere_is_nowhere },
    check! {
        id: "ERR-404-3", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, run: absent::unknown_version
    },
    check! { id: "ERR-404-4", needs: [Documents], run: absent::unknown_document },
    check! { id: "ERR-404-5", needs: [Translate], run: absent::unknown_key },
    check! { id: "ERR-405-1", needs: [], run: refused::wrong_method },
    check! { id: "ERR-409-1", needs: [Webhooks, Receiver, Publish], slots: 5, publishes: 1, run: conflict::codes },
    check! { id: "ERR-415-1", needs: [Webhooks], slots: 4, run: malformed::other_media_types },
];
