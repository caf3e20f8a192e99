-- What people changed on the source side that the code lacks. What the project has now is in the key itself.
CREATE TABLE code_changes (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    key_id TEXT COLLATE "C" NOT NULL REFERENCES keys (id),
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('text_changed', 'key_added', 'key_archived', 'key_renamed')),
    -- What the code has: the name of a key that was renamed, the content of one that was changed or archived.
    code_ref TEXT COLLATE "C",
    code_source TEXT COLLATE "C",
    -- Where a key that was added belongs; others know their file themselves.
    file TEXT COLLATE "C",
    made_by TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (key_id, kind)
);
CREATE INDEX code_changes_by_project ON code_changes (project_id, id);
