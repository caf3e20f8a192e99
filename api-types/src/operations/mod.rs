//! Operations: a person approves what an agent's key may not do by itself (§5.7, §4).
//!
//! An agent asks with [`Create`], a person decides outside of this API, the agent sees the decision with [`Read`] and
//! repeats the real call with the operation's id. An approval is used up once, in the transaction of the work. It
//! counts for the key that asked, for the kind and target that it names, and up to its `max_credits` and
//! `maxArchivedKeys`.

mod create;
mod operation;
mod read;

pub use create::{Create, CreateBody};
pub use operation::{Operation, OperationKind, OperationStatus, OperationTarget, RequestedBy};
pub use read::{OperationPath, Read, ReadQuery};
