//! Reading of bodies and query parameters into the types of the API, strictly: what serde alone would let through
//! (duplicate members, arrays in place of objects, unknown fields, NUL) is refused, and every refusal says where.
//!
//! The input is first parsed into a [`Tree`], which keeps duplicates, and then read by a serde `Deserializer` that
//! knows the path it stands at and the fields that the type has.

mod fault;
mod place;
mod read;
mod tree;

pub(crate) use fault::InputError;
pub(crate) use read::{Strictness, read};
pub(crate) use tree::Tree;
#[cfg(test)]
mod worst;
