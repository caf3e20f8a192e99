//! The examples do what they show.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::SystemTime;

use l10n_webhook_verify::sign;

const SECRET: &str = "whsec_5vhKqPbDCLWQWJLTWqkqTvAqZx1V5RkSBnHy8c4tSPo";

/// An example's program, which `cargo test` has built: beside this test, or in `target` where builds go elsewhere.
fn example(name: &str) -> Command {
    let test = std::env::current_exe().unwrap();
    let elsewhere = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/debug");
    let mut folders = test.ancestors().chain([elsewhere.as_path()]);
    let program = folders.find_map(|folder| Some(folder.join("examples").join(name)).filter(|path| path.is_file()));
    let mut command = Command::new(program.unwrap_or_else(|| panic!("cargo test did not build the example {name}")));
    command.env("L10N_WEBHOOK_SECRET", SECRET).stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

fn signed_now(body: &str) -> String {
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
    sign::header(&[SECRET], i64::try_from(now).unwrap(), body.as_bytes())
}

#[test]
fn the_plain_function_tells_right_from_wrong() {
    for (body, status, success) in [("{}", "204", true), ("{ }", "401", false)] {
        let mut program = example("plain").arg(signed_now("{}")).spawn().unwrap();
        program.stdin.take().unwrap().write_all(body.as_bytes()).unwrap();
        let output = program.wait_with_output().unwrap();
        assert!(output.stdout.starts_with(status.as_bytes()), "{output:?}");
        assert_eq!(output.status.success(), success);
    }
}

/// Ends with the test.
struct Receiver(Child);

impl Drop for Receiver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// ENV-12, DEL-15, from the socket to the handler.
#[test]
fn the_receiver_handles_each_event_once() {
    let mut receiver = Receiver(example("receiver").env("LISTEN", "127.0.0.1:0").spawn().unwrap());
    let mut said = BufReader::new(receiver.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let first = said.next().unwrap();
    let address = first.split('/').nth(2).unwrap().to_owned();
    let deliver = |webhook: &str, header: &str, body: &str| {
        let mut connection = TcpStream::connect(&address).unwrap();
        let length = body.len();
        write!(
            connection,
            "POST /webhooks/l10n HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\nx-service-signature: {header}\r\n\
             x-service-webhook-id: {webhook}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    let event = |id: &str, event_type: &str| {
        format!(
            r#"{{"id":"{id}","type":"{event_type}","schemaVersion":1,"createdAt":"2027-01-15T08:00:00.000Z","new":1,
            "project":{{"id":"prj_1","handle":"acme","slug":"{id}"}},
            "data":{{"versionId":"ver_1","label":"","keyCount":3,"languages":[{{"code":"en","isBase":true}}]}}}}"#
        )
    };
    let strings = event("evt_1", "strings.published");
    assert_eq!(deliver("whk_1", &signed_now(&strings), &strings), "204");
    assert_eq!(deliver("whk_1", &signed_now(&strings), &strings), "204");
    assert_eq!(deliver("whk_1", &signed_now(&strings), &strings.replace("ver_1", "ver_2")), "401");
    assert_eq!(deliver("whk_1", "", &strings), "400");
    let other = event("evt_2", "glossary.published");
    assert_eq!(deliver("whk_1", &signed_now(&other), &other), "204");
    assert_eq!(deliver("whk_2", &signed_now(&strings), &strings), "204");
    let handled: Vec<_> = said.by_ref().take(3).collect();
    let keys = "evt_1: 3 keys in version ver_1";
    assert_eq!(handled, [keys, "evt_2: nothing to do for glossary.published", keys]);
}
