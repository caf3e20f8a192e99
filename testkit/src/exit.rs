//! The exit statuses of the command, all of them.

use std::fmt::Write as _;

/// An exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// See [`Exit::meaning`], as for the others.
    Success = 0,
    /// A deviation that no expectation names.
    Deviates = 1,
    /// No run began.
    Usage = 2,
    /// Nothing deviates unexpectedly, and something is not verified.
    NotVerified = 3,
    /// Nothing can be said.
    Fault = 4,
    /// The file of expectations is not true.
    Stale = 5,
    /// All that does not pass is expected not to.
    AsExpected = 6,
    /// Stopped by a signal.
    Interrupted = 130,
}

impl Exit {
    /// Every status, in their order.
    pub const ALL: [Self; 8] = [
        Self::Success,
        Self::Deviates,
        Self::Usage,
        Self::NotVerified,
        Self::Fault,
        Self::Stale,
        Self::AsExpected,
        Self::Interrupted,
    ];

    /// The number.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Its meaning, as help and documents say it.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Success => {
                "conformant: all of core (long times alone may be left unclaimed) and every claim was verified and passed; \
                 with --allow-partial also: a selection passed"
            }
            Self::Deviates => "not conformant: at least one deviation that is not expected",
            Self::Usage => "the command line or the profile is wrong, or selects nothing; no run began",
            Self::NotVerified => {
                "nothing deviates unexpectedly, but not everything was verified: a claimed check did not run (incomplete), \
                 core is not claimed as a whole (partial), or only a selection was run"
            }
            Self::Fault => "the suite could not judge, the deployment cannot be reached, or a report cannot be written",
            Self::Stale => "an entry of the --expect file is stale: it did not come true, or has expired",
            Self::AsExpected => "not conformant, as expected: the --expect file names all that fails or is not run",
            Self::Interrupted => {
                "interrupted by Ctrl-C or SIGTERM: the reports are written, and what was made is removed"
            }
        }
    }

    /// All of them as lines of a help text.
    #[must_use]
    pub fn help() -> String {
        let mut help = String::from("Exit status:\n");
        for exit in Self::ALL {
            let _ = writeln!(help, "  {:<4} {}", exit.code(), exit.meaning());
        }
        help
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_has_the_exit_statuses_as_they_are() {
        let readme = include_str!("../README.md");
        for exit in Exit::ALL {
            let row = format!("| {} | {} |", exit.code(), exit.meaning());
            assert!(readme.contains(&row), "README.md lacks: {row}");
        }
    }
}
