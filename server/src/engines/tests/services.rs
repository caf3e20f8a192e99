//! Engines over HTTP, before strict fakes of their services that behave in every way that services do.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use l10n_api_types::Check;
use l10n_testkit::engines::{Behaviour, FakeEngines, Mount, Service};

use super::super::configured::engine as configured;
use super::super::pipeline::Work;
use super::super::{EngineError, Engines};
use super::*;
use crate::config::{EngineKey, EngineKind, EngineSettings, Formality, GoogleProject, Model, Remote, SecretText};

/// Longer than any call of these tests takes that is answered.
pub(super) const PATIENT: Duration = Duration::from_secs(60);

/// Times that a worker asks.
const TRIES: usize = 5;

/// Texts with all that masks and services may get wrong.
const SOURCES: [&str; 9] = [
    "Save changes",
    "Hi {name}, you have {count} new messages",
    "Read <b>all</b> of {file} & more",
    "Pay the invoice {id} now",
    "1 < 2 && \"x\" 'y' > z",
    "Line one\nline two of {file}",
    " {a} {b} ",
    "{n, plural, one {# file of {name}} other {# files of {name}}}",
    "Sign in with {provider} or ⟦1⟧",
];

/// No failures.
const NONE: [(&str, &str); 0] = [];

pub(super) fn engine(mount: &Mount, timeout: Duration) -> Engines {
    let max_characters = if mount.service() == Service::DeepL { 50_000 } else { 5_000 };
    engine_of(mount, Remote { max_items: 25, max_characters, timeout, ..remote(mount) })
}

/// The way to a service, with batches as large as it takes them.
fn remote(mount: &Mount) -> Remote {
    Remote {
        address: mount.address().to_owned(),
        key: Some(EngineKey { text: SecretText::from(mount.key().to_owned()), file: None, variable: None }),
        timeout: PATIENT,
        max_items: usize::MAX,
        max_characters: usize::MAX,
        at_once: 8,
    }
}

fn engine_of(mount: &Mount, remote: Remote) -> Engines {
    let model = Model {
        name: "small".to_owned(),
        temperature: Some(0.0),
        max_tokens: None,
        max_completion_tokens: Some(4_000),
        key_header: None,
        instructions: Some("Address the user formally.".to_owned()),
    };
    let project = GoogleProject { name: "shop".to_owned(), location: "global".to_owned() };
    let kind = match mount.service() {
        Service::DeepL => EngineKind::DeepL { remote, formality: Some(Formality::PreferMore), address_by_key: false },
        Service::LibreTranslate => EngineKind::LibreTranslate(remote),
        Service::GoogleBasic => EngineKind::Google { remote, project: None },
        Service::GoogleAdvanced => EngineKind::Google { remote, project: Some(project) },
        Service::Azure => EngineKind::Azure { remote, region: Some("westeurope".to_owned()) },
        Service::OpenAi => EngineKind::OpenAi { remote, model },
        Service::Own => EngineKind::Http(remote),
    };
    let settings = EngineSettings { name: "mine".to_owned(), kind, millicredits_per_character: None };
    Engines::from(configured(&settings, &Arc::default()))
}

fn behaviours(service: Service) -> Vec<Behaviour> {
    let of_models: &[Behaviour] = if service == Service::OpenAi { &Behaviour::OF_MODELS } else { &[] };
    Behaviour::OF_ALL.iter().chain(of_models).cloned().collect()
}

/// The outcome of texts: their translations or failures, the last error of the engine, and what the operator is told.
struct Outcome {
    results: Vec<Result<TranslatedContent, TranslationFailure>>,
    fault: Option<EngineError>,
    notes: Vec<String>,
}

/// Asks as a worker does, without its pauses.
async fn outcome(engines: &Engines, sources: &[&str]) -> Outcome {
    let units: Vec<_> = sources.iter().map(|source| unit(text(source))).collect();
    let mut work = Work::new("en", "de", &units);
    let mut fault = None;
    for _ in 0..TRIES {
        fault = work.attempt_all(engines).await.err();
        if fault.is_none() {
            break;
        }
    }
    let notes = work.faults().to_vec();
    Outcome { results: work.finish(fault.as_ref()), fault, notes }
}

impl Outcome {
    /// The sources that have no translation, with the codes of their failures.
    fn failed<'a>(&self, sources: &[&'a str]) -> Vec<(&'a str, &'static str)> {
        let failed = |(source, result): (&&'a str, &Result<TranslatedContent, TranslationFailure>)| {
            Some((*source, result.as_ref().err()?.code()))
        };
        sources.iter().zip(&self.results).filter_map(failed).collect()
    }
}

