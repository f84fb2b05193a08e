-- The levels that users have solved, each with the most stars that it brought, for each version of a game's rules.
CREATE TABLE lesson_stars (
    owner TEXT NOT NULL,
    digest TEXT NOT NULL,
    level TEXT NOT NULL,
    variant TEXT NOT NULL,
    stars BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (owner, digest, level)
);
