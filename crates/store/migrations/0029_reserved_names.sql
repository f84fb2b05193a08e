-- Names that nobody else may take, as digests: of deleted accounts, which have no owner any more, and former names of
-- accounts that the host has renamed.
ALTER TABLE deleted_names RENAME TO reserved_names;
ALTER TABLE reserved_names RENAME COLUMN deleted_at TO reserved_at;
ALTER TABLE reserved_names ADD COLUMN owner TEXT;
