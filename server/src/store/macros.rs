//! The macros that put one statement and its binds into the arms of both engines. Their syntax is in `README.md`.

/// Declares the table files, and through them every statement (see `statements::all`).
macro_rules! tables {
    ($($table:ident),* $(,)?) => {
        $(pub mod $table;)*
        /// Every table file with its statements.
        const TABLES: &[(&str, &[(&str, statements::DeclaredStatement)])] = &[$((stringify!($table), $table::STATEMENTS)),*];
    };
}

/// Declares the statements of a table file; each becomes a constant.
///
/// ```text
/// statements! {
///     FIND = "SELECT … WHERE id = $1";
///     LOCK = sqlite "SELECT …", postgres "SELECT … FOR NO KEY UPDATE";
///     INSERT = values "INSERT INTO t (a, b) VALUES" each "(?, ?)" then "ON CONFLICT DO NOTHING";
///     LOCK_MANY = values "SELECT … WHERE id IN (" each "?" then ") ORDER BY id" lock " FOR NO KEY UPDATE";
///     WRITE = padded values "UPDATE t SET b = v.column2 FROM (VALUES" each "(?, ?)" then ") AS v WHERE a = v.column1";
/// }
/// ```
macro_rules! statements {
    ($($body:tt)*) => {
        statements_inner! { [] $($body)* }
    };
}

macro_rules! statements_inner {
    ([$($done:tt)*]) => {
        /// Every statement of this file, by name.
        pub(super) const STATEMENTS: &[(&str, $crate::store::statements::DeclaredStatement)] = &[$($done)*];
    };
    ([$($done:tt)*] $name:ident = values $head:literal each $row:literal then $tail:literal; $($rest:tt)*) => {
        statements_inner! { [$($done)*] $name = { $head, $row, $tail, "", false } $($rest)* }
    };
    (
        [$($done:tt)*] $name:ident = values $head:literal each $row:literal then $tail:literal lock $lock:literal;
        $($rest:tt)*
    ) => {
        statements_inner! { [$($done)*] $name = { $head, $row, $tail, $lock, false } $($rest)* }
    };
    ([$($done:tt)*] $name:ident = padded values $head:literal each $row:literal then $tail:literal; $($rest:tt)*) => {
        statements_inner! { [$($done)*] $name = { $head, $row, $tail, "", true } $($rest)* }
    };
    ([$($done:tt)*] $name:ident = { $head:expr, $row:expr, $tail:expr, $lock:expr, $padded:expr } $($rest:tt)*) => {
        const $name: $crate::store::statements::Values = $crate::store::statements::Values {
            head: $head,
            row: $row,
            tail: $tail,
            lock: $lock,
            padded: $padded,
        };
        statements_inner! {
            [$($done)* (stringify!($name), $crate::store::statements::DeclaredStatement::Values($name)),] $($rest)*
        }
    };
    ([$($done:tt)*] $name:ident = sqlite $sqlite:expr, postgres $postgres:expr; $($rest:tt)*) => {
        const $name: $crate::store::statements::Sql =
            $crate::store::statements::Sql { sqlite: $sqlite, postgres: $postgres };
        statements_inner! {
            [$($done)* (stringify!($name), $crate::store::statements::DeclaredStatement::Sql($name)),] $($rest)*
        }
    };
    ([$($done:tt)*] $name:ident = $text:expr; $($rest:tt)*) => {
        const $name: $crate::store::statements::Sql = $crate::store::statements::Sql::same($text);
        statements_inner! {
            [$($done)* (stringify!($name), $crate::store::statements::DeclaredStatement::Sql($name)),] $($rest)*
        }
    };
}

