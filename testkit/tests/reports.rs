//! Reports of a run against a server that deviates, and leaks what it is told.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::convert::Infallible;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use l10n_testkit::check::Check;
use l10n_testkit::cx::Cx;
use l10n_testkit::outcome::{CheckResult, Status, Stop};
use l10n_testkit::profile::{Identity, Profile, Project, Secret};
use l10n_testkit::report::{
    Report, ReportKind, ReportTarget, RunResult, SCHEMA, badge, diff, har, html, junit, tap, text, write,
};
use l10n_testkit::requirement::Level;
use l10n_testkit::runner::{Expectation, Expected, Origin, Selection, run_checks};
use l10n_testkit::{Options, Verdict, check};
use serde_json::Value;
use tokio::net::TcpListener;

const KEY: &str = "eik_0123456789abcdefghijklmnopqrstuvwxyz";
const WEBHOOK_SECRET: &str = "whsec_0123456789abcdefghijklmnopqrstuvwxyz";

const CHECKS: &[Check] = &[
    check! { id: "VER-1", needs: [], run: passes },
    check! { id: "CONV-1", needs: [], run: deviates },
    check! { id: "CONV-6", needs: [], run: deviates },
    check! { id: "CONV-7", needs: [], run: compares },
    check! { id: "CONV-2", needs: [], run: asserts_nothing },
    check! { id: "CONV-3", needs: [], run: sees_no_control },
    check! { id: "CONV-4", needs: [], run: fails_itself },
    check! { id: "PUB-2", needs: [Delivery], run: passes },
];

async fn passes(cx: Cx) -> CheckResult {
    let answer = cx.get("/credential").send().await?.control("GET /credential")?;
    answer.ensure(answer.status == 200, "status 200")
}

async fn deviates(cx: Cx) -> CheckResult {
    cx.get("/credential").send().await?.control("GET /credential")?;
    cx.case("it's <a> case", async {
        cx.post("/webhooks").json(&serde_json::json!({ "url": "https://a" })).send().await?.expect(400)?;
        Ok(())
    })
    .await
}

/// Without saying which exchange it is about.
async fn compares(cx: Cx) -> CheckResult {
    let answer = cx.get("/credential").send().await?.control("GET /credential")?.json()?;
    cx.equal("the name", &Some("a"), &answer["name"].as_str())
}

async fn asserts_nothing(cx: Cx) -> CheckResult {
    cx.get("/credential").send().await?.control("GET /credential").map(|_| ())
}

async fn sees_no_control(cx: Cx) -> CheckResult {
    cx.get("/refused").send().await?.control("GET /refused").map(|_| ())
}

async fn fails_itself(_: Cx) -> CheckResult {
    Err(Stop::Error(format!("something went wrong with {KEY}")))
}

/// Answers what it was sent, key included.
async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let refused = request.uri().path().ends_with("/refused");
    let key = request.headers().get("authorization").map(|value| value.to_str().unwrap_or_default().to_owned());
    let body = serde_json::json!({
        "echo": key, "error": "not_found", "message": "<script>alert(1)</script>", "webhookId": "whk_1", "secret": WEBHOOK_SECRET,
    });
    let response = Response::builder().status(if refused { 404 } else { 200 }).header("x-correlation-id", "req-7");
    Ok(response.body(Full::from(body.to_string())).unwrap())
}

async fn report() -> Report {
    report_with(Options::default()).await
}

async fn report_with(options: Options) -> Report {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service_fn(answer)));
        }
    });
    let keys = BTreeMap::from([(Identity::Full, Secret::of(KEY))]);
    let lane = Project { id: "prj_1".to_owned(), handle: "acme".to_owned(), slug: "app".to_owned(), keys };
    let profile: Profile = toml::from_str(&format!("base_url = \"{base_url}\"\nlanes = []")).unwrap();
    let profile = Profile { lanes: vec![lane], ..profile };
    let run = run_checks(CHECKS.iter().collect(), profile, Options { keep: true, ..options }).await.unwrap();
    Report::of(&run)
}

