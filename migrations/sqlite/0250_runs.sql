-- The same index stands in ../postgres/0250_runs.sql; a test compares both schemas.

-- The runs of a project, newest first.
CREATE INDEX jobs_by_age ON jobs (project_id, tracking_token);
