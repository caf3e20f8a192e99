-- The same table stands in ../sqlite/0320_glossary_checks.sql; a test compares both schemas.

-- Projects whose glossary has changed, and how far a worker has come with holding what is translated against it.
CREATE TABLE glossary_checks (
    project_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES projects (id),
    -- The last ref that it has come to; empty at the beginning.
    after_ref TEXT COLLATE "C" NOT NULL,
    -- The glossary has changed once more since the worker began.
    again BOOLEAN NOT NULL
);
