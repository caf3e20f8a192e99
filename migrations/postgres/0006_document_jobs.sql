-- The same column stands in ../sqlite/0006_document_jobs.sql; a test compares both schemas.

-- The document that a job of kind 'content' translates.
ALTER TABLE jobs ADD COLUMN document_id TEXT COLLATE "C" REFERENCES documents (id);
