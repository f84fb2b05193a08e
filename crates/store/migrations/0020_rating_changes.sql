-- What a rating was before the game, so that a game can show what it changed.
ALTER TABLE rating_history ADD COLUMN rating_before DOUBLE PRECISION;

UPDATE rating_history SET rating_before = COALESCE(
    (
        SELECT earlier.rating FROM rating_history AS earlier
        WHERE earlier.owner = rating_history.owner AND earlier.variant = rating_history.variant
        AND earlier.speed = rating_history.speed
        AND (earlier.at < rating_history.at OR (earlier.at = rating_history.at AND earlier.game < rating_history.game))
        ORDER BY earlier.at DESC, earlier.game DESC LIMIT 1
    ),
    1500
);
