-- The same tables and columns stand in ../postgres/0217_staged_runs.sql; a test compares both schemas.

-- Counts what changes a run's plan: a large run plans ahead, and looks again whether it is the same.
ALTER TABLE projects ADD COLUMN change_seq INTEGER NOT NULL DEFAULT 0;

-- Large runs whose keys and chunks are being written. What is of a run that stands here is read by nobody, and swept when
-- the run has died.
CREATE TABLE staged_runs (
    tracking_token TEXT NOT NULL PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id),
    -- The keys that it stages lie between these ids.
    first_key TEXT NOT NULL,
    last_key TEXT NOT NULL,
    -- 'dead': what there is of it is being deleted. 'landed': what there is of its changes is.
    status TEXT NOT NULL CHECK (status IN ('writing', 'dead', 'landed')),
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX staged_runs_by_project ON staged_runs (project_id);

-- The run that stages a key, which is archived as long as that. NULL for all others.
ALTER TABLE keys ADD COLUMN staged_by TEXT;

-- What a staged run makes of keys that are there. A row without a source only moves its key.
CREATE TABLE staged_changes (
    tracking_token TEXT NOT NULL REFERENCES staged_runs (tracking_token),
    key_id TEXT NOT NULL,
    namespace TEXT,
    source_path TEXT,
    position INTEGER NOT NULL,
    source TEXT,
    source_hash BLOB,
    characters INTEGER,
    description TEXT,
    max_length INTEGER,
    tags TEXT,
    updated_at INTEGER,
    PRIMARY KEY (tracking_token, key_id)
) STRICT, WITHOUT ROWID;

-- Staged keys are not counted; the statement that makes them live is followed by one that counts them all.
DROP TRIGGER keys_counted_insert;
DROP TRIGGER keys_counted_delete;
DROP TRIGGER keys_counted_update;
DROP TRIGGER keys_counted_activation;
CREATE TRIGGER keys_counted_insert AFTER INSERT ON keys WHEN new.staged_by IS NULL BEGIN
    INSERT INTO key_counts VALUES (new.project_id, new.state, 1)
        ON CONFLICT (project_id, state) DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER keys_counted_delete AFTER DELETE ON keys WHEN old.staged_by IS NULL BEGIN
    UPDATE key_counts SET number = number - 1 WHERE project_id = old.project_id AND state = old.state;
END;
CREATE TRIGGER keys_counted_update AFTER UPDATE OF state ON keys WHEN old.state <> new.state AND old.staged_by IS NULL BEGIN
    UPDATE key_counts SET number = number - 1 WHERE project_id = old.project_id AND state = old.state;
    INSERT INTO key_counts VALUES (new.project_id, new.state, 1)
        ON CONFLICT (project_id, state) DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER keys_counted_activation AFTER UPDATE OF state ON keys
WHEN (old.state = 'active') <> (new.state = 'active') AND old.staged_by IS NULL BEGIN
    INSERT INTO translation_counts SELECT t.project_id, t.language, t.state,
            CASE WHEN new.state = 'active' THEN 1 ELSE -1 END, CASE WHEN new.state = 'active' THEN t.stale ELSE -t.stale END
        FROM translations t WHERE t.key_id = new.id
        ON CONFLICT (project_id, language, state)
        DO UPDATE SET number = number + excluded.number, stale = stale + excluded.stale;
END;
