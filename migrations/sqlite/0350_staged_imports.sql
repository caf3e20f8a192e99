-- The same columns stand in ../postgres/0350_staged_imports.sql; a test compares both schemas.

-- True for a run that brings imported translations and nothing else.
ALTER TABLE staged_runs ADD COLUMN imports INTEGER NOT NULL DEFAULT 0 CHECK (imports IN (0, 1));

-- True for a translation of such a run that memory keeps: of two keys with one text it keeps one.
ALTER TABLE staged_translations ADD COLUMN is_remembered INTEGER NOT NULL DEFAULT 0 CHECK (is_remembered IN (0, 1));
