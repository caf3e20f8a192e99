//! The placeables of Fluent: expressions, calls, and choices between variants.

use std::collections::HashSet;
use std::ops::Range;

use super::syntax::{FluentChoice, FluentVariant, Reader};

/// Placeables inside each other, at most.
const DEEPEST: usize = 24;

/// The kind of an expression.
enum ExpressionKind {
    Literal,
    Variable(Range<usize>),
    Message,
    Term,
    TermAttribute,
    Function,
    Placeable { has_choice: bool },
}

/// The inside of a placeable.
pub(super) struct Inside {
    pub choice: Option<FluentChoice>,
    pub has_choice: bool,
}

impl Reader<'_> {
    /// A placeable. Returns true if one was here.
    pub(super) fn placeable(&mut self) -> bool {
        self.placeable_within(0).is_some()
    }

    pub(super) fn placeable_within(&mut self, depth: usize) -> Option<Inside> {
        if depth >= DEEPEST {
            return None;
        }
        self.takes(b'{')?;
        self.blank();
        let kind = self.expression(depth)?;
        self.blank();
        let mut inside =
            Inside { choice: None, has_choice: matches!(kind, ExpressionKind::Placeable { has_choice: true }) };
        if self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(b"->")) {
            self.at += 2;
            let variants = self.variants(depth)?;
            inside.has_choice = true;
            inside.choice = match kind {
                ExpressionKind::Variable(argument) => Some(FluentChoice { argument, variants }),
                ExpressionKind::Literal | ExpressionKind::Function | ExpressionKind::TermAttribute => None,
                ExpressionKind::Message | ExpressionKind::Term | ExpressionKind::Placeable { .. } => return None,
            };
        } else if matches!(kind, ExpressionKind::TermAttribute) {
            return None;
        }
        self.blank();
        self.takes(b'}')?;
        Some(inside)
    }

    fn variants(&mut self, depth: usize) -> Option<Vec<FluentVariant>> {
        let mut variants = Vec::new();
        let mut defaults = 0;
        loop {
            if !self.blank() {
                return None;
            }
            let is_default = self.takes(b'*').is_some();
            if self.peek() != Some(b'[') {
                return (!is_default && defaults == 1).then_some(variants);
            }
            self.takes(b'[')?;
            self.blank();
            let from = self.at;
            if self.identifier().is_none() {
                self.number()?;
            }
            let key = from..self.at;
            self.blank();
            self.takes(b']')?;
            let pattern = self.pattern(depth + 1)??;
            defaults += usize::from(is_default);
            variants.push(FluentVariant { key, is_default, pattern });
        }
    }

    fn number(&mut self) -> Option<()> {
        self.takes(b'-');
        let digits = |reader: &mut Self| {
            let from = reader.at;
            while reader.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                reader.at += 1;
            }
            (reader.at > from).then_some(())
        };
        digits(self)?;
        if self.takes(b'.').is_some() { digits(self) } else { Some(()) }
    }

    fn string(&mut self) -> Option<()> {
        self.takes(b'"')?;
        loop {
            if self.is_at_end() {
                return None;
            }
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b'"' => return Some(()),
                b'\\' => {
                    let digits = match self.peek()? {
                        b'"' | b'\\' => 0,
                        b'u' => 4,
                        b'U' => 6,
                        _ => return None,
                    };
                    let code = self.bytes.get(self.at + 1..self.at + 1 + digits)?;
                    if !code.iter().all(u8::is_ascii_hexdigit) {
                        return None;
                    }
                    self.at += 1 + digits;
                }
                _ => {}
            }
        }
    }

    fn expression(&mut self, depth: usize) -> Option<ExpressionKind> {
        match self.peek()? {
            b'"' => self.string().map(|()| ExpressionKind::Literal),
            b'$' => {
                self.at += 1;
                self.identifier().map(ExpressionKind::Variable)
            }
            b'{' => {
                let has_choice = self.placeable_within(depth + 1)?.has_choice;
                Some(ExpressionKind::Placeable { has_choice })
            }
            b'-' if !self.bytes.get(self.at + 1).is_some_and(u8::is_ascii_digit) => {
                self.at += 1;
                self.identifier()?;
                let has_attribute = self.takes(b'.').is_some();
                if has_attribute {
                    self.identifier()?;
                }
                self.arguments(depth)?;
                Some(if has_attribute { ExpressionKind::TermAttribute } else { ExpressionKind::Term })
            }
            b'-' | b'0'..=b'9' => self.number().map(|()| ExpressionKind::Literal),
            _ => {
                let name = self.identifier()?;
                if self.takes(b'.').is_some() {
                    self.identifier()?;
                    return Some(ExpressionKind::Message);
                }
                let is_called = self.arguments(depth)?;
                let may_be_called = !self.bytes.get(name)?.iter().any(u8::is_ascii_lowercase);
                match (is_called, may_be_called) {
                    (true, true) => Some(ExpressionKind::Function),
                    (true, false) => None,
                    (false, _) => Some(ExpressionKind::Message),
                }
            }
        }
    }

    /// Arguments in brackets. Returns true if there were some.
    fn arguments(&mut self, depth: usize) -> Option<bool> {
        let before = self.at;
        self.blank();
        if self.takes(b'(').is_none() {
            self.at = before;
            return Some(false);
        }
        if depth >= DEEPEST {
            return None;
        }
        let mut named = HashSet::new();
        loop {
            self.blank();
            if self.takes(b')').is_some() {
                return Some(true);
            }
            let from = self.at;
            let name = self.identifier();
            let is_named = name.is_some() && {
                self.blank();
                self.takes(b':').is_some()
            };
            if is_named {
                if !named.insert(self.bytes.get(name?)?) {
                    return None;
                }
                self.blank();
                if self.peek()? == b'"' { self.string()? } else { self.number()? }
            } else if named.is_empty() {
                self.at = from;
                self.expression(depth + 1)?;
            } else {
                return None;
            }
            self.blank();
            if self.takes(b',').is_none() && self.peek()? != b')' {
                return None;
            }
        }
    }
}
