//! Values that a program may offer to a person who types an argument.

use rmcp::ErrorData;
use rmcp::model::{CompleteResult, CompletionInfo};

/// Largest sum of the values of an answer, in characters.
const LARGEST: usize = 20_000;

/// Some values, in their order.
#[derive(Debug, Default)]
pub(crate) struct Completions {
    values: Vec<String>,
    has_more: bool,
}

impl Completions {
    /// As many values as an answer may have. `has_more` says that others exist beyond them.
    pub(crate) fn of(values: impl IntoIterator<Item = String>, has_more: bool) -> Self {
        let mut completions = Self { values: Vec::new(), has_more };
        let mut sum = 0;
        for value in values {
            sum += value.chars().count();
            if completions.values.len() == CompletionInfo::MAX_VALUES || sum > LARGEST {
                completions.has_more = true;
                break;
            }
            completions.values.push(value);
        }
        completions
    }

    pub(crate) fn answer(self) -> Result<CompleteResult, ErrorData> {
        let completion = CompletionInfo::with_pagination(self.values, None, self.has_more);
        completion.map(CompleteResult::new).map_err(|problem| ErrorData::internal_error(problem, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_bounded_and_says_that_there_is_more() {
        let of = |count: usize, length: usize, has_more| {
            let completions = Completions::of((0..count).map(|_| "ä".repeat(length)), has_more);
            (completions.values.len(), completions.has_more)
        };
        assert_eq!(of(0, 1, false), (0, false));
        assert_eq!(of(100, 1, false), (100, false));
        assert_eq!(of(100, 1, true), (100, true));
        assert_eq!(of(101, 1, false), (100, true));
        assert_eq!(of(100, 512, false), (39, true));
    }
}
