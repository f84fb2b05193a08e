-- Lists of one game's games read the finished ones by an index that a game enters once, when it ends: moves cost nothing more.
CREATE INDEX games_finished ON games (variant, updated_at) WHERE status = 'finished';
