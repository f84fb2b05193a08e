-- Pictures of pieces that users have drawn, by the digest of the cleaned SVG, which variant files name. A picture stays as long
-- as one of those who have sent it keeps it, or a published version names it.
CREATE TABLE pictures (
    digest TEXT PRIMARY KEY,
    svg TEXT NOT NULL
);

CREATE TABLE picture_owners (
    picture TEXT NOT NULL REFERENCES pictures (digest) ON DELETE CASCADE,
    owner TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (picture, owner)
);
CREATE INDEX picture_owners_owner ON picture_owners (owner, at);

CREATE TABLE variant_pictures (
    variant TEXT NOT NULL REFERENCES variants (id) ON DELETE CASCADE,
    picture TEXT NOT NULL REFERENCES pictures (digest),
    PRIMARY KEY (variant, picture)
);
CREATE INDEX variant_pictures_picture ON variant_pictures (picture);

-- A game that PGN or another inventor names.
CREATE INDEX variants_name ON variants (name_key);
