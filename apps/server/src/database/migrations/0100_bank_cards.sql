-- Cards that customers are paid to. What proves one is a small amount on its account.
create table bank_cards (
  id bigint constraint bank_cards_pk primary key,
  tenant_id text not null constraint bank_cards_tenant_fk references tenants,
  created_by bigint constraint bank_cards_created_by_fk references accounts on delete set null,
  state text not null default 'ordered' constraint bank_cards_state_known
    check (state in ('ordered', 'sent', 'arrived', 'verified', 'failed', 'expired', 'unbound')),
  bank_name text not null,
  -- Encrypted; "" once it is unbound.
  number_encrypted text not null,
  -- Keyed hash of the number, so that a card is bound once; null once it is unbound.
  number_index bytea,
  holder_encrypted text not null,
  phone_encrypted text not null,
  last_four text not null constraint bank_cards_last_four_form check (last_four ~ '^\d{4}$'),
  is_default boolean not null default false,
  -- When it takes the place of the default one.
  default_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint bank_cards_default_verified check (not is_default or state = 'verified'),
  constraint bank_cards_default_waits check (default_at is null or (state = 'verified' and not is_default)),
  constraint bank_cards_unbound_empty check (state <> 'unbound' or (number_encrypted = '' and number_index is null and phone_encrypted = ''))
);
create index bank_cards_tenant_idx on bank_cards (tenant_id, id);
create unique index bank_cards_default_unique on bank_cards (tenant_id) where is_default;
create unique index bank_cards_waiting_unique on bank_cards (tenant_id) where default_at is not null;
create unique index bank_cards_number_unique on bank_cards (tenant_id, number_index) where number_index is not null;
create index bank_cards_newest_idx on bank_cards (id desc);
create index bank_cards_due_idx on bank_cards (default_at) where default_at is not null;

-- Small amounts to cards. A row is written with the step that asks for it; the bank is told after the commit, by the row's id.
create table bank_card_remittances (
  id bigint constraint bank_card_remittances_pk primary key,
  tenant_id text not null constraint bank_card_remittances_tenant_fk references tenants,
  bank_card_id bigint not null constraint bank_card_remittances_card_fk references bank_cards on delete cascade,
  amount_fen integer not null constraint bank_card_remittances_amount_counts check (amount_fen > 0),
  failure text not null default '' constraint bank_card_remittances_failure_known
    check (failure in ('', 'name_mismatch', 'not_public', 'no_account', 'refused', 'tries')),
  sandbox boolean not null,
  reference text not null default '',
  arrivals smallint not null default 0,
  tries smallint not null default 0,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  arrived_at timestamptz,
  expires_at timestamptz not null
);
create index bank_card_remittances_card_idx on bank_card_remittances (bank_card_id, id desc);
create index bank_card_remittances_tenant_idx on bank_card_remittances (tenant_id, created_at);
