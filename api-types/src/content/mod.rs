//! Documents ("Content"): long texts that are translated segment by segment, without touching their markup.
//!
//! A segment is a block of text (a paragraph, a heading, a cell) and is known by the hash of what it says: an edited
//! paragraph is translated and paid for anew, a moved one is not. A document is pushed with [`Create`] and [`Update`],
//! translated with [`Run`], published with [`publish::Create`](crate::publish::Create) (`target: "content"`) and read with
//! [`Read`].

mod batch;
mod create;
mod document;
mod list;
mod read;
mod run;
mod update;

pub use batch::{DocumentsPushed, LARGEST_BATCH, PushAnswer, PushBody, PushStatus, PushedDocument};
pub use create::{CONTENT_BODY_CAP, Create, NewDocument};
pub use document::{
    Document, DocumentFormat, DocumentLanguage, DocumentPath, DocumentProblem, DocumentState, LiveDocument, LiveFile,
    SegmentCounts, TooLarge,
};
pub use list::{Documents, List, ListQuery};
pub use read::{Read, ReadQuery};
pub use run::{RUN_BODY_CAP, Run, RunBody};
pub use update::{DocumentUpdate, Update};
