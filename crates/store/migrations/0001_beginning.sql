-- One text for SQLite and PostgreSQL: times are Unix milliseconds, yes and no are 1 and 0, ids are texts.

CREATE TABLE users (
    id TEXT PRIMARY KEY,
    name TEXT,
    name_key TEXT UNIQUE,
    password TEXT,
    bot BIGINT NOT NULL DEFAULT 0,
    settings TEXT NOT NULL DEFAULT '{}',
    epoch BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);

CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    data TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_expire ON sessions (expires_at);

CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    digest TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX tokens_owner ON tokens (owner);

-- The rules as they were when a game was played: their texts, first the game's own, then those it extends.
CREATE TABLE rules (
    digest TEXT PRIMARY KEY,
    variant TEXT NOT NULL,
    name TEXT NOT NULL,
    texts TEXT NOT NULL
);

CREATE TABLE games (
    id TEXT PRIMARY KEY,
    digest TEXT NOT NULL REFERENCES rules (digest),
    variant TEXT NOT NULL,
    start_fen TEXT NOT NULL,
    clock TEXT,
    speed TEXT NOT NULL,
    rated BIGINT NOT NULL,
    visibility TEXT NOT NULL,
    maker TEXT NOT NULL,
    white TEXT,
    black TEXT,
    white_player TEXT,
    black_player TEXT,
    previous TEXT,
    next TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    status TEXT NOT NULL,
    result TEXT NOT NULL,
    reason TEXT,
    ply BIGINT NOT NULL,
    fen TEXT NOT NULL,
    last_move TEXT,
    deadline BIGINT
);
CREATE INDEX games_white ON games (white, updated_at);
CREATE INDEX games_black ON games (black, updated_at);
CREATE INDEX games_status ON games (status, updated_at);
CREATE INDEX games_variant ON games (variant, updated_at);

-- What happened in a game, in order; the game is what follows from it.
CREATE TABLE facts (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    fact TEXT NOT NULL,
    PRIMARY KEY (game, seq)
);

CREATE TABLE chat (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    at BIGINT NOT NULL,
    number BIGINT NOT NULL,
    room TEXT NOT NULL,
    author TEXT NOT NULL,
    author_name TEXT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (game, number)
);

CREATE TABLE ratings (
    owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    variant TEXT NOT NULL,
    speed TEXT NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    games BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (owner, variant, speed)
);

CREATE TABLE rating_history (
    owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    variant TEXT NOT NULL,
    speed TEXT NOT NULL,
    at BIGINT NOT NULL,
    game TEXT NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (owner, variant, speed, game)
);

-- When the server was last known to run: what lies between that and its next start is charged to no live clock.
CREATE TABLE heartbeat (
    one BIGINT PRIMARY KEY,
    at BIGINT NOT NULL
);
