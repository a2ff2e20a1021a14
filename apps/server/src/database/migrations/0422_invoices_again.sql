-- What a red letter took back is invoiced again, with what was wrong put right.
drop index invoices_settlement_unique;
create unique index invoices_settlement_unique on invoices (settlement) where state in ('applied', 'issued');
