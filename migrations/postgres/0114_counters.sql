-- The same tables stand in ../sqlite/0114_counters.sql; a test compares both schemas.
-- How many keys and translations there are, kept by triggers in the transactions that write them, so that no writer can
-- forget and nobody has to count. Whoever writes keys or translations holds the lock of their project.

-- Whoever writes keys or translations locks their project first: nobody is in the middle of it from here on.
LOCK TABLE projects IN EXCLUSIVE MODE;

CREATE TABLE key_counts (
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    state TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    PRIMARY KEY (project_id, state)
);

-- Translations of active keys.
CREATE TABLE translation_counts (
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    language TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    stale BIGINT NOT NULL,
    PRIMARY KEY (project_id, language, state)
);

-- Once for each statement, not for each row. What a function is planned for may have been a small table: it finds rows by
-- their keys nonetheless.

CREATE FUNCTION count_keys() RETURNS TRIGGER LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO key_counts AS c SELECT project_id, state, COUNT(*) FROM fresh GROUP BY 1, 2 ORDER BY 1, 2
            ON CONFLICT (project_id, state) DO UPDATE SET number = c.number + excluded.number;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO key_counts AS c SELECT project_id, state, -COUNT(*) FROM former GROUP BY 1, 2 ORDER BY 1, 2
            ON CONFLICT (project_id, state) DO UPDATE SET number = c.number + excluded.number;
    ELSE
        INSERT INTO key_counts AS c SELECT project_id, state, SUM(number) FROM (
                SELECT project_id, state, 1 AS number FROM fresh UNION ALL SELECT project_id, state, -1 FROM former) d
            GROUP BY 1, 2 HAVING SUM(number) <> 0 ORDER BY 1, 2
            ON CONFLICT (project_id, state) DO UPDATE SET number = c.number + excluded.number;
        IF EXISTS (SELECT 1 FROM fresh JOIN former ON former.id = fresh.id
                WHERE (fresh.state = 'active') <> (former.state = 'active')) THEN
            INSERT INTO translation_counts AS c
                SELECT t.project_id, t.language, t.state, SUM(s.sign), SUM(CASE WHEN t.stale THEN s.sign ELSE 0 END)
                FROM (SELECT fresh.id, CASE WHEN fresh.state = 'active' THEN 1 ELSE -1 END AS sign
                    FROM fresh JOIN former ON former.id = fresh.id
                    WHERE (fresh.state = 'active') <> (former.state = 'active')) s
                JOIN translations t ON t.key_id = s.id GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
                ON CONFLICT (project_id, language, state)
                DO UPDATE SET number = c.number + excluded.number, stale = c.stale + excluded.stale;
        END IF;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER keys_counted_insert AFTER INSERT ON keys REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION count_keys();
CREATE TRIGGER keys_counted_delete AFTER DELETE ON keys REFERENCING OLD TABLE AS former
    FOR EACH STATEMENT EXECUTE FUNCTION count_keys();
CREATE TRIGGER keys_counted_update AFTER UPDATE ON keys REFERENCING OLD TABLE AS former NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION count_keys();

CREATE FUNCTION count_translations() RETURNS TRIGGER LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO translation_counts AS c
            SELECT f.project_id, f.language, f.state, COUNT(*), COUNT(CASE WHEN f.stale THEN 1 END)
            FROM fresh f WHERE (SELECT k.state FROM keys k WHERE k.id = f.key_id) = 'active' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
            ON CONFLICT (project_id, language, state)
            DO UPDATE SET number = c.number + excluded.number, stale = c.stale + excluded.stale;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO translation_counts AS c
            SELECT f.project_id, f.language, f.state, -COUNT(*), -COUNT(CASE WHEN f.stale THEN 1 END)
            FROM former f WHERE (SELECT k.state FROM keys k WHERE k.id = f.key_id) = 'active' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
            ON CONFLICT (project_id, language, state)
            DO UPDATE SET number = c.number + excluded.number, stale = c.stale + excluded.stale;
    ELSE
        INSERT INTO translation_counts AS c
            SELECT d.project_id, d.language, d.state, SUM(d.sign), SUM(CASE WHEN d.stale THEN d.sign ELSE 0 END)
            FROM (SELECT key_id, project_id, language, state, stale, 1 AS sign FROM fresh
                UNION ALL SELECT key_id, project_id, language, state, stale, -1 FROM former) d
            WHERE (SELECT k.state FROM keys k WHERE k.id = d.key_id) = 'active' GROUP BY 1, 2, 3
            HAVING SUM(d.sign) <> 0 OR SUM(CASE WHEN d.stale THEN d.sign ELSE 0 END) <> 0 ORDER BY 1, 2, 3
            ON CONFLICT (project_id, language, state)
            DO UPDATE SET number = c.number + excluded.number, stale = c.stale + excluded.stale;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER translations_counted_insert AFTER INSERT ON translations REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION count_translations();
CREATE TRIGGER translations_counted_delete AFTER DELETE ON translations REFERENCING OLD TABLE AS former
    FOR EACH STATEMENT EXECUTE FUNCTION count_translations();
CREATE TRIGGER translations_counted_update AFTER UPDATE ON translations REFERENCING OLD TABLE AS former NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION count_translations();

INSERT INTO key_counts SELECT project_id, state, COUNT(*) FROM keys GROUP BY 1, 2;
INSERT INTO translation_counts
    SELECT t.project_id, t.language, t.state, COUNT(*), COUNT(CASE WHEN t.stale THEN 1 END)
    FROM translations t JOIN keys k ON k.id = t.key_id WHERE k.state = 'active' GROUP BY 1, 2, 3;
