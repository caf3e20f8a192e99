//! The program on a terminal.

use std::io::{Read as _, Write as _};

use pty_process::blocking::{Command, open};

use crate::support::World;

/// The output of a run on a terminal, with standard error included, and its exit status.
pub(crate) struct Shown {
    pub(crate) status: i32,
    pub(crate) screen: String,
}

impl World {
    /// Runs the program on a terminal with the project's admin key; types `answer` after the question.
    pub(crate) async fn on_terminal(&self, arguments: &[&str], question: &'static str, answer: &'static str) -> Shown {
        let command = Command::new(env!("CARGO_BIN_EXE_l10n"))
            .env_clear()
            .envs([("HOME", self.folder.path().as_os_str()), ("TERM", "dumb".as_ref())])
            .env("L10N_API_KEY", &self.app.project.keys.admin)
            .args(arguments)
            .current_dir(self.folder.path());
        let run = move || {
            let (mut terminal, other_side) = open().unwrap();
            let mut child = command.spawn(other_side).unwrap();
            let (mut screen, mut answer, mut chunk) = (String::new(), Some(answer), [0; 4096]);
            // If the last program on a terminal has ended, Linux reports an error.
            while let Ok(read @ 1..) = terminal.read(&mut chunk) {
                screen.push_str(&String::from_utf8_lossy(&chunk[..read]));
                if screen.contains(question)
                    && let Some(answer) = answer.take()
                {
                    terminal.write_all(answer.as_bytes()).unwrap();
                }
            }
            Shown { status: child.wait().unwrap().code().expect("ended by itself"), screen }
        };
        // The server of the test runs on the same runtime.
        tokio::task::spawn_blocking(run).await.unwrap()
    }
}
