-- The same table stands in ../postgres/0320_glossary_checks.sql; a test compares both schemas.

-- Projects whose glossary has changed, and how far a worker has come with holding what is translated against it.
CREATE TABLE glossary_checks (
    project_id TEXT NOT NULL PRIMARY KEY REFERENCES projects (id),
    -- The last ref that it has come to; empty at the beginning.
    after_ref TEXT NOT NULL,
    -- The glossary has changed once more since the worker began.
    again INTEGER NOT NULL CHECK (again IN (0, 1))
) STRICT, WITHOUT ROWID;
