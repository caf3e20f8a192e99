//! Daily budgets of a project.

use crate::ErrorCode;

string_enum! {
    /// A limit of writes for each project and day (UTC), whichever of its keys is used (§8).
    DailyBudget {
        /// Publishes by API key.
        Publishes = "publishes",
        /// Restores by API key.
        Restores = "restores",
        /// New captured keys.
        Captures = "captures",
        /// Pushes of documents.
        Imports = "imports",
        /// Runs of documents.
        Runs = "runs",
    }
}

impl DailyBudget {
    /// The error code of a request over the budget.
    #[must_use]
    pub const fn code(self) -> ErrorCode {
        match self {
            Self::Publishes | Self::Restores => ErrorCode::RateLimited,
            Self::Captures => ErrorCode::CaptureQuotaExceeded,
            Self::Imports => ErrorCode::ImportQuotaExceeded,
            Self::Runs => ErrorCode::RunQuotaExceeded,
        }
    }

    /// True if its refusals have the code of the request budget, so that the code does not tell them apart.
    #[must_use]
    pub fn shares_code_with_request_budget(self) -> bool {
        self.code() == ErrorCode::RateLimited
    }
}
