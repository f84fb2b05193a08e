-- Lines of chat that somebody has reported, for the host to read. The line is copied, so that a report stays what it was.

CREATE TABLE reports (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    room TEXT NOT NULL,
    reporter TEXT NOT NULL,
    reporter_name TEXT NOT NULL,
    author TEXT NOT NULL,
    author_name TEXT NOT NULL,
    line TEXT NOT NULL,
    said_at BIGINT NOT NULL,
    at BIGINT NOT NULL,
    UNIQUE (game, number, reporter)
);
CREATE INDEX reports_at ON reports (at);
