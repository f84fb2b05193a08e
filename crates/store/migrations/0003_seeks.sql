-- Wishes for games by correspondence, which stand until they are taken, withdrawn or too old. Live ones are in memory only.

CREATE TABLE seeks (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    wish TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX seeks_created ON seeks (created_at);
