-- Sessions are kept by the digests of their ids from now on: whoever was signed in signs in once more.
DELETE FROM sessions;
