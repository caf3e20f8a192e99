-- The same table and column stand in ../postgres/0321_moving_runs.sql; a test compares both schemas.

-- True for a run that has landed and whose changes of keys that were there are still being moved to their place, piece by
-- piece. Until it has ended, nobody else changes or publishes the project.
ALTER TABLE staged_runs ADD COLUMN is_moving INTEGER NOT NULL DEFAULT 0 CHECK (is_moving IN (0, 1));

-- Translations that such a run brings to keys that were there.
CREATE TABLE staged_translations (
    tracking_token TEXT NOT NULL REFERENCES staged_runs (tracking_token),
    key_id TEXT NOT NULL,
    language TEXT NOT NULL,
    project_id TEXT NOT NULL,
    content TEXT NOT NULL,
    state TEXT NOT NULL,
    source_hash BLOB NOT NULL,
    origin TEXT NOT NULL,
    engine TEXT,
    issues TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tracking_token, key_id, language)
) STRICT, WITHOUT ROWID;
