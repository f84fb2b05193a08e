-- Jobs for the engine. These rows are the record, whichever way a job travels to its worker.
CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    -- 0 live, 1 user, 2 batch: a lower class comes first.
    class BIGINT NOT NULL,
    kind TEXT NOT NULL,
    asker TEXT NOT NULL,
    -- The place among the askers of the class, who take turns.
    turn BIGINT NOT NULL,
    spec TEXT NOT NULL,
    -- The engine that has to do the job; empty for any.
    signature TEXT NOT NULL,
    -- Workers that may not do it, as `|name|name|`.
    excluded TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    -- Times are in milliseconds since 1970; 0 stands for none.
    created_at BIGINT NOT NULL,
    not_before BIGINT NOT NULL DEFAULT 0,
    deadline BIGINT NOT NULL DEFAULT 0,
    -- Counts the leases: only the worker with the current token may change the job.
    token BIGINT NOT NULL DEFAULT 0,
    worker TEXT NOT NULL DEFAULT '',
    lease_until BIGINT NOT NULL DEFAULT 0,
    progress TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    -- When the job was last handed to NATS.
    published_at BIGINT NOT NULL DEFAULT 0,
    finished_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX jobs_order ON jobs (state, class, turn, created_at);
CREATE INDEX jobs_askers ON jobs (state, class, asker, turn);
CREATE INDEX jobs_leases ON jobs (state, lease_until);

CREATE TABLE results (
    job_id TEXT PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    result TEXT NOT NULL,
    worker TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE TABLE barred_workers (
    worker TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    at BIGINT NOT NULL
);
