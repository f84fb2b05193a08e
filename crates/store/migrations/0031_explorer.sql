-- What was played from a position in a month, encoded by domain/explorer.rs. Month 0 is the book of engine games.
CREATE TABLE explorer (
    key BIGINT NOT NULL,
    month BIGINT NOT NULL,
    entry BYTEA NOT NULL,
    PRIMARY KEY (key, month)
);

-- The games that have been counted. Entries name them by number; a larger number was counted later.
CREATE TABLE explorer_games (
    game TEXT PRIMARY KEY,
    number BIGINT NOT NULL UNIQUE,
    at BIGINT NOT NULL
);

-- How far the games have been counted: when the last of them ended, and its number.
CREATE TABLE explorer_cursor (
    one BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    number BIGINT NOT NULL
);
INSERT INTO explorer_cursor (one, at, number) VALUES (1, 0, 0);

-- The books that have been counted, by a digest of the book and its rules, and how many of their games.
CREATE TABLE explorer_books (
    digest TEXT PRIMARY KEY,
    games BIGINT NOT NULL
);
