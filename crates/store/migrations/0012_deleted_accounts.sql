-- Names of deleted accounts, as digests: nobody else may take one and pass for whoever bore it.
CREATE TABLE deleted_names (
    digest TEXT PRIMARY KEY,
    deleted_at BIGINT NOT NULL
);

-- Accounts that were deleted before still stand in what was written of their games: the server erases them from these at
-- its next start.
CREATE TABLE unerased_games (
    game TEXT PRIMARY KEY
);
INSERT INTO unerased_games (game) SELECT DISTINCT game FROM facts WHERE fact LIKE '{"fact":"forgotten"%';

UPDATE games SET maker = '' WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.id = games.maker);
UPDATE chat SET author = '', author_name = 'Guest' WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.id = chat.author);
UPDATE reports SET author = '', author_name = 'Guest' WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.id = reports.author);
-- One line is reported once by each: where nobody is left to name, the report's own id stands for whoever made it.
UPDATE reports SET reporter = id, reporter_name = 'Guest'
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.id = reports.reporter);
