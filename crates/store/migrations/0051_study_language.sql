-- The language of a study that comes with the program, by its code; empty for all others.
ALTER TABLE studies ADD COLUMN language TEXT NOT NULL DEFAULT '';
