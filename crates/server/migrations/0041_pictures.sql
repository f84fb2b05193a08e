-- Pictures of pieces that users have drawn, by the digest of the cleaned SVG, which variant files name. Those that a published
-- version names are kept for ever.
CREATE TABLE pictures (
    digest TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    svg TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX pictures_owner ON pictures (owner, at);

CREATE TABLE variant_pictures (
    variant TEXT NOT NULL REFERENCES variants (id) ON DELETE CASCADE,
    picture TEXT NOT NULL REFERENCES pictures (digest),
    PRIMARY KEY (variant, picture)
);
CREATE INDEX variant_pictures_picture ON variant_pictures (picture);

-- A game that PGN or another inventor names.
CREATE INDEX variants_name ON variants (name_key);
