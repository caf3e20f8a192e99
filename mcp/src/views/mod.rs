//! The service's facts as models read them, in the results of tools and in resources.

pub(crate) mod document;
pub(crate) mod key;
pub(crate) mod language;
pub(crate) mod plural;
pub(crate) mod project;
