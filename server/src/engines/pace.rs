//! The pace at which an engine is asked: its seats and its pauses. All jobs of a process share them, whatever chain they have.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::pause::Pauses;
use super::seats::{Seat, Seats};
use super::{Batch, EngineError, TextSegment, Translator, UnitError};

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
        let answer = self.engine.translate(batch).await;
        match &answer {
            Ok(_) => self.pauses.answered(asked),
            Err(error) => self.pauses.note(self.engine.name(), error, asked),
        }
        drop(seat);
        answer
    }

    /// Waits for a seat, and for the end of the pause that the service asked for: meanwhile nobody else may ask it either.
    async fn admission(&self, asker: &Asker) -> Seat {
        let seat = self.seats.take(&asker.of).await;
        self.pauses.waited(Instant::now() + asker.longest_pause).await;
        seat
    }
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

    use super::*;
    use crate::engines::BatchLimits;

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
