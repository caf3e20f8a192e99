//! The peak memory of large runs, in a real process.

use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use l10n_server::store::{Store, Tx};
use serde_json::{Value, json};

use crate::process::{Running, feed, get, post, stdout};

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

/// Twelve dry runs at a time, each of a whole file into 32 languages.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_large_dry_runs_at_a_time_are_all_answered_in_little_memory() {
    let (keys, body) = large_sync();
    let folder = tempfile::tempdir().unwrap();
    let server = Running::dev(folder.path());
    let (base, key, project) = (server.say("baseUrl"), server.say("apiKey"), server.say("projectId"));
    let url = |path: &str| format!("{base}/projects/{project}{path}");
    let languages: Vec<Value> = LANGUAGES.iter().map(|code| json!({ "code": code })).collect();
    assert_eq!(post(&url("/languages"), &key, &json!({ "languages": languages })).await.0, 200);
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

/// A file of so many keys: 10,000, or as many as `L10N_KEYS` says.
fn large_sync() -> (usize, Value) {
    let keys: usize = std::env::var("L10N_KEYS").ok().and_then(|keys| keys.parse().ok()).unwrap_or(10_000);
    let file: serde_json::Map<_, _> = (0..keys).map(|n| (format!("k{n}"), json!(format!("t{n}")))).collect();
    let content = Value::from(file).to_string();
    (keys, json!({"file": {"path": "en.json", "content": content, "encoding": "utf8", "format": "json"}}))
}

fn tree(languages: &[&str]) -> String {
    let project = |languages: &[&str]| {
        json!({
            "slug": "app", "name": "App", "baseLanguage": "en", "languages": languages,
            "keys": [{"label": "test", "scopes": ["admin"], "kind": "ci"}],
        })
    };
    let workspace = |handle: &str, languages: &[&str]| json!({"handle": handle, "credits": 100_000, "projects": [project(languages)]});
    json!({"workspaces": [workspace("large", languages), workspace("small", &["de"])]}).to_string()
}

/// Two projects of two workspaces beside those of `dev`: the paths of their routes, and their keys.
fn two_projects(server: &Running, folder: &Path, languages: &[&str]) -> [(String, String); 2] {
    let database = format!("sqlite:{}", folder.join("l10n-data/dev.sqlite").display());
    let output = feed(folder, &["provision", "-", "--database-url", &database], &tree(languages));
    let made: Value = serde_json::from_str(&stdout(&output)).unwrap();
    [0, 1].map(|at| {
        let project = &made["workspaces"][at]["projects"][0];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (
            format!("{}/projects/{}", server.say("baseUrl"), text(&project["projectId"])),
            text(&project["keys"][0]["key"]),
        )
    })
}

/// Sends a run, and a small write of another workspace after the other meanwhile; returns the answer.
async fn beside_small_writes(
    server: &Running,
    large: &(String, String),
    small: &(String, String),
    body: &Value,
) -> Value {
    let (url, key, body) = (format!("{}/sync", large.0), large.1.clone(), body.clone());
    let started = Instant::now();
    let run = tokio::spawn(async move { post(&url, &key, &body).await });
    let (mut worst, mut writes) = (Duration::ZERO, 0);
    while !run.is_finished() {
        let begun = Instant::now();
        let key = json!({"keys": [{"ref": format!("key {begun:?}"), "text": format!("Text {writes}")}]});
        let (status, answer) = post(&format!("{}/translate", small.0), &small.1, &key).await;
        assert!(status == 200 || status == 202, "{answer}");
        worst = worst.max(begun.elapsed());
        writes += 1;
    }
    let (status, answer) = run.await.unwrap();
    assert!(status == 200 || status == 202, "{}", answer["message"]);
    println!(
        "{} took {:?}; {writes} small writes meanwhile, the longest {worst:?}; {} MiB",
        answer["classification"],
        started.elapsed(),
        peak_memory(server)
    );
    assert!(writes > 1, "others wrote meanwhile");
    answer
}

/// A sync of a whole file into 32 languages.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn small_writes_of_others_are_answered_while_a_large_run_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::dev(folder.path());
    let [large, small] = two_projects(&server, folder.path(), LANGUAGES);
    let (keys, body) = large_sync();
    let answer = beside_small_writes(&server, &large, &small, &body).await;
    assert_eq!(answer["classification"]["new"], json!(keys));
}

/// A file whose keys all stand elsewhere, then one whose texts are all edited, then one that archives all keys but one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn small_writes_of_others_are_answered_while_a_large_run_changes_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::dev(folder.path());
    let [large, small] = two_projects(&server, folder.path(), &["de"]);
    let (keys, body) = large_sync();
    beside_small_writes(&server, &large, &small, &body).await;
    let file: Value = serde_json::from_str(body["file"]["content"].as_str().unwrap()).unwrap();
    let mut moved = serde_json::Map::from_iter([("in front".to_owned(), json!("In front"))]);
    moved.extend(file.as_object().unwrap().clone());
    let of = |file: &serde_json::Map<_, _>| {
        let content = Value::from(file.clone()).to_string();
        json!({"file": {"path": "en.json", "content": content, "encoding": "utf8", "format": "json"}})
    };
    let answer = beside_small_writes(&server, &large, &small, &of(&moved)).await;
    let classes = &answer["classification"];
    assert_eq!((&classes["new"], &classes["unchanged"]), (&json!(1), &json!(keys)));
    moved.values_mut().for_each(|text| *text = format!("{}!", text.as_str().unwrap()).into());
    let answer = beside_small_writes(&server, &large, &small, &of(&moved)).await;
    assert_eq!(answer["classification"]["changed"], json!(keys + 1));
    moved.retain(|name, _| name == "in front");
    let mut few = of(&moved);
    few["onRemoved"] = json!("archive");
    let answer = beside_small_writes(&server, &large, &small, &few).await;
    assert_eq!(answer["classification"]["removed"], json!(keys));
    assert_eq!(get(&format!("{}/meta", large.0), &large.1).await.1["keyCount"], 1);
}

