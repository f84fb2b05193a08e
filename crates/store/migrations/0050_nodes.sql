-- Several servers on one database of PostgreSQL. `owner` is the server that has a game, by its incarnation; `epoch` grows
-- with every new owner, and the statement that writes events compares it, so that an earlier owner writes nothing.
-- `command` names the request of another server that an event came of: sent again, it is found. SQLite has one server.

ALTER TABLE games ADD COLUMN owner TEXT;
ALTER TABLE games ADD COLUMN epoch BIGINT NOT NULL DEFAULT 0;
CREATE INDEX games_owner ON games (owner) WHERE owner IS NOT NULL;
ALTER TABLE facts ADD COLUMN command TEXT;

-- The servers. Each renews its lease; one that does not is marked dead, and others take its games over.
CREATE TABLE nodes (
    incarnation TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    address TEXT NOT NULL,
    version TEXT NOT NULL,
    schema BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    until BIGINT NOT NULL,
    nats_ok BIGINT NOT NULL,
    dead BIGINT NOT NULL DEFAULT 0
);

-- Live seeks, which with one server are in memory only, end then unless somebody listens for them.
ALTER TABLE seeks ADD COLUMN live_until BIGINT;

-- The oldest program that this schema serves, by its newest migration. A migration that takes something away raises it.
CREATE TABLE schema_floor (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    oldest BIGINT NOT NULL
);
INSERT INTO schema_floor (one, oldest) VALUES (1, 0);
