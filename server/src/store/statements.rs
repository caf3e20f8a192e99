//! Declared statements. Every table file declares its SQL with `statements!`, so that one test can prepare all of it on
//! both engines; a statement that is written anywhere else cannot be run, since the macros take nothing but these types.

use std::fmt::Write as _;

use super::engine::DatabaseKind;

/// Rows in one statement of a batch: near the optimum on both engines.
const BATCH_ROWS: usize = 500;
/// The same where a batch is filled up to a power of two.
const PADDED_BATCH_ROWS: usize = 256;
/// Rows of an insert whose text PostgreSQL keeps prepared though few share it: what it keeps of a longer one is large, and it
/// keeps it for each connection.
const FEW_ROWS: usize = 8;
/// Largest power of two by which SQLite inserts the rows of a batch that is not full.
const MOST_CUT_ROWS: usize = 64;
/// The end of the text before a list of values.
const IN: &str = " IN (";
/// SQLite's limit of binds in one statement is 32,766, PostgreSQL's 65,535.
const MAX_BINDS: usize = 32_000;

/// One statement: a text for each engine, mostly the same.
#[derive(Debug, Clone, Copy)]
pub struct Sql {
    /// The text for SQLite.
    pub sqlite: &'static str,
    /// The text for PostgreSQL.
    pub postgres: &'static str,
}

impl Sql {
    /// One text for both engines.
    pub(crate) const fn same(text: &'static str) -> Self {
        Self { sqlite: text, postgres: text }
    }
}

/// A statement over any number of rows: `head`, then `row` once per row with commas between, then `tail`.
///
/// In `row` each `?` is a value of the row, in the order in which they are bound; `$1 … $n` in `head` and `tail` are
/// values given once.
#[derive(Debug, Clone, Copy)]
pub struct Values {
    /// Up to and with `VALUES` or `IN (`.
    pub head: &'static str,
    /// One row, such as `(?, ?)` or `?`.
    pub row: &'static str,
    /// The text after the rows.
    pub tail: &'static str,
    /// An addition for PostgreSQL that locks the rows. Empty for most.
    pub lock: &'static str,
    /// True if a batch is filled up to a power of two with its last row, so that there are few texts, which stay
    /// prepared. For statements in which a repeated row changes nothing, and whose plan does not depend on the values.
    pub padded: bool,
}

impl Values {
    /// The number of rows in one statement.
    pub fn batch(&self) -> usize {
        let most = if self.padded { PADDED_BATCH_ROWS } else { BATCH_ROWS };
        (MAX_BINDS / self.row.matches('?').count().max(1)).clamp(1, most)
    }

