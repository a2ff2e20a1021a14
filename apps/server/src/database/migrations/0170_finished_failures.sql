-- `failures` counts tries that are taken, also those that are still compared and may be right: it bounds how many are compared. `wrong`
-- counts those that were compared and were wrong: it decides whether a captcha is wanted.
alter table login_failures add column wrong integer not null default 0;
update login_failures set wrong = failures;
