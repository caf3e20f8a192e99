//! The limit of open files: each connection is one, and so are the database's and those to webhooks.

use crate::config::Settings;

/// Files beside connections: the database, the log, the reserve of connections.
const OTHER_FILES: u64 = 256;
/// More are not asked for: the system keeps a table of them.
const ENOUGH: u64 = 1_048_576;

/// Raises the limit as far as the system lets this process, and lowers `http.max_connections` to fit into it.
pub(crate) fn prepare(settings: &mut Settings) {
    let Some(files) = raise() else { return };
    let most = connections_within(files, settings);
    if most < settings.http.max_connections {
        tracing::warn!(files, connections = most, "the system's limit of open files bounds the connections of clients");
        settings.http.max_connections = most;
    }
}

/// The number of client connections for which there are files; at least half of the files are theirs.
fn connections_within(files: u64, settings: &Settings) -> u32 {
    let others = OTHER_FILES + u64::from(settings.webhooks.slots);
    let free = files.saturating_sub(others.min(files / 2)).max(1);
    settings.http.max_connections.min(u32::try_from(free).unwrap_or(u32::MAX))
}

/// The limit that holds from here on, where the system has one.
#[cfg(unix)]
fn raise() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let before = getrlimit(Resource::Nofile);
    let wanted = before.maximum.unwrap_or(ENOUGH).min(ENOUGH);
    if before.current.is_some_and(|current| current < wanted) {
        let raised = Rlimit { current: Some(wanted), maximum: before.maximum };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            tracing::warn!(%error, "cannot raise the limit of open files");
        }
    }
    getrlimit(Resource::Nofile).current
}

#[cfg(not(unix))]
fn raise() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_everything_else() {
        let settings = Settings::default();
        assert_eq!(connections_within(1_048_576, &settings), settings.http.max_connections);
        assert_eq!(connections_within(1024, &settings), 512);
        assert_eq!(connections_within(4096, &settings), 4096 - 256 - 256);
        assert_eq!(connections_within(1, &settings), 1);
    }
}