fn block<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Every text ends translated with its placeholders, or failed; what goes wrong is bounded; the service has nothing to
/// complain of; and nobody is shown the key.
#[test]
fn every_text_ends_translated_with_its_placeholders_or_failed() {
    block(async {
        for service in Service::ALL {
            for behaviour in behaviours(service) {
                let fakes = FakeEngines::start().await.unwrap();
                let mount = fakes.mount(service);
                mount.always(behaviour.clone());
                let Outcome { results, notes, .. } = outcome(&engine(mount, PATIENT), &SOURCES).await;
                let case = format!("{service:?}, {behaviour:?}");
                for (source, result) in SOURCES.iter().zip(&results) {
                    if let Ok(translated) = result {
                        let lost = translated.issues.iter().any(|issue| issue.check == Check::Placeholders);
                        assert!(!lost, "{case}: {source}: {translated:?}");
                    }
                }
                let said = format!("{results:?} {notes:?}");
                assert!(!said.contains(mount.key()), "{case}: {said}");
                let calls = mount.calls().len();
                assert!(calls <= 40, "{case}: {calls} calls");
                assert!(mount.complaints().is_empty(), "{case}: {:#?}", mount.complaints());
            }
        }
    });
}

/// A service that changes the form of its answers alone loses no text.
#[test]
fn what_is_certain_is_put_right() {
    use Behaviour as B;
    let all = [
        B::Translate,
        B::Move,
        B::Glue,
        B::Spill,
        B::Pair,
        B::UpperCaseTags,
        B::EscapeAll,
        B::UnescapeAll,
        B::ByteOrderMark,
        B::Echo,
        B::AtMost(1),
    ];
    let of_models = [B::Fence, B::Prose, B::Length, B::SchemaRefused, B::FormRefused];
    block(async {
        for service in Service::ALL {
            let more = of_models.iter().filter(|_| service == Service::OpenAi);
            for behaviour in all.iter().chain(more) {
                let fakes = FakeEngines::start().await.unwrap();
                let mount = fakes.mount(service);
                mount.always(behaviour.clone());
                let done = outcome(&engine(mount, PATIENT), &SOURCES).await;
                assert_eq!(done.failed(&SOURCES), NONE, "{service:?}, {behaviour:?}: {:?}", done.notes);
            }
            let fakes = FakeEngines::start().await.unwrap();
            let mount = fakes.mount(service);
            mount.always(B::Glue);
            let done = outcome(&engine(mount, PATIENT), &SOURCES[..3]).await;
            let texts: Vec<_> = done.results.into_iter().map(|result| result.unwrap().content).collect();
            let expected =
                ["SAVE CHANGES", "HI {name}, YOU HAVE {count} NEW MESSAGES", "READ <b>ALL</b> OF {file} & MORE"];
            assert_eq!(texts, expected.map(text), "{service:?}");
        }
    });
}

/// One text that a service does not take, or loses placeholders of, fails alone.
#[test]
fn one_bad_text_among_many_fails_alone() {
    block(async {
        for service in Service::ALL {
            let fakes = FakeEngines::start().await.unwrap();
            let mount = fakes.mount(service);
            mount.always(Behaviour::NotWith("invoice"));
            let done = outcome(&engine(mount, PATIENT), &SOURCES).await;
            assert_eq!(done.failed(&SOURCES), [("Pay the invoice {id} now", "engine_refused")], "{service:?}");

            mount.always(Behaviour::Drop);
            let done = outcome(&engine(mount, PATIENT), &SOURCES[..4]).await;
            let lost = SOURCES[1..4].iter().map(|source| (*source, "placeholders_lost")).collect::<Vec<_>>();
            assert_eq!(done.failed(&SOURCES[..4]), lost, "{service:?}");
        }
    });
}

/// A text that is asked for once more comes with marks in plain text; where that is answered well, it is translated.
#[test]
fn what_lost_its_placeholders_is_asked_for_once_more() {
    block(async {
        for service in Service::ALL {
            let fakes = FakeEngines::start().await.unwrap();
            let mount = fakes.mount(service);
            mount.script([Behaviour::Drop]);
            let done = outcome(&engine(mount, PATIENT), &["Hi {name}", "Save"]).await;
            assert_eq!(done.failed(&["Hi {name}", "Save"]), NONE, "{service:?}");
            let calls = mount.calls();
            assert_eq!(calls.iter().map(|call| call.texts).collect::<Vec<_>>(), [2, 1], "{service:?}");
            let again = calls[1].body.to_string();
            assert!(again.contains("⟦1⟧"), "{again}");
            let has_reason = again.contains("one is missing, repeated or invented");
            assert_eq!(has_reason, matches!(service, Service::OpenAi | Service::Own), "{again}");
        }
    });
}

