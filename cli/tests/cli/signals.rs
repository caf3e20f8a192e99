//! The end of a command by a signal.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use l10n_server::testing::TEST_TIMEOUT;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::receivers::Running;
use crate::support::{World, folder};

/// The numbers of signals on Linux.
const HANGUP: u64 = 1;
const TERMINATE: u64 = 15;

/// Waits until something is so.
async fn until(what: &str, is_so: impl Fn() -> bool) {
    let until = Instant::now() + TEST_TIMEOUT;
    while !is_so() {
        assert!(Instant::now() < until, "{what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A set of signals of a process, such as those that it catches (`SigCgt`): the first is the lowest bit.
fn signals(process: u32, set: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix(set)).unwrap().trim_start_matches(':').trim();
    u64::from_str_radix(mask, 16).unwrap()
}

fn catches(process: u32, signal: u64) -> bool {
    signals(process, "SigCgt") & (1 << (signal - 1)) != 0
}

/// Returns true if the process was told to ignore that its terminal is closed.
fn ignores_hangup(process: u32) -> bool {
    signals(process, "SigIgn") & 1 == 1
}

/// The signal of a closed terminal; another one where the tests themselves were told to ignore it, and so their programs.
pub(crate) fn hangup() -> &'static str {
    if ignores_hangup(std::process::id()) { "TERM" } else { "HUP" }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_reads_standard_input_ends_by_a_signal() {
    let folder = folder(&[]);
    let verify: &[&str] = &["webhooks", "verify", "--body", "-", "--header", "t=1,v1=00"];
    let commands = [(&["translate", "-"][..], "INT"), (&["capture", "--from-file", "-"], "TERM"), (verify, hangup())];
    for (arguments, signal) in commands {
        let mut command = Command::new(env!("CARGO_BIN_EXE_l10n"));
        command.args(arguments).env_clear().env("L10N_WEBHOOK_SECRET", "whsec_1");
        let mut running = Running::spawn_with(&mut command, folder.path(), Stdio::piped());
        let last = if signal == "HUP" { HANGUP } else { TERMINATE };
        until("it catches no signal", || catches(running.id(), last)).await;
        running.signal(signal);
        assert_eq!(running.ended().await, Some(130), "{arguments:?} {signal}: {}", running.stderr());
        assert!(running.stderr().starts_with("error: interrupted\n"), "{}", running.stderr());
    }
}

/// The base URL of a server that begins every answer and does not end it.
async fn half_answering() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut head = [0; 4096];
                let _ = socket.read(&mut head).await.unwrap();
                socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n<tmx>").await.unwrap();
                // Until the program has ended.
                let _ = socket.read(&mut head).await;
            });
        }
    });
    format!("http://{address}/v1")
}

fn temporary(folder: &Path) -> usize {
    let files = std::fs::read_dir(folder).unwrap();
    files.filter(|file| file.as_ref().unwrap().file_name().to_string_lossy().ends_with(".tmp")).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_leaves_nothing_of_a_file_that_is_not_whole() {
    let world = World::new().await;
    world.write("out.tmx", "earlier");
    let address = half_answering().await;
    for signal in ["INT", "TERM", hangup()] {
        let arguments = ["memory", "export", "out.tmx", "--base-url", &address, "--project", "prj_1"];
        let mut running = Running::start(&world, &arguments);
        until("no file was begun", || temporary(world.folder.path()) == 1).await;
        running.signal(signal);
        assert_eq!(running.ended().await, Some(130), "{signal}: {}", running.stderr());
        assert_eq!((temporary(world.folder.path()), world.read("out.tmx").as_str()), (0, "earlier"), "{signal}");
    }
}

/// No one reads from the pipe that the export goes to.
#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_stands_still_ends_by_a_signal() {
    let world = World::new().await;
    let pipe = world.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let address = half_answering().await;
    let arguments = ["memory", "export", "pipe", "--base-url", &address, "--project", "prj_1"];
    let mut running = Running::start(&world, &arguments);
    until("it catches no signal", || catches(running.id(), TERMINATE)).await;
    running.signal("TERM");
    assert_eq!(running.ended().await, Some(130), "{}", running.stderr());
}

/// `nohup` has the program ignore that its terminal is closed.
#[tokio::test(flavor = "multi_thread")]
async fn a_signal_that_is_to_be_ignored_stays_ignored() {
    let folder = folder(&[]);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" translate -", env!("CARGO_BIN_EXE_l10n")]);
    let mut running = Running::spawn_with(&mut command, folder.path(), Stdio::piped());
    until("it catches no signal", || catches(running.id(), TERMINATE)).await;
    assert!(!catches(running.id(), HANGUP) && ignores_hangup(running.id()));
    running.signal("HUP");
    running.signal("TERM");
    assert_eq!(running.ended().await, Some(130), "{}", running.stderr());
}