    /// Cuts items into those of a statement each.
    ///
    /// To SQLite, which is no round trip away, preparing a statement of many rows takes up to half as long as running it. So
    /// the rows of an insert come in powers of two, and the items of a list are filled up to one: there are few texts, and all
    /// of them stay prepared.
    pub(crate) fn cut<'a, T>(
        &self,
        engine: DatabaseKind,
        items: &'a [T],
    ) -> impl Iterator<Item = &'a [T]> + use<'a, T> {
        let (batch, is_cut) = (self.batch(), engine == DatabaseKind::Sqlite && self.is_plain_insert());
        let mut rest = items;
        std::iter::from_fn(move || {
            let rows = match rest.len() {
                left if left >= batch || !is_cut => left.min(batch),
                left => MOST_CUT_ROWS.min(1 << left.checked_ilog2()?),
            };
            let (first, others) = rest.split_at_checked(rows).filter(|(first, _)| !first.is_empty())?;
            rest = others;
            Some(first)
        })
    }

    /// The number of rows of the statement for this many items: more than these where it is filled up.
    pub(crate) fn rows(&self, engine: DatabaseKind, items: usize) -> usize {
        let fills_up = self.padded || (engine == DatabaseKind::Sqlite && self.is_list());
        if fills_up { items.next_power_of_two().min(self.batch()).max(items) } else { items }
    }

    /// Returns true if the text for this many items is worth keeping prepared: one that many share, or, on PostgreSQL, that
    /// adds a few rows, whose plan is the same for all values.
    pub(crate) fn stays_prepared(&self, engine: DatabaseKind, items: usize) -> bool {
        let is_shared = match engine {
            DatabaseKind::Sqlite => self.is_plain_insert(),
            DatabaseKind::Postgres => items <= FEW_ROWS && self.head.starts_with("INSERT"),
        };
        self.has_few_texts() || items == self.batch() || is_shared
    }

    /// Returns true if the statement has few texts on both engines, however many items there are, so that each of them is worth
    /// keeping prepared.
    pub(crate) fn has_few_texts(&self) -> bool {
        self.padded || self.is_list()
    }

    /// Returns true if each row is written by itself, so that it does not matter in which statement.
    fn is_plain_insert(&self) -> bool {
        self.head.starts_with("INSERT") && self.head.ends_with(") VALUES")
    }

    /// Returns true if the rows are values among which one is looked for, so that it does not matter how often each is there.
    pub(crate) fn is_list(&self) -> bool {
        self.row == "?" && self.head.ends_with(IN)
    }

    /// The text for `rows` rows on PostgreSQL: the values given once are bound first. A list is one bind, an array, so that it has
    /// one text however many values it has.
    pub fn postgres(&self, rows: usize) -> String {
        let mut bind = self.fixed();
        if let Some(head) = self.head.strip_suffix(IN).filter(|_| self.is_list()) {
            return format!("{head} = ANY (${}{}{}", bind + 1, self.tail, self.lock);
        }
        let mut text = self.head.to_owned();
        self.push_rows(&mut text, rows, |text| {
            bind += 1;
            // Writing to a String cannot fail.
            let _ = write!(text, "${bind}");
        });
        text.push_str(self.tail);
        text.push_str(self.lock);
        text
    }

    /// The text for `rows` rows on SQLite: the values given once are bound last.
    ///
    /// To SQLite `$1` is a name, and both it and the driver look names up one after the other: a statement with thousands
    /// of them takes a hundred times as long as one whose binds have none.
    pub fn sqlite(&self, rows: usize) -> String {
        let before = rows * self.row.matches('?').count();
        let mut text = moved(self.head, before);
        self.push_rows(&mut text, rows, |text| text.push('?'));
        text.push_str(&moved(self.tail, before));
        text
    }

    fn push_rows(&self, text: &mut String, rows: usize, mut push_bind: impl FnMut(&mut String)) {
        text.reserve(self.tail.len() + 2 + rows * self.row.len() * 3);
        for row in 0..rows {
            text.push(if row == 0 { ' ' } else { ',' });
            for part in self.row.split_inclusive('?') {
                match part.strip_suffix('?') {
                    Some(part) => {
                        text.push_str(part);
                        push_bind(text);
                    }
                    None => text.push_str(part),
                }
            }
        }
        text.push(' ');
    }

    /// The number of values given once: the highest `$n` of head and tail.
    fn fixed(&self) -> usize {
        [self.head, self.tail]
            .into_iter()
            .flat_map(|text| text.split('$').skip(1))
            .filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok())
            .max()
            .unwrap_or(0)
    }
}

/// A text whose `$1 … $n` come after `by` other binds.
fn moved(text: &str, by: usize) -> String {
    let mut parts = text.split('$');
    let mut moved = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = part.split_at(digits);
        let number: usize = number.parse().unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = write!(moved, "${}{rest}", number + by);
    }
    moved
}

/// A declared statement of either form, as the tests enumerate them.
#[derive(Debug, Clone, Copy)]
pub enum DeclaredStatement {
    /// A fixed text.
    Sql(Sql),
    /// A text for any number of rows.
    Values(Values),
}

