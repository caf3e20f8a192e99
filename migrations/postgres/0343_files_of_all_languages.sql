-- The same columns stand in ../sqlite/0343_files_of_all_languages.sql; a test compares both schemas.

-- True for a file that holds the source and every translation. Its format alone does not say so: a table of texts may have a
-- column for each language, or be in one of them.
ALTER TABLE source_files ADD COLUMN holds_all_languages BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE version_files ADD COLUMN holds_all_languages BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE source_files SET holds_all_languages = TRUE WHERE format = 'xcstrings';
UPDATE version_files SET holds_all_languages = TRUE WHERE format = 'xcstrings';
