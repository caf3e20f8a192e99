//! Cases: deliveries, and the reactions that a receiver has to show.

use crate::sample::Signed;

/// Something that a receiver has to do.
#[derive(Debug)]
pub struct ReceiverCase {
    /// Stable name.
    pub id: &'static str,
    /// The statements behind it.
    pub covers: &'static [&'static str],
    /// The behaviour of a correct receiver.
    pub says: &'static str,
    /// Its deliveries, and the judgement of the replies.
    pub(crate) act: ExpectedReaction,
}

/// The steps of a case.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ExpectedReaction {
    /// It has to answer 2xx to each.
    Accepts(fn(&CaseInput) -> Vec<Signed>),
    /// It must not answer 2xx to any.
    Refuses(fn(&CaseInput) -> Vec<Signed>),
    /// It should answer 2xx: where it does not, the sender tries again for hours, and in the end disables the webhook.
    ShouldAccept(fn(&CaseInput) -> Vec<Signed>),
    /// It must not answer 2xx, and must answer before the sender gives up.
    ShouldRefuse(fn(&CaseInput) -> Vec<Signed>),
    /// Cannot be seen from outside: nothing is sent, and the reason is told.
    CannotBeSeen(&'static str),
}

/// The data that cases use.
#[derive(Debug)]
pub(crate) struct CaseInput {
    pub(crate) secret: String,
    /// Seconds since 1970, by the receiver's clock as far as its `Date` tells.
    pub(crate) now: i64,
}
