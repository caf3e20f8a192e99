-- The same table stands in ../sqlite/0013_job_turns.sql; a test compares both schemas.

-- Whom the translation workers served last: the workspace with the smallest number is next. A workspace without a row has
-- not been served yet.
CREATE TABLE job_turns (
    workspace_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    served BIGINT NOT NULL
);
CREATE INDEX job_turns_by_served ON job_turns (served);

-- Find the workspaces with unfinished jobs, and the next job of each: small ones first, then the oldest.
CREATE INDEX jobs_by_size ON jobs (workspace_id, total, created_at, tracking_token) WHERE finished_at IS NULL;
CREATE INDEX jobs_by_turn ON jobs (workspace_id, created_at, tracking_token) WHERE finished_at IS NULL;
