-- The same tables stand in ../sqlite/0280_project_settings.sql; a test compares both schemas.

-- The label of a version whose publisher gives none, with places for its number and date. NULL for `v` and the number.
ALTER TABLE projects ADD COLUMN default_label TEXT COLLATE "C";

-- Languages that people removed. Their translations stay for a time, in which adding the language brings them back.
CREATE TABLE removed_languages (
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    code TEXT COLLATE "C" NOT NULL,
    -- The name of the person.
    removed_by TEXT COLLATE "C" NOT NULL,
    removed_at BIGINT NOT NULL,
    PRIMARY KEY (project_id, code)
);
CREATE INDEX removed_languages_by_time ON removed_languages (removed_at);
