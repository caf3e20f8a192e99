//! Judges a *receiver* of webhooks: plays the sender, and says what a correct receiver does and whether this one did.

mod case;
mod cases;
mod send;
mod target;

use serde::Serialize;

pub use self::case::ReceiverCase;
use self::case::{CaseInput, ExpectedReaction};
pub use self::cases::CASES;
use self::send::{ReceiverReply, Sender};
pub use self::target::ReceiverTarget;
use crate::outcome::Status;

/// The result of a case.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Judgement {
    /// Its name.
    pub id: &'static str,
    /// The statements behind it.
    pub covers: &'static [&'static str],
    /// The behaviour of a correct receiver.
    pub says: &'static str,
    /// Its outcome.
    pub status: Status,
    /// False if no sender can see whether the receiver does it: then its status is always [`Status::NotRun`].
    pub can_be_seen: bool,
    /// The receiver's behaviour, in words.
    pub saw: String,
}

/// Runs every case against a receiver, one after the other.
///
/// A refusal counts only if the receiver accepts valid deliveries: otherwise it may refuse everything.
///
/// # Errors
///
/// Returns an error if the URL or the certificates cannot be used, or the receiver cannot be reached.
pub async fn judge(target: &ReceiverTarget) -> Result<Vec<Judgement>, String> {
    let sender = Sender::new(target)?;
    let mut accepts = false;
    let mut ahead = 0;
    let mut judged = Vec::new();
    for (place, case) in CASES.iter().enumerate() {
        let now = (crate::session::system_now() + ahead) / 1000;
        let stage = CaseInput { secret: target.secret.expose().to_owned(), now };
        let deliveries = match case.act {
            ExpectedReaction::Accepts(make)
            | ExpectedReaction::Refuses(make)
            | ExpectedReaction::ShouldAccept(make)
            | ExpectedReaction::ShouldRefuse(make) => make(&stage),
            ExpectedReaction::CannotBeSeen(_) => Vec::new(),
        };
        let mut replies = Vec::new();
        for delivery in &deliveries {
            replies.push(sender.send(delivery).await);
        }
        if place == 0 {
            if let Some(ReceiverReply::Unreachable(problem)) = replies.first() {
                return Err(format!("{}: {problem}", target.url));
            }
            accepts = replies.iter().all(ReceiverReply::accepts);
            ahead = sender.ahead();
        }
        judged.push(outcome(case, &replies, accepts));
    }
    Ok(judged)
}

fn outcome(case: &ReceiverCase, replies: &[ReceiverReply], accepts: bool) -> Judgement {
    let all_accepted = replies.iter().all(ReceiverReply::accepts);
    let one_accepted = replies.iter().any(ReceiverReply::accepts);
    let all_answered = replies.iter().all(ReceiverReply::answers);
    let status = match case.act {
        ExpectedReaction::CannotBeSeen(_) => Status::NotRun,
        ExpectedReaction::Accepts(_) if all_accepted => Status::Pass,
        ExpectedReaction::Accepts(_) => Status::Fail,
        ExpectedReaction::ShouldAccept(_) if all_accepted => Status::Pass,
        ExpectedReaction::ShouldAccept(_) => Status::Warn,
        ExpectedReaction::Refuses(_) | ExpectedReaction::ShouldRefuse(_) if !accepts => Status::NotRun,
        ExpectedReaction::Refuses(_) if one_accepted => Status::Fail,
        // One that fails at what is wrong does not refuse it.
        ExpectedReaction::Refuses(_) if !all_answered => Status::Warn,
        ExpectedReaction::Refuses(_) => Status::Pass,
        ExpectedReaction::ShouldRefuse(_) if one_accepted || !all_answered => Status::Warn,
        ExpectedReaction::ShouldRefuse(_) => Status::Pass,
    };
    let saw: Vec<String> = replies.iter().map(ToString::to_string).collect();
    let saw = if let ExpectedReaction::CannotBeSeen(why) = case.act {
        why.to_owned()
    } else if status == Status::NotRun {
        "it does not accept what is in order, so its refusals say nothing".to_owned()
    } else {
        saw.join(", then ")
    };
    let can_be_seen = !matches!(case.act, ExpectedReaction::CannotBeSeen(_));
    Judgement { id: case.id, covers: case.covers, says: case.says, status, can_be_seen, saw }
}
