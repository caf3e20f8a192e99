-- The same tables and columns stand in ../sqlite/0010_runs.sql; a test compares both schemas.

-- Whether a job was asked to replace what people wrote, as far as that was there when it was queued.
ALTER TABLE jobs ADD COLUMN retranslate BOOLEAN NOT NULL DEFAULT FALSE;

-- What chunks translate. Chunks of several languages share a slot; one without a slot, of a release before, has its own items.
CREATE TABLE job_items (
    job_id TEXT COLLATE "C" NOT NULL REFERENCES jobs (tracking_token),
    slot BIGINT NOT NULL,
    items TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (job_id, slot)
);
ALTER TABLE job_chunks ADD COLUMN slot BIGINT;
CREATE INDEX job_chunks_by_slot ON job_chunks (job_id, slot);

-- In which slots of unfinished jobs a key (by its id) or a segment (by its hash) stands, and with which text.
CREATE TABLE pending_items (
    project_id TEXT COLLATE "C" NOT NULL,
    item TEXT COLLATE "C" NOT NULL,
    job_id TEXT COLLATE "C" NOT NULL,
    slot BIGINT NOT NULL,
    hash BYTEA NOT NULL,
    PRIMARY KEY (project_id, item, job_id, slot)
);
