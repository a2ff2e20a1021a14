-- Announcements to kinds of tenants, regions and single tenants, with an end; who was reminded of one.

alter table announcements drop constraint announcements_audience_known;
alter table announcements drop constraint announcements_state_known;
update announcements set audience = 'chosen' where audience in ('farms', 'roles');
alter table announcements
  add constraint announcements_audience_known check (audience in ('all', 'customers', 'chosen')),
  add constraint announcements_state_known check (state in ('draft', 'scheduled', 'sending', 'sent', 'ended', 'withdrawn')),
  -- Of a chosen audience; each list that is not empty is a condition, and all of them hold for one membership.
  add column tenant_kinds text[] not null default '{}',
  add column region_codes text[] not null default '{}',
  add column tenant_ids text[] not null default '{}',
  add column ends_at timestamptz,
  -- When people who had not read it were reminded last, and whether some of them still wait for it.
  add column reminded_at timestamptz,
  add column reminding boolean not null default false,
  add constraint announcements_chosen_someone check (audience <> 'chosen'
    or cardinality(tenant_kinds) + cardinality(region_codes) + cardinality(farm_ids) + cardinality(tenant_ids) + cardinality(role_aliases) > 0);
create index announcements_ends_at_idx on announcements (ends_at) where state in ('sending', 'sent');
create index announcements_reminding_idx on announcements (id) where reminding;
alter table announcement_receipts add column reminded_at timestamptz;