#[tokio::test]
async fn a_check_passes_by_an_assertion_and_a_control_alone() {
    let report = report().await;
    let status = |id: &str| report.check(id).unwrap().status;
    assert_eq!(status("VER-1"), Status::Pass);
    assert_eq!(status("CONV-1"), Status::Fail);
    assert_eq!(status("CONV-6"), Status::Warn, "advisory");
    assert_eq!(status("CONV-2"), Status::Error, "vacuous");
    assert_eq!(status("CONV-3"), Status::NotRun, "its control failed");
    assert_eq!(status("CONV-4"), Status::Error);
    assert_eq!(status("PUB-2"), Status::NotRun, "not claimed");
    assert_eq!(report.verdict, Verdict::NonConformant);
    let not_verified = report.requirements.iter().find(|one| one.id == "PUB-2").unwrap();
    assert_eq!(not_verified.status, None);
}

#[tokio::test]
async fn no_report_holds_a_secret_and_every_report_holds_the_deviation() {
    let report = report().await;
    let json = serde_json::to_string(&report).unwrap();
    for (kind, text) in [
        ("text", text(&report)),
        ("json", json),
        ("junit", junit(&report).unwrap()),
        ("html", html(&report)),
        ("tap", tap(&report)),
        ("har", har(&report).to_string()),
    ] {
        assert!(!text.contains(KEY), "{kind} holds the API key");
        assert!(!text.contains(WEBHOOK_SECRET), "{kind} holds the secret of a webhook");
        assert!(text.contains("CONV-1"), "{kind}");
        assert!(text.contains("status 400"), "{kind} says what was expected");
    }
    let text = text(&report);
    assert!(text.contains("req-7 (x-correlation-id)"), "{text}");
    assert!(text.contains("curl -sS -i -X POST"), "{text}");
}

#[tokio::test]
async fn every_report_states_what_the_run_was_and_names_what_is_expected() {
    let because = "known since the spring".to_owned();
    let (check, status) = ("CONV-1".to_owned(), Expected::Fail);
    let mut options = Options {
        expect: vec![Expectation { check, status, reason: None, because: because.clone(), until: None }],
        origin: Origin {
            profile: Some("deployment.toml".to_owned()),
            profile_digest: Some("d1gest".to_owned()),
            commit: Some("c0ffee".to_owned()),
            command: None,
        },
        ..Options::default()
    };
    options.selection = Selection { levels: vec![Level::Core], only: vec!["VER-1".to_owned(), "CONV-1".to_owned()] };
    let report = report_with(options).await;
    assert_eq!((report.verdict, report.exit_code), (Verdict::NonConformantAsExpected, 6));
    let specification = report.specification.digest.clone();
    for (kind, text) in [
        ("text", text(&report)),
        ("json", serde_json::to_string(&report).unwrap()),
        ("junit", junit(&report).unwrap()),
        ("html", html(&report)),
        ("tap", tap(&report)),
        ("har", har(&report).to_string()),
    ] {
        let stated =
            [&because, "deployment.toml", "d1gest", "c0ffee", &specification, "not conformant, as expected", "VER-1"];
        for fact in stated.into_iter().chain([&*report.started_at, &report.ended_at, env!("CARGO_PKG_VERSION")]) {
            assert!(text.contains(fact), "{kind} does not state {fact}");
        }
    }
    let first = text(&report);
    assert!(first.starts_with("FAIL    CONV-1 (expected: known since the spring)"), "{first}");
    assert!(tap(&report).contains("# TODO expected: known since the spring"));
}

/// Checks a value by the part of JSON Schema that the file uses.
fn fits(schema: &Value, value: &Value, at: &str) {
    if let Some(allowed) = schema["enum"].as_array() {
        assert!(allowed.contains(value), "{at}: {value} is none of {allowed:?}");
    }
    let types = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        other => other.as_str().into_iter().collect::<Vec<_>>(),
    };
    let is = |name: &&str| match *name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    };
    assert!(types.is_empty() || types.iter().any(is), "{at}: {value} is not of {types:?}");
    for (place, entry) in value.as_array().into_iter().flatten().enumerate() {
        fits(&schema["items"], entry, &format!("{at}[{place}]"));
    }
    let Some(members) = value.as_object() else { return };
    for name in schema["required"].as_array().unwrap() {
        assert!(members.contains_key(name.as_str().unwrap()), "{at} lacks {name}");
    }
    for (name, member) in members {
        let known = &schema["properties"][name];
        assert!(!known.is_null(), "{at}.{name} is not in the schema");
        fits(known, member, &format!("{at}.{name}"));
    }
}

