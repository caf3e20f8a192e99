//! The modules of a crate, with the paths that each names, read from its tokens. Tokens, not syntax: so the paths inside
//! macro calls are seen as well.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, anyhow};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The path of a module from the root of its crate, or of an item as it is written.
pub(super) type Segments = Vec<String>;

/// A path that a module names.
#[derive(Debug)]
pub(super) struct Mention {
    pub(super) path: Segments,
    pub(super) line: usize,
}

/// A module that is compiled outside of tests.
#[derive(Debug, Default)]
pub(super) struct Module {
    /// The file that contains it.
    pub(super) file: String,
    pub(super) mentions: Vec<Mention>,
    children: BTreeSet<String>,
    items: BTreeSet<String>,
    imports: BTreeMap<String, Segments>,
    globs: Vec<Segments>,
}

/// The modules of a crate by their paths.
#[derive(Debug, Default)]
pub(super) struct Crate {
    pub(super) modules: BTreeMap<Segments, Module>,
}

/// Imports through which a path is followed. Rust allows circles of imports.
const FOLLOWED: usize = 16;

impl Crate {
    /// Reads the crate whose sources lie in `folder`, from its `lib.rs` or `main.rs` on.
    pub(super) fn read(folder: &str, file: &dyn Fn(&str) -> Option<String>) -> Result<Self> {
        let mut read = Self::default();
        let candidates = [format!("{folder}/lib.rs"), format!("{folder}/main.rs")];
        read.add_file(Vec::new(), &candidates, folder, file)?;
        Ok(read)
    }

    fn add_file(
        &mut self,
        module: Segments,
        candidates: &[String],
        folder: &str,
        file: &dyn Fn(&str) -> Option<String>,
    ) -> Result<()> {
        let found = candidates.iter().find_map(|path| Some((path.clone(), file(path)?)));
        let (path, text) = found.with_context(|| format!("there is no {}", candidates.join(" or ")))?;
        let tokens: TokenStream = text.parse().map_err(|error| anyhow!("{path}: {error}"))?;
        self.modules.insert(module.clone(), Module { file: path, ..Module::default() });
        for child in self.scan(&module, tokens, true) {
            let beside = format!("{folder}/{}", child.join("/"));
            self.add_file(child, &[format!("{beside}.rs"), format!("{beside}/mod.rs")], folder, file)?;
        }
        Ok(())
    }

    fn module(&mut self, path: &[String]) -> &mut Module {
        self.modules.entry(path.to_vec()).or_default()
    }

