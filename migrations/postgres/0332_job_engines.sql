-- The same table stands in ../sqlite/0332_job_engines.sql; a test compares both schemas.

-- What each engine has translated of a job, and the price of that. Added to with each chunk, in its transaction. Jobs of earlier
-- releases have none.
CREATE TABLE job_engines (
    job_id TEXT COLLATE "C" NOT NULL REFERENCES jobs (tracking_token),
    engine TEXT COLLATE "C" NOT NULL,
    texts BIGINT NOT NULL,
    charged BIGINT NOT NULL,
    PRIMARY KEY (job_id, engine)
);
