//! The modes of Apertium that are installed: one for each pair of languages, with the programs that translate it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The modes in a folder.
#[derive(Debug, Clone)]
pub(super) struct Modes {
    folder: PathBuf,
    names: BTreeSet<String>,
}

impl Modes {
    /// Lists the modes; none where the folder cannot be read.
    pub(super) fn in_folder(folder: &Path) -> Self {
        let files = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .filter_map(|file| file.ok()?.file_name().into_string().ok());
        let names = files.filter_map(|name| Some(name.strip_suffix(".mode")?.to_owned())).collect();
        Self { folder: folder.to_owned(), names }
    }

    /// The names of all modes, such as `eng-spa`.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The mode for a pair of languages (BCP 47): that of the target's region before that of the language alone.
    pub(super) fn find(&self, source: &str, target: &str) -> Option<&str> {
        let sources = codes(source);
        let targets = codes(target);
        let region = target.split('-').skip(1).find(|part| part.len() == 2).map(str::to_uppercase);
        let regional = region.iter().flat_map(|region| targets.iter().map(move |code| format!("{code}_{region}")));
        let targets: Vec<String> = regional.chain(targets.iter().cloned()).collect();
        let pairs = targets.iter().flat_map(|target| sources.iter().map(move |source| format!("{source}-{target}")));
        pairs.filter_map(|pair| self.names.get(&pair)).map(String::as_str).next()
    }

    /// The programs of a mode with their arguments, in the order of the pipe.
    pub(super) fn programs(&self, mode: &str) -> Result<Vec<Vec<String>>, String> {
        let file = self.folder.join(format!("{mode}.mode"));
        let text =
            std::fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        programs(&text).ok_or_else(|| format!("{} is not a pipe of programs", file.display()))
    }
}

/// The names that modes may have for a language: of ISO 639-3 and the shorter one.
fn codes(language: &str) -> Vec<String> {
    let short = language.split('-').next().unwrap_or_default();
    let long = isolang::Language::from_639_1(short).map(|language| language.to_639_3());
    long.into_iter().chain([short]).map(str::to_owned).collect()
}

/// Reads a mode file. Each program gets `-z`, with which it answers after each NUL; the generator hides which words it does
/// not know (`-n` in the place of `$1`), and nothing is displayed in the place of `$2`.
fn programs(text: &str) -> Option<Vec<Vec<String>>> {
    let mut programs = vec![Vec::new()];
    for word in words(text)? {
        match word.as_str() {
            "|" => programs.push(Vec::new()),
            "$2" => {}
            "$1" => programs.last_mut()?.push("-n".to_owned()),
            _ => programs.last_mut()?.push(word),
        }
    }
    for program in &mut programs {
        if program.is_empty() {
            return None;
        }
        program.insert(1, "-z".to_owned());
    }
    Some(programs)
}

/// Words of a shell's line, with quotes, and `|` as a word; `None` where a quote does not end.
fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        end if end == character => break,
                        inside => word.push(inside),
                    }
                }
            }
            '|' => {
                words.extend(word.take());
                words.push("|".to_owned());
            }
            blank if blank.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_file_becomes_programs_that_answer_after_each_text() {
        let text = "lt-proc '/a b/eng.bin' | apertium-tagger -g $2 \"/c.prob\"|lt-proc $1 '/d.bin'\n";
        let expected = [
            vec!["lt-proc", "-z", "/a b/eng.bin"],
            vec!["apertium-tagger", "-z", "-g", "/c.prob"],
            vec!["lt-proc", "-z", "-n", "/d.bin"],
        ];
        assert_eq!(programs(text).unwrap(), expected);
        for wrong in ["", "lt-proc 'a", "lt-proc |", "| lt-proc"] {
            assert_eq!(programs(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_mode_of_a_region_comes_before_that_of_its_language() {
        let folder = tempfile::tempdir().unwrap();
        for mode in ["eng-spa", "spa-eng", "spa-eng_US", "en-gl"] {
            std::fs::write(folder.path().join(format!("{mode}.mode")), "").unwrap();
        }
        let modes = Modes::in_folder(folder.path());
        let cases = [
            ("en", "es", Some("eng-spa")),
            ("en-GB", "es-MX", Some("eng-spa")),
            ("es", "en-US", Some("spa-eng_US")),
            ("es", "en", Some("spa-eng")),
            ("en", "gl", Some("en-gl")),
            ("en", "de", None),
        ];
        for (source, target, mode) in cases {
            assert_eq!(modes.find(source, target), mode, "{source} {target}");
        }
        assert_eq!(Modes::in_folder(&folder.path().join("nowhere")).names().count(), 0);
    }
}
