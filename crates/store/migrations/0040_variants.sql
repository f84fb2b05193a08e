-- Games that users make. A draft has no slug; the id of a published game is `~` and its slug. `digest` and the columns that
-- describe the game are those of its latest version.
CREATE TABLE variants (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    owner_since BIGINT NOT NULL,
    slug TEXT UNIQUE,
    file_id TEXT NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    author TEXT NOT NULL,
    summary TEXT NOT NULL,
    tags TEXT NOT NULL,
    visibility TEXT NOT NULL,
    status TEXT NOT NULL,
    source TEXT NOT NULL,
    version BIGINT NOT NULL DEFAULT 0,
    digest TEXT REFERENCES rules (digest),
    likes BIGINT NOT NULL DEFAULT 0,
    plays BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    published_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX variants_owner ON variants (owner, updated_at);
CREATE INDEX variants_new ON variants (published_at, id) WHERE visibility = 'public' AND status = 'active';
CREATE INDEX variants_played ON variants (plays, id) WHERE visibility = 'public' AND status = 'active';
CREATE INDEX variants_liked ON variants (likes, id) WHERE visibility = 'public' AND status = 'active';

-- Versions never change.
CREATE TABLE variant_versions (
    variant TEXT NOT NULL REFERENCES variants (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    digest TEXT NOT NULL REFERENCES rules (digest),
    at BIGINT NOT NULL,
    PRIMARY KEY (variant, number)
);
CREATE INDEX variant_versions_digest ON variant_versions (digest);

CREATE TABLE variant_likes (
    variant TEXT NOT NULL REFERENCES variants (id) ON DELETE CASCADE,
    owner TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (variant, owner)
);
CREATE INDEX variant_likes_owner ON variant_likes (owner);

CREATE TABLE variant_comments (
    id TEXT PRIMARY KEY,
    variant TEXT NOT NULL REFERENCES variants (id) ON DELETE CASCADE,
    author TEXT NOT NULL,
    author_name TEXT NOT NULL,
    text TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX variant_comments_variant ON variant_comments (variant, at, id);
CREATE INDEX variant_comments_author ON variant_comments (author);

-- Reports of a game, or of a comment on it (empty for the game itself).
CREATE TABLE variant_reports (
    variant TEXT NOT NULL REFERENCES variants (id) ON DELETE CASCADE,
    comment TEXT NOT NULL,
    reporter TEXT NOT NULL,
    reason TEXT NOT NULL,
    at BIGINT NOT NULL,
    closed_at BIGINT,
    PRIMARY KEY (variant, comment, reporter)
);
CREATE INDEX variant_reports_open ON variant_reports (at) WHERE closed_at IS NULL;
