-- What the host has done to a study: `active`, `hidden` (it is listed nowhere) or `banned` (nobody can open it).
ALTER TABLE studies ADD COLUMN status TEXT NOT NULL DEFAULT 'active';

-- Reports of studies to the host.
CREATE TABLE study_reports (
    study TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    reporter TEXT NOT NULL,
    reason TEXT NOT NULL,
    at BIGINT NOT NULL,
    closed_at BIGINT,
    PRIMARY KEY (study, reporter)
);
CREATE INDEX study_reports_open ON study_reports (at) WHERE closed_at IS NULL;
CREATE INDEX study_reports_reporter ON study_reports (reporter);
