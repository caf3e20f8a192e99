//! Questions whether something is there that a stranger has named: a key, or a project.
//!
//! Anyone may ask for as many as he can invent. All that are asked at a time are answered together, by one transaction after
//! another, so that they never hold more than one connection, and who asks for what is there waits for two of these
//! transactions at most, however many others ask for what is not.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::domain::ServiceError;
use crate::request_windows::Budget;
use crate::store::api_keys::{self, KeyWithProject};
use crate::store::{Store, StoreError, projects};

/// Questions that one transaction answers at most.
const AT_ONCE: usize = 1_000;

/// Time limit of one transaction.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A name from an unauthenticated request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum LookupName {
    /// The key whose text has this hash.
    Key([u8; 32]),
    /// The project whose requests a budget counts.
    Project(Budget),
}

/// The result for a name that exists.
#[derive(Debug, Clone)]
enum LookupResult {
    Key(Box<KeyWithProject>),
    Project,
}

/// Questions that wait for their answer. Cheap to clone; all clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Lookups(Arc<Mutex<LookupQueue>>);

#[derive(Debug, Default)]
struct LookupQueue {
    asked: Vec<PendingLookup>,
    is_answering: bool,
}

#[derive(Debug)]
struct PendingLookup {
    about: LookupName,
    answer: oneshot::Sender<Option<LookupResult>>,
}

impl Lookups {
    /// The key whose text has this hash; `None` where it is not there or is revoked.
    pub(super) async fn key(&self, store: &Store, hash: [u8; 32]) -> Result<Option<KeyWithProject>, ServiceError> {
        Ok(match self.ask(store, LookupName::Key(hash)).await? {
            Some(LookupResult::Key(key)) => Some(*key),
            Some(LookupResult::Project) | None => None,
        })
    }

    /// Returns true if the project exists whose requests a budget counts.
    pub(super) async fn is_there(&self, store: &Store, budget: &Budget) -> Result<bool, ServiceError> {
        Ok(self.ask(store, LookupName::Project(budget.clone())).await?.is_some())
    }

    async fn ask(&self, store: &Store, about: LookupName) -> Result<Option<LookupResult>, ServiceError> {
        let (answer, answered) = oneshot::channel();
        let is_answering = {
            let mut waiting = self.lock();
            waiting.asked.push(PendingLookup { about, answer });
            mem::replace(&mut waiting.is_answering, true)
        };
        if !is_answering {
            tokio::spawn(LookupTask { lookups: self.clone(), has_ended: false }.run(store.clone()));
        }
        // The answer is dropped where the store has none.
        answered.await.map_err(|_| StoreError::no_answer().into())
    }

    fn lock(&self) -> MutexGuard<'_, LookupQueue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The task that answers, as long as there are questions. Whoever asks when it has ended begins another.
struct LookupTask {
    lookups: Lookups,
    has_ended: bool,
}

impl Drop for LookupTask {
    fn drop(&mut self) {
        if !self.has_ended {
            // The task has failed, and those who wait with it.
            *self.lookups.lock() = LookupQueue::default();
        }
    }
}

impl LookupTask {
    async fn run(mut self, store: Store) {
        while let Some(questions) = self.next() {
            let found = timeout(TIMEOUT, look_up(&store, &questions)).await;
            match found.unwrap_or_else(|_| Err(StoreError::no_answer())) {
                Ok(found) => {
                    for question in questions {
                        // Whoever asked may have gone away.
                        let _ = question.answer.send(found.get(&question.about).cloned());
                    }
                }
                Err(error) => tracing::warn!(?error, "cannot look up keys and projects"),
            }
        }
    }

    /// The next questions. Finding that there are none ends the task, in one step: who asks after that begins another.
    fn next(&mut self) -> Option<Vec<PendingLookup>> {
        let mut waiting = self.lookups.lock();
        waiting.asked.retain(|question| !question.answer.is_closed());
        let several = waiting.asked.len().min(AT_ONCE);
        waiting.is_answering = several > 0;
        self.has_ended = several == 0;
        (several > 0).then(|| waiting.asked.drain(..several).collect())
    }
}

/// Looks the names up, and returns the existing ones.
async fn look_up(store: &Store, questions: &[PendingLookup]) -> Result<HashMap<LookupName, LookupResult>, StoreError> {
    let (mut keys, mut ids, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for question in questions {
        match &question.about {
            LookupName::Key(hash) => keys.push(hash),
            LookupName::Project(Budget::Project(id)) => ids.push(id.as_str()),
            LookupName::Project(Budget::Named(name)) => names.extend(name.split_once('/')),
        }
    }
    let mut tx = store.begin_brief_read().await?;
    let mut found = HashMap::new();
    for key in api_keys::with_projects(&mut tx, &keys).await? {
        found.insert(LookupName::Key(key.hash), LookupResult::Key(Box::new(key)));
    }
    for (id,) in projects::existing(&mut tx, &ids).await? {
        found.insert(LookupName::Project(Budget::Project(id)), LookupResult::Project);
    }
    for (handle, slug, _) in projects::named(&mut tx, &names).await? {
        found.insert(LookupName::Project(Budget::Named(format!("{handle}/{slug}"))), LookupResult::Project);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::Pseudo;
    use crate::testing::{TestApp, TestStore};

    /// Whatever strangers name, they hold one connection.
    #[tokio::test]
    async fn all_that_is_asked_at_a_time_waits_for_one_transaction() {
        let store = TestStore::sqlite().await;
        let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
        let lookups = Lookups::default();
        let mut held = Vec::new();
        while let Ok(tx) = timeout(Duration::from_millis(50), store.begin_read()).await {
            held.push(tx.unwrap());
        }
        let about = |number: usize| match number {
            7 => LookupName::Project(Budget::Project(app.project.id.to_string())),
            8 => LookupName::Project(Budget::Named(format!("{}/{}", app.project.handle, app.project.slug))),
            9 => LookupName::Key(crate::ids::ApiKeyText::parse(&app.project.keys.read).unwrap().hash()),
            _ if number.is_multiple_of(2) => LookupName::Key([u8::try_from(number % 256).unwrap(); 32]),
            _ => LookupName::Project(Budget::Named(format!("made/up-{number}"))),
        };
        let ask = |number: usize| {
            let (lookups, store, about) = (lookups.clone(), (*store).clone(), about(number));
            tokio::spawn(async move { lookups.ask(&store, about).await.unwrap().is_some() })
        };
        let until = async |fits: fn(&LookupQueue) -> bool| {
            while !fits(&lookups.lock()) {
                tokio::task::yield_now().await;
            }
        };
        let mut asked = vec![ask(0)];
        until(|waiting| waiting.is_answering && waiting.asked.is_empty()).await;
        asked.extend((1..500).map(ask));
        // None of these waits for a connection.
        until(|waiting| waiting.asked.len() == 499).await;
        drop(held);
        for (number, asked) in asked.into_iter().enumerate() {
            assert_eq!(asked.await.unwrap(), (7..10).contains(&number), "{number}");
        }
        until(|waiting| !waiting.is_answering).await;
    }

    #[tokio::test]
    async fn a_datastore_that_is_away_is_an_error_and_the_next_question_is_asked_anew() {
        let store = TestStore::sqlite().await;
        let lookups = Lookups::default();
        store.close().await;
        for _ in 0..2 {
            let asked = lookups.key(&store, [1; 32]).await;
            assert!(matches!(asked, Err(ServiceError::Unavailable { .. })), "{asked:?}");
        }
    }
}
