-- What people changed on the source side that the code lacks. What the project has now is in the key itself.
CREATE TABLE code_changes (
    id TEXT NOT NULL PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id),
    key_id TEXT NOT NULL REFERENCES keys (id),
    kind TEXT NOT NULL CHECK (kind IN ('text_changed', 'key_added', 'key_archived', 'key_renamed')),
    -- What the code has: the name of a key that was renamed, the content of one that was changed or archived.
    code_ref TEXT,
    code_source TEXT,
    -- Where a key that was added belongs; others know their file themselves.
    file TEXT,
    made_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (key_id, kind)
) STRICT;
CREATE INDEX code_changes_by_project ON code_changes (project_id, id);
