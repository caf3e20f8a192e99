-- The same table and column stand in ../sqlite/0321_moving_runs.sql; a test compares both schemas.

-- True for a run that has landed and whose changes of keys that were there are still being moved to their place, piece by
-- piece. Until it has ended, nobody else changes or publishes the project.
ALTER TABLE staged_runs ADD COLUMN is_moving BOOLEAN NOT NULL DEFAULT FALSE;

-- Translations that such a run brings to keys that were there.
CREATE TABLE staged_translations (
    tracking_token TEXT COLLATE "C" NOT NULL REFERENCES staged_runs (tracking_token),
    key_id TEXT COLLATE "C" NOT NULL,
    language TEXT COLLATE "C" NOT NULL,
    project_id TEXT COLLATE "C" NOT NULL,
    content TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    source_hash BYTEA NOT NULL,
    origin TEXT COLLATE "C" NOT NULL,
    engine TEXT COLLATE "C",
    issues TEXT COLLATE "C" NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tracking_token, key_id, language)
);
