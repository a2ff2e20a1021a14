-- When the person proved who they are. A switch to another tenant opens a new session, but proves nothing: it keeps this time, from
-- which the end of a session's life is counted.
alter table sessions add column authenticated_at timestamptz not null default now();
update sessions set authenticated_at = created_at;

-- Tokens that an exchanged refresh token gave, encrypted with a key made from that refresh token, of which only the hash is here: for the
-- moment in which another tab may exchange the same token and gets the same answer.
alter table session_tokens add column successor bytea;
create index session_tokens_successor_idx on session_tokens (used_at) where successor is not null;
