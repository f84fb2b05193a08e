-- Users whose sessions or tokens were revoked, and the empty name for a banned network: several servers on one database read
-- them here, because a message may be lost. By the clock of the database; kept for a day.
CREATE TABLE revocations (
    subject TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX revocations_at ON revocations (at);
