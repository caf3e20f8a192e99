-- The same table stands in ../postgres/0345_common_tokens.sql; a test compares both schemas.

-- Tokens of the index of texts that many keys of a large project have: a search for others finds the same keys sooner.
CREATE TABLE common_tokens (
    project_id TEXT NOT NULL PRIMARY KEY REFERENCES projects (id),
    -- With blanks between.
    tokens TEXT NOT NULL,
    -- The number of active keys at that time.
    keys INTEGER NOT NULL,
    sampled_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