#[tokio::test]
async fn each_failure_has_what_it_takes_to_look_into_it() {
    let command = Some("l10n-testkit run --profile deployment.toml".to_owned());
    let report = report_with(Options { origin: Origin { command, ..Origin::default() }, ..Options::default() }).await;
    for id in ["CONV-1", "CONV-7"] {
        let check = report.check(id).unwrap();
        assert_eq!((check.statements[0].id, check.statements.len()), (id, 1));
        assert!(check.statements[0].links.iter().all(|link| link.starts_with("docs/spec.md")), "{check:?}");
        assert_eq!(
            check.again.as_deref(),
            Some(&*format!("l10n-testkit run --profile deployment.toml --only {id} --allow-partial"))
        );
        let failure = &check.failures[0];
        assert!(failure.exchange.is_some() && failure.correlation_id.is_some(), "{failure:?}");
        let curl = failure.curl.as_deref().unwrap();
        assert!(curl.contains("-H 'authorization: Bearer '\"$L10N_API_KEY\"''"), "{curl}");
        assert!(curl.ends_with("# L10N_API_KEY: full key of prj_1"), "{curl}");
    }
    // As nobody but Rust writes values.
    let compared = &report.check("CONV-7").unwrap().failures[0];
    assert_eq!((&*compared.expected, &*compared.actual), ("the name: \"a\"", "the name: nothing"));
    for text in [text(&report), junit(&report).unwrap(), html(&report)] {
        assert!(text.contains("--only CONV-7 --allow-partial") && text.contains("docs/spec.md#s"), "{text}");
    }
}

#[tokio::test]
async fn a_result_is_as_its_schema_says_and_is_a_part_of_the_report() {
    let report = report().await;
    let result = serde_json::to_value(RunResult::of(&report).unwrap()).unwrap();
    fits(&serde_json::from_str(SCHEMA).unwrap(), &result, "result");
    let whole = serde_json::to_value(&report).unwrap();
    for (name, member) in result.as_object().unwrap().iter().filter(|(_, member)| !member.is_array()) {
        assert_eq!(*member, whole[name], "{name}");
    }
    assert!(!result.to_string().contains("exchanges") && result.to_string().len() * 2 < whole.to_string().len());
}

#[tokio::test]
async fn a_badge_says_the_verdict_and_nothing_that_runs() {
    let mut result = RunResult::of(&report().await).unwrap();
    let svg = badge(&result);
    assert!(svg.starts_with("<svg ") && svg.contains(">not conformant</text>") && svg.contains("#c42b3a"), "{svg}");
    result.summary = "<script>alert(1)</script>".to_owned();
    assert!(!badge(&result).contains("<script>"));
    result.summary = "conformant at level core".to_owned();
    result.verdict = "conformant".to_owned();
    assert!(badge(&result).contains("l10n API v1: conformant at level core"));
}

#[tokio::test]
async fn a_comparison_says_what_is_worse_and_what_is_better() {
    let before = RunResult::of(&report().await).unwrap();
    assert!(diff(&before, &before).text().is_empty());
    let mut after = before.clone();
    let status = |result: &mut RunResult, id: &str, status: &str| {
        status.clone_into(&mut result.checks.iter_mut().find(|one| one.id == id).unwrap().status);
    };
    status(&mut after, "VER-1", "FAIL");
    status(&mut after, "CONV-1", "PASS");
    after.claims.push("receiver".to_owned());
    after.checks.retain(|one| one.id != "CONV-6");
    let found = diff(&before, &after);
    let text = found.text();
    assert_eq!(found.worse.len(), 2, "{text}");
    for line in [
        "worse   check VER-1: PASS -> FAIL",
        "worse   check CONV-6: WARN -> not selected",
        "better  check CONV-1: FAIL -> PASS",
    ] {
        assert!(text.lines().any(|one| one == line), "{line}: {text}");
    }
    assert!(text.contains("newly claimed: receiver"), "{text}");
    // Another selection is no deviation.
    after.selection.only.push("VER-1".to_owned());
    let found = diff(&before, &after);
    assert_eq!(found.worse.len(), 1, "{}", found.text());
    assert!(found.other.contains(&"no longer selected: 1 checks".to_owned()), "{}", found.text());
}

