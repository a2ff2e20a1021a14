-- Whether any log-in is locked at all: what a list of members asks, where failures are many and locks are few.
create index login_failures_locked_until_idx on login_failures (locked_until) where locked_until is not null;
