//! Limits (§8).

mod bodies;
mod daily;
mod framing;
mod window;

use crate::check;
use crate::check::Check;

pub(super) const CHECKS: &[Check] = &[
    check! {
        id: "LIM-REQ-1", covers: ["LIM-REQ-1", "LIM-REQ-2", "ERR-429-1"], needs: [Scratch], waits: 61,
        run: window::a_window_is_used_up
    },
    check! { id: "LIM-REQ-3", needs: [Scratch, SecondKey], waits: 61, run: window::keys_share_it },
    check! { id: "LIM-REQ-4", needs: [Scratch, SecondProject], waits: 61, run: window::projects_do_not },
    check! { id: "LIM-REQ-5", needs: [Scratch, Delivery], waits: 61, run: window::public_routes_count },
    check! { id: "LIM-REQ-6", needs: [Scratch, Operations], waits: 61, run: window::operations_count },
    check! { id: "LIM-REQ-7", needs: [Scratch], waits: 62, run: window::it_ends },
    check! {
        id: "LIM-REQ-8", needs: [Scratch, Publish, Delivery], publishes: 1, waits: 61, run: window::names_have_their_own
    },
    check! { id: "LIM-REQ-9", needs: [Scratch], waits: 61, run: window::what_is_under_no_project },
    check! { id: "LIM-REQ-10", needs: [Scratch], waits: 61, run: window::at_once },
    check! { id: "LIM-REQ-11", needs: [Scratch], waits: 61, run: window::strangers_do_not_count },
    check! { id: "LIM-DAY-1", covers: ["LIM-DAY-1", "LIM-DAY-2"], needs: [Burn, DailyBudgets, Publish], waits: 61, run: daily::publishes },
    check! {
        id: "LIM-DAY-3", covers: ["LIM-DAY-3", "ERR-429-2"], needs: [Burn, DailyBudgets, Capture], waits: 61, run: daily::captured_keys
    },
    check! {
        id: "LIM-DAY-4", covers: ["LIM-DAY-4", "ERR-429-2"], needs: [Burn, DailyBudgets, Documents], waits: 360, run: daily::imports
    },
    check! {
        id: "LIM-DAY-5", covers: ["LIM-DAY-5", "ERR-429-2"], needs: [Burn, DailyBudgets, Documents], waits: 360, run: daily::runs
    },
    check! { id: "LIM-DAY-7", needs: [Burn, DailyBudgets, Capture], waits: 86400, run: daily::a_new_day },
    check! { id: "LIM-DAY-8", needs: [Burn, DailyBudgets, Publish, SecondKey], waits: 61, run: daily::keys_share_them },
    check! { id: "LIM-BODY-1", covers: ["LIM-BODY-1", "ERR-413-1"], needs: [Webhooks], run: bodies::default_cap },
    check! { id: "LIM-BODY-2", needs: [Translate], run: bodies::sync_cap },
    check! { id: "LIM-BODY-3", needs: [Translate], run: bodies::file_cap },
    check! { id: "LIM-BODY-4", needs: [Documents], run: bodies::import_cap },
    check! { id: "LIM-BODY-5", needs: [Documents], run: bodies::run_cap },
    check! { id: "LIM-BODY-6", needs: [Webhooks], run: framing::caps_without_a_length },
    check! { id: "LIM-BODY-7", needs: [Webhooks], slots: 2, run: bodies::nothing_is_written },
];
