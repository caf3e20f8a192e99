//! The search for the way in which a path matches a pattern.

use std::collections::HashSet;

use super::grammar::Spelling;
use super::pattern::PatternToken;

/// Most places of a path that are tried before a pattern counts as one that does not match.
const MOST_PLACES: usize = 100_000;

/// Longest language tag that is looked for.
const LONGEST_TAG: usize = 64;

/// The start of a placeholder's value in the path, and its length.
pub(super) type CapturedSpan = Option<(usize, usize)>;

/// A state of the search: the number of remaining tokens, the place in the path, and the values captured by then.
type SearchState = (usize, usize, CapturedSpan, CapturedSpan);

/// A search for the way in which a path matches, and the values that it has captured.
#[derive(Default)]
pub(super) struct Matching {
    pub(super) language: CapturedSpan,
    pub(super) namespace: CapturedSpan,
    /// Places at which the search has failed already. Without them, patterns of several wildcards take time that grows
    /// with every further one.
    failed: HashSet<SearchState>,
}

impl Matching {
    /// The way in which a path matches.
    pub(super) fn of(tokens: &[PatternToken], path: &[char]) -> Option<Self> {
        let mut matching = Self::default();
        matching.step(tokens, path, 0).then_some(matching)
    }

    /// Recurses at wildcards and placeholders alone, of which a pattern has few.
    fn step(&mut self, mut tokens: &[PatternToken], path: &[char], mut at: usize) -> bool {
        loop {
            let Some((token, rest)) = tokens.split_first() else { return at == path.len() };
            match token {
                PatternToken::Literal(c) if path.get(at) == Some(c) => {}
                PatternToken::AnyChar if path.get(at).is_some_and(|c| *c != '/') => {}
                PatternToken::Literal(_) | PatternToken::AnyChar => return false,
                _ => break,
            }
            (tokens, at) = (rest, at + 1);
        }
        let place = (tokens.len(), at, self.language, self.namespace);
        let gives_up = self.failed.len() >= MOST_PLACES || self.failed.contains(&place);
        let found = !gives_up && self.wild(tokens, path, at);
        if !found {
            self.failed.insert(place);
        }
        found
    }

    fn wild(&mut self, tokens: &[PatternToken], path: &[char], at: usize) -> bool {
        let Some((token, rest)) = tokens.split_first() else { return false };
        let segment = path[at..].iter().take_while(|c| **c != '/').count();
        match token {
            PatternToken::Literal(_) | PatternToken::AnyChar => false,
            PatternToken::AnyInSegment => (0..=segment).any(|length| self.step(rest, path, at + length)),
            PatternToken::AnyFolders => {
                let starts = path[at..].iter().enumerate().filter(|(_, c)| **c == '/').map(|(index, _)| at + index + 1);
                std::iter::once(at).chain(starts).any(|start| self.step(rest, path, start))
            }
            PatternToken::Language(spelling) => {
                let part = CapturePart::Language(*spelling);
                (2..=segment.min(LONGEST_TAG)).rev().any(|length| self.capture(part, rest, path, at, length))
            }
            PatternToken::Namespace => {
                (1..=segment).rev().any(|length| self.capture(CapturePart::Namespace, rest, path, at, length))
            }
        }
    }

    /// Takes `length` characters as a placeholder's value, if the rest then matches. One value for all its occurrences.
    fn capture(&mut self, part: CapturePart, rest: &[PatternToken], path: &[char], at: usize, length: usize) -> bool {
        let value = &path[at..at + length];
        if let CapturePart::Language(spelling) = part
            && spelling.read(&value.iter().collect::<String>()).is_none()
        {
            return false;
        }
        let slot = match part {
            CapturePart::Language(_) => &mut self.language,
            CapturePart::Namespace => &mut self.namespace,
        };
        if let Some((start, long)) = *slot {
            return path[start..start + long] == *value && self.step(rest, path, at + length);
        }
        *slot = Some((at, length));
        if self.step(rest, path, at + length) {
            return true;
        }
        match part {
            CapturePart::Language(_) => self.language = None,
            CapturePart::Namespace => self.namespace = None,
        }
        false
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CapturePart {
    Language(Spelling),
    Namespace,
}
