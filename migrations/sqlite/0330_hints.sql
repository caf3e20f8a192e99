-- The same column and index stand in ../postgres/0330_hints.sql; a test compares both schemas.

-- How the translations of the project are to sound, in the words of its people. NULL: nothing is said.
ALTER TABLE projects ADD COLUMN style_note TEXT;

-- The keys beside one in its file are found without reading the whole file.
DROP INDEX keys_by_source_path;
CREATE INDEX keys_by_source_path ON keys (project_id, source_path, position);
