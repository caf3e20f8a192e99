-- The same columns stand in ../sqlite/0350_staged_imports.sql; a test compares both schemas.

-- True for a run that brings imported translations and nothing else.
ALTER TABLE staged_runs ADD COLUMN imports BOOLEAN NOT NULL DEFAULT FALSE;

-- True for a translation of such a run that memory keeps: of two keys with one text it keeps one.
ALTER TABLE staged_translations ADD COLUMN is_remembered BOOLEAN NOT NULL DEFAULT FALSE;
