-- The same tables stand in ../postgres/0300_search.sql; a test compares both schemas, save `search_grams`.
-- The index of texts: which keys have a sequence of three characters in ref, source or a translation. A worker keeps it. Until
-- it has come to a key, the key is marked, and a search reads the key itself; so no writer waits for the index, and none can
-- forget it.

-- Keys whose texts the index does not know yet.
CREATE TABLE search_marks (
    project_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    PRIMARY KEY (project_id, key_id)
) STRICT, WITHOUT ROWID;

-- Keys that the index knows.
CREATE TABLE search_keys (
    number INTEGER NOT NULL PRIMARY KEY,
    key_id TEXT NOT NULL UNIQUE
) STRICT;

-- Their sequences, as hashes that belong to one project, with blanks between. Not stored again beside the index.
CREATE VIRTUAL TABLE search_grams USING fts5 (grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');

CREATE TRIGGER keys_marked_insert AFTER INSERT ON keys BEGIN
    INSERT INTO search_marks VALUES (new.project_id, new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER keys_marked_update AFTER UPDATE OF ref, source ON keys
WHEN old.ref <> new.ref OR old.source <> new.source BEGIN
    INSERT INTO search_marks VALUES (new.project_id, new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER keys_unmarked AFTER DELETE ON keys BEGIN
    DELETE FROM search_marks WHERE project_id = old.project_id AND key_id = old.id;
    DELETE FROM search_grams WHERE rowid = (SELECT number FROM search_keys WHERE key_id = old.id);
    DELETE FROM search_keys WHERE key_id = old.id;
END;
CREATE TRIGGER translations_marked_insert AFTER INSERT ON translations BEGIN
    INSERT INTO search_marks VALUES (new.project_id, new.key_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER translations_marked_update AFTER UPDATE OF content ON translations WHEN old.content <> new.content BEGIN
    INSERT INTO search_marks VALUES (new.project_id, new.key_id) ON CONFLICT DO NOTHING;
END;

-- The worker comes to what there is in its own time.
INSERT INTO search_marks SELECT project_id, id FROM keys;
