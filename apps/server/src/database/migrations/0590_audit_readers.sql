-- The trail is read by person and by row.
create index audit_entries_account_idx on audit_entries (account_id, id desc);
