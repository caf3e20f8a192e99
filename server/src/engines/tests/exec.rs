//! The engine `exec`, with shell scripts as commands.

#![cfg(unix)]

use std::sync::Arc;
use std::time::Duration;

use l10n_api_types::PluralKey;
use l10n_api_types::glossary::GlossaryRule;
use l10n_formats::text::checks::glossary::Term;

use super::super::{
    Batch, BatchItem, BatchLimits, EngineError, Exec, Hints, Neighbours, PluralForm, SimilarText, TextSegment,
};
use super::*;

fn exec(script: &str, timeout: Duration) -> Exec {
    Exec {
        name: "mine".to_owned(),
        command: ["sh", "-c", script].map(str::to_owned).to_vec(),
        timeout,
        limits: BatchLimits::of(100, 10_000),
        at_once: 2,
        key_variables: Arc::default(),
    }
}

const PATIENT: Duration = Duration::from_secs(60);

fn run(engine: &Exec, text: &str) -> Result<Vec<Result<Vec<TextSegment>, String>>, EngineError> {
    let segments =
        vec![TextSegment::Text(text.to_owned()), TextSegment::Placeholder { id: 1, original: "{x}".to_owned() }];
    let term = Term {
        term: "hi".into(),
        rule: GlossaryRule::Translate,
        case_sensitive: false,
        translation: Some("hallo".into()),
        note: None,
        is_own: true,
    };
    let neighbours = Neighbours { before: vec!["Open".to_owned()], after: Vec::new() };
    let similar = vec![SimilarText { source: "Ho".to_owned(), translation: "Hü".to_owned(), percent: 75 }];
    let item = BatchItem {
        segments,
        description: Some("A button".to_owned()),
        max_length: Some(9),
        complaint: None,
        glossary: vec![term],
        plural: Some(PluralForm { key: PluralKey::OTHER, example: Some(2), is_ordinal: true }),
        hints: Arc::new(Hints { key: Some("greeting".to_owned()), neighbours, similar, has_own_similar: true }),
    };
    let batch = Batch {
        source: "en".to_owned(),
        target: "de".to_owned(),
        style: Some("Short".into()),
        service_glossary: None,
        items: vec![item],
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let results = runtime.block_on(engine.translate(&batch))?;
    Ok(results.into_iter().map(|result| result.map_err(|error| error.to_string())).collect())
}

fn fault(script: &str, timeout: Duration) -> String {
    match run(&exec(script, timeout), "Hi ") {
        Err(EngineError::Unavailable(message)) => message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_command_is_asked_in_json_and_answers_in_json() {
    let folder = tempfile::tempdir().unwrap();
    let asked = folder.path().join("asked");
    let script = format!("cat >'{}'; echo '{{\"items\":[{{\"id\":0,\"text\":\"⟦1⟧, hallo\"}}]}}'", asked.display());
    let results = run(&exec(&script, PATIENT), " Hi ").unwrap();
    let placeholder = TextSegment::Placeholder { id: 1, original: "{x}".to_owned() };
    let expected = [TextSegment::Text(" ".to_owned()), placeholder, TextSegment::Text(", hallo".to_owned())];
    assert_eq!(results, [Ok(expected.to_vec())]);
    let asked: serde_json::Value = serde_json::from_slice(&std::fs::read(asked).unwrap()).unwrap();
    let expected = serde_json::json!({
        "version": 1, "source": "en", "target": "de", "style": "Short",
        "items": [{
            "id": 0, "text": "Hi ⟦1⟧", "placeholders": [{"mark": "⟦1⟧", "original": "{x}"}],
            "description": "A button", "maxLength": 9, "key": "greeting",
            "plural": {"form": "other", "example": 2, "ordinal": true}, "neighbours": {"before": ["Open"]},
            "memory": [{"source": "Ho", "translation": "Hü", "percent": 75}],
            "glossary": [{"term": "hi", "rule": "translate", "translation": "hallo"}],
        }],
    });
    assert_eq!(asked, expected);
}

#[test]
fn what_a_command_says_of_a_text_or_a_batch_is_heard() {
    let say = |answer: &str| run(&exec(&format!("cat >/dev/null; printf %s '{answer}'"), PATIENT), "Hi ");
    assert_eq!(
        say(r#"{"items":[{"id":0,"error":"too odd"}]}"#),
        Ok(vec![Err("the engine refused this text: too odd".to_owned())])
    );
    assert_eq!(
        say(r#"{"items":[]}"#),
        Ok(vec![Err("the engine refused this text: it gave no translation".to_owned())])
    );
    assert_eq!(say(r#"{"error":"not German"}"#), Err(EngineError::Refused("not German".to_owned())));
    // Long words are cut, and control characters become blanks.
    let (long, cut) = ("no ".repeat(1_000), "no ".repeat(1_000)[..195].to_owned());
    let long = |place: &str| say(&place.replace('$', &format!(r"a\u0000b\n {long}")));
    assert_eq!(long(r#"{"error":"$"}"#), Err(EngineError::Refused(format!("a b  {cut}"))));
    let refused = format!("the engine refused this text: a b  {cut}");
    assert_eq!(long(r#"{"items":[{"id":0,"error":"$"}]}"#), Ok(vec![Err(refused)]));
    match long(r#"{"items":"$"}"#) {
        Err(EngineError::Unavailable(said)) => assert!(said.chars().count() < 300, "{said}"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(say(r#"{"quotaExhausted":true}"#), Err(EngineError::QuotaExhausted(_))));
    assert_eq!(say(r#"{"retryAfterSeconds":7}"#), Err(EngineError::RateLimited { retry_after_seconds: 7 }));
    for wrong in [r#"{"items":[{"id":1,"text":"a"}]}"#, r#"{"items":[{"id":0,"text":"a"},{"id":0,"text":"a"}]}"#] {
        assert!(matches!(say(wrong), Err(EngineError::Unavailable(_))), "{wrong}");
    }
}

#[test]
fn a_command_that_fails_is_an_engine_that_does_not_answer() {
    assert!(fault("echo '{}'; exit 3", PATIENT).contains("exit status: 3"));
    assert!(fault("echo Hallo", PATIENT).contains("not the JSON"));
    assert!(fault("yes", PATIENT).contains("longer than"));
    let nowhere = Exec { command: vec!["/nowhere/translate".to_owned()], ..exec("", PATIENT) };
    assert!(run(&nowhere, "Hi").unwrap_err().to_string().contains("cannot be started"));
}

/// It is killed with what it has started, whether it keeps its output open or closes it.
#[test]
fn a_command_that_takes_too_long_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let ids = folder.path().join("ids");
    for end in ["wait", "exec >&-; wait"] {
        let script = format!("sleep 600 >/dev/null & echo $! $$ >'{}'; {end}", ids.display());
        // A busy machine may need longer than that until the script has begun.
        let mut timeout = Duration::from_secs(1);
        let known = loop {
            assert!(fault(&script, timeout).contains("it has not answered within"));
            match std::fs::read_to_string(&ids) {
                Ok(ids) if ids.ends_with('\n') => break ids,
                _ => timeout *= 2,
            }
        };
        std::fs::remove_file(&ids).unwrap();
        for id in known.split_whitespace() {
            while is_running(id) {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

/// Returns false for a process that is gone, or that has ended and that nobody has asked for its status.
fn is_running(id: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status"));
    status.is_ok_and(|status| !status.contains("State:\tZ"))
}
