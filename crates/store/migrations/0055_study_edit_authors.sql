-- Numbers of edits belong to a client of an author: two authors may use the same. They are not unique: deleted accounts share
-- the empty author. The edit before, `seq - 1`, is compared when one is written.
CREATE TABLE study_edits_by_author (
    study TEXT NOT NULL,
    seq BIGINT NOT NULL,
    chapter TEXT NOT NULL,
    client BIGINT NOT NULL,
    number BIGINT NOT NULL,
    author TEXT NOT NULL,
    edit TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (study, seq),
    FOREIGN KEY (study, chapter) REFERENCES study_chapters (study, id) ON DELETE CASCADE
);
INSERT INTO study_edits_by_author (study, seq, chapter, client, number, author, edit, at)
    SELECT study, seq, chapter, client, number, author, edit, at FROM study_edits;
DROP TABLE study_edits;
ALTER TABLE study_edits_by_author RENAME TO study_edits;
CREATE INDEX study_edits_chapter ON study_edits (study, chapter, seq);
CREATE INDEX study_edits_author ON study_edits (author);
CREATE INDEX study_edits_client ON study_edits (study, author, client, number);

-- The size of a chapter counts its edits as well. The quota adds sizes up without reading the moves.
UPDATE study_chapters SET size = LENGTH(tree) + (
    SELECT COALESCE(SUM(LENGTH(edit) + 128), 0) FROM study_edits
    WHERE study_edits.study = study_chapters.study AND study_edits.chapter = study_chapters.id
);
CREATE INDEX study_chapters_size ON study_chapters (study, size);
