-- The same tables stand in ../postgres/0280_project_settings.sql; a test compares both schemas.

-- The label of a version whose publisher gives none, with places for its number and date. NULL for `v` and the number.
ALTER TABLE projects ADD COLUMN default_label TEXT;

-- Languages that people removed. Their translations stay for a time, in which adding the language brings them back.
CREATE TABLE removed_languages (
    project_id TEXT NOT NULL REFERENCES projects (id),
    code TEXT NOT NULL,
    -- The name of the person.
    removed_by TEXT NOT NULL,
    removed_at INTEGER NOT NULL,
    PRIMARY KEY (project_id, code)
) STRICT, WITHOUT ROWID;
CREATE INDEX removed_languages_by_time ON removed_languages (removed_at);
