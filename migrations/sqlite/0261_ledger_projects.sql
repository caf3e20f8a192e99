-- The same column and indexes stand in ../postgres/0261_ledger_projects.sql; a test compares both schemas.

-- The project that the credits were spent for. It refers to no row: the project and the job may be deleted, the entry stays.
ALTER TABLE ledger ADD COLUMN project_id TEXT;
UPDATE ledger SET project_id = (SELECT j.project_id FROM jobs j WHERE j.tracking_token = ledger.job_id) WHERE job_id IS NOT NULL;

CREATE INDEX ledger_by_kind ON ledger (workspace_id, kind, created_at, id);
CREATE INDEX ledger_by_project ON ledger (workspace_id, project_id, created_at, id);
