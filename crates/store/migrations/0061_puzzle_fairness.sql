-- Votes count from solvers whose attempt was rated, by the age of their account: `standing` is the sum of votes by their
-- weights. Votes of before have no weight. `removed_at` is set where the standing is too low.
ALTER TABLE puzzles ADD COLUMN standing BIGINT NOT NULL DEFAULT 0;
ALTER TABLE puzzles ADD COLUMN removed_at BIGINT;
ALTER TABLE puzzle_rounds ADD COLUMN vote_weight BIGINT NOT NULL DEFAULT 0;
CREATE INDEX puzzles_removed ON puzzles (variant, removed_at);

-- Solutions that a network, as a hash, was shown while no rating was at stake. Deleted after a day.
CREATE TABLE seen_solutions (
    network TEXT NOT NULL,
    puzzle TEXT NOT NULL REFERENCES puzzles (id) ON DELETE CASCADE,
    at BIGINT NOT NULL,
    PRIMARY KEY (network, puzzle)
);
CREATE INDEX seen_solutions_at ON seen_solutions (at);
