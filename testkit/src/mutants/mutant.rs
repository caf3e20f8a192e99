//! A deviation, and the place where it is planted.

use super::delivery::{RelayAction, Relayed};
use super::exchange::{ApiAnswer, ApiRequest, ProxyState};

/// One deviation.
#[derive(Debug)]
pub struct Mutant {
    /// Lower snake case, stable.
    pub id: &'static str,
    /// The statement that it breaks.
    pub breaks: &'static str,
    /// The behaviour of such a server.
    pub says: &'static str,
    /// The checks that have to fail on it. Each covers the statement that it breaks: a failure for another reason kills nothing.
    pub killed_by: &'static [&'static str],
    /// The place and code of the deviation.
    pub plant: Plant,
}

/// The place where a deviation is planted.
#[derive(Clone, Copy)]
pub enum Plant {
    /// Before the API: changes a request before the server sees it.
    Request(fn(&mut ApiRequest, &ProxyState)),
    /// Before the API: answers in the server's place, where it gives an answer.
    Instead(fn(&ApiRequest, &ProxyState) -> Option<ApiAnswer>),
    /// Before the API: changes the server's answer.
    Answer(fn(&ApiRequest, &mut ApiAnswer, &ProxyState)),
    /// Before the API: each of them where it is needed.
    Both(fn(&mut ApiRequest, &ProxyState), fn(&ApiRequest, &mut ApiAnswer, &ProxyState)),
    /// Between the server and the suite's receiver.
    Delivery(fn(&mut Relayed) -> RelayAction),
    /// In the numbers of the server's rules: what its lab reads from `L10N_LAB_RULES`, as JSON.
    Rules(&'static str),
    /// In the server's settings: networks that may be reached although they are not public.
    Allows(&'static [&'static str]),
}

impl std::fmt::Debug for Plant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Request(_) | Self::Instead(_) | Self::Answer(_) | Self::Both(..) => "before the API",
            Self::Delivery(_) => "before the receiver",
            Self::Rules(_) => "in the rules",
            Self::Allows(_) => "in the settings",
        })
    }
}