#[tokio::test]
async fn what_core_needs_and_nobody_claims_is_listed() {
    let report = report().await;
    let missing = report.not_claimed.iter().find(|one| one.claim == "delivery").unwrap();
    assert_eq!((missing.statements.as_slice(), missing.checks.as_slice()), (&["PUB-2"][..], &["PUB-2"][..]));
    let core = l10n_testkit::requirement::requirement("PUB-2").unwrap().level == Level::Core;
    assert_eq!(missing.of_core, core);
}

#[tokio::test]
async fn the_page_opens_on_what_is_wrong_and_says_why_what_is_not_verified_is_not() {
    let mut report = report().await;
    let earlier = RunResult::of(&report).unwrap();
    let mut later = earlier.clone();
    later.checks[0].status = "FAIL".to_owned();
    report.compared = Some(diff(&earlier, &later));
    let page = html(&report);
    let (top, _) = page.split_once("<nav").unwrap();
    for part in [
        "What is wrong",
        "<a href=\"#CONV-1\">CONV-1</a></b> expected status 400",
        "Claimed and not verified",
        "<a href=\"#CONV-3\">CONV-3</a></b> a prerequisite is not met: GET /refused",
        "Not claimed, so not verified",
        "<code>delivery</code>",
        "Since the earlier run",
        "check VER-1: PASS → FAIL",
        "Each looks at one or more of",
    ] {
        assert!(top.contains(part), "{part}: {top}");
    }
    assert!(!top.contains("<details class=\"statement"), "nothing has to be unfolded");
}

#[tokio::test]
async fn the_page_holds_nothing_that_runs_or_loads_but_its_own() {
    let page = html(&report().await);
    assert!(!page.contains("<script>alert"), "what a server answers is text");
    assert!(page.contains("&lt;script&gt;alert"));
    for outside in ["src=", "href=\"http", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[tokio::test]
async fn an_archive_has_every_exchange_in_the_page_of_its_check() {
    let report = report().await;
    let log = har(&report)["log"].clone();
    let exchanges: usize = report.checks.iter().map(|check| check.exchanges.len()).sum();
    let (pages, entries) = (log["pages"].as_array().unwrap(), log["entries"].as_array().unwrap());
    assert_eq!(entries.len(), exchanges);
    for entry in entries {
        assert!(pages.iter().any(|page| page["id"] == entry["pageref"]), "{entry}");
        let at: jiff::Timestamp = entry["startedDateTime"].as_str().unwrap().parse().unwrap();
        assert!(at.as_second() > 1_700_000_000);
    }
    let deviates = pages.iter().find(|page| page["id"] == "CONV-1").unwrap();
    assert_eq!(deviates["title"], "CONV-1 FAIL: expected status 400");
    let post =
        entries.iter().find(|entry| entry["pageref"] == "CONV-1" && entry["request"]["method"] == "POST").unwrap();
    assert_eq!(post["request"]["postData"]["mimeType"], "application/json");
    assert_eq!(post["response"]["statusText"], "OK");
}

#[tokio::test]
async fn junit_counts_as_the_verdict_does() {
    let report = report().await;
    let xml = junit(&report).unwrap();
    let counts = report.counts;
    assert!(
        xml.contains(&format!(
            "skipped=\"{}\" failures=\"{}\" errors=\"{}\"",
            counts.not_run, counts.fail, counts.error
        )),
        "{xml}"
    );
    assert!(xml.contains("WARN: a recommendation is not followed"));
}

#[tokio::test]
async fn a_report_that_cannot_be_written_says_where() {
    let report = report().await;
    let target = ReportTarget { kind: ReportKind::Json, path: Some("/nonexistent/folder/r.json".into()) };
    let problem = write(&report, &target).unwrap_err().to_string();
    assert!(problem.contains("/nonexistent/folder/r.json"), "{problem}");
    assert!("yaml=x".parse::<ReportTarget>().unwrap_err().contains("yaml"));
}
