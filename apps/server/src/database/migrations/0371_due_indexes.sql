-- What waits for its moment, by moment and id: a look of the clock reads what is due and nothing that was done or told already.
drop index work_orders_unanswered_idx;
create index work_orders_unanswered_idx on work_orders (first_due_at, id)
  where state in ('pending', 'in_process', 'waiting_customer') and first_answered_at is null and not told_first;
create index work_orders_soon_idx on work_orders (solve_due_at, id)
  where state in ('pending', 'in_process', 'waiting_customer') and not told_soon;
create index work_orders_late_idx on work_orders (solve_due_at, id)
  where state in ('pending', 'in_process', 'waiting_customer') and not told_late;
create index work_orders_forgotten_idx on work_orders (updated_at, id) where state = 'waiting_customer' and not told_customer;
drop index work_orders_completed_idx;
create index work_orders_completed_idx on work_orders (solved_at, id) where state = 'completed' and type <> 'suggestion';

drop index contracts_waiting_idx;
create index contracts_waiting_idx on contracts (sign_by, id) where state in ('sent', 'seen');
create index contracts_signing_idx on contracts (sign_by, id) where state in ('sent', 'seen') and not told_signing;
drop index contracts_signed_idx;
create index contracts_signed_idx on contracts (end_day, id) where state = 'signed';
create index contracts_week_idx on contracts (end_day, id) where state = 'signed' and not told_7;
create index contracts_month_idx on contracts (end_day, id) where state = 'signed' and not told_30;

create index cancellations_cooling_idx on cancellations (cool_until, id) where state = 'cooling';
create index cancellations_erasing_idx on cancellations (erase_at, id) where state = 'accepted';
create index cancellations_late_idx on cancellations (due_at, id) where state = 'waiting' and not told_late;

drop index real_name_applications_licence_idx;
create index real_name_applications_licence_idx on real_name_applications (licence_until, id) where state = 'passed';
create index real_name_applications_month_idx on real_name_applications (licence_until, id)
  where state = 'passed' and (reminded_days is null or reminded_days > 30);
create index real_name_applications_week_idx on real_name_applications (licence_until, id)
  where state = 'passed' and (reminded_days is null or reminded_days > 7);

-- Small amounts of cards, by who has to bring them on.
create index bank_cards_running_idx on bank_cards (state, id) where state in ('ordered', 'sent', 'arrived');
