-- The server's own keys by name: the private key of web push (VAPID), made at the first start.
CREATE TABLE server_keys (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- Browsers that get push messages, as long as the sessions of their owner have not all been ended: `epoch` is the owner's then.
CREATE TABLE push_subscriptions (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    endpoint TEXT NOT NULL,
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    language TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    failures BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);
CREATE INDEX push_subscriptions_owner ON push_subscriptions (owner);
