-- A page passes captured and archived keys without reading them: their state stands in the index. SQLite keeps its index: see
-- ../sqlite/0351_state_beside_ref.sql.
CREATE UNIQUE INDEX keys_by_ref ON keys (project_id, ref) INCLUDE (state);
ALTER TABLE keys DROP CONSTRAINT keys_project_id_ref_key;
