-- Leaderboards read the ratings of one game and speed, the highest first.
CREATE INDEX ratings_rating ON ratings (variant, speed, rating);
