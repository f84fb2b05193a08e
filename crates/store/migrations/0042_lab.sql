-- Balance reports that users have asked for: a queue of jobs, and the finished reports. `variant` is the id of the game when it
-- was asked for.
CREATE TABLE lab_jobs (
    id TEXT PRIMARY KEY,
    digest TEXT NOT NULL REFERENCES rules (digest),
    variant TEXT NOT NULL,
    name TEXT NOT NULL,
    plan TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    state TEXT NOT NULL,
    done BIGINT NOT NULL DEFAULT 0,
    total BIGINT NOT NULL,
    -- How long it has been worked on, in milliseconds.
    spent BIGINT NOT NULL DEFAULT 0,
    fault TEXT,
    report TEXT,
    at BIGINT NOT NULL,
    ended_at BIGINT
);
CREATE INDEX lab_jobs_asked_by ON lab_jobs (asked_by, at);
CREATE INDEX lab_jobs_digest ON lab_jobs (digest, at);
CREATE INDEX lab_jobs_open ON lab_jobs (at, id) WHERE state = 'open';

-- The games of a job that is not finished, from which it goes on after a restart.
CREATE TABLE lab_games (
    job TEXT NOT NULL REFERENCES lab_jobs (id) ON DELETE CASCADE,
    part TEXT NOT NULL,
    number BIGINT NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (job, part, number)
);
