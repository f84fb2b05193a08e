-- A game of four has its players in the order of the turns: Red in `white`, Blue in `black`, Yellow in `third`, Green in `fourth`.
ALTER TABLE games ADD COLUMN third TEXT;
ALTER TABLE games ADD COLUMN fourth TEXT;
ALTER TABLE games ADD COLUMN third_player TEXT;
ALTER TABLE games ADD COLUMN fourth_player TEXT;
-- When the engine takes the seats that are still free, as JSON; none if it does not.
ALTER TABLE games ADD COLUMN fill TEXT;
CREATE INDEX games_third ON games (third) WHERE third IS NOT NULL;
CREATE INDEX games_fourth ON games (fourth) WHERE fourth IS NOT NULL;
