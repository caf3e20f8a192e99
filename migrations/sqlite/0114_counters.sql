-- The same tables stand in ../postgres/0114_counters.sql; a test compares both schemas.
-- How many keys and translations there are, kept by triggers in the transactions that write them, so that no writer can
-- forget and nobody has to count. Whoever writes keys or translations holds the lock of their project.

CREATE TABLE key_counts (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    state TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (project_id, state)
) STRICT, WITHOUT ROWID;

-- Translations of active keys.
CREATE TABLE translation_counts (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    language TEXT NOT NULL,
    state TEXT NOT NULL,
    number INTEGER NOT NULL,
    stale INTEGER NOT NULL,
    PRIMARY KEY (project_id, language, state)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER keys_counted_insert AFTER INSERT ON keys BEGIN
    INSERT INTO key_counts VALUES (new.project_id, new.state, 1)
        ON CONFLICT (project_id, state) DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER keys_counted_delete AFTER DELETE ON keys BEGIN
    UPDATE key_counts SET number = number - 1 WHERE project_id = old.project_id AND state = old.state;
END;
CREATE TRIGGER keys_counted_update AFTER UPDATE OF state ON keys WHEN old.state <> new.state BEGIN
    UPDATE key_counts SET number = number - 1 WHERE project_id = old.project_id AND state = old.state;
    INSERT INTO key_counts VALUES (new.project_id, new.state, 1)
        ON CONFLICT (project_id, state) DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER keys_counted_activation AFTER UPDATE OF state ON keys
WHEN (old.state = 'active') <> (new.state = 'active') BEGIN
    INSERT INTO translation_counts SELECT t.project_id, t.language, t.state,
            CASE WHEN new.state = 'active' THEN 1 ELSE -1 END, CASE WHEN new.state = 'active' THEN t.stale ELSE -t.stale END
        FROM translations t WHERE t.key_id = new.id
        ON CONFLICT (project_id, language, state)
        DO UPDATE SET number = number + excluded.number, stale = stale + excluded.stale;
END;

CREATE TRIGGER translations_counted_insert AFTER INSERT ON translations BEGIN
    INSERT INTO translation_counts SELECT new.project_id, new.language, new.state, 1, new.stale
        FROM keys k WHERE k.id = new.key_id AND k.state = 'active'
        ON CONFLICT (project_id, language, state)
        DO UPDATE SET number = number + 1, stale = stale + excluded.stale;
END;
CREATE TRIGGER translations_counted_delete AFTER DELETE ON translations BEGIN
    INSERT INTO translation_counts SELECT old.project_id, old.language, old.state, -1, -old.stale
        FROM keys k WHERE k.id = old.key_id AND k.state = 'active'
        ON CONFLICT (project_id, language, state)
        DO UPDATE SET number = number - 1, stale = stale + excluded.stale;
END;
CREATE TRIGGER translations_counted_update AFTER UPDATE OF state, stale ON translations
WHEN old.state <> new.state OR old.stale <> new.stale BEGIN
    INSERT INTO translation_counts SELECT old.project_id, old.language, old.state, -1, -old.stale
        FROM keys k WHERE k.id = old.key_id AND k.state = 'active'
        ON CONFLICT (project_id, language, state)
        DO UPDATE SET number = number - 1, stale = stale + excluded.stale;
    INSERT INTO translation_counts SELECT new.project_id, new.language, new.state, 1, new.stale
        FROM keys k WHERE k.id = new.key_id AND k.state = 'active'
        ON CONFLICT (project_id, language, state)
        DO UPDATE SET number = number + 1, stale = stale + excluded.stale;
END;

INSERT INTO key_counts SELECT project_id, state, COUNT(*) FROM keys GROUP BY project_id, state;
INSERT INTO translation_counts SELECT t.project_id, t.language, t.state, COUNT(*), SUM(t.stale)
    FROM translations t JOIN keys k ON k.id = t.key_id WHERE k.state = 'active'
    GROUP BY t.project_id, t.language, t.state;
