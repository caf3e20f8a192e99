-- Nothing changes here: ../postgres/0351_state_beside_ref.sql adds a column to an index, which SQLite cannot do without writing all
-- keys anew.
SELECT 1;
