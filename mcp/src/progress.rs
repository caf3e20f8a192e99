//! Progress notifications, where the client asked for them.

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use tokio::time::Instant;

/// Shortest time between two notifications.
const PAUSE: Duration = Duration::from_secs(1);

/// Reports of one call.
#[derive(Debug)]
pub(crate) struct Progress<'a> {
    peer: &'a Peer<RoleServer>,
    token: Option<ProgressToken>,
    last: Option<(Instant, String)>,
    reported: f64,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(context: &'a RequestContext<RoleServer>) -> Self {
        Self { peer: &context.peer, token: context.meta.get_progress_token(), last: None, reported: -1.0 }
    }

    /// Returns true if somebody listens.
    pub(crate) fn is_wanted(&self) -> bool {
        self.token.is_some()
    }

    /// Reports, unless nothing changed or the last report was a moment ago. The protocol wants values that grow.
    pub(crate) async fn report(&mut self, done: f64, total: Option<f64>, message: String) {
        let Some(token) = &self.token else { return };
        let is_news = match &self.last {
            None => true,
            Some((at, last)) => *last != message && at.elapsed() >= PAUSE,
        };
        if !is_news || done <= self.reported {
            return;
        }
        let mut notification = ProgressNotificationParam::new(token.clone(), done).with_message(message.clone());
        notification.total = total;
        // A client that is gone needs no report.
        let _ = self.peer.notify_progress(notification).await;
        self.last = Some((Instant::now(), message));
        self.reported = done;
    }
}
