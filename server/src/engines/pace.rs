//! The pace at which an engine is asked: its seats and its pauses. All jobs of a process share them, whatever chain they have.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::pause::Pauses;
use super::seats::{Seat, Seats};
use super::{Batch, BatchItem, EngineError, TextSegment, Translator, UnitError};

/// Those who ask an engine, and their patience. Without them it is asked at once.
#[derive(Debug, Clone)]
pub struct Asker {
    /// Those for whom it is asked: seats that several want go to them in turns.
    pub of: Arc<str>,
    /// The longest wait for a service that asks for a pause.
    pub longest_pause: Duration,
    /// Cancelled, it waits no longer for its first answer.
    pub gives_up: CancellationToken,
}

/// An engine with its pace.
pub(crate) struct Paced {
    pub(super) engine: Arc<dyn Translator>,
    seats: Seats,
    pauses: Pauses,
}

impl Paced {
    pub(super) fn new(engine: Arc<dyn Translator>) -> Arc<Self> {
        let seats = Seats::new(engine.at_once());
        Arc::new(Self { engine, seats, pauses: Pauses::default() })
    }

    /// Asks the engine, once it has a seat and no pause. Nobody gives up where an earlier batch was answered.
    async fn translate(&self, batch: &Batch, asker: Option<&Asker>, is_begun: bool) -> Results {
        if let Some(reason) = self.pauses.reason() {
            return Err(reason);
        }
        let seat = match asker {
            None => None,
            Some(asker) if is_begun => Some(self.admission(asker).await),
            Some(asker) => {
                let admitted = asker.gives_up.run_until_cancelled(self.admission(asker)).await;
                let given_up = || EngineError::Unavailable("the server is about to end".to_owned());
                // Both may have come at once.
                Some(admitted.filter(|_| !asker.gives_up.is_cancelled()).ok_or_else(given_up)?)
            }
        };
        // It may have come meanwhile.
        if let Some(reason) = self.pauses.reason() {
            return Err(reason);
        }
        let asked = Instant::now();
        let answer = match self.engine.translate(batch).await {
            Err(EngineError::Barred(said)) => Err(self.judged(batch, said).await),
            answer => answer,
        };
        match &answer {
            Ok(_) => self.pauses.answered(asked),
            Err(error) => self.pauses.note(self.engine.name(), error, asked),
        }
        drop(seat);
        answer
    }

    /// The fault of a batch that was not let through. If a text that nobody minds is let through, the batch has a text that is not,
    /// and that is no reason for a pause: everybody else would have to bear it.
    async fn judged(&self, batch: &Batch, said: String) -> EngineError {
        match self.engine.translate(&harmless(batch)).await {
            Ok(_) => EngineError::BadItem(said),
            Err(EngineError::Barred(_)) => EngineError::Misconfigured(said),
            Err(error) => error,
        }
    }

    /// Waits for a seat, and for the end of the pause that the service asked for: meanwhile nobody else may ask it either.
    async fn admission(&self, asker: &Asker) -> Seat {
        let seat = self.seats.take(&asker.of).await;
        self.pauses.waited(Instant::now() + asker.longest_pause).await;
        seat
    }
}

/// A batch of a text that nobody minds, in the languages of this one.
fn harmless(batch: &Batch) -> Batch {
    let item = BatchItem::of(vec![TextSegment::Text("OK".to_owned())]);
    let (source, target) = (batch.source.clone(), batch.target.clone());
    Batch { source, target, style: None, service_glossary: None, items: vec![item] }
}

type Results = Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError>;

