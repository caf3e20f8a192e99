//! The index that finds texts of translation memory that may be like another: a few tokens of each
//! ([`similar`](crate::similar)), those that the fewest texts have. A look reads a bounded number of rows, however many texts there
//! are: the first 48 of each of its tokens.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use l10n_api_types::Content;

use super::memory::MemorySpace;
use super::row::Json;
use super::{StoreError, Tx};
use crate::similar::Similar;

row! {
    /// A text with all that its tokens are made of.
    #[derive(Debug, Clone)]
    pub(super) struct TokenizedText {
        pub number: i64,
        pub owner_id: String,
        pub source_language: String,
        pub is_human: bool,
        pub source: Json<Content>,
    }
}

/// The tokens that the index keeps of a text.
const KEPT: usize = 16;
/// The gain of a text from a token that no other text shares with the one that is asked for.
const GAIN: i64 = 1_000;
/// More than the lengths of texts that are compared, which folding makes longer. So a list has one number for the number and the
/// length of a text: SQLite takes a quarter less time to write it.
const LENGTHS: i64 = 4_096;
/// The spaces that one statement looks through.
const SPACES: usize = 4;

/// The lists of a text's tokens, for each of four spaces that has any text: one row for all tokens, since each row of SQLite is
/// handed from one thread to another. The tokens of a space are one bind: a list in JSON, which `$tokens` unpacks. Of a list the
/// first 48 texts of a fitting length are read. A longer one says little: the tokens that the index keeps of a text are those that
/// few others had.
macro_rules! near {
    ($tokens:literal) => {
        concat!(
            "WITH spaces (place, owner_id, source_language, is_human, tokens) AS (VALUES \
            (0, CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS BOOLEAN), CAST($6 AS TEXT)), \
            (1, CAST($7 AS TEXT), CAST($8 AS TEXT), CAST($9 AS BOOLEAN), CAST($10 AS TEXT)), \
            (2, CAST($11 AS TEXT), CAST($12 AS TEXT), CAST($13 AS BOOLEAN), CAST($14 AS TEXT)), \
            (3, CAST($15 AS TEXT), CAST($16 AS TEXT), CAST($17 AS BOOLEAN), CAST($18 AS TEXT))) \
            SELECT CAST(place AS BIGINT), (SELECT string_agg((SELECT string_agg(CAST(number * 4096 + length AS TEXT), ' ') \
            FROM (SELECT g.length, g.number FROM memory_grams g WHERE g.token = wanted.value \
            AND g.length >= $1 AND g.length <= $2 ORDER BY g.length, g.number LIMIT 48) AS listed), '|') FROM ",
            $tokens,
            ") FROM spaces \
            WHERE (SELECT m.number FROM memory_sources m WHERE m.owner_id = spaces.owner_id \
            AND m.source_language = spaces.source_language AND m.is_human = spaces.is_human ORDER BY m.source_hash LIMIT 1) IS NOT NULL"
        )
    };
}

statements! {
    IS_WAITING = "SELECT number FROM memory_sources WHERE NOT is_indexed ORDER BY number LIMIT 1";
    WAITING = sqlite "SELECT number, owner_id, source_language, is_human, source FROM memory_sources WHERE NOT is_indexed \
            ORDER BY number LIMIT $1",
        postgres "SELECT number, owner_id, source_language, is_human, source FROM memory_sources WHERE NOT is_indexed \
            ORDER BY number LIMIT $1 FOR UPDATE SKIP LOCKED";
    ADD = values "INSERT INTO memory_grams (token, length, number) VALUES" each "(?, ?, ?)" then "ON CONFLICT DO NOTHING";
    INDEXED = values "UPDATE memory_sources SET is_indexed = TRUE WHERE number IN (" each "?" then ")";
    // Texts of which a quarter of the length differs are hardly alike. One row for a batch, as in `near!`.
    LISTED = padded values "WITH wanted (token, length) AS (VALUES" each "(CAST(? AS BIGINT), CAST(? AS BIGINT))"
        then ") SELECT string_agg(token || ':' || length || ':' || (SELECT COUNT(*) FROM (\
        SELECT 1 FROM memory_grams g WHERE g.token = wanted.token AND g.length >= wanted.length * 4 / 5 \
        AND g.length <= wanted.length * 5 / 4 LIMIT 64) AS listed), ' ') FROM wanted";
    NEAR = sqlite near!("json_each(spaces.tokens) AS wanted"),
        postgres near!("unnest(CAST(translate(spaces.tokens, '[]', '{}') AS BIGINT[])) AS wanted (value)");
    FORGET = values "DELETE FROM memory_grams WHERE (token, length, number) IN (VALUES"
        each "(CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT))" then ")";
}

