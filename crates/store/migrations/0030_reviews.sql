-- Games that were played elsewhere, and what the engine thinks of games.

CREATE TABLE imports (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    variant TEXT NOT NULL,
    digest TEXT NOT NULL,
    pgn TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX imports_owner ON imports (owner);

CREATE TABLE reviews (
    game TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    engine TEXT NOT NULL,
    nodes BIGINT NOT NULL,
    -- Null until the review is finished.
    data TEXT,
    asked_by TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX reviews_asked_by ON reviews (asked_by);
