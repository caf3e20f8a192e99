-- The same columns stand in ../postgres/0343_files_of_all_languages.sql; a test compares both schemas.

-- True for a file that holds the source and every translation. Its format alone does not say so: a table of texts may have a
-- column for each language, or be in one of them.
ALTER TABLE source_files ADD COLUMN holds_all_languages INTEGER NOT NULL DEFAULT 0 CHECK (holds_all_languages IN (0, 1));
ALTER TABLE version_files ADD COLUMN holds_all_languages INTEGER NOT NULL DEFAULT 0 CHECK (holds_all_languages IN (0, 1));
UPDATE source_files SET holds_all_languages = 1 WHERE format = 'xcstrings';
UPDATE version_files SET holds_all_languages = 1 WHERE format = 'xcstrings';
