-- Open challenges of one player to another. They end when they are accepted, declined, canceled or too old.

CREATE TABLE challenges (
    id TEXT PRIMARY KEY,
    challenger TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    challenged TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    terms TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    UNIQUE (challenger, challenged)
);
CREATE INDEX challenges_challenged ON challenges (challenged);
CREATE INDEX challenges_expire ON challenges (expires_at);
