-- The same table stands in ../postgres/0352_workspace_months.sql; a test compares both schemas.
-- What each workspace was charged in each month, kept by a trigger in the transaction of each entry of the ledger, so that no
-- writer can forget and nobody has to sum the entries of a month.

CREATE TABLE workspace_months (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    -- Its first millisecond, in UTC.
    month INTEGER NOT NULL,
    -- Above zero for expenses.
    charged INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, month)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER ledger_charged AFTER INSERT ON ledger WHEN new.kind = 'charge' BEGIN
    INSERT INTO workspace_months (workspace_id, month, charged)
        VALUES (new.workspace_id, unixepoch(new.created_at / 1000, 'unixepoch', 'start of month') * 1000, -new.amount)
        ON CONFLICT (workspace_id, month) DO UPDATE SET charged = charged + excluded.charged;
END;

INSERT INTO workspace_months (workspace_id, month, charged)
    SELECT workspace_id, unixepoch(created_at / 1000, 'unixepoch', 'start of month') * 1000, -SUM(amount)
    FROM ledger WHERE kind = 'charge' GROUP BY 1, 2;
