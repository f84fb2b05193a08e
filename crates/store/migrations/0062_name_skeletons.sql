-- What names look like, as UTS #39 compares them: two that look alike have the same skeleton. The server computes those of
-- the names that are here at its next start.
ALTER TABLE users ADD COLUMN name_skeleton TEXT;
CREATE INDEX users_name_skeleton ON users (name_skeleton);
ALTER TABLE variants ADD COLUMN name_skeleton TEXT;
CREATE INDEX variants_name_skeleton ON variants (name_skeleton);
