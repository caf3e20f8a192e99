//! The tokens of PHP code.

use std::ops::Range;

use super::literal::{self, Literal};
use crate::files::spliced::ScanError;

/// Strings in the expressions of strings: deeper ones are refused, so that recursion is bounded.
const DEEPEST: usize = 16;

/// A part of the code that is neither blank nor comment.
#[derive(Debug)]
pub(super) enum Token {
    /// `(`, `[` or `{`.
    Open(char),
    /// `)`, `]` or `}`.
    Close,
    Comma,
    Semicolon,
    /// `=>`
    Arrow,
    /// `.`
    Dot,
    /// A string; `None` if it interpolates, or holds no text.
    Text(Option<Literal>),
    /// A name, a number or a variable.
    Word,
    /// Another sign.
    Sign,
    /// `?>`
    CloseTag,
    End,
}

/// Reads code token by token.
#[derive(Debug)]
pub(super) struct Lexer<'t> {
    pub(super) text: &'t str,
    /// The end of what was read.
    pub(super) at: usize,
    /// Comments before the last token and after the one before it.
    pub(super) comments: Vec<Range<usize>>,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str, at: usize) -> Self {
        Self { text, at, comments: Vec::new() }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next token and its place.
    pub(super) fn next(&mut self) -> Result<(Token, Range<usize>), ScanError> {
        self.comments.clear();
        self.token(0)
    }

    fn token(&mut self, depth: usize) -> Result<(Token, Range<usize>), ScanError> {
        self.skip_blanks()?;
        let start = self.at;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok((Token::End, start..start)) };
        let (token, length) = match first {
            '(' | '[' | '{' => (Token::Open(first), 1),
            ')' | ']' | '}' => (Token::Close, 1),
            ',' => (Token::Comma, 1),
            ';' => (Token::Semicolon, 1),
            '=' if rest.starts_with("=>") => (Token::Arrow, 2),
            '?' if rest.starts_with("?>") => (Token::CloseTag, 2),
            '.' if rest.starts_with("...") => (Token::Sign, 3),
            '.' if rest.starts_with(".=") => (Token::Sign, 2),
            '.' if rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit) => (Token::Word, number(rest)),
            '.' => (Token::Dot, 1),
            '\'' => return self.single(),
            '"' | '`' => return self.quoted(first, depth),
            '<' if rest.starts_with("<<<") => match self.heredoc()? {
                Some(found) => return Ok(found),
                None => (Token::Sign, 3),
            },
            first if first.is_ascii_digit() => (Token::Word, number(rest)),
            first if is_name(first) || first == '$' => {
                let rest = rest.get(first.len_utf8()..).unwrap_or_default();
                (Token::Word, first.len_utf8() + rest.find(|c| !is_name(c)).unwrap_or(rest.len()))
            }
            first => (Token::Sign, first.len_utf8()),
        };
        self.at = start + length;
        Ok((token, start..self.at))
    }

    /// Skips blanks and comments.
    fn skip_blanks(&mut self) -> Result<(), ScanError> {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_ascii_start().len();
            let rest = self.rest();
            let length = if rest.starts_with("//") || (rest.starts_with('#') && !rest.starts_with("#[")) {
                let line = rest.split('\n').next().unwrap_or(rest);
                line.find("?>").unwrap_or(line.len())
            } else if rest.starts_with("/*") {
                let end = rest.get(2..).and_then(|rest| rest.find("*/"));
                end.ok_or_else(|| ScanError::at(self.at, "the comment is not closed"))? + 4
            } else {
                return Ok(());
            };
            self.comments.push(self.at..self.at + length);
            self.at += length;
        }
    }

    fn single(&mut self) -> Result<(Token, Range<usize>), ScanError> {
        let start = self.at;
        let inside = self.rest().get(1..).unwrap_or_default();
        let mut is_escaped = false;
        let end = inside.bytes().position(|byte| {
            let ends = byte == b'\'' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            ends
        });
        let end = end.ok_or_else(|| ScanError::at(start, "the string is not closed"))?;
        self.at = start + end + 2;
        let text = literal::single(inside.get(..end).unwrap_or_default());
        Ok((Token::Text(Some(Literal { text, spelling: super::SINGLE })), start..self.at))
    }

    /// A string between `"`, or a command between backticks.
    fn quoted(&mut self, quote: char, depth: usize) -> Result<(Token, Range<usize>), ScanError> {
        let start = self.at;
        if depth >= DEEPEST {
            return Err(ScanError::at(start, format!("strings lie more than {DEEPEST} deep in each other")));
        }
        self.at += 1;
        let mut interpolates = quote == '`';
        loop {
            let rest = self.rest();
            let Some(length) = rest.find([quote, '\\', '$', '{']) else {
                return Err(ScanError::at(start, "the string is not closed"));
            };
            self.at += length;
            let rest = self.rest();
            if rest.starts_with(quote) {
                break;
            } else if rest.starts_with('\\') {
                let next = rest.get(1..).and_then(|rest| rest.chars().next());
                self.at += 1 + next.map_or(0, char::len_utf8);
            } else if rest.starts_with("{$") || rest.starts_with("${") {
                interpolates = true;
                self.at += if rest.starts_with("${") { 1 } else { 0 };
                self.braces(depth)?;
            } else {
                interpolates |= literal::interpolates(rest);
                self.at += 1;
            }
        }
        self.at += 1;
        let inside = self.text.get(start + 1..self.at - 1).filter(|_| !interpolates);
        let text = inside.and_then(|inside| literal::unescaped(inside, Some('"')));
        Ok((Token::Text(text.map(|text| Literal { text, spelling: super::DOUBLE })), start..self.at))
    }

    /// Skips an expression between braces, in a string.
    fn braces(&mut self, depth: usize) -> Result<(), ScanError> {
        let start = self.at;
        let mut open = 0_usize;
        loop {
            match self.token(depth + 1)?.0 {
                Token::Open(_) => open += 1,
                Token::Close => open = open.saturating_sub(1),
                Token::End => return Err(ScanError::at(start, "the brace in the string is not closed")),
                _ => {}
            }
            if open == 0 {
                return Ok(());
            }
        }
    }

    /// `<<<NAME`, lines, and the name again. `None` where it is none.
    fn heredoc(&mut self) -> Result<Option<(Token, Range<usize>)>, ScanError> {
        let start = self.at;
        let Some(head) = literal::head(self.rest()) else { return Ok(None) };
        let from = start + head.length;
        let mut line_at = from;
        for line in self.text.get(from..).unwrap_or_default().split_inclusive('\n') {
            let Some(indent) = literal::closes(line, head.label) else {
                line_at += line.len();
                continue;
            };
            self.at = line_at + indent + head.label.len();
            let body = self.text.get(from..line_at).unwrap_or_default();
            let spelling = if head.is_raw { super::NOWDOC } else { super::HEREDOC };
            let indent = self.text.get(line_at..line_at + indent).unwrap_or_default();
            let lines = literal::body(body, indent)
                .ok_or_else(|| ScanError::at(start, "a line of the text is indented less than its end"))?;
            let text = match spelling {
                super::NOWDOC => Some(lines),
                _ if literal::has_interpolation(&lines) => None,
                _ => literal::unescaped(&lines, None),
            };
            return Ok(Some((Token::Text(text.map(|text| Literal { text, spelling })), start..self.at)));
        }
        Err(ScanError::at(start, format!("the text ends with a line `{}`, which is not there", head.label)))
    }
}

/// Returns true for characters of names.
pub(super) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '\\' || !c.is_ascii()
}

/// The length of a number.
fn number(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(text.len())
}
