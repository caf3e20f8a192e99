-- The same tables and columns stand in ../postgres/0010_runs.sql; a test compares both schemas.

-- Whether a job was asked to replace what people wrote, as far as that was there when it was queued.
ALTER TABLE jobs ADD COLUMN retranslate INTEGER NOT NULL DEFAULT 0 CHECK (retranslate IN (0, 1));

-- What chunks translate. Chunks of several languages share a slot; one without a slot, of a release before, has its own items.
CREATE TABLE job_items (
    job_id TEXT NOT NULL REFERENCES jobs (tracking_token),
    slot INTEGER NOT NULL,
    items TEXT NOT NULL,
    PRIMARY KEY (job_id, slot)
) STRICT;
ALTER TABLE job_chunks ADD COLUMN slot INTEGER;
CREATE INDEX job_chunks_by_slot ON job_chunks (job_id, slot);

-- In which slots of unfinished jobs a key (by its id) or a segment (by its hash) stands, and with which text.
CREATE TABLE pending_items (
    project_id TEXT NOT NULL,
    item TEXT NOT NULL,
    job_id TEXT NOT NULL,
    slot INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (project_id, item, job_id, slot)
) STRICT, WITHOUT ROWID;
