//! The array that a PHP file returns, as a tree whose parts know their places.

use std::ops::Range;

use super::JOINED;
use super::lex::{Lexer, Token};
use super::numbers::{Indexes, constant};
use crate::files::spliced::ScanError;

/// Arrays in each other: deeper files are refused, so that recursion over them is bounded.
const DEEPEST: usize = 128;

/// A file, read.
pub(super) struct PhpFile {
    pub(super) array: Array,
    /// In the order of the file.
    pub(super) comments: Vec<Range<usize>>,
}

pub(super) struct Array {
    pub(super) items: Vec<ArrayItem>,
    /// An entry has no key of its own.
    pub(super) is_list: bool,
    /// It is written `array(…)`.
    pub(super) is_long: bool,
    /// The text between the brackets.
    pub(super) inside: Range<usize>,
}

pub(super) struct ArrayItem {
    pub(super) start: usize,
    /// The comments between the entry before it and itself.
    pub(super) above: Vec<Range<usize>>,
    /// `None` where it is computed.
    pub(super) name: Option<String>,
    pub(super) name_at: Range<usize>,
    pub(super) value: PhpValue,
    pub(super) at: Range<usize>,
    /// The end of the comma after it.
    pub(super) comma_end: Option<usize>,
}

pub(super) enum PhpValue {
    /// A text and its style.
    Text(String, u8),
    Array(Array),
    Other,
}

struct PhpExpression {
    value: PhpValue,
    at: Range<usize>,
}

/// An array that is not at its end, and the entry of it that is read.
struct Open {
    array: Array,
    indexes: Indexes,
    item: Pending,
}

#[derive(Default)]
struct Pending {
    start: usize,
    above: Vec<Range<usize>>,
    /// The name, if it can be told, and its place.
    key: Option<(Option<String>, Range<usize>)>,
    /// The beginning of the key or value that is read.
    from: usize,
}

enum ExpressionStart {
    Array(Open),
    Whole(PhpExpression),
}

struct Reader<'t> {
    lexer: Lexer<'t>,
    token: Token,
    at: Range<usize>,
    /// The end of the token before.
    before: usize,
    comments: Vec<Range<usize>>,
}

/// Reads a file.
pub(super) fn file(text: &str) -> Result<PhpFile, ScanError> {
    const TAG: &str = "<?php";
    let is_php = text.get(..TAG.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(TAG))
        && text.get(TAG.len()..).is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
    if !is_php {
        return Err(ScanError::at(0, "the file begins with `<?php`"));
    }
    let lexer = Lexer::new(text, TAG.len());
    let mut reader = Reader { lexer, token: Token::End, at: 0..0, before: 0, comments: Vec::new() };
    reader.advance()?;
    while ["declare", "namespace", "use"].into_iter().any(|word| reader.is_word(word)) {
        reader.statement()?;
    }
    if !reader.is_word("return") {
        return Err(reader.fault("the file has no code but one array that it returns: `return [ … ];`"));
    }
    reader.advance()?;
    let is_long = reader.opens_array()?;
    let array = match is_long {
        Some(is_long) => reader.array(is_long)?,
        None => return Err(reader.fault("the file returns an array: `return [ … ];`")),
    };
    match reader.token {
        Token::Semicolon => reader.advance()?,
        Token::CloseTag | Token::End => {}
        _ => return Err(reader.fault("nothing but `;` follows the array that the file returns")),
    }
    let rest = text.get(reader.at.end..).unwrap_or_default();
    let is_end = match reader.token {
        Token::End => true,
        Token::CloseTag => rest.trim().is_empty(),
        _ => false,
    };
    if is_end {
        Ok(PhpFile { array, comments: reader.comments })
    } else {
        Err(reader.fault("nothing follows the array that the file returns"))
    }
}

