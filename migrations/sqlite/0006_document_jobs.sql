-- The same column stands in ../postgres/0006_document_jobs.sql; a test compares both schemas.

-- The document that a job of kind 'content' translates.
ALTER TABLE jobs ADD COLUMN document_id TEXT REFERENCES documents (id);