/// Returns whether a text waits to be indexed.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn has_waiting(tx: &mut Tx) -> Result<bool, StoreError> {
    Ok(fetch_optional!(tx, (i64,), IS_WAITING)?.is_some())
}

/// Indexes some texts that wait for it, `most` at most; returns how many. On PostgreSQL those that another worker has at hand are
/// left out.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn index_some(tx: &mut Tx, most: i64) -> Result<usize, StoreError> {
    let waiting = fetch_all!(tx, TokenizedText, WAITING, most)?;
    let kept = rarest(tx, &waiting).await?;
    execute_values!(tx, ADD, [], kept, |(token, length, number)| [*token, *length, *number])?;
    execute_values!(tx, INDEXED, [], waiting, |source| [source.number])?;
    Ok(waiting.len())
}

/// Of the rows of the index that these texts could have those that it keeps: of each text the tokens that the fewest others of
/// about its length have.
async fn rarest(tx: &mut Tx, sources: &[TokenizedText]) -> Result<Vec<(i64, i64, i64)>, StoreError> {
    let texts: Vec<Vec<(i64, i64, i64)>> = sources.iter().map(grams).collect();
    let asked: HashSet<(i64, i64)> = texts.iter().flatten().map(|(token, length, _)| (*token, *length)).collect();
    let asked: Vec<(i64, i64)> = asked.into_iter().collect();
    let batches = fetch_values!(tx, (String,), LISTED, [], asked, |(token, length)| [*token, *length])?;
    let mut listed = HashMap::with_capacity(asked.len());
    for list in batches.iter().flat_map(|(lists,)| lists.split_ascii_whitespace()) {
        let mut numbers = list.split(':').map_while(|number| number.parse::<i64>().ok());
        let (Some(token), Some(length), Some(others)) = (numbers.next(), numbers.next(), numbers.next()) else {
            return Err(StoreError::corrupt("memory_grams", list));
        };
        listed.insert((token, length), others);
    }
    // The texts of a batch are not in the index yet.
    let mut added: HashMap<i64, i64> = HashMap::new();
    let mut kept = Vec::with_capacity(sources.len() * KEPT);
    for mut rows in texts {
        rows.sort_by_cached_key(|(token, length, _)| {
            let others = listed.get(&(*token, *length)).copied().unwrap_or_default();
            (others + added.get(token).copied().unwrap_or_default(), *token)
        });
        rows.truncate(KEPT);
        for (token, ..) in &rows {
            *added.entry(*token).or_default() += 1;
        }
        kept.extend(rows);
    }
    Ok(kept)
}

/// The numbers of texts of each space that share a token with `text` and are neither shorter nor longer than a text can be that
/// is like it by `least` percent: those with most tokens in common first, where a token that fewer texts have says more, and of
/// these those whose length is nearest. At most 48 texts of each token are looked at, the shortest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn near(
    tx: &mut Tx,
    spaces: &[MemorySpace<'_>],
    text: &Similar,
    least: u8,
) -> Result<Vec<Vec<i64>>, StoreError> {
    let (shortest, longest) = text.lengths(least);
    let (length, longest, shortest) = (count(text.length()), count(longest), count(shortest));
    let mut found = Vec::with_capacity(spaces.len());
    for spaces in spaces.chunks(SPACES) {
        let [one, two, three, four]: [TokenQuery<'_>; SPACES] =
            std::array::from_fn(|place| spaces.get(place).map(|space| TokenQuery::of(*space, text)).unwrap_or_default());
        #[rustfmt::skip]
        let lists = fetch_all!(
            tx, (i64, Option<String>), NEAR, shortest, longest,
            one.owner, one.language, one.is_human, one.tokens, two.owner, two.language, two.is_human, two.tokens,
            three.owner, three.language, three.is_human, three.tokens, four.owner, four.language, four.is_human, four.tokens
        )?;
        let mut lists: HashMap<i64, Option<String>> = lists.into_iter().collect();
        for (place, _) in (0..).zip(spaces) {
            let lists = lists.remove(&place).flatten().unwrap_or_default();
            found.push(ranked(length, lists.split('|'))?);
        }
    }
    Ok(found)
}

/// A space and the tokens that a look asks it for, as a list in JSON. The default is a space that has no text.
#[derive(Default)]
struct TokenQuery<'a> {
    owner: &'a str,
    language: &'a str,
    is_human: bool,
    tokens: String,
}

