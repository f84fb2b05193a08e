-- Studies. Those of the site itself have no owner, and the digest of the file that they are made from.
CREATE TABLE studies (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    about TEXT NOT NULL,
    tags TEXT NOT NULL,
    visibility TEXT NOT NULL,
    -- Name, tags and games in small letters, to be searched.
    words TEXT NOT NULL,
    -- Ids of the games of its chapters.
    variants TEXT NOT NULL,
    likes BIGINT NOT NULL DEFAULT 0,
    -- Number of the last edit.
    seq BIGINT NOT NULL DEFAULT 0,
    source TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX studies_owner ON studies (owner, updated_at);
CREATE INDEX studies_new ON studies (updated_at, id) WHERE visibility = 'public';
CREATE INDEX studies_liked ON studies (likes, id) WHERE visibility = 'public';

CREATE TABLE study_members (
    study TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    member TEXT NOT NULL,
    writes BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (study, member)
);
CREATE INDEX study_members_member ON study_members (member);

CREATE TABLE study_likes (
    study TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    owner TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (study, owner)
);
CREATE INDEX study_likes_owner ON study_likes (owner, at);

-- Chapters: what their moves were after the edit `seq`, as JSON of this many bytes.
CREATE TABLE study_chapters (
    study TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    place BIGINT NOT NULL,
    name TEXT NOT NULL,
    variant TEXT NOT NULL,
    digest TEXT NOT NULL REFERENCES rules (digest),
    fen TEXT NOT NULL,
    tree TEXT NOT NULL,
    size BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (study, id)
);

-- The edits since then, and some before, by which one that was sent twice is known.
CREATE TABLE study_edits (
    study TEXT NOT NULL,
    seq BIGINT NOT NULL,
    chapter TEXT NOT NULL,
    client BIGINT NOT NULL,
    number BIGINT NOT NULL,
    author TEXT NOT NULL,
    edit TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (study, seq),
    UNIQUE (study, client, number),
    FOREIGN KEY (study, chapter) REFERENCES study_chapters (study, id) ON DELETE CASCADE
);
CREATE INDEX study_edits_chapter ON study_edits (study, chapter, seq);
CREATE INDEX study_edits_author ON study_edits (author);
