-- The page of a loaded lot behind a QR code. The code is random, so that nobody finds another lot by counting.
create table passports (
  "order" bigint constraint passports_pk primary key constraint passports_order_fk references sale_orders,
  code text not null constraint passports_code_unique unique,
  -- Since when a version is to be issued: all of it after a weighing, arrivals alone afterwards.
  loaded_at timestamptz,
  arrived_at timestamptz
);
create index passports_due_idx on passports ((coalesce(loaded_at, arrived_at))) where loaded_at is not null or arrived_at is not null;

create table passport_versions (
  "order" bigint not null constraint passport_versions_order_fk references passports,
  version integer not null,
  -- JSON exactly as it was signed.
  body text not null,
  signature bytea not null,
  -- Raw Ed25519 key.
  public_key bytea not null,
  issued_at timestamptz not null,
  constraint passport_versions_pk primary key ("order", version)
);
create function keep_passport_version() returns trigger language plpgsql as $$
begin
  raise exception 'version % of a passport is final', old.version;
end $$;
create trigger passport_versions_kept before update or delete on passport_versions
  for each row execute function keep_passport_version();
