//! The DOCTYPE of a file: the entities that it declares. Nothing that it names is ever read.

use super::references::Entities;
use super::{is_blank, is_name};
use crate::files::error::shown;

/// An offset in the DOCTYPE, and a sentence.
type DoctypeError = (usize, String);

/// The entities that a DOCTYPE declares in itself.
pub(super) fn entities(doctype: &str) -> Result<Entities, DoctypeError> {
    let mut cursor = DoctypeReader { text: doctype, at: "<!DOCTYPE".len() };
    let mut entities = Entities::default();
    // The name, and the address of rules for the elements, which nobody here asks for.
    while !cursor.sees("[") && !cursor.sees(">") {
        cursor.token()?;
    }
    if !cursor.takes("[") {
        return Ok(entities);
    }
    loop {
        cursor.blanks();
        let start = cursor.at;
        if cursor.takes("]") {
            return Ok(entities);
        } else if cursor.takes("<!--") {
            cursor.past("-->")?;
        } else if cursor.takes("<?") {
            cursor.past("?>")?;
        } else if cursor.sees("%") {
            return Err((start, "parameter entities are not taken".to_owned()));
        } else if cursor.takes("<!ENTITY") {
            let name = entity(&mut cursor)?;
            entities.declare(name);
        } else if cursor.takes("<!") {
            while !cursor.takes(">") {
                cursor.token()?;
            }
        } else {
            return Err((start, "the DOCTYPE cannot be read".to_owned()));
        }
    }
}

/// Reads `name "value">`.
fn entity<'d>(cursor: &mut DoctypeReader<'d>) -> Result<&'d str, DoctypeError> {
    cursor.blanks();
    let start = cursor.at;
    if cursor.sees("%") {
        return Err((start, "parameter entities are not taken".to_owned()));
    }
    let name = cursor.token()?;
    if !is_name(name) {
        return Err((start, format!("{} is no name of an entity", shown(name))));
    }
    cursor.blanks();
    if !cursor.sees("\"") && !cursor.sees("'") {
        return Err((start, format!("the entity {} comes from elsewhere: write its value here", shown(name))));
    }
    let value_at = cursor.at;
    let value = cursor.token()?;
    let none = Entities::default();
    for (at, _) in value.match_indices(['&', '%']) {
        let rest = value.get(at + 1..).unwrap_or_default();
        let reference = rest.split_once(';').map(|(reference, _)| reference).filter(|name| name.len() <= 64);
        let is_known =
            value.as_bytes().get(at) == Some(&b'&') && reference.is_some_and(|name| none.check(name).is_ok());
        let is_reference = value.as_bytes().get(at) == Some(&b'&') || reference.is_some_and(is_name);
        if is_reference && !is_known {
            return Err((value_at + at, format!("the entity {} has other entities in it", shown(name))));
        }
    }
    cursor.blanks();
    if cursor.takes(">") { Ok(name) } else { Err((cursor.at, "the DOCTYPE cannot be read".to_owned())) }
}

struct DoctypeReader<'d> {
    text: &'d str,
    at: usize,
}

impl<'d> DoctypeReader<'d> {
    fn rest(&self) -> &'d str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn sees(&self, what: &str) -> bool {
        self.rest().starts_with(what)
    }

    fn takes(&mut self, what: &str) -> bool {
        let is_there = self.sees(what);
        self.at += if is_there { what.len() } else { 0 };
        is_there
    }

    fn blanks(&mut self) {
        self.at += self.rest().bytes().take_while(|byte| is_blank(*byte)).count();
    }

    fn past(&mut self, what: &str) -> Result<(), DoctypeError> {
        let found = self.rest().find(what).ok_or_else(|| (self.at, "the DOCTYPE cannot be read".to_owned()))?;
        self.at += found + what.len();
        Ok(())
    }

    /// A string in quotes or a run of other characters, with the blanks around it; without its quotes.
    fn token(&mut self) -> Result<&'d str, DoctypeError> {
        self.blanks();
        let fault = (self.at, "the DOCTYPE cannot be read".to_owned());
        let rest = self.rest();
        let token = match rest.chars().next() {
            None => return Err(fault),
            Some(quote @ ('"' | '\'')) => {
                let inside = rest.get(1..).and_then(|rest| rest.split_once(quote)).ok_or(fault)?.0;
                self.at += inside.len() + 2;
                inside
            }
            Some(_) => {
                let is_end = |char: char| matches!(char, ' ' | '\t' | '\n' | '\r' | '"' | '\'' | '>' | '[');
                let end = rest.find(is_end).unwrap_or(rest.len());
                if end == 0 {
                    return Err(fault);
                }
                self.at += end;
                rest.get(..end).unwrap_or_default()
            }
        };
        self.blanks();
        Ok(token)
    }
}
