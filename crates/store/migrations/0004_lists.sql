-- Every move changes `updated_at`: it is in one index, which lists are read by, instead of in four that they never used.
DROP INDEX games_white;
DROP INDEX games_black;
DROP INDEX games_status;
DROP INDEX games_variant;
CREATE INDEX games_white ON games (white);
CREATE INDEX games_black ON games (black);
CREATE INDEX games_status ON games (status);
CREATE INDEX games_updated ON games (updated_at);