    /// Reads the tokens of a module or of a part of it. Returns the modules that have files of their own.
    fn scan(&mut self, module: &[String], tokens: TokenStream, at_item_level: bool) -> Vec<Segments> {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut files = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            if is_test_attribute(&tokens[at..]) {
                at = after_item(&tokens, at);
                continue;
            }
            match &tokens[at] {
                TokenTree::Group(group) => files.extend(self.scan(module, group.stream(), false)),
                TokenTree::Ident(word) if word == "use" && !is_punct(tokens.get(at + 1), '<') => {
                    let public = is_public(&tokens[..at]);
                    let end = (at..tokens.len()).find(|&at| is_punct(tokens.get(at), ';')).unwrap_or(tokens.len());
                    self.import(module, &tokens[at + 1..end], &mut Vec::new(), public);
                    at = end;
                }
                TokenTree::Ident(word) if word == "mod" && at_item_level => {
                    let Some(TokenTree::Ident(name)) = tokens.get(at + 1) else { break };
                    let child: Segments = module.iter().cloned().chain([name.to_string()]).collect();
                    self.module(module).children.insert(name.to_string());
                    if let Some(TokenTree::Group(body)) = tokens.get(at + 2) {
                        let file = self.module(module).file.clone();
                        self.module(&child).file = file;
                        files.extend(self.scan(&child, body.stream(), true));
                    } else {
                        files.push(child);
                    }
                    at += 2;
                }
                TokenTree::Ident(word) => {
                    if let (true, Some(TokenTree::Ident(name))) = (at_item_level && defines(word), tokens.get(at + 1)) {
                        self.module(module).items.insert(name.to_string());
                    }
                    at = self.mention(module, &tokens, at);
                    continue;
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            at += 1;
        }
        files
    }

    /// Reads the path that begins at `at`. Returns the place behind it.
    fn mention(&mut self, module: &[String], tokens: &[TokenTree], at: usize) -> usize {
        let (path, end) = path_at(tokens, at);
        // The name of a field or of a method is no path.
        let named = path.len() > 1 || !is_punct(tokens.get(end), ':');
        let called = at > 0 && is_punct(tokens.get(at - 1), '.');
        if named && !called {
            let line = tokens[at].span().start().line;
            self.module(module).mentions.push(Mention { path, line });
        }
        end
    }

    /// Reads the tree of a `use` whose first segments are `prefix`.
    fn import(&mut self, module: &[String], tokens: &[TokenTree], prefix: &mut Segments, public: bool) {
        let kept = prefix.len();
        let Some(first) = tokens.first() else { return };
        let line = first.span().start().line;
        let (path, end) = path_at(tokens, 0);
        prefix.extend(path.iter().filter(|segment| *segment != "self" || kept == 0).cloned());
        match tokens.get(end..).unwrap_or_default() {
            [.., TokenTree::Group(group)] => {
                let inner: Vec<_> = group.stream().into_iter().collect();
                for part in inner.split(|token| is_punct(Some(token), ',')) {
                    self.import(module, part, prefix, public);
                }
            }
            [.., TokenTree::Punct(star)] if star.as_char() == '*' => {
                self.module(module).globs.push(prefix.clone());
                let path = prefix.clone();
                self.module(module).mentions.push(Mention { path, line });
            }
            rest => {
                let alias = rest.last().map(ToString::to_string);
                let name = alias.or_else(|| prefix.last().cloned()).unwrap_or_default();
                let found = self.module(module);
                // A re-export alone uses nothing; whoever names it does.
                if !public {
                    found.mentions.push(Mention { path: prefix.clone(), line });
                }
                found.imports.insert(name, prefix.clone());
            }
        }
        prefix.truncate(kept);
    }

    /// The module that defines what `path` means within `module`; `None` for what other crates and functions define, and for
    /// paths of modules, which are used by naming something in them.
    pub(super) fn definer(&self, module: &[String], path: &[String]) -> Option<Segments> {
        self.follow(module, path, FOLLOWED)
    }

    fn follow(&self, module: &[String], path: &[String], followed: usize) -> Option<Segments> {
        let followed = followed.checked_sub(1)?;
        let first = path.first()?;
        if !["crate", "self", "super"].contains(&first.as_str()) {
            let here = self.modules.get(module)?;
            let known = here.children.contains(first) || here.imports.contains_key(first);
            return if known { self.descend(module.to_vec(), path, followed) } else { None };
        }
        let mut at = if first == "crate" { Segments::new() } else { module.to_vec() };
        let mut rest = path;
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
                "crate" | "self" => {}
                "super" => _ = at.pop()?,
                _ => break,
            }
            rest = others;
        }
        self.descend(at, rest, followed)
    }

    /// Follows the names of `path` from the module `at`.
    fn descend(&self, mut at: Segments, path: &[String], followed: usize) -> Option<Segments> {
        for (index, name) in path.iter().enumerate() {
            let module = self.modules.get(&at)?;
            let last = index + 1 == path.len();
            let import = module.imports.get(name).filter(|import| import.as_slice() != [name.clone()]);
            if module.children.contains(name) && !(last && import.is_some()) {
                at.push(name.clone());
            } else if let Some(import) = import {
                let whole: Segments = import.iter().chain(&path[index + 1..]).cloned().collect();
                return self.follow(&at, &whole, followed);
            } else if module.items.contains(name) {
                return Some(at);
            } else {
                return module.globs.iter().find_map(|glob| {
                    let whole: Segments = glob.iter().chain(&path[index..]).cloned().collect();
                    self.follow(&at, &whole, followed)
                });
            }
        }
        None
    }
}

/// The segments of the path that begins at `at`, and the place behind it.
fn path_at(tokens: &[TokenTree], mut at: usize) -> (Segments, usize) {
    let mut path = Segments::new();
    while let Some(TokenTree::Ident(segment)) = tokens.get(at) {
        if !path.is_empty() && segment == "as" {
            break;
        }
        path.push(segment.to_string());
        at += 1;
        let joined = is_punct(tokens.get(at), ':') && is_punct(tokens.get(at + 1), ':');
        if !joined || !matches!(tokens.get(at + 2), Some(TokenTree::Ident(_))) {
            break;
        }
        at += 2;
    }
    (path, at)
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

/// Returns true if the word is followed by the name of an item.
fn defines(word: &proc_macro2::Ident) -> bool {
    ["fn", "struct", "enum", "trait", "type", "const", "static", "union"].iter().any(|keyword| word == keyword)
}

/// Returns true if `before` ends with a visibility.
fn is_public(before: &[TokenTree]) -> bool {
    let end = match before.last() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => before.len() - 1,
        _ => before.len(),
    };
    matches!(before[..end].last(), Some(TokenTree::Ident(word)) if word == "pub")
}

/// Returns true if the tokens begin with `#[cfg(test)]`.
fn is_test_attribute(tokens: &[TokenTree]) -> bool {
    let [hash, TokenTree::Group(attribute), ..] = tokens else { return false };
    is_punct(Some(hash), '#') && attribute.stream().to_string().replace(' ', "") == "cfg(test)"
}

/// The place behind the item that begins at `at`: behind its semicolon or its body.
fn after_item(tokens: &[TokenTree], at: usize) -> usize {
    let body = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let end = (at..tokens.len()).find(|&at| is_punct(tokens.get(at), ';') || body(&tokens[at]));
    end.map_or(tokens.len(), |end| end + 1)
}
