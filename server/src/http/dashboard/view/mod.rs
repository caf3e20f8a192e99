//! Parts of pages. They know texts and looks, and nothing of what the rules decide.

pub(super) mod comparison;
pub(super) mod differences;
pub(super) mod field;
pub(super) mod filter;
pub(super) mod hostile;
pub(super) mod layout;
pub(super) mod parts;
pub(super) mod table;
pub(super) mod time;
