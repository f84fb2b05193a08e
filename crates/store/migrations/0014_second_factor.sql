-- Ways back into an account, and a second factor. Of codes and links only hashes are kept; the secret of a second factor
-- (TOTP) has to be readable, and so has the address of mail.
ALTER TABLE users ADD COLUMN recovery TEXT;
ALTER TABLE users ADD COLUMN totp TEXT;
ALTER TABLE users ADD COLUMN totp_pending TEXT;
-- The time step of the last code that was used: no code is good twice.
ALTER TABLE users ADD COLUMN totp_step BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN email TEXT;
ALTER TABLE users ADD COLUMN email_key TEXT;
CREATE UNIQUE INDEX users_email ON users (email_key);

CREATE TABLE backup_codes (
    owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    PRIMARY KEY (owner, digest)
);

CREATE TABLE mail_links (
    digest TEXT PRIMARY KEY,
    owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    purpose TEXT NOT NULL,
    email TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX mail_links_owner ON mail_links (owner, purpose);
