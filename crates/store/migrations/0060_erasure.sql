-- Reviews name no players any more: those of the game are shown with them. The server takes the names out of these at its
-- next start.
CREATE TABLE named_reviews (
    game TEXT PRIMARY KEY
);
INSERT INTO named_reviews (game) SELECT game FROM reviews WHERE data IS NOT NULL;

-- Games that deleted accounts have imported, which name players in their PGN.
DELETE FROM reviews WHERE game IN
    (SELECT id FROM imports WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.id = imports.owner));
DELETE FROM imports WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.id = imports.owner);
