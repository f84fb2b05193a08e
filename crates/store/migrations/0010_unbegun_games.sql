-- Games in which not both have moved: the server looks every minute for those that were left.
CREATE INDEX games_unbegun ON games (updated_at) WHERE status = 'started' AND ply < 2;
