//! What large runs take in memory: a real process, and the most that it ever held.

use std::time::Instant;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::process::{Running, get, post};

/// Requests at a time.
const AT_ONCE: usize = 12;
const LANGUAGES: &[&str] = &[
    "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "fi", "pl", "cs", "sk", "hu", "ro", "bg", "el", "tr", "ru",
    "uk", "hr", "sl", "et", "lv", "lt", "ja", "ko", "zh", "th", "vi", "id", "he",
];

/// The most that the process has had in memory, in MiB.
fn peak_memory(server: &Running) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1_024
}

/// Twelve dry runs at a time, each of a whole file into 32 languages. 10,000 keys, or as many as `L10N_KEYS` says.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_large_dry_runs_at_a_time_are_all_answered_in_little_memory() {
    let keys: usize = std::env::var("L10N_KEYS").ok().and_then(|keys| keys.parse().ok()).unwrap_or(10_000);
    let folder = tempfile::tempdir().unwrap();
    let server = Running::dev(folder.path());
    let (base, key, project) = (server.say("baseUrl"), server.say("apiKey"), server.say("projectId"));
    let url = |path: &str| format!("{base}/projects/{project}{path}");
    let languages: Vec<Value> = LANGUAGES.iter().map(|code| json!({ "code": code })).collect();
    assert_eq!(post(&url("/languages"), &key, &json!({ "languages": languages })).await.0, 200);
    let file: Value =
        (0..keys).map(|n| (format!("k{n}"), json!(format!("t{n}")))).collect::<serde_json::Map<_, _>>().into();
    let body = json!({"file": {"path": "en.json", "content": file.to_string(), "encoding": "utf8", "format": "json"}});
    let started = Instant::now();
    let sync = url("/sync?dryRun=true");
    let answers = join_all((0..AT_ONCE).map(|_| post(&sync, &key, &body))).await;
    for (status, run) in answers {
        assert_eq!((status, &run["classification"]["new"]), (200, &json!(keys)), "{}", run["message"]);
        assert_eq!(run["perLanguage"].as_array().unwrap().len(), LANGUAGES.len());
    }
    let peak = peak_memory(&server);
    println!("{AT_ONCE} dry runs of {keys} keys took {:?} and at most {peak} MiB", started.elapsed());
    assert!(peak < 300, "{peak} MiB");
    assert_eq!(get(&url("/meta"), &key).await.1["keyCount"], 0);
}
