//! Texts as an app has them: words of which few are frequent and most are rare, 2 to 14 in a text.

/// Words that there are.
const WORDS: u64 = 12_000;

/// Makes texts by their numbers.
pub(crate) struct Texts {
    words: Vec<String>,
}

impl Texts {
    pub(crate) fn new() -> Self {
        const HEADS: [&str; 20] =
            ["s", "tr", "pl", "c", "m", "b", "fl", "gr", "n", "d", "p", "r", "l", "st", "h", "w", "f", "v", "t", "k"];
        const TAILS: [&str; 24] = [
            "a", "e", "i", "o", "u", "ing", "ed", "er", "ion", "al", "ea", "ou", "ate", "ess", "ain", "ell", "ock",
            "ine", "ure", "ent", "ow", "ay", "ish", "ul",
        ];
        let word = |n: u64| {
            let mut random = Random(n.wrapping_mul(77) + 5);
            let syllables = 1 + random.below(3) + u64::from(n > 200);
            let syllable = |random: &mut Random| {
                let (head, tail) = (random.below(20), random.below(24));
                format!("{}{}", HEADS[usize::try_from(head).unwrap()], TAILS[usize::try_from(tail).unwrap()])
            };
            (0..syllables).map(|_| syllable(&mut random)).collect()
        };
        Self { words: (0..WORDS).map(word).collect() }
    }

    /// The text of an entry. Those of few words have their number, so that no two are the same; every fifth begins as many others do.
    pub(crate) fn entry(&self, n: usize) -> String {
        let mut random = Random(u64::try_from(n).unwrap());
        let mut words: Vec<String> = (0..2 + random.below(13)).map(|_| self.word(&mut random)).collect();
        let few = words.len() < 6;
        if n.is_multiple_of(5) {
            words.insert(0, "Are you sure that you want to".to_owned());
        }
        if few {
            let place = usize::try_from(random.below(words.len() as u64 + 1)).unwrap();
            words.insert(place, n.to_string());
        }
        words.join(" ")
    }

    /// The text of an entry with a word changed, by `how`.
    pub(crate) fn changed(&self, n: usize, how: usize) -> String {
        let mut random = Random(u64::try_from(how).unwrap() + 1_000_003);
        let text = self.entry(n);
        let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let place = usize::try_from(random.below(words.len() as u64)).unwrap();
        match how % 4 {
            0 => words.push(self.word(&mut random)),
            1 => words[place].push_str("ly"),
            2 => words[place] = self.word(&mut random),
            _ => {
                let longest = words.iter().map(String::len).max().unwrap_or_default();
                if let Some(word) = words.iter_mut().find(|word| word.len() == longest) {
                    word.replace_range(..1, "z");
                }
            }
        }
        words.join(" ")
    }

    /// A word: one of the first forty in an eighth of all places, else the lower its number, the more often.
    fn word(&self, random: &mut Random) -> String {
        let range = 1 + random.below(WORDS);
        let place = if range <= WORDS / 8 { range % 40 } else { random.below(range) };
        self.words[usize::try_from(place).unwrap()].clone()
    }
}

/// SplitMix64: the same texts in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut next = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        next = (next ^ (next >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (next ^ (next >> 31)) % most.max(1)
    }
}