/// After it has said so it is not asked any more, by whatever work there is.
#[test]
fn no_call_follows_when_the_quota_is_used_up_or_the_key_is_revoked() {
    block(async {
        for service in Service::ALL {
            for (behaviour, code) in
                [(Behaviour::QuotaExhausted, "engine_quota_exhausted"), (Behaviour::Revoked, "engine_unavailable")]
            {
                let fakes = FakeEngines::start().await.unwrap();
                let mount = fakes.mount(service);
                let engines = engine(mount, PATIENT);
                mount.script([behaviour.clone()]);
                for _ in 0..3 {
                    let done = outcome(&engines, &["Save", "Hi {name}"]).await;
                    assert_eq!(done.fault, None);
                    assert_eq!(
                        done.failed(&["Save", "Hi {name}"]),
                        [("Save", code), ("Hi {name}", code)],
                        "{service:?}"
                    );
                }
                assert_eq!(mount.calls().len(), 1, "{service:?}, {behaviour:?}");
            }
        }
    });
}

#[test]
fn a_service_that_is_slow_down_or_busy_is_asked_again() {
    block(async {
        for service in Service::ALL {
            let fakes = FakeEngines::start().await.unwrap();
            let mount = fakes.mount(service);
            mount.script([
                Behaviour::Status(503),
                Behaviour::CutBody,
                Behaviour::NotJson,
                Behaviour::RateLimited(None),
            ]);
            let done = outcome(&engine(mount, PATIENT), &["Save"]).await;
            assert_eq!(done.failed(&["Save"]), NONE, "{service:?}: {:?}", done.notes);
            assert_eq!(mount.calls().len(), TRIES, "{service:?}");
            assert_eq!(done.notes.last().unwrap(), "mine: the engine asks to slow down", "{service:?}");

            for (seconds, said) in [(1, "1 second"), (7, "7 seconds")] {
                mount.always(Behaviour::RateLimited(Some(seconds)));
                let done = outcome(&engine(mount, PATIENT), &["Save"]).await;
                assert_eq!(done.fault, Some(EngineError::RateLimited { retry_after_seconds: seconds }), "{service:?}");
                assert_eq!(done.notes, [format!("mine: the engine asks to slow down for {said}")], "{service:?}");
            }

            mount.always(Behaviour::RateLimitedUntil(7));
            let done = outcome(&engine(mount, PATIENT), &["Save"]).await;
            assert_eq!(done.fault, Some(EngineError::RateLimited { retry_after_seconds: 7 }), "{service:?}");

            for behaviour in Behaviour::SLOW {
                mount.always(behaviour);
                let done = outcome(&engine(mount, Duration::from_millis(200)), &["Save"]).await;
                assert_eq!(done.failed(&["Save"]), [("Save", "engine_unavailable")], "{service:?}");
                assert!(done.notes[0].contains("no answer within 0.2 seconds"), "{:?}", done.notes);
            }
        }
    });
}

/// A redirect would take the key to somebody else.
#[test]
fn a_redirect_is_not_followed_and_an_address_where_nobody_listens_is_down() {
    block(async {
        let fakes = FakeEngines::start().await.unwrap();
        let mount = fakes.deepl();
        mount.always(Behaviour::Status(302));
        let done = outcome(&engine(mount, PATIENT), &["Save"]).await;
        assert!(done.notes[0].contains("it answered 302"), "{:?}", done.notes);
        assert_eq!(mount.calls().len(), 1);

        let gone = engine(mount, PATIENT);
        drop(fakes);
        let done = outcome(&gone, &["Save"]).await;
        assert_eq!(done.failed(&["Save"]), [("Save", "engine_unavailable")]);
    });
}