impl<'a> TokenQuery<'a> {
    fn of(space: MemorySpace<'a>, text: &Similar) -> Self {
        let tokens = format!("{:?}", text.tokens(&space.name()));
        Self { owner: space.owner.id(), language: space.source_language, is_human: space.is_human, tokens }
    }
}

/// The numbers of the texts that the lists of a text's tokens name: those first that are named most, where a token that fewer texts
/// have says more, and of these those whose length is nearest. An entry of a list is the number of a text times [`LENGTHS`], and its
/// length.
fn ranked<'a>(length: i64, lists: impl Iterator<Item = &'a str>) -> Result<Vec<i64>, StoreError> {
    let mut found: HashMap<i64, (i64, i64)> = HashMap::new();
    for list in lists {
        let entries = list.split_ascii_whitespace();
        let gain = GAIN / count(entries.clone().count()).max(1);
        for entry in entries {
            let read: i64 = entry.parse().map_err(|_| StoreError::corrupt("memory_grams.number", entry))?;
            let (number, other) = (read / LENGTHS, read % LENGTHS);
            let (gained, _) = found.entry(number).or_insert((0, (other - length).abs()));
            *gained += gain;
        }
    }
    let mut ranked: Vec<_> = found.into_iter().map(|(number, (gained, far))| (Reverse(gained), far, number)).collect();
    ranked.sort_unstable();
    Ok(ranked.into_iter().map(|(.., number)| number).collect())
}

/// Deletes what the index has of these texts.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(super) async fn forget(tx: &mut Tx, sources: &[TokenizedText]) -> Result<(), StoreError> {
    let rows: Vec<_> = sources.iter().flat_map(grams).collect();
    execute_values!(tx, FORGET, [], rows, |(token, length, number)| [*token, *length, *number]).map(drop)
}

/// The rows that the index may have of a text: its tokens, each with the text's length and number.
fn grams(source: &TokenizedText) -> Vec<(i64, i64, i64)> {
    let Some(text) = Similar::of(compared(&source.source.0)) else { return Vec::new() };
    let tokens = text.tokens(&name(&source.owner_id, &source.source_language, source.is_human));
    tokens.into_iter().map(|token| (token, count(text.length()), source.number)).collect()
}

/// The text of a content that is compared with others: of a plural that of the category `other`, which each has.
#[must_use]
pub fn compared(content: &Content) -> &str {
    content.other().unwrap_or_default()
}

impl MemorySpace<'_> {
    fn name(&self) -> String {
        name(self.owner.id(), self.source_language, self.is_human)
    }
}

/// The name of the space whose tokens a text has. It never changes, or the index would keep what is deleted.
fn name(owner: &str, source_language: &str, is_human: bool) -> String {
    format!("{owner} {source_language} {}", if is_human { "people" } else { "engines" })
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::similar::LONGEST_COMPARED;

    #[test]
    fn no_text_is_longer_than_its_place_in_a_list() {
        let all = (0..=0x10_ffff).filter_map(char::from_u32).filter(|one| one.to_uppercase().count() > 1);
        let longest = all.max_by_key(|one| folded_length(*one)).unwrap();
        let text = Similar::of(&longest.to_string().repeat(LONGEST_COMPARED)).unwrap();
        assert!((2_000..LENGTHS).contains(&count(text.length())), "{longest:?}: {}", text.length());
    }

    #[test]
    fn a_text_of_most_and_of_rare_tokens_stands_first() {
        // Number 7 shares a token with few, 5 two with many; 9 is as far away as 5.
        let lists = [7 * LENGTHS + 10, 5 * LENGTHS + 12, 9 * LENGTHS + 12].map(|entry| entry.to_string());
        let common = lists[1..].join(" ");
        let lists = [lists[0].clone(), common.clone(), common, lists[1].clone()];
        assert_eq!(ranked(10, lists.iter().map(String::as_str)).unwrap(), [5, 7, 9]);
        assert!(ranked(10, ["1 x"].into_iter()).is_err());
    }

    fn folded_length(one: char) -> usize {
        Similar::of(&one.to_string()).map_or(0, |text| text.length())
    }
}
