-- Networks that somebody has signed in from, as hashes: strangers' tries of a password do not count there.
CREATE TABLE known_networks (
    owner TEXT NOT NULL,
    digest TEXT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (owner, digest)
);