/// Connections are kept, and batches are as large as services take them.
#[test]
fn batches_keep_to_the_limits_of_a_service_and_its_connections_stay() {
    block(async {
        let fakes = FakeEngines::start().await.unwrap();
        let sources: Vec<String> = (0..120).map(|number| format!("Text {{a}} number {number}")).collect();
        let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
        for service in Service::ALL {
            let mount = fakes.mount(service);
            let engines = engine(mount, PATIENT);
            let done = outcome(&engines, &sources).await;
            assert_eq!(done.failed(&sources), NONE, "{service:?}");
            let calls = mount.calls();
            assert_eq!(calls.iter().map(|call| call.texts).collect::<Vec<_>>(), [25, 25, 25, 25, 20], "{service:?}");
            outcome(&engines, &sources).await;
            let connections: BTreeSet<usize> = mount.calls().iter().map(|call| call.connection).collect();
            assert!(connections.len() < mount.calls().len(), "{service:?}: {connections:?}");
            mount.expect_no_complaints();
        }
        // More than a request may have, though each text is short.
        let large: Vec<String> = (0..40).map(|number| format!("{number} {}", "ä<&".repeat(1_000))).collect();
        let large: Vec<&str> = large.iter().map(String::as_str).collect();
        let done = outcome(&engine(fakes.deepl(), PATIENT), &large).await;
        assert_eq!(done.failed(&large), NONE);
        fakes.deepl().expect_no_complaints();
    });
}

/// Tags count as well: where the texts of a batch are too many with them, it is halved before it is sent.
#[test]
fn the_largest_batches_are_as_large_as_services_take_them() {
    block(async {
        let fakes = FakeEngines::start().await.unwrap();
        let sources: Vec<String> =
            (0..1_500).map(|number| format!("{{the_name_of_file}} {{count}} {number}{}", " word".repeat(5))).collect();
        let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
        for (service, fewest) in [(Service::GoogleBasic, 20), (Service::GoogleAdvanced, 3), (Service::Azure, 2)] {
            let mount = fakes.mount(service);
            let done = outcome(&engine_of(mount, remote(mount)), &sources).await;
            assert_eq!(done.failed(&sources), NONE, "{service:?}");
            mount.expect_no_complaints();
            let calls = mount.calls().len();
            assert!((fewest..8 * fewest).contains(&calls), "{service:?}: {calls} calls");
        }
    });
}

/// A key that is replaced needs no restart.
#[test]
fn a_key_that_is_replaced_in_its_file_is_taken() {
    block(async {
        for service in Service::ALL {
            let fakes = FakeEngines::start().await.unwrap();
            let mount = fakes.mount(service);
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), "old-key").unwrap();
            let key = EngineKey::of_file(file.path()).unwrap();
            let engines = engine_of(mount, Remote { key: Some(key), max_items: 25, ..remote(mount) });
            std::fs::write(file.path(), format!("{}\n", mount.key())).unwrap();
            let done = outcome(&engines, &["Save"]).await;
            assert_eq!(done.failed(&["Save"]), NONE, "{service:?}: {:?}", done.notes);
            assert_eq!(mount.calls().len(), 1, "{service:?}");

            std::fs::write(file.path(), "wrong-key").unwrap();
            let done = outcome(&engines, &["Save all"]).await;
            assert_eq!(done.failed(&["Save all"]), [("Save all", "engine_unavailable")], "{service:?}");
            assert!(!format!("{:?}", done.notes).contains("wrong-key"), "{:?}", done.notes);
        }
    });
}

/// LibreTranslate calls that a bad request.
#[test]
fn a_service_that_wants_a_key_is_not_asked_again_without_one() {
    block(async {
        let fakes = FakeEngines::start().await.unwrap();
        let mount = fakes.libretranslate();
        let engines = engine_of(mount, Remote { key: None, max_items: 1, ..remote(mount) });
        let done = outcome(&engines, &["Save", "Open"]).await;
        assert_eq!(done.failed(&["Save", "Open"]), [("Save", "engine_unavailable"), ("Open", "engine_unavailable")]);
        assert!(done.notes[0].contains("cannot work as it is set up: it answered 400"), "{:?}", done.notes);
        assert_eq!(mount.calls().len(), 1);
    });
}

/// Languages have the codes of each service.
#[test]
fn services_are_asked_for_languages_by_their_own_codes() {
    block(async {
        for service in
            [Service::DeepL, Service::LibreTranslate, Service::GoogleBasic, Service::GoogleAdvanced, Service::Azure]
        {
            let fakes = FakeEngines::start().await.unwrap();
            let mount = fakes.mount(service);
            let engines = engine(mount, PATIENT);
            let units = [unit(text("Save {name}"))];
            for target in ["de-AT", "zh", "zh-TW", "pt", "pt-PT", "nb", "no"] {
                let mut work = Work::new("en-GB", target, &units);
                work.attempt_all(&engines).await.unwrap();
                assert!(work.finish(None)[0].is_ok(), "{service:?}, {target}");
            }
            mount.expect_no_complaints();
        }
    });
}