impl Reader<'_> {
    fn advance(&mut self) -> Result<(), ScanError> {
        self.before = self.at.end;
        (self.token, self.at) = self.lexer.next()?;
        self.comments.extend(self.lexer.comments.iter().cloned());
        Ok(())
    }

    fn fault(&self, message: &str) -> ScanError {
        ScanError::at(self.at.start, message)
    }

    fn code(&self, at: Range<usize>) -> &str {
        self.lexer.text.get(at).unwrap_or_default()
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.token, Token::Word) && self.code(self.at.clone()).eq_ignore_ascii_case(word)
    }

    /// Skips a statement that has no block.
    fn statement(&mut self) -> Result<(), ScanError> {
        let is_use = self.is_word("use");
        loop {
            match self.token {
                Token::Semicolon => return self.advance(),
                Token::Open('{') if is_use => self.advance()?,
                Token::End | Token::CloseTag | Token::Open('{') => {
                    return Err(self.fault("the statement before ends with `;`"));
                }
                _ => self.advance()?,
            }
        }
    }

    /// Reads the beginning of an array, if one begins here; says whether it is written `array(…)`.
    fn opens_array(&mut self) -> Result<Option<bool>, ScanError> {
        if matches!(self.token, Token::Open('[')) {
            self.advance()?;
            return Ok(Some(false));
        }
        if self.is_word("array") {
            self.advance()?;
            if matches!(self.token, Token::Open('(')) {
                self.advance()?;
                return Ok(Some(true));
            }
        }
        Ok(None)
    }

    /// Reads an array to its end, with those in it, without recursion.
    fn array(&mut self, is_long: bool) -> Result<Array, ScanError> {
        let mut open = vec![self.opened(is_long)];
        while let Some(depth) = open.len().checked_sub(1) {
            let mut expression = if matches!(self.token, Token::Close) {
                let end = self.at.start;
                self.advance()?;
                let Some(mut done) = open.pop() else { break };
                done.array.inside.end = end;
                let Some(around) = open.last() else { return Ok(done.array) };
                if self.is_over() {
                    PhpExpression { value: PhpValue::Array(done.array), at: around.item.from..self.before }
                } else {
                    self.terms(around.item.from)?
                }
            } else {
                let Some(top) = open.last_mut() else { break };
                if matches!(self.token, Token::End | Token::CloseTag | Token::Semicolon) {
                    return Err(ScanError::at(top.array.inside.start.saturating_sub(1), "the array is not closed"));
                }
                top.item = Pending {
                    start: self.at.start,
                    above: self.lexer.comments.clone(),
                    key: None,
                    from: self.at.start,
                };
                match self.begun(depth)? {
                    ExpressionStart::Array(array) => {
                        open.push(array);
                        continue;
                    }
                    ExpressionStart::Whole(expression) => expression,
                }
            };
            let Some(top) = open.last_mut() else { break };
            if matches!(self.token, Token::Arrow) && top.item.key.is_none() {
                self.advance()?;
                let name = match expression.value {
                    PhpValue::Text(text, _) => Some(text),
                    PhpValue::Array(_) => return Err(ScanError::at(top.item.start, "an array is no key")),
                    PhpValue::Other => constant(self.code(expression.at.clone())),
                };
                top.indexes.note(name.as_deref());
                top.item.key = Some((name, expression.at));
                top.item.from = self.at.start;
                expression = match self.begun(depth)? {
                    ExpressionStart::Array(array) => {
                        open.push(array);
                        continue;
                    }
                    ExpressionStart::Whole(expression) => expression,
                };
            }
            self.finish(top, expression)?;
        }
        Err(self.fault("the array is not closed"))
    }

    /// An array whose bracket was read.
    fn opened(&self, is_long: bool) -> Open {
        let inside = self.before..self.before;
        let array = Array { items: Vec::new(), is_list: false, is_long, inside };
        Open { array, indexes: Indexes::new(), item: Pending::default() }
    }

    /// Reads an expression, or the beginning of an array.
    fn begun(&mut self, depth: usize) -> Result<ExpressionStart, ScanError> {
        let start = self.at.start;
        match self.opens_array()? {
            Some(_) if depth + 1 >= DEEPEST => {
                Err(ScanError::at(start, format!("arrays lie more than {DEEPEST} deep in each other")))
            }
            Some(is_long) => Ok(ExpressionStart::Array(self.opened(is_long))),
            None => Ok(ExpressionStart::Whole(self.terms(start)?)),
        }
    }

    /// Reads the comma after an entry, and adds it to its array.
    fn finish(&mut self, open: &mut Open, expression: PhpExpression) -> Result<(), ScanError> {
        let Pending { start, above, key, .. } = std::mem::take(&mut open.item);
        let (name, name_at) = match key {
            Some(key) => key,
            None => {
                open.array.is_list = true;
                if self.code(expression.at.clone()).starts_with("...") {
                    open.indexes.note(None);
                }
                (open.indexes.take(), start..start)
            }
        };
        let comma_end = match self.token {
            Token::Comma => {
                self.advance()?;
                Some(self.before)
            }
            Token::Close => None,
            Token::End | Token::CloseTag | Token::Semicolon => {
                return Err(ScanError::at(start, "the array of this entry is not closed"));
            }
            _ => return Err(self.fault("an entry ends with a comma")),
        };
        let (value, at) = (expression.value, expression.at);
        open.array.items.push(ArrayItem { start, above, name, name_at, value, at, comma_end });
        Ok(())
    }

    fn is_over(&self) -> bool {
        matches!(
            self.token,
            Token::Comma | Token::Close | Token::Semicolon | Token::End | Token::CloseTag | Token::Arrow
        )
    }

    /// Reads strings with `.` between them, or skips what computes.
    fn terms(&mut self, start: usize) -> Result<PhpExpression, ScanError> {
        // What came before, if anything did, was an array or a name.
        let mut is_text = self.at.start == start;
        let (mut text, mut spelling, mut ends, mut open, mut is_function) =
            (String::new(), None, false, 0_usize, false);
        loop {
            match &self.token {
                Token::End | Token::CloseTag => break,
                Token::Comma | Token::Close | Token::Semicolon if open == 0 => break,
                Token::Arrow if open == 0 && !is_function => break,
                Token::Open(_) => (open, is_text) = (open + 1, false),
                Token::Close => open -= 1,
                Token::Text(Some(literal)) if is_text && !ends => {
                    text.push_str(&literal.text);
                    (spelling, ends) = (Some(spelling.map_or(literal.spelling, |_| JOINED)), true);
                }
                Token::Dot if ends => ends = false,
                Token::Word => {
                    let word = self.code(self.at.clone()).to_ascii_lowercase();
                    is_function |= matches!(word.as_str(), "fn" | "function");
                    is_text = false;
                }
                _ => is_text = false,
            }
            self.advance()?;
        }
        if self.at.start == start {
            return Err(self.fault("a key or a value is missing here"));
        }
        let value = match spelling.filter(|_| is_text && ends) {
            Some(spelling) => PhpValue::Text(text, spelling),
            None => PhpValue::Other,
        };
        Ok(PhpExpression { value, at: start..self.before })
    }
}
