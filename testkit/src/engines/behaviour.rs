//! The behaviour of a service.

use std::time::Duration;

/// A behaviour of a service. What it does not change of a translation is right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Behaviour {
    /// Translates.
    Translate,
    /// Loses the last placeholder of each text.
    Drop,
    /// Gives the first placeholder of each text twice.
    Double,
    /// Moves all placeholders of a text to its front.
    Move,
    /// Loses the blanks beside placeholders.
    Glue,
    /// Takes what stands in tags out of them.
    Spill,
    /// Writes tags as pairs.
    Pair,
    /// Writes tags in capital letters.
    UpperCaseTags,
    /// Escapes all, tags as well.
    EscapeAll,
    /// Escapes nothing.
    UnescapeAll,
    /// Gives one text too few.
    TooFew,
    /// Gives one text too many.
    TooMany,
    /// Gives the texts in the wrong order.
    Reorder,
    /// Gives the texts back as they are.
    Echo,
    /// Gives empty texts.
    Empty,
    /// Writes a byte order mark before its answer.
    ByteOrderMark,
    /// Answers with this status and its own words for an error.
    Status(u16),
    /// Asks to slow down, after so many seconds where it says that.
    RateLimited(Option<u64>),
    /// Asks to slow down until a date that is so many seconds away.
    RateLimitedUntil(u32),
    /// Says that the quota is used up.
    QuotaExhausted,
    /// Says that it does not know the key.
    Revoked,
    /// Takes at most so many texts.
    AtMost(usize),
    /// Does not take a call with this word in one of its texts.
    NotWith(&'static str),
    /// Translates, and answers after this time.
    Slow(Duration),
    /// Never begins to answer.
    StallHead,
    /// Never ends its answer.
    StallBody,
    /// Breaks off in the middle of its answer.
    CutBody,
    /// Answers with a page of HTML.
    NotJson,
    /// A model: puts its answer into a code fence.
    Fence,
    /// A model: talks before and after its answer.
    Prose,
    /// A model: leaves an id out.
    MissingId,
    /// A model: has an id that was not asked for.
    ExtraId,
    /// A model: has an id twice.
    DoubledId,
    /// A model: stops for its answer is too long, unless it has one text alone.
    Length,
    /// A model: refuses.
    Refusal,
    /// A model: its filter holds the answer back.
    ContentFilter,
    /// A model: its service does not know schemas of answers.
    SchemaRefused,
    /// A model: its service knows no form of answers at all.
    FormRefused,
    /// A model: does not keep to the schema.
    SchemaIgnored,
}

impl Behaviour {
    /// Those that every service has.
    pub const OF_ALL: [Self; 29] = [
        Self::Translate,
        Self::Drop,
        Self::Double,
        Self::Move,
        Self::Glue,
        Self::Spill,
        Self::Pair,
        Self::UpperCaseTags,
        Self::EscapeAll,
        Self::UnescapeAll,
        Self::TooFew,
        Self::TooMany,
        Self::Reorder,
        Self::Echo,
        Self::Empty,
        Self::ByteOrderMark,
        Self::Status(500),
        Self::Status(503),
        Self::Status(504),
        Self::Status(529),
        Self::RateLimited(None),
        Self::RateLimited(Some(1)),
        Self::RateLimitedUntil(1),
        Self::QuotaExhausted,
        Self::Revoked,
        Self::AtMost(1),
        Self::NotWith("invoice"),
        Self::CutBody,
        Self::NotJson,
    ];

    /// Those that take as long as the caller is patient.
    pub const SLOW: [Self; 2] = [Self::StallHead, Self::StallBody];

    /// Those of chat models.
    pub const OF_MODELS: [Self; 11] = [
        Self::Fence,
        Self::Prose,
        Self::MissingId,
        Self::ExtraId,
        Self::DoubledId,
        Self::Length,
        Self::Refusal,
        Self::ContentFilter,
        Self::SchemaRefused,
        Self::FormRefused,
        Self::SchemaIgnored,
    ];
}
