-- The same table stands in ../postgres/0301_glossary.sql; a test compares both schemas.

-- Terms of a project, or of a workspace for all of its projects: one of the two is named.
CREATE TABLE glossary_terms (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT REFERENCES workspaces (id),
    project_id TEXT REFERENCES projects (id),
    language TEXT NOT NULL,
    term TEXT NOT NULL,
    rule TEXT NOT NULL CHECK (rule IN ('translate', 'keep', 'forbidden')),
    case_sensitive INTEGER NOT NULL CHECK (case_sensitive IN (0, 1)),
    -- JSON: texts by language.
    translations TEXT NOT NULL,
    note TEXT,
    CHECK ((workspace_id IS NULL) <> (project_id IS NULL))
) STRICT;
CREATE UNIQUE INDEX glossary_terms_of_project ON glossary_terms (project_id, language, term);
CREATE UNIQUE INDEX glossary_terms_of_workspace ON glossary_terms (workspace_id, language, term);
