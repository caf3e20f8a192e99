-- The same table stands in ../postgres/0332_job_engines.sql; a test compares both schemas.

-- What each engine has translated of a job, and the price of that. Added to with each chunk, in its transaction. Jobs of earlier
-- releases have none.
CREATE TABLE job_engines (
    job_id TEXT NOT NULL REFERENCES jobs (tracking_token),
    engine TEXT NOT NULL,
    texts INTEGER NOT NULL,
    charged INTEGER NOT NULL,
    PRIMARY KEY (job_id, engine)
) STRICT, WITHOUT ROWID;
