-- The same tables stand in ../postgres/0302_memory_sources.sql; a test compares both schemas.

-- The texts that translation memory has translations of, so that it also finds similar ones. One row for each text, whatever
-- the number of languages; what people wrote apart from what engines made, so that neither fills the other's lists. A worker
-- indexes them: until it has come to one, memory finds it by the same text alone.
CREATE TABLE memory_sources (
    number INTEGER NOT NULL PRIMARY KEY,
    -- The workspace or project that the memory belongs to.
    owner_id TEXT NOT NULL,
    source_language TEXT NOT NULL,
    is_human INTEGER NOT NULL CHECK (is_human IN (0, 1)),
    source_hash BLOB NOT NULL,
    source TEXT NOT NULL,
    -- As memory.used_at, of the translation that was used last.
    used_at INTEGER NOT NULL,
    is_indexed INTEGER NOT NULL CHECK (is_indexed IN (0, 1)),
    UNIQUE (owner_id, source_language, is_human, source_hash)
) STRICT;
CREATE INDEX memory_sources_by_use ON memory_sources (used_at);
CREATE INDEX memory_sources_waiting ON memory_sources (number) WHERE NOT is_indexed;

-- A few sequences of characters of each text, as hashes that belong to one memory, with the length of the text.
CREATE TABLE memory_grams (
    token INTEGER NOT NULL,
    length INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (token, length, number)
) STRICT, WITHOUT ROWID;

-- Memory did not keep the texts themselves. Those that a project still has are known; the others are found by the same text
-- alone, as before.
INSERT INTO memory_sources (owner_id, source_language, is_human, source_hash, source, used_at, is_indexed)
SELECT p.workspace_id, m.source_language, m.engine = '*', m.source_hash, MIN(k.source), MAX(m.used_at), FALSE
FROM projects p JOIN keys k ON k.project_id = p.id JOIN languages l ON l.project_id = p.id
JOIN memory m ON m.workspace_id = p.workspace_id AND m.source_language = p.base_language AND m.target_language = l.code
    AND m.source_hash = k.source_hash AND m.engine <> ''
GROUP BY p.workspace_id, m.source_language, m.engine = '*', m.source_hash;
INSERT INTO memory_sources (owner_id, source_language, is_human, source_hash, source, used_at, is_indexed)
SELECT p.id, m.source_language, m.engine = '', m.source_hash, MIN(k.source), MAX(m.used_at), FALSE
FROM projects p JOIN keys k ON k.project_id = p.id JOIN languages l ON l.project_id = p.id
JOIN project_memory m ON m.project_id = p.id AND m.source_language = p.base_language AND m.target_language = l.code
    AND m.source_hash = k.source_hash
GROUP BY p.id, m.source_language, m.engine = '', m.source_hash;
INSERT INTO memory_sources (owner_id, source_language, is_human, source_hash, source, used_at, is_indexed)
SELECT p.workspace_id, m.source_language, m.engine = '*', m.source_hash, json_object('text', MIN(s.text)), MAX(m.used_at), FALSE
FROM projects p JOIN segments s ON s.project_id = p.id JOIN languages l ON l.project_id = p.id
JOIN memory m ON m.workspace_id = p.workspace_id AND m.source_language = s.language AND m.target_language = l.code
    AND m.source_hash = s.hash AND m.engine <> ''
GROUP BY p.workspace_id, m.source_language, m.engine = '*', m.source_hash
ON CONFLICT (owner_id, source_language, is_human, source_hash) DO NOTHING;
INSERT INTO memory_sources (owner_id, source_language, is_human, source_hash, source, used_at, is_indexed)
SELECT p.id, m.source_language, m.engine = '', m.source_hash, json_object('text', MIN(s.text)), MAX(m.used_at), FALSE
FROM projects p JOIN segments s ON s.project_id = p.id JOIN languages l ON l.project_id = p.id
JOIN project_memory m ON m.project_id = p.id AND m.source_language = s.language AND m.target_language = l.code
    AND m.source_hash = s.hash
GROUP BY p.id, m.source_language, m.engine = '', m.source_hash
ON CONFLICT (owner_id, source_language, is_human, source_hash) DO NOTHING;
