//! `l10n mcp` as a process: killed between approval and use, its key revoked meanwhile, fed in pieces.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout};

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::mcp::{discover, request};
use crate::person::decide_all;
use crate::support::World;

both_engines!(a_new_process_takes_up_what_was_approved_for_one_that_was_killed);

/// A running process. It is killed when it is dropped.
struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Running {
    fn start(world: &World, key: &str) -> Self {
        let mut child = world.l10n(&["mcp"]).key(key).spawn();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    fn write(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).unwrap();
        self.input.flush().unwrap();
    }

    /// The answer to a request. Every line has to be one of the protocol.
    fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.write(format!("{}\n", request(id, method, params)).as_bytes());
        self.answer(id)
    }

    fn answer(&mut self, id: u64) -> Value {
        self.answer_of(&[id])
    }

    /// The first answer to one of these requests.
    fn answer_of(&mut self, ids: &[u64]) -> Value {
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "it ended before it answered {ids:?}");
            let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
            if ids.iter().any(|id| message["id"] == *id) {
                return message;
            }
        }
    }

    fn call(&mut self, id: u64, tool: &str, arguments: Value) -> Value {
        let answer = self.ask(id, "tools/call", json!({"name": tool, "arguments": arguments}));
        answer["result"]["structuredContent"].clone()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Nothing of an approval is kept in the process: the operation's id is all that the model has to bring.
async fn a_new_process_takes_up_what_was_approved_for_one_that_was_killed(store: TestStore) {
    let world = World::on(&store).await;
    let key = world.app.project.keys.agent.clone();
    let mut call = json!({"file_path": "locales/en.json", "reason": "for the release"});
    let asked = {
        let mut first = Running::start(&world, &key);
        let call = call.clone();
        // The service of the test runs on the same runtime.
        tokio::task::spawn_blocking(move || first.call(1, "translate", call)).await.unwrap()
    };
    assert_eq!(asked["status"], "needs_approval", "{asked}");
    assert_eq!(decide_all(&world.app.service, true).await.len(), 1);

    call["operation_id"] = asked["operation_id"].clone();
    let mut second = Running::start(&world, &key);
    let (run, again) = tokio::task::spawn_blocking(move || {
        (second.call(1, "translate", call.clone()), second.call(2, "translate", call))
    })
    .await
    .unwrap();
    assert_eq!((&run["status"], &run["done"]), (&json!("completed"), &json!(4)), "{run}");
    assert_eq!(again["error"], "approval_used", "{again}");
    assert_eq!(decide_all(&world.app.service, true).await.len(), 0, "nobody is asked twice");
    assert_eq!(world.json(&["status"]).await["keyCount"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_comes_in_pieces_is_one_and_bytes_that_are_no_text_are_none() {
    let world = World::new().await;
    let key = world.app.project.keys.admin.clone();
    let mut running = Running::start(&world, &key);
    let listed = tokio::task::spawn_blocking(move || {
        let line = format!("{}\n", discover());
        let (head, rest) = line.as_bytes().split_at(line.len() / 2);
        running.write(head);
        running.write(rest);
        running.answer(1);
        running.write(b"\xff\xfe{\"jsonrpc\":\"2.0\"\xc3\x28}\n");
        running.write(b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/list\"\r\n\r\n");
        // Two messages at once.
        let both = format!("{}\n{}\n", request(2, "tools/list", json!({})), request(3, "tools/list", json!({})));
        running.write(both.as_bytes());
        // Answers come in any order.
        [running.answer_of(&[2, 3]), running.answer_of(&[2, 3])]
    })
    .await
    .unwrap();
    for answer in listed {
        assert_eq!(answer["result"]["tools"].as_array().unwrap().len(), 14, "{answer}");
    }
}