/// Rows of the database of a server.
async fn count(store: &Store, rows: &str) -> i64 {
    let sql = sqlx::AssertSqlSafe(format!("SELECT COUNT(*) FROM {rows}"));
    let Tx::Sqlite(mut tx) = store.begin_read().await.unwrap() else { panic!("it is SQLite") };
    sqlx::query_scalar(sql).fetch_one(&mut *tx).await.unwrap()
}

/// Sends a run whose connection breaks.
fn in_vain((url, key): &(String, String), body: &Value) -> tokio::task::JoinHandle<bool> {
    let (url, key, body) = (format!("{url}/sync"), key.clone(), body.to_string());
    tokio::spawn(async move { crate::process::client().post(url).bearer_auth(key).body(body).send().await.is_ok() })
}

/// The same route of the server that came after.
fn moved_to(url: &str, again: &Running) -> String {
    url.replace(url.split("/v1").next().unwrap(), again.say("baseUrl").split("/v1").next().unwrap())
}

/// Killed while the changes of a run that is live are moved to their place, the server moves the rest when it starts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_run_that_is_killed_while_its_changes_are_moved_is_whole_when_the_server_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Running::dev(folder.path());
    let [large, _] = two_projects(&server, folder.path(), &["de", "fr"]);
    let (keys, body) = large_sync();
    assert_eq!(post(&format!("{}/sync", large.0), &large.1, &body).await.0, 202);
    let mut edited: serde_json::Map<_, _> = serde_json::from_str(body["file"]["content"].as_str().unwrap()).unwrap();
    let stay = keys / 2;
    edited.retain(|name, _| name[1..].parse::<usize>().unwrap() < stay);
    edited.iter_mut().for_each(|(name, text)| *text = format!("edited {}", &name[1..]).into());
    let file =
        json!({"path": "en.json", "content": Value::from(edited).to_string(), "encoding": "utf8", "format": "json"});
    let body = json!({"file": file, "onRemoved": "archive"});
    let store = Store::connect_file(&folder.path().join("l10n-data/dev.sqlite")).await.unwrap();
    let run = in_vain(&large, &body);
    while count(&store, "keys WHERE source LIKE '%edited%'").await == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    server.kill();
    assert!(!run.await.unwrap(), "it was killed before its end");
    let left = count(&store, "staged_changes").await;
    assert!(left > 0 && left < i64::try_from(keys).unwrap(), "{left} of {keys} are left to move");
    assert_eq!(count(&store, "staged_runs WHERE is_moving").await, 1);
    let held = "holds h JOIN jobs j ON j.tracking_token = h.job_id WHERE j.status = 'queued'";
    assert_eq!(count(&store, held).await, 1, "it has landed with its hold");
    drop(server);
    let again = Running::dev(folder.path());
    let url = moved_to(&large.0, &again);
    let last = get(&format!("{url}/translations?ref=k{}", stay - 1), &large.1).await.1;
    assert_eq!(last["text"], json!(format!("edited {}", stay - 1)), "it is whole before the first answer");
    let archived = i64::try_from(keys - stay).unwrap();
    assert_eq!(count(&store, "keys WHERE state = 'archived'").await, archived);
    for rows in ["staged_runs", "staged_changes", "keys WHERE source NOT LIKE '%edited%' AND state = 'active'"] {
        assert_eq!(count(&store, rows).await, 0, "{rows}");
    }
    let (status, answer) = post(&format!("{url}/sync"), &large.1, &body).await;
    assert_eq!((status, &answer["classification"]["unchanged"]), (200, &json!(stay)), "{}", answer["message"]);
    while count(&store, "jobs WHERE finished_at IS NULL").await > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(count(&store, "translations WHERE stale").await, 0);
}

/// Killed while a run is staged, the server sweeps what there is of it when it starts, and the same request works.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_run_that_is_killed_between_two_pieces_leaves_nothing_and_can_be_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Running::dev(folder.path());
    let [large, _] = two_projects(&server, folder.path(), &["de", "fr"]);
    let (keys, body) = large_sync();
    let run = in_vain(&large, &body);
    let store = Store::connect_file(&folder.path().join("l10n-data/dev.sqlite")).await.unwrap();
    let count = async |rows: &str| count(&store, rows).await;
    while count("keys WHERE staged_by IS NOT NULL").await == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    server.kill();
    assert!(!run.await.unwrap(), "it was killed before its end");
    assert!(
        count("staged_runs WHERE status = 'writing'").await == 1 && count("keys WHERE state = 'active'").await == 0
    );
    drop(server);
    let again = Running::dev(folder.path());
    for rows in ["staged_runs", "keys", "jobs", "job_items", "job_chunks", "pending_items", "holds"] {
        while count(rows).await > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
    let url = moved_to(&large.0, &again);
    let (status, answer) = post(&format!("{url}/sync"), &large.1, &body).await;
    assert_eq!((status, &answer["classification"]["new"]), (202, &json!(keys)), "{}", answer["message"]);
}
