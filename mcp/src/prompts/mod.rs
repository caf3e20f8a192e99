//! The prompts, one file each.

mod localize_change;
mod prepare_release;
mod review_language;

use crate::prompt::Prompt;

/// Every prompt.
pub(crate) const ALL: &[Prompt] = &[localize_change::PROMPT, review_language::PROMPT, prepare_release::PROMPT];
