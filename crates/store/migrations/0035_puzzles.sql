-- Puzzles. `lead` is the opponent's move from `fen` that makes the puzzle, `line` the solution, with spaces between moves.
CREATE TABLE puzzles (
    id TEXT PRIMARY KEY,
    variant TEXT NOT NULL,
    digest TEXT NOT NULL,
    fen TEXT NOT NULL,
    lead TEXT NOT NULL,
    line TEXT NOT NULL,
    source TEXT NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    plays BIGINT NOT NULL,
    votes BIGINT NOT NULL,
    -- The file that listed it last, and 1 if a later one does not.
    file TEXT NOT NULL,
    retired BIGINT NOT NULL
);
CREATE INDEX puzzles_rating ON puzzles (variant, retired, rating);

CREATE TABLE puzzle_themes (
    puzzle TEXT NOT NULL REFERENCES puzzles (id) ON DELETE CASCADE,
    theme TEXT NOT NULL,
    PRIMARY KEY (puzzle, theme)
);

-- The files of puzzles that have been read to their end, by a digest of the file and its rules.
CREATE TABLE puzzle_files (
    variant TEXT PRIMARY KEY,
    digest TEXT NOT NULL
);

-- First attempts. `won` is null until the attempt has ended; ratings are the solver's, null where nothing was rated.
CREATE TABLE puzzle_rounds (
    owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    puzzle TEXT NOT NULL REFERENCES puzzles (id) ON DELETE CASCADE,
    hinted BIGINT NOT NULL,
    won BIGINT,
    at BIGINT NOT NULL,
    rating_before DOUBLE PRECISION,
    rating DOUBLE PRECISION,
    vote BIGINT NOT NULL,
    PRIMARY KEY (owner, puzzle)
);
CREATE INDEX puzzle_rounds_at ON puzzle_rounds (owner, at);

CREATE TABLE puzzle_ratings (
    owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    variant TEXT NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    plays BIGINT NOT NULL,
    PRIMARY KEY (owner, variant)
);

-- The puzzle of a day, in days since 1970.
CREATE TABLE puzzle_days (
    variant TEXT NOT NULL,
    day BIGINT NOT NULL,
    puzzle TEXT NOT NULL REFERENCES puzzles (id) ON DELETE CASCADE,
    PRIMARY KEY (variant, day)
);
