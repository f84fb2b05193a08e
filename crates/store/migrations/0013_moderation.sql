-- The host's tools: closed and banned accounts, muted users, banned networks. `moderation` is what `lozenge users` has done:
-- the server, which may run meanwhile, carries it out and notes that.
ALTER TABLE users ADD COLUMN closed_at BIGINT;
ALTER TABLE users ADD COLUMN banned_at BIGINT;
ALTER TABLE users ADD COLUMN muted_until BIGINT;
-- The network that a user came from last, kept for 14 days.
ALTER TABLE users ADD COLUMN network TEXT;
ALTER TABLE users ADD COLUMN network_at BIGINT;
CREATE INDEX users_network ON users (network_at);
ALTER TABLE reports ADD COLUMN closed_at BIGINT;

CREATE TABLE banned_networks (
    network TEXT PRIMARY KEY,
    banned_at BIGINT NOT NULL
);

CREATE TABLE moderation (
    number BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    handled BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX moderation_open ON moderation (number) WHERE handled = 0;
