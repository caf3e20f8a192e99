-- The same tables stand in the other engine's 0116_memory_of_projects.sql; a test compares both schemas.

-- What a project gives to translation memory and takes from it: that of its workspace, of itself alone, or none.
ALTER TABLE projects ADD COLUMN memory TEXT NOT NULL DEFAULT 'workspace' CHECK (memory IN ('workspace', 'project', 'off'));

-- Memory that serves its own project alone: imported texts, and all texts of a project whose setting is 'project'.
CREATE TABLE project_memory (
    project_id TEXT NOT NULL REFERENCES projects (id),
    source_language TEXT NOT NULL,
    target_language TEXT NOT NULL,
    source_hash BLOB NOT NULL,
    -- '' for imported and reviewed texts.
    engine TEXT NOT NULL,
    content TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    -- When a run last took it from memory, or it was last written; exact to a week.
    used_at INTEGER NOT NULL,
    PRIMARY KEY (project_id, source_language, target_language, source_hash, engine)
) STRICT, WITHOUT ROWID;
CREATE INDEX project_memory_by_use ON project_memory (used_at);

-- As project_memory.used_at. 0 where a server of an earlier release wrote the row.
ALTER TABLE memory ADD COLUMN used_at INTEGER NOT NULL DEFAULT 0;
UPDATE memory SET used_at = updated_at;
CREATE INDEX memory_by_use ON memory (used_at);

-- Until now memory did not say which project an imported text came from (engine ''). Where a project's own translation still
-- says the same, that project keeps it; other entries serve no one any more, and go when their retention is over. A text that
-- a person has reviewed has engine '*', which earlier releases neither read nor write.
INSERT INTO project_memory (project_id, source_language, target_language, source_hash, engine, content, updated_at, used_at)
SELECT DISTINCT t.project_id, m.source_language, m.target_language, m.source_hash, '', m.content, m.updated_at, m.updated_at
FROM translations t
JOIN projects p ON p.id = t.project_id
JOIN memory m ON m.workspace_id = p.workspace_id AND m.source_language = p.base_language AND m.target_language = t.language
    AND m.source_hash = t.source_hash AND m.engine = '' AND m.content = t.content
WHERE t.origin IN ('import', 'human');
