-- The seats of a game of four that anybody may take, in the lobby, as JSON; none if there are none.
ALTER TABLE games ADD COLUMN open_seats TEXT;
CREATE INDEX games_open ON games (created_at) WHERE open_seats IS NOT NULL AND status = 'waiting';
