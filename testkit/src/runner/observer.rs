//! Observers of a run.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::check_record::CheckRecord;
use crate::check::Check;

/// An event of a run.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum RunEvent<'a> {
    /// The run of this id has so many checks to run.
    Planned(&'a str, usize),
    /// The run will take about so long, in so many lanes.
    WillTake(Duration, usize),
    /// A sentence for people.
    Note(&'a str),
    /// A check begins.
    Began(&'a Check),
    /// A check has ended.
    Ended(&'a CheckRecord),
}

type Callback = dyn Fn(RunEvent<'_>) + Send + Sync;

/// Is told what happens in a run, while it goes on.
#[derive(Clone, Default)]
pub struct Observer(Option<Arc<Callback>>);

impl Observer {
    /// Tells `look` everything.
    pub fn new(look: impl Fn(RunEvent<'_>) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(look)))
    }

    pub(crate) fn tell(&self, event: RunEvent<'_>) {
        if let Some(look) = &self.0 {
            look(event);
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Observer" } else { "Observer(nobody)" })
    }
}
