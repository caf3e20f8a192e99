-- The same tables and columns stand in ../sqlite/0217_staged_runs.sql; a test compares both schemas.

-- Counts what changes a run's plan: a large run plans ahead, and looks again whether it is the same.
ALTER TABLE projects ADD COLUMN change_seq BIGINT NOT NULL DEFAULT 0;

-- Large runs whose keys and chunks are being written. What is of a run that stands here is read by nobody, and swept when
-- the run has died.
CREATE TABLE staged_runs (
    tracking_token TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    -- The keys that it stages lie between these ids.
    first_key TEXT COLLATE "C" NOT NULL,
    last_key TEXT COLLATE "C" NOT NULL,
    -- 'dead': what there is of it is being deleted. 'landed': what there is of its changes is.
    status TEXT COLLATE "C" NOT NULL CHECK (status IN ('writing', 'dead', 'landed')),
    created_at BIGINT NOT NULL
);
CREATE INDEX staged_runs_by_project ON staged_runs (project_id);

-- The run that stages a key, which is archived as long as that. NULL for all others.
ALTER TABLE keys ADD COLUMN staged_by TEXT COLLATE "C";

-- What a staged run makes of keys that are there. A row without a source only moves its key.
CREATE TABLE staged_changes (
    tracking_token TEXT COLLATE "C" NOT NULL REFERENCES staged_runs (tracking_token),
    key_id TEXT COLLATE "C" NOT NULL,
    namespace TEXT COLLATE "C",
    source_path TEXT COLLATE "C",
    position BIGINT NOT NULL,
    source TEXT COLLATE "C",
    source_hash BYTEA,
    characters BIGINT,
    description TEXT COLLATE "C",
    max_length BIGINT,
    tags TEXT COLLATE "C",
    updated_at BIGINT,
    PRIMARY KEY (tracking_token, key_id)
);

-- Staged keys are not counted before they are live.
CREATE OR REPLACE FUNCTION count_keys() RETURNS TRIGGER LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO key_counts AS c SELECT project_id, state, COUNT(*) FROM fresh WHERE staged_by IS NULL
            GROUP BY 1, 2 ORDER BY 1, 2
            ON CONFLICT (project_id, state) DO UPDATE SET number = c.number + excluded.number;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO key_counts AS c SELECT project_id, state, -COUNT(*) FROM former WHERE staged_by IS NULL
            GROUP BY 1, 2 ORDER BY 1, 2
            ON CONFLICT (project_id, state) DO UPDATE SET number = c.number + excluded.number;
    ELSE
        INSERT INTO key_counts AS c SELECT project_id, state, SUM(number) FROM (
                SELECT project_id, state, 1 AS number FROM fresh WHERE staged_by IS NULL
                UNION ALL SELECT project_id, state, -1 FROM former WHERE staged_by IS NULL) d
            GROUP BY 1, 2 HAVING SUM(number) <> 0 ORDER BY 1, 2
            ON CONFLICT (project_id, state) DO UPDATE SET number = c.number + excluded.number;
        IF EXISTS (SELECT 1 FROM fresh JOIN former ON former.id = fresh.id
                WHERE (fresh.state = 'active') <> (former.state = 'active')) THEN
            INSERT INTO translation_counts AS c
                SELECT t.project_id, t.language, t.state, SUM(s.sign), SUM(CASE WHEN t.stale THEN s.sign ELSE 0 END)
                FROM (SELECT fresh.id, CASE WHEN fresh.state = 'active' THEN 1 ELSE -1 END AS sign
                    FROM fresh JOIN former ON former.id = fresh.id
                    WHERE (fresh.state = 'active') <> (former.state = 'active')) s
                JOIN translations t ON t.key_id = s.id GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
                ON CONFLICT (project_id, language, state)
                DO UPDATE SET number = c.number + excluded.number, stale = c.stale + excluded.stale;
        END IF;
    END IF;
    RETURN NULL;
END $$;