/// Every declared statement of every table, with its name (`table::NAME`).
pub fn all() -> impl Iterator<Item = (String, DeclaredStatement)> {
    super::TABLES.iter().flat_map(|(table, statements)| {
        statements.iter().map(move |(name, statement)| (format!("{table}::{name}"), *statement))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binds_of_rows_come_after_those_given_once_on_postgres_and_before_them_without_names_on_sqlite() {
        let insert = Values {
            head: "INSERT INTO t (a, b) VALUES",
            row: "(?, ?)",
            tail: "ON CONFLICT DO NOTHING",
            lock: "",
            padded: false,
        };
        assert_eq!(insert.postgres(2), "INSERT INTO t (a, b) VALUES ($1, $2),($3, $4) ON CONFLICT DO NOTHING");
        assert_eq!(insert.sqlite(2), "INSERT INTO t (a, b) VALUES (?, ?),(?, ?) ON CONFLICT DO NOTHING");
        let head = "SELECT a FROM t WHERE b = $1 AND a IN (";
        let find = Values { head, row: "?", tail: ") AND c = $2", lock: " FOR UPDATE", padded: false };
        assert_eq!(find.postgres(3), "SELECT a FROM t WHERE b = $1 AND a = ANY ($3) AND c = $2 FOR UPDATE");
        assert_eq!(find.sqlite(3), "SELECT a FROM t WHERE b = $4 AND a IN ( ?,?,? ) AND c = $5");
    }

    #[test]
    fn a_batch_stays_below_the_bind_limits() {
        let narrow = Values { head: "", row: "(?)", tail: "", lock: "", padded: false };
        assert_eq!(narrow.batch(), 500);
        assert_eq!(Values { padded: true, ..narrow }.batch(), 256);
        let wide = Values {
            head: "",
            row: "?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?",
            tail: "",
            lock: "",
            padded: false,
        };
        assert_eq!(wide.batch(), 400);
    }

    #[test]
    fn a_padded_batch_has_a_power_of_two_rows() {
        let plain = Values { head: "", row: "(?)", tail: "", lock: "", padded: false };
        let padded = Values { padded: true, ..plain };
        for engine in [DatabaseKind::Sqlite, DatabaseKind::Postgres] {
            for (items, rows) in [(1, 1), (2, 2), (3, 4), (5, 8), (129, 256), (256, 256)] {
                assert_eq!((plain.rows(engine, items), padded.rows(engine, items)), (items, rows));
            }
        }
    }

    #[test]
    fn few_texts_are_prepared_however_many_rows_there_are() {
        let insert = Values { head: "INSERT INTO t (a) VALUES", row: "(?)", tail: "", lock: "", padded: false };
        let list = Values { head: "SELECT a FROM t WHERE a IN (", row: "?", tail: ")", ..insert };
        let joined = Values { head: "SELECT a FROM t JOIN (VALUES", tail: ")", ..insert };
        let items: Vec<usize> = (0..1_167).collect();
        let (mut inserts, mut lists) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
        for count in 0..items.len() {
            let items = &items[..count];
            for values in [insert, list, joined] {
                for engine in [DatabaseKind::Sqlite, DatabaseKind::Postgres] {
                    let cut: Vec<&[usize]> = values.cut(engine, items).collect();
                    assert_eq!(cut.concat(), items);
                    assert!(cut.iter().all(|items| (1..=values.batch()).contains(&items.len())));
                }
            }
            let texts = |values: Values| {
                let cut = values.cut(DatabaseKind::Sqlite, items);
                Vec::from_iter(cut.map(|items| values.rows(DatabaseKind::Sqlite, items.len())))
            };
            inserts.extend(texts(insert));
            lists.extend(texts(list));
        }
        assert_eq!(Vec::from_iter(inserts), [1, 2, 4, 8, 16, 32, 64, 500]);
        assert_eq!(Vec::from_iter(lists), [1, 2, 4, 8, 16, 32, 64, 128, 256, 500]);
        assert!([insert, list].iter().all(|values| values.stays_prepared(DatabaseKind::Sqlite, 64)));
        assert!(list.stays_prepared(DatabaseKind::Postgres, 64) && !insert.stays_prepared(DatabaseKind::Postgres, 64));
        assert_eq!(list.postgres(1), list.postgres(500));
    }
}
