-- The same table stands in ../sqlite/0352_workspace_months.sql; a test compares both schemas.
-- What each workspace was charged in each month, kept by a trigger in the transaction of each entry of the ledger, so that no
-- writer can forget and nobody has to sum the entries of a month.

-- Whoever writes to the ledger locks the workspace first: nobody is in the middle of it from here on.
LOCK TABLE workspaces IN EXCLUSIVE MODE;

CREATE TABLE workspace_months (
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    -- Its first millisecond, in UTC.
    month BIGINT NOT NULL,
    -- Above zero for expenses.
    charged BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, month)
);

CREATE FUNCTION count_charge() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO workspace_months AS m (workspace_id, month, charged)
        VALUES (NEW.workspace_id,
            CAST(EXTRACT(EPOCH FROM date_trunc('month', to_timestamp(NEW.created_at / 1000) AT TIME ZONE 'UTC')) AS BIGINT)
                * 1000, -NEW.amount)
        ON CONFLICT (workspace_id, month) DO UPDATE SET charged = m.charged + excluded.charged;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_charged AFTER INSERT ON ledger
    FOR EACH ROW WHEN (NEW.kind = 'charge') EXECUTE FUNCTION count_charge();

INSERT INTO workspace_months (workspace_id, month, charged)
    SELECT workspace_id,
        CAST(EXTRACT(EPOCH FROM date_trunc('month', to_timestamp(created_at / 1000) AT TIME ZONE 'UTC')) AS BIGINT) * 1000,
        -SUM(amount)
    FROM ledger WHERE kind = 'charge' GROUP BY 1, 2;