/// An engine as work asks it: with its pace, or without one.
#[derive(Clone, Copy)]
pub(super) enum PacedEngine<'e> {
    Bare(&'e dyn Translator),
    Paced(&'e Paced),
}

impl<'e> PacedEngine<'e> {
    /// The engine itself.
    pub(super) fn engine(self) -> &'e dyn Translator {
        match self {
            Self::Bare(engine) => engine,
            Self::Paced(paced) => &*paced.engine,
        }
    }

    pub(super) async fn ask(self, batch: &Batch, asker: Option<&Asker>, is_begun: bool) -> Results {
        match self {
            Self::Bare(engine) => engine.translate(batch).await,
            Self::Paced(paced) => paced.translate(batch, asker, is_begun).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;
    use futures_util::FutureExt as _;
    use l10n_api_types::Content;
    use l10n_formats::text::checks::Facts;

    use super::*;
    use crate::engines::pipeline::{SourceText, Work};
    use crate::engines::{BatchLimits, Engines};

    /// Asks for an hour's pause the first time, and counts what it is asked.
    #[derive(Default)]
    struct Slow(AtomicUsize);

    #[async_trait]
    impl Translator for Slow {
        fn name(&self) -> &str {
            "slow"
        }
        fn supports(&self, _: &str, _: &str) -> bool {
            true
        }
        fn limits(&self) -> BatchLimits {
            BatchLimits::of(1, 1)
        }
        async fn translate(&self, _: &Batch) -> Results {
            match self.0.fetch_add(1, Ordering::SeqCst) {
                0 => Err(EngineError::RateLimited { retry_after_seconds: 3_600 }),
                _ => Ok(Vec::new()),
            }
        }
    }

    fn batch() -> Batch {
        Batch {
            source: "en".to_owned(),
            target: "de".to_owned(),
            style: None,
            service_glossary: None,
            items: Vec::new(),
        }
    }

    fn asker(longest_pause: Duration) -> Asker {
        Asker { of: "w".into(), longest_pause, gives_up: CancellationToken::new() }
    }

    /// Is behind something that does not let texts with a word through, and counts the batches.
    struct Barred {
        word: &'static str,
        asked: AtomicUsize,
    }

    #[async_trait]
    impl Translator for Barred {
        fn name(&self) -> &str {
            "barred"
        }
        fn supports(&self, _: &str, _: &str) -> bool {
            true
        }
        fn limits(&self) -> BatchLimits {
            BatchLimits::of(100, 10_000)
        }
        async fn translate(&self, batch: &Batch) -> Results {
            self.asked.fetch_add(1, Ordering::SeqCst);
            let has_word = |item: &BatchItem| item.segments.iter().any(|part| part.original().contains(self.word));
            if batch.items.iter().any(has_word) {
                return Err(EngineError::Barred("it answered 403".to_owned()));
            }
            Ok(batch.items.iter().map(|item| Ok(item.segments.clone())).collect())
        }
    }

    /// Before, one text that a firewall minds had all tenants wait for a minute.
    #[tokio::test]
    async fn a_text_that_is_not_let_through_fails_alone() {
        let engine = Arc::new(Barred { word: "<script>", asked: AtomicUsize::new(0) });
        let engines = Engines::from(Arc::clone(&engine) as Arc<dyn Translator>);
        let texts = ["Save", "Print", "Alert <script>", "Close"];
        let units = texts.map(|text| SourceText {
            content: Content::Text(text.to_owned()),
            description: None,
            facts: Facts::default(),
        });
        for wanted in [&units[..], &units[2..3], &units[..2]] {
            let mut work = Work::new("en", "en", wanted);
            work.attempt_all(&engines).await.unwrap();
            let codes: Vec<_> =
                work.finish(None).into_iter().map(|made| made.err().map(|error| error.code())).collect();
            let expected = wanted.iter().map(|unit| (*unit == units[2]).then_some("engine_refused"));
            assert_eq!(codes, expected.collect::<Vec<_>>());
        }
        // Of four texts: all, two, two, one and one; then the one; then two. Three of these batches, and the one, with a harmless text.
        assert_eq!(engine.asked.load(Ordering::SeqCst), 7 + 4);
    }

    #[tokio::test]
    async fn an_engine_that_lets_nothing_through_pauses() {
        let engine = Arc::new(Barred { word: "", asked: AtomicUsize::new(0) });
        let paced = Paced::new(Arc::clone(&engine) as Arc<dyn Translator>);
        for _ in 0..3 {
            let answer = paced.translate(&harmless(&batch()), None, false).await;
            assert_eq!(answer, Err(EngineError::Misconfigured("it answered 403".to_owned())));
        }
        assert_eq!(engine.asked.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn the_pause_that_a_service_asks_for_holds_for_all_who_ask() {
        let engine = Arc::new(Slow::default());
        let paced = Paced::new(Arc::clone(&engine) as Arc<dyn Translator>);
        let patient = asker(Duration::from_secs(60));
        paced.translate(&batch(), Some(&patient), false).await.unwrap_err();
        assert!(paced.translate(&batch(), Some(&patient), false).now_or_never().is_none(), "it waits");
        assert_eq!(engine.0.load(Ordering::SeqCst), 1);
        let batch_of_another = batch();
        let mut waiting = pin!(paced.translate(&batch_of_another, Some(&patient), false));
        assert!(waiting.as_mut().now_or_never().is_none());
        // Nobody waits for longer than is bearable.
        assert_eq!(paced.translate(&batch(), Some(&asker(Duration::ZERO)), false).await, Ok(Vec::new()));
        // It answers again, so that nobody has to wait for the hour any more.
        assert_eq!(waiting.as_mut().now_or_never(), Some(Ok(Vec::new())));
        assert!(paced.translate(&batch(), Some(&patient), false).now_or_never().is_some());
    }

    #[tokio::test]
    async fn a_pause_lasts_as_long_as_the_service_says_last() {
        let slow = |seconds| EngineError::RateLimited { retry_after_seconds: seconds };
        let pauses = Pauses::default();
        let is_over = || pauses.waited(Instant::now() + Duration::from_secs(60)).now_or_never().is_some();
        let (early, late) = (Instant::now(), Instant::now() + Duration::from_secs(3_600));
        pauses.note("slow", &slow(3_600), early);
        pauses.answered(early - Duration::from_secs(1));
        assert!(!is_over(), "that request came before the pause");
        pauses.note("slow", &slow(0), early - Duration::from_secs(1));
        assert!(!is_over(), "so did this one");
        pauses.note("slow", &slow(0), late);
        assert!(is_over(), "the service was asked again");
    }

    #[tokio::test]
    async fn who_gives_up_does_not_ask_unless_an_answer_is_there() {
        let engine = Arc::new(Slow(AtomicUsize::new(1)));
        let paced = Paced::new(Arc::clone(&engine) as Arc<dyn Translator>);
        let gone = asker(Duration::ZERO);
        gone.gives_up.cancel();
        assert!(matches!(paced.translate(&batch(), Some(&gone), false).await, Err(EngineError::Unavailable(_))));
        assert_eq!(engine.0.load(Ordering::SeqCst), 1);
        assert_eq!(paced.translate(&batch(), Some(&gone), true).await, Ok(Vec::new()));
    }
}