/// Declares a row: a struct whose fields are read from the columns of the same names. Fields are [`row::Stored`] types.
macro_rules! row {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $ty:ty,)* }) => {
        $(#[$meta])*
        $vis struct $name { $($(#[$field_meta])* $field_vis $field: $ty,)* }

        impl<'r> sqlx::FromRow<'r, sqlx::sqlite::SqliteRow> for $name {
            fn from_row(row: &'r sqlx::sqlite::SqliteRow) -> sqlx::Result<Self> {
                Ok(Self { $($field: $crate::store::row::column(row, stringify!($field))?,)* })
            }
        }

        impl<'r> sqlx::FromRow<'r, sqlx::postgres::PgRow> for $name {
            fn from_row(row: &'r sqlx::postgres::PgRow) -> sqlx::Result<Self> {
                Ok(Self { $($field: $crate::store::row::column(row, stringify!($field))?,)* })
            }
        }
    };
}

/// Declares an enum that is stored as text: `as_str()` to bind it, [`row::Stored`] to read it.
macro_rules! text_enum {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        $vis enum $name { $($(#[$variant_meta])* $variant,)+ }

        impl $name {
            /// The stored text.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }

        impl $crate::store::row::Stored for $name {
            type Raw = String;
            fn from_raw(raw: String) -> Result<Self, String> {
                match raw.as_str() {
                    $($text => Ok(Self::$variant),)+
                    _ => Err(format!("`{raw}` is not a value of {}", stringify!($name))),
                }
            }
        }
    };
}

/// `fetch_all!(tx, Row, SQL, bind, …)` → `Result<Vec<Row>, StoreError>`. `Row` is a `row!` type or a tuple.
macro_rules! fetch_all {
    ($tx:expr, $row:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        run_sql!(query_as::<_, $row>, fetch_all, $tx, $sql $(, $bind)*)
    };
}

/// `fetch_each!(tx, Row, SQL, [bind, …], |row| …)` → `Result<(), StoreError>`: row by row, for what would fill the memory as a
/// whole. The body cannot fail and cannot use `tx`.
macro_rules! fetch_each {
    ($tx:expr, $row:ty, $sql:expr, [$($bind:expr),* $(,)?], |$item:ident| $body:expr) => {
        async {
            use futures_util::TryStreamExt as _;
            match &mut *$tx {
                $crate::store::Tx::Sqlite(tx) => {
                    let mut rows = sqlx::query_as::<_, $row>($sql.sqlite)$(.bind($bind))*.fetch(&mut **tx);
                    while let Some($item) = rows.try_next().await? {
                        $body;
                    }
                }
                $crate::store::Tx::Postgres(tx) => {
                    let mut rows = sqlx::query_as::<_, $row>($sql.postgres)$(.bind($bind))*.fetch(&mut **tx);
                    while let Some($item) = rows.try_next().await? {
                        $body;
                    }
                }
            }
            Ok::<(), sqlx::Error>(())
        }
        .await
        .map_err($crate::store::StoreError::from)
    };
}

/// `fetch_optional!(tx, Row, SQL, bind, …)` → `Result<Option<Row>, StoreError>`.
macro_rules! fetch_optional {
    ($tx:expr, $row:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        run_sql!(query_as::<_, $row>, fetch_optional, $tx, $sql $(, $bind)*)
    };
}

/// `fetch_one!(tx, Row, SQL, bind, …)` → `Result<Row, StoreError>`; no row is `StoreError::Other`.
macro_rules! fetch_one {
    ($tx:expr, $row:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        run_sql!(query_as::<_, $row>, fetch_one, $tx, $sql $(, $bind)*)
    };
}

/// `execute!(tx, SQL, bind, …)` → `Result<u64, StoreError>`: the rows affected.
macro_rules! execute {
    ($tx:expr, $sql:expr $(, $bind:expr)* $(,)?) => {
        match &mut *$tx {
            $crate::store::Tx::Sqlite(tx) => {
                sqlx::query($sql.sqlite)$(.bind($bind))*.execute(&mut **tx).await.map(|done| done.rows_affected())
            }
            $crate::store::Tx::Postgres(tx) => {
                sqlx::query($sql.postgres)$(.bind($bind))*.execute(&mut **tx).await.map(|done| done.rows_affected())
            }
        }
        .map_err($crate::store::StoreError::from)
    };
}

macro_rules! run_sql {
    ($query:ident::<_, $row:ty>, $fetch:ident, $tx:expr, $sql:expr $(, $bind:expr)*) => {
        match &mut *$tx {
            $crate::store::Tx::Sqlite(tx) => {
                sqlx::$query::<_, $row>($sql.sqlite)$(.bind($bind))*.$fetch(&mut **tx).await
            }
            $crate::store::Tx::Postgres(tx) => {
                sqlx::$query::<_, $row>($sql.postgres)$(.bind($bind))*.$fetch(&mut **tx).await
            }
        }
        .map_err($crate::store::StoreError::from)
    };
}

/// `execute_values!(tx, VALUES, [bind given once, …], slice, |item| [bind, …])` → `Result<u64, StoreError>`.
///
/// Runs in batches; an empty slice runs nothing. The binds given once are evaluated for every batch: pass references.
macro_rules! execute_values {
    ($tx:expr, $values:expr, [$($once:expr),* $(,)?], $items:expr, |$item:pat_param| [$($bind:expr),+ $(,)?] $(,)?) => {
        async {
            let mut affected = 0u64;
            let values: $crate::store::statements::Values = $values;
            let engine = $tx.engine();
            for items in values.cut(engine, &$items[..]) {
                let persistent = values.stays_prepared(engine, items.len());
                let rows = values.rows(engine, items.len());
                let items = items.iter().chain(items.last().into_iter().cycle()).take(rows);
                affected += match &mut *$tx {
                    $crate::store::Tx::Sqlite(tx) => {
                        let text = sqlx::AssertSqlSafe(values.sqlite(rows));
                        let query = sqlx::query::<sqlx::Sqlite>(text).persistent(persistent);
                        let query = items.fold(query, |query, $item| query$(.bind($bind))+)$(.bind($once))*;
                        query.execute(&mut **tx).await?.rows_affected()
                    }
                    $crate::store::Tx::Postgres(tx) => {
                        let text = sqlx::AssertSqlSafe(values.postgres(rows));
                        let query = sqlx::query::<sqlx::Postgres>(text).persistent(persistent)$(.bind($once))*;
                        let query = bind_items!(query, values, items, |$item| [$($bind),+]);
                        query.execute(&mut **tx).await?.rows_affected()
                    }
                };
            }
            Ok::<u64, sqlx::Error>(affected)
        }
        .await
        .map_err($crate::store::StoreError::from)
    };
}

/// `fetch_values!(tx, Row, VALUES, [bind given once, …], slice, |item| [bind, …])` → `Result<Vec<Row>, StoreError>`.
///
/// The rows of all batches one after the other; within a batch in the order of the statement.
macro_rules! fetch_values {
    ($tx:expr, $row:ty, $values:expr, [$($once:expr),* $(,)?], $items:expr, |$item:pat_param| [$($bind:expr),+ $(,)?] $(,)?) => {
        async {
            let mut rows: Vec<$row> = Vec::new();
            let values: $crate::store::statements::Values = $values;
            let engine = $tx.engine();
            for items in values.cut(engine, &$items[..]) {
                let persistent = values.stays_prepared(engine, items.len());
                let count = values.rows(engine, items.len());
                let items = items.iter().chain(items.last().into_iter().cycle()).take(count);
                rows.extend(match &mut *$tx {
                    $crate::store::Tx::Sqlite(tx) => {
                        let text = sqlx::AssertSqlSafe(values.sqlite(count));
                        let query = sqlx::query_as::<sqlx::Sqlite, $row>(text).persistent(persistent);
                        let query = items.fold(query, |query, $item| query$(.bind($bind))+)$(.bind($once))*;
                        query.fetch_all(&mut **tx).await?
                    }
                    $crate::store::Tx::Postgres(tx) => {
                        let text = sqlx::AssertSqlSafe(values.postgres(count));
                        // Other texts are planned for these values each time. The plan that PostgreSQL keeps after some runs
                        // knows none of them: it may compare each row of a table with each of 500 values.
                        let stays = values.has_few_texts();
                        let query = sqlx::query_as::<sqlx::Postgres, $row>(text).persistent(stays)$(.bind($once))*;
                        let query = bind_items!(query, values, items, |$item| [$($bind),+]);
                        query.fetch_all(&mut **tx).await?
                    }
                });
            }
            Ok::<Vec<$row>, sqlx::Error>(rows)
        }
        .await
        .map_err($crate::store::StoreError::from)
    };
}

/// Binds the items of a batch to a statement for PostgreSQL: those of a list as one array.
macro_rules! bind_items {
    ($query:expr, $values:expr, $items:expr, |$item:pat_param| [$bind:expr]) => {
        if $values.is_list() {
            $query.bind($items.map(|$item| $bind).collect::<Vec<_>>())
        } else {
            $items.fold($query, |query, $item| query.bind($bind))
        }
    };
    ($query:expr, $values:expr, $items:expr, |$item:pat_param| [$($bind:expr),+]) => {
        $items.fold($query, |query, $item| query$(.bind($bind))+)
    };
}
