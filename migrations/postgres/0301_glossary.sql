-- The same table stands in ../sqlite/0301_glossary.sql; a test compares both schemas.

-- Terms of a project, or of a workspace for all of its projects: one of the two is named.
CREATE TABLE glossary_terms (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id TEXT COLLATE "C" REFERENCES workspaces (id),
    project_id TEXT COLLATE "C" REFERENCES projects (id),
    language TEXT COLLATE "C" NOT NULL,
    term TEXT COLLATE "C" NOT NULL,
    rule TEXT COLLATE "C" NOT NULL CHECK (rule IN ('translate', 'keep', 'forbidden')),
    case_sensitive BOOLEAN NOT NULL,
    -- JSON: texts by language.
    translations TEXT COLLATE "C" NOT NULL,
    note TEXT COLLATE "C",
    CHECK ((workspace_id IS NULL) <> (project_id IS NULL))
);
CREATE UNIQUE INDEX glossary_terms_of_project ON glossary_terms (project_id, language, term);
CREATE UNIQUE INDEX glossary_terms_of_workspace ON glossary_terms (workspace_id, language, term);
