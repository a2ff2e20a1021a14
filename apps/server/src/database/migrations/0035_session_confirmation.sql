-- When the person proved by password or code who they are, in this session: what could take an account over asks for it anew. Null for a
-- session that another one let in (a QR code), until its password is asked for.
alter table sessions add column confirmed_at timestamptz;
