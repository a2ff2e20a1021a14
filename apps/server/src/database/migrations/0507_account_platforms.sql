-- What the clients of a platform (1 web, 2 app, 3 other) keep of a person.
create table account_platforms (
  account_id bigint not null constraint account_platforms_account_fk references accounts on delete cascade,
  user_type smallint not null constraint account_platforms_user_type_known check (user_type in (1, 2, 3)),
  user_ext text not null,
  updated_at timestamptz not null default now(),
  constraint account_platforms_pk primary key (account_id, user_type)
);
